"""simulate(scenario) → Day: a street lives, every mechanism publishes."""

from rtp.simulation.day import Day, live, publish_day, simulate
from rtp.simulation.publish import Priced, Release, price, unit_noise
from rtp.simulation.setup import STREET_FIELDS, Market, is_papers_street, market, street_key, street_spec

__all__ = [
    "STREET_FIELDS",
    "Day",
    "Market",
    "Priced",
    "Release",
    "is_papers_street",
    "live",
    "market",
    "price",
    "publish_day",
    "simulate",
    "street_key",
    "street_spec",
    "unit_noise",
]
