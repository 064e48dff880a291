"""Days of the paper's scenario that several tests look at, and every alternative, each computed once."""

from functools import lru_cache

from rtp.paper.alternatives import Outcome, study
from rtp.paper.reproduction import PAPER, Days, many_days

MOST = 80


@lru_cache
def paper_days(count: int = MOST) -> Days:
    """The first so many days: fewer are the beginning of more."""
    if count == MOST:
        return many_days(PAPER, MOST)
    return Days(**{name: array[:count] for name, array in vars(paper_days()).items()})


@lru_cache
def paper_study() -> list[Outcome]:
    return study()
