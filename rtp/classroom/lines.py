"""Algorithm 1 with today's values: what each of its lines did at one step, in words built from its numbers.

Lines are numbered as in `rtp.algorithm1`. Lines 3 to 8 and 15 are said for one θ, the others for all.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.algorithm1 import ModelStep, Step, all_states
from rtp.classroom.lesson import Lesson
from rtp.classroom.printed import COMMENTS, FORMULAS
from rtp.core.types import Bools, Floats

if TYPE_CHECKING:
    import pandas as pd

LAST = len(FORMULAS)
# The line from which each value is known.
PRIOR, POSSIBLE, NEIGHBOURS, PROTECTED, SENSITIVITY, MAXIMUM, OPTIMAL, NOISE, NOISY, PUBLISHED, POSTERIOR = (
    4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15,
)  # fmt: skip


class Line(NamedTuple):
    number: int
    formula: str  # Markdown with LaTeX, as the paper prints it
    comment: str  # as the paper prints it
    value: str  # what it did just now


def lines(lesson: Lesson, t: int, model: int) -> list[Line]:
    """All lines at step t (from 0), for the given θ where a line is about one."""
    values = [*_for_each_model(lesson, t, model), *_for_all(lesson, t), *_afterwards(lesson, t, model)]
    return [
        Line(n, formula, COMMENTS.get(n, ""), value)
        for n, (formula, value) in enumerate(zip(FORMULAS, values, strict=True), 1)
    ]


def _for_each_model(lesson: Lesson, t: int, model: int) -> list[str]:
    """Lines 1 to 9."""
    own, models = lesson.at(t).models[model], lesson.scenario.models
    several = len(models) > 1
    return [
        f"step {t + 1} of {lesson.scenario.steps}, {lesson.scenario.when(t)}",
        f"θ = {models[model].name}" + (f", one of {len(models)} models" if several else ", the only model"),
        _likely(own.prior) if t == 0 else "only at the first step",
        f"{_likely(own.prior)}, by the matrix of {lesson.scenario.when(t - 1)}"
        if t
        else "from the second step on",
        f"{own.possible.sum()} of {len(own.possible)} states are possible",
        _pairs(len(own.neighbours)),
        house_list(own.protected) if own.protected else "empty: no house is uncertain",
        _sensitivity(lesson, own),
        f"then the same for {_others(lesson, model)}" if several else "there is no other model",
    ]


def _pairs(count: int) -> str:
    verb = "pair of possible states differs" if count == 1 else "pairs of possible states differ"
    return f"{count} {verb} in one house"


def _sensitivity(lesson: Lesson, own: ModelStep) -> str:
    if not own.protected:
        return "0: there is nobody to protect"
    alpha = lesson.scenario.alpha
    largest = max(own.protected, key=lesson.street.bound.__getitem__)
    return f"{alpha:g} × {own.sensitivity / alpha:.4g} (house {largest}) = {own.sensitivity:.4g}"


def _for_all(lesson: Lesson, t: int) -> list[str]:
    """Lines 10 to 14."""
    step, s = lesson.at(t), lesson.scenario
    optimal, noise, demand = (
        float(values[t]) for values in (lesson.release.optimal, lesson.noise, lesson.release.demand)
    )
    drawn = f"{'−' if noise < 0 else '+'} {abs(noise):.4f}"
    return [
        f"{step.sensitivity:.4g}" + (f", from {loudest(lesson, step)}" if len(s.models) > 1 else ""),
        f"{s.alpha:g} × {demand:.4f} + {s.beta:g} = {rate(optimal)}",
        f"scale {step.sensitivity:.4g} / {s.epsilon:g} = {step.scale:.4g}; it drew {drawn}"
        if step.scale
        else "scale 0: no noise at all",
        f"{rate(optimal)} {drawn} = {rate(optimal + noise)}",
        f"everyone sees {rate(step.published)}"
        + (", cut at 0" if s.clip_at_zero and optimal + noise < 0 else ""),
    ]


def _afterwards(lesson: Lesson, t: int, model: int) -> list[str]:
    """Lines 15 and 16."""
    return [
        _learned(lesson.at(t).models[model]),
        f"step {t + 2}, {lesson.scenario.when(t + 1)}"
        if t + 1 < lesson.scenario.steps
        else "the day is over",
    ]


def rate(value: float) -> str:
    return f"{value:,.4f}".replace("-", "−")


def label(state: int, houses: int) -> str:
    """A joint state as the houses' digits, house 0 first: 0 is empty, 1 occupied."""
    return f"{state:0{houses}b}"


def house_list(houses: Sequence[int]) -> str:
    """Houses in words: "house 2", "houses 0, 1 and 3"."""
    names = [str(h) for h in houses]
    if not names:
        return "no house"
    return f"house {names[0]}" if len(names) == 1 else f"houses {', '.join(names[:-1])} and {names[-1]}"


def _others(lesson: Lesson, but: int) -> str:
    return " and ".join(m.name for i, m in enumerate(lesson.scenario.models) if i != but)


def loudest(lesson: Lesson, step: Step) -> str:
    """The models that ask for the most noise, by name."""
    most = [m.sensitivity == step.sensitivity for m in step.models]
    return " and ".join(m.name for m, yes in zip(lesson.scenario.models, most, strict=True) if yes)


def _likely(law: Floats) -> str:
    houses = len(law).bit_length() - 1
    best = int(np.argmax(law))
    return f"likeliest state {label(best, houses)}, with {law[best]:.4g}"


def occupied(law: Floats) -> Floats:
    """Pr[occupied] of every house under a joint law."""
    houses = len(law).bit_length() - 1
    return np.asarray(law @ all_states(houses).astype(float))


def _learned(own: ModelStep) -> str:
    before, after = occupied(own.prior), occupied(own.posterior)
    house = int(np.argmax(np.abs(after - before)))
    return f"house {house} moves most: occupied with {before[house]:.4g} → {after[house]:.4g}"


def step_table(lesson: Lesson, t: int) -> "pd.DataFrame":
    """One row per joint state: how likely before, how well it explains the rate, how likely after."""
    import pandas as pd

    step = lesson.at(t)
    several = len(step.models) > 1
    states = [f"({', '.join(map(str, row))})" for row in all_states(lesson.houses).tolist()]
    columns: dict[str, Floats | Bools | list[str]] = {"state": states}
    for model, own in zip(lesson.scenario.models, step.models, strict=True):
        tail = f", {model.name}" if several else ""
        columns[f"possible{tail}"] = own.possible
        columns[f"prior{tail}"] = own.prior
        columns["Pr[r̂|state]"] = step.likelihood
        columns[f"posterior{tail}"] = own.posterior
    return pd.DataFrame(columns)
