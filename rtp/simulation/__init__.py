"""simulate(scenario) → Day: a street's day is drawn, every mechanism publishes."""

from rtp.simulation.day import Day, draw_day, market_of, publish_day, simulate
from rtp.simulation.publish import Cheat, Market, Published, Release, market, rate_error, unit_noise
from rtp.simulation.setup import STREET_FIELDS, is_papers_street, street_key, street_spec

__all__ = [
    "STREET_FIELDS",
    "Cheat",
    "Day",
    "Market",
    "Published",
    "Release",
    "draw_day",
    "is_papers_street",
    "market",
    "market_of",
    "publish_day",
    "rate_error",
    "simulate",
    "street_key",
    "street_spec",
    "unit_noise",
]
