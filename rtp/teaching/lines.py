"""Algorithm 1, "Rate Publication Mechanism", line by line: as the paper prints it, and what each line did.

Lines are numbered as in `rtp.algorithm1`. Lines 3 to 8 and 15 are said for one θ, the others for all. The
values are words built from the numbers of one step.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rtp.algorithm1 import ModelStep, Step, all_states
from rtp.core.types import Bools, Floats
from rtp.scenario import Scenario
from rtp.teaching.stage import Stage

if TYPE_CHECKING:
    import pandas as pd

INPUT = (
    r"privacy parameter $\epsilon$, time horizon $T$, rate function parameters $(\alpha, \beta)$, "
    r"consumption bound for each household $u_i$, set of data generating models $\Theta$"
)
OUTPUT = r"published rates $\hat r^1, \cdots, \hat r^T$"
FORMULAS = (
    r"At each time step $t \in \{1, \cdots, T\}$:",
    r"**for** $\theta = (\mathbf A^{t,\theta}, \Pi^\theta) \in \Theta$ **do**",
    r"initialize: $P^{1|0,\theta} \gets \Pi^\theta$",
    r"$P^{t|t-1,\theta} \gets P^{t-1|t-1,\theta}\,\mathbf A^{t,\theta}$",
    r"$\mu^{t,\theta} \gets \{M^i \mid P_i^{t|t-1,\theta} \neq 0\}$",
    r"$\nu^{t,\theta} \gets \{(M^i, M^j) \in \mu^{t,\theta} \times \mu^{t,\theta} \mid$ "
    r"$\lVert M^i - M^j\rVert_1 = 1\}$",
    r"$\kappa^{t,\theta} \gets \{$*Entries that differ between pairs in* $\nu^{t,\theta}\}$",
    r"$\lambda^{t,\theta} \gets \alpha \times \max_{h \in \kappa^{t,\theta}} u_h$",
    r"**end for**",
    r"$\lambda^t \gets \max_{\theta \in \Theta} \lambda^{t,\theta}$",
    r"$r^t \gets \alpha \textstyle\sum_{i=1}^N X_i^t + \beta$",
    r"$N^t \sim Lap(\lambda^t / \epsilon)$",
    r"$\hat r^t \gets r^t + N^t$",
    r"**return** $\hat r^t$",
    r"Derive $P^{t|t,\theta}\ \forall \theta \in \Theta$ by Equation (3)",
    r"Go to time step $t + 1$",
)
COMMENTS = {
    3: "Prior at step 1",
    4: "Calculate prior",
    5: "Non-zero prior states",
    10: "Maximum over all models",
    11: "Optimal rate",
    12: "Noise to be added",
    13: "Noisy rate",
    14: "Publish rate",
}
# What the lab does otherwise than printed, and what a line leaves open.
NOTES = (
    "Line 4: the paper prints Aᵗ, but its Section II defines Aᵗ as driving step t to t + 1; so the prior of "
    "step t uses the matrix of step t − 1.",
    "Line 5 is decided by what is impossible, never by a number that has become too small for the computer: "
    "Laplace noise explains any rate.",
    "Line 15 is Bayes' rule, state by state: the prior times Pr[r̂|state], divided by the sum over all "
    "states. Pr[r̂|state] is exact, the density of a sum of uniform consumptions plus Laplace noise.",
)

DISTRIBUTIONS_ASIDE = (
    "On this screen every house uses uniformly up to its bounds: the street's own consumption "
    "distributions are left out."
)

LAST = len(FORMULAS)


class LineNumber(IntEnum):
    """The line that works out each value."""

    PRIOR = 4
    POSSIBLE = 5
    NEIGHBOURS = 6
    PROTECTED = 7
    SENSITIVITY = 8
    MAXIMUM = 10
    OPTIMAL = 11
    NOISE = 12
    NOISY = 13
    PUBLISHED = 14
    POSTERIOR = 15


class AlgorithmLine(NamedTuple):
    number: int
    formula: str  # Markdown with LaTeX, as the paper prints it
    comment: str  # as the paper prints it
    value: str  # what it did just now


def lines(stage: Stage, t: int, model: int) -> list[AlgorithmLine]:
    """All lines at step t (from 0), for the given θ where a line is about one."""
    values = [*_for_each_model(stage, t, model), *_for_all(stage, t), *_afterwards(stage, t, model)]
    return [
        AlgorithmLine(n, formula, COMMENTS.get(n, ""), value)
        for n, (formula, value) in enumerate(zip(FORMULAS, values, strict=True), 1)
    ]


def _for_each_model(stage: Stage, t: int, model: int) -> list[str]:
    """Lines 1 to 9."""
    own, models = stage.at(t).models[model], stage.scenario.models
    several = len(models) > 1
    return [
        f"step {t + 1} of {stage.scenario.steps}, {stage.scenario.when(t)}",
        f"θ = {models[model].name}" + (f", one of {len(models)} models" if several else ", the only model"),
        _likely(own.prior) if t == 0 else "only at the first step",
        f"{_likely(own.prior)}, by the matrix of {stage.scenario.when(t - 1)}"
        if t
        else "from the second step on",
        f"{own.possible.sum()} of {len(own.possible)} states are possible",
        _pairs(len(own.neighbours)),
        house_list(stage.scenario, own.protected) if own.protected else "empty: no house is uncertain",
        _sensitivity(stage, own),
        f"then the same for {_others(stage, model)}" if several else "there is no other model",
    ]


def _pairs(count: int) -> str:
    verb = "pair of possible states differs" if count == 1 else "pairs of possible states differ"
    return f"{count} {verb} in one house"


def _sensitivity(stage: Stage, own: ModelStep) -> str:
    if not own.protected:
        return "0: there is nobody to protect"
    alpha = stage.scenario.alpha
    largest = max(own.protected, key=stage.street.bound.__getitem__)
    house = stage.scenario.house(largest)
    return f"{alpha:g} × {own.sensitivity / alpha:.4g} ({house}) = {own.sensitivity:.4g}"


def _for_all(stage: Stage, t: int) -> list[str]:
    """Lines 10 to 14."""
    step, s = stage.at(t), stage.scenario
    optimal, noise, demand = (
        float(values[t]) for values in (stage.release.optimal, stage.noise, stage.release.demand)
    )
    drawn = f"{'−' if noise < 0 else '+'} {abs(noise):.4f}"
    return [
        f"{step.sensitivity:.4g}" + (f", from {noisiest_models(stage, step)}" if len(s.models) > 1 else ""),
        f"{s.alpha:g} × {demand:.4f} + {s.beta:g} = {rate_text(optimal)}",
        f"scale {step.sensitivity:.4g} / {s.epsilon:g} = {step.scale:.4g}; it drew {drawn}"
        if step.scale
        else "scale 0: no noise at all",
        f"{rate_text(optimal)} {drawn} = {rate_text(optimal + noise)}",
        f"everyone sees {rate_text(step.published)}"
        + (", cut at 0" if s.clip_at_zero and optimal + noise < 0 else ""),
    ]


def _afterwards(stage: Stage, t: int, model: int) -> list[str]:
    """Lines 15 and 16."""
    return [
        _learned(stage.scenario, stage.at(t).models[model]),
        f"step {t + 2}, {stage.scenario.when(t + 1)}" if t + 1 < stage.scenario.steps else "the day is over",
    ]


def rate_text(value: float) -> str:
    """A rate with four decimals."""
    return f"{value:,.4f}".replace("-", "−")


def state_label(state: int, houses: int) -> str:
    """A joint state as the houses' digits, house 0 first: 0 is empty, 1 occupied."""
    return f"{state:0{houses}b}"


def house_list(scenario: Scenario, houses: Sequence[int]) -> str:
    """Houses in words: "house 2", "houses 0, 1 and 3"; listed ones by their names alone."""
    if not houses:
        return "no house"
    if len(houses) == 1:
        return scenario.house(houses[0])
    *names, last = map(scenario.house_label, houses)
    return f"{'houses ' if scenario.houses is None else ''}{', '.join(names)} and {last}"


def _others(stage: Stage, but: int) -> str:
    return " and ".join(m.name for i, m in enumerate(stage.scenario.models) if i != but)


def noisiest_models(stage: Stage, step: Step) -> str:
    """The models that ask for the most noise, by name."""
    most = [m.sensitivity == step.sensitivity for m in step.models]
    return " and ".join(m.name for m, yes in zip(stage.scenario.models, most, strict=True) if yes)


def _likely(distribution: Floats) -> str:
    """The likeliest joint state, or how many there are of them, in words."""
    houses = len(distribution).bit_length() - 1
    best = int(np.argmax(distribution))
    equals = np.count_nonzero(np.isclose(distribution, distribution[best], rtol=1e-9, atol=0.0))
    if equals > 1:
        which = "all" if equals == len(distribution) else f"the {equals} likeliest of"
        return f"{which} {len(distribution)} states are equally likely, with {distribution[best]:.4g} each"
    return f"likeliest state {state_label(best, houses)}, with {distribution[best]:.4g}"


def occupied_probabilities(distribution: Floats) -> Floats:
    """Pr[occupied] of every house under a distribution over joint states."""
    houses = len(distribution).bit_length() - 1
    return np.asarray(distribution @ all_states(houses).astype(float))


def _learned(scenario: Scenario, own: ModelStep) -> str:
    before, after = occupied_probabilities(own.prior), occupied_probabilities(own.posterior)
    house = int(np.argmax(np.abs(after - before)))
    who = scenario.house(house)
    return f"{who} moves most: occupied with {before[house]:.4g} → {after[house]:.4g}"


def step_table(stage: Stage, t: int) -> "pd.DataFrame":
    """One row per joint state: how likely before, how well it explains the rate, how likely after."""
    import pandas as pd

    step = stage.at(t)
    several = len(step.models) > 1
    states = [f"({', '.join(map(str, row))})" for row in all_states(stage.houses).tolist()]
    columns: dict[str, Floats | Bools | list[str]] = {"state": states}
    for model, own in zip(stage.scenario.models, step.models, strict=True):
        tail = f", {model.name}" if several else ""
        columns[f"possible{tail}"] = own.possible
        columns[f"prior{tail}"] = own.prior
        columns["Pr[r̂|state]"] = step.likelihood
        columns[f"posterior{tail}"] = own.posterior
    return pd.DataFrame(columns)


def state_index(occupied: Iterable[bool]) -> int:
    """The place of a joint state in counting order, house 0 first, as in `rtp.algorithm1.all_states`."""
    index = 0
    for house in occupied:
        index = 2 * index + bool(house)
    return index


def count_possible_states(step: Step) -> tuple[int, int]:
    """How many joint states are possible under some model, and of how many."""
    some = np.any([model.possible for model in step.models], axis=0)
    return int(some.sum()), len(some)
