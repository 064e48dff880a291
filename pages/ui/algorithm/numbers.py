"""The step in numbers and in words, as far as the lines have come."""

import streamlit as st

from pages.ui.algorithm.position import Position
from pages.ui.show import metric
from rtp.teaching.consequences import (
    changes_words,
    privacy_words,
    promise_check_words,
    protected_by_any_model,
)
from rtp.teaching.lines import LineNumber, count_possible_states, rate_text
from rtp.teaching.stage import Stage

HIDDEN = "…"
# The six numbers, and the line from which each is known.
KNOWN = {
    "Possible states": LineNumber.POSSIBLE,
    "Protected |κ|": LineNumber.PROTECTED,
    "Sensitivity λ": LineNumber.MAXIMUM,
    "Noise scale λ/ε": LineNumber.NOISE,
    "Optimal rate": LineNumber.OPTIMAL,
    "Published rate": LineNumber.PUBLISHED,
}


def numbers(street: Stage, moved: Stage, here: Position) -> None:
    """The step in six numbers; after a move, against the street the stage opened on."""
    now, before = _values(moved, here.step), _values(street, here.step)
    changed = moved.moves != street.moves
    with st.container(key="stage-numbers"), st.grid(len(KNOWN), min_column_width=95, gap="xsmall"):
        for (label, known), value, was in zip(KNOWN.items(), now, before, strict=True):
            executed = here.line >= known
            metric(
                label,
                value if executed else HIDDEN,
                f"was {was}" if changed and executed else None,
            )


def _values(lesson: Stage, t: int) -> tuple[str, ...]:
    step = lesson.at(t)
    possible, states = count_possible_states(step)
    return (
        f"{possible} of {states}",
        f"{len(protected_by_any_model(step))} of {lesson.houses}",
        f"{step.sensitivity:.4g}",
        f"{step.scale:.4g}",
        rate_text(float(lesson.release.optimal[t])),
        rate_text(step.published),
    )


def consequences(street: Stage, moved: Stage, here: Position) -> None:
    """What the step means for the people on the street."""
    if here.line < LineNumber.PUBLISHED:
        st.info(f"What the step means is told when its rate is published, in line {LineNumber.PUBLISHED}.")
        return
    sentences = [privacy_words(moved, here.step), promise_check_words(moved, here.step)]
    if moved.moves != street.moves:
        sentences.insert(1, changes_words(street, moved, here.step))
    show, icon = (
        (st.info, "shield") if protected_by_any_model(moved.at(here.step)) else (st.warning, "visibility")
    )
    show("  \n".join(sentences), icon=f":material/{icon}:")
