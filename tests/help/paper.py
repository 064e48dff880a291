"""Days of the paper's scenario that several tests look at, computed once."""

from functools import lru_cache

from rtp.paper.comparison import PAPER, PaperDays, many_days

MOST = 80


@lru_cache
def paper_days(count: int = MOST) -> PaperDays:
    """The first so many days: fewer are the beginning of more."""
    if count == MOST:
        return many_days(PAPER, MOST)
    return PaperDays(**{name: array[:count] for name, array in vars(paper_days()).items()})
