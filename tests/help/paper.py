"""Days of the paper's scenario that several tests look at, simulated once."""

from functools import lru_cache

from rtp.paper.reproduction import PAPER, Days, many_days


@lru_cache
def paper_days(count: int = 120) -> Days:
    return many_days(PAPER, count)
