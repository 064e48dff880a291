"""Days of the paper's scenario that several tests look at, and every alternative, each computed once.

And all that is said of them, to be recorded."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from rtp.core.stats import Range
from rtp.paper.alternatives import Headline, OptionOutcome, alternatives_frame, reason, study
from rtp.paper.choices import OPEN_CHOICES
from rtp.paper.comparison import (
    comparison_frame,
    narrow_frame,
    not_counted_words,
    reading_error_words,
    table,
    verdict_words,
)
from rtp.paper.remarks import notes, win_words
from rtp.paper.reproduction import PAPER, PaperDays, finding, many_days

MOST = 80
FEW = 6
SAID = ("table", "words", "choices")


@lru_cache
def paper_days(count: int = MOST) -> PaperDays:
    """The first so many days: fewer are the beginning of more."""
    if count == MOST:
        return many_days(PAPER, MOST)
    return PaperDays(**{name: array[:count] for name, array in vars(paper_days()).items()})


@lru_cache
def paper_study() -> list[OptionOutcome]:
    return study()


def said_of_paper(case: str) -> dict[str, Any]:
    """What is said of the paper: number by number, around them, or of what it leaves open."""
    match case:
        case "table":
            return {"rows": comparison_frame(table(many_days(PAPER, FEW))).to_dict("records")}
        case "words":
            return _around_the_numbers(many_days(PAPER, FEW))
        case _:
            outcomes = paper_study()
            return {
                "rows": alternatives_frame(outcomes).to_dict("records"),
                "reasons": {choice.name: reason(choice, outcomes) for choice in OPEN_CHOICES},
                "reasons turned": {choice.name: reason(choice, turned(outcomes)) for choice in OPEN_CHOICES},
            }


def _around_the_numbers(days: PaperDays) -> dict[str, Any]:
    better, alike = np.array([1.055, 1.0, 1.0]), np.full(len(days), 1e-3)
    others = {
        "of the mechanisms": replace(days, expected=days.expected * better),
        "of nobody": replace(days, rmsre=np.tile(alike[:, None], 3), dropping=np.ones(len(days))),
    }
    rows = table(days)
    return {
        "narrow": narrow_frame(rows).to_dict("records"),
        "verdict": [verdict_words(rows), not_counted_words(rows), reading_error_words(days)],
        "finding": finding(days),
        "finding turned": {name: finding(other) for name, other in others.items()},
        "notes": [note._asdict() for note in notes()],
        "win": win_words(),
    }


def turned(outcomes: list[OptionOutcome]) -> list[OptionOutcome]:
    """The same study, had it found that every other answer fits the paper."""
    return [each if each.ours else replace(each, headline=_fitting(each.headline)) for each in outcomes]


def _fitting(found: Headline | None) -> Headline | None:
    return found and replace(
        found,
        errors=(1.0554, 1.0, 0.5),
        excess=Range(0.2, 0.1, 0.3),
        dropping=2.0,
        scatter=0.1,
        occupancy_rmse=0.001,
    )
