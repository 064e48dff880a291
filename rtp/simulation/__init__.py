"""simulate(scenario) → Day: a street's day is drawn, every mechanism publishes."""

from rtp.simulation.day import Day, draw_day, publish_day, simulate
from rtp.simulation.publish import Cheat, Market, Priced, Release, market, price, unit_noise
from rtp.simulation.setup import STREET_FIELDS, is_papers_street, street_key, street_spec

__all__ = [
    "STREET_FIELDS",
    "Cheat",
    "Day",
    "Market",
    "Priced",
    "Release",
    "draw_day",
    "is_papers_street",
    "market",
    "price",
    "publish_day",
    "simulate",
    "street_key",
    "street_spec",
    "unit_noise",
]
