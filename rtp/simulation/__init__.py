"""simulate(scenario) → Day: a street lives, every mechanism publishes."""

from rtp.simulation.day import Day, live, publish, simulate
from rtp.simulation.price import Priced, price, unit_noise, walk
from rtp.simulation.release import Release
from rtp.simulation.unpack import LIFE_FIELDS, Market, is_papers_street, life_key, market, street_spec

__all__ = [
    "LIFE_FIELDS",
    "Day",
    "Market",
    "Priced",
    "Release",
    "is_papers_street",
    "life_key",
    "live",
    "market",
    "price",
    "publish",
    "simulate",
    "street_spec",
    "unit_noise",
    "walk",
]
