"""How far is the approximate observer off? Measured where the exact one can judge her: on a few houses.

A street of `JUDGED` houses is drawn from the same scenario and lived for `DAYS` days; both observers read
its rates. The exact belief q is the chance of the truth given the rates, so the log-loss that a belief p can
expect is the cross entropy of q and p, without the luck of any one day. Of the exact observer's gain over
the model alone, p keeps

    1 − Σ KL(q ‖ p)/Σ KL(q ‖ model alone).
"""

from math import floor, log, log10
from typing import NamedTuple

import numpy as np

from rtp.attack.observer import Horizon, posterior
from rtp.attack.roc import LEAST
from rtp.core.types import Floats
from rtp.scenario import Scenario, ScenarioError, edit
from rtp.simulation import simulate

JUDGED = 8
DAYS = 2
BUDGETS = (1.0, 2.0, 5.0, 10.0)  # times a power of ten: those at which she is measured


class Judged(NamedTuple):
    kept: (
        float | None
    )  # share of the exact observer's gain in log-loss; None where the rates tell next to nothing
    off: float  # |belief − exact belief|, on average


def judged_on(scenario: Scenario) -> Scenario:
    """The few houses on which she is measured, at the nearest of a few budgets: one that others share."""
    power = 10.0 ** floor(log10(scenario.epsilon))
    budget = min((power * step for step in BUDGETS), key=lambda each: abs(log(each / scenario.epsilon)))
    return scenario.replace(households=JUDGED, days=DAYS, epsilon=round(budget, 12))


def judge(scenario: Scenario, mechanism: str, horizon: Horizon = "so far") -> Judged:
    """The Gaussian observer on a few houses of the same kind, under the true model."""
    if scenario.has_laws:
        raise ScenarioError("The observer", "is judged on streets of uniform use: no exact one knows laws.")
    day = simulate(edit.of_size(scenario, JUDGED).replace(days=DAYS))
    model = day.scenario.model_names[0]
    exact = posterior(day, mechanism, model=model, horizon=horizon)
    found = posterior(day, mechanism, model=model, horizon=horizon, method="gaussian").belief
    return judged(exact.belief, found, exact.model_only)


def judged(exact: Floats, found: Floats, model_only: Floats) -> Judged:
    """A belief, and the model's, by the exact one."""
    gain = divergence(exact, model_only)
    kept = 1 - divergence(exact, found) / gain if gain > LEAST else None
    return Judged(kept, float(np.abs(found - exact).mean()))


def divergence(exact: Floats, belief: Floats) -> float:
    """Mean KL(exact ‖ belief): the log-loss that is given away."""
    q, p = (np.clip(chance, LEAST, 1 - LEAST) for chance in (exact, belief))
    return float((q * np.log(q / p) + (1 - q) * np.log((1 - q) / (1 - p))).mean())
