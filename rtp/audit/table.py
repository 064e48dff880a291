"""The audit as tables and sentences: what is promised, what is spent, what was proved."""

from collections.abc import Iterator, Mapping
from math import exp, isfinite, isinf, log
from typing import TYPE_CHECKING

from rtp.audit.exact import Account
from rtp.audit.trial import Verdict
from rtp.clock import when
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

Verdicts = dict[str, Verdict | None]  # None: every house is certain all day, so there is nothing to try


def loss(value: float) -> str:
    """A privacy loss, in the unit of ε."""
    return "∞" if isinf(value) else f"{value:.3f}"


def promise(value: float) -> str:
    return loss(value) if isfinite(value) else "nothing"


def spent_frame(day: Day, exact: Mapping[str, Account]) -> "pd.DataFrame":
    """What each mechanism promises and really spends, one row each."""
    import pandas as pd

    rows = {}
    for name, spent in exact.items():
        house, street = spent.setter, day.street
        who = f"{house} ({street.occupied_bound[house]:.3g} / {street.empty_bound[house]:.3g})"
        rows[REGISTRY[name].label] = {
            "Promised ε": promise(spent.promised),
            "Spent": loss(float(spent.spent.max())),
            "By house (bounds)": who if house >= 0 else "–",
            "All day": loss(float(spent.spent_so_far[-1])),
        }
    return pd.DataFrame(rows).T


def neglect_words(day: Day, exact: Mapping[str, Account]) -> str:
    """What a promise leaves out, how likely that is to matter, and what is then lost; empty if nothing."""
    negligible = day.scenario.negligible
    names = [name for name in exact if REGISTRY[name].neglects]
    if negligible == 0 or not names:
        return ""
    failure = day.life.beforehand.failure(negligible)
    return " ".join(
        f"{REGISTRY[name].label} does not guard a house while one of its states has a probability of "
        f"{negligible:g} or less under every model that leaves it open. A house that is in such a state has "
        "no promise: at one step that happens to a given house with a probability of at most "
        f"{failure.of_one.max():.2%} and to any house of the street with {failure.of_any.max():.2%}; over "
        f"the whole record with up to {failure.day_of_one:.2%} and {failure.day_of_any:.2%}. It can then "
        f"lose {loss(float(exact[name].neglected.max()))} in one step."
        for name in names
    )


def proofs_frame(proved: Verdicts) -> "pd.DataFrame":
    """What the experiment proves of each mechanism that it could try."""
    import pandas as pd

    rows = {
        REGISTRY[name].label: {
            "Promised ε": promise(proof.promised),
            "Proved": f"at least {proof.lower_bound:.4f}",
            "House": str(proof.house),
            "It uses": "its bound or nothing" if proof.shape == "point" else "uniformly up to its bounds",
        }
        for name, proof in proved.items()
        if proof is not None
    }
    return pd.DataFrame(rows).T


def broken(exact: Mapping[str, Account], proved: Verdicts) -> list[str]:
    """The labels of mechanisms whose promise is broken, exactly or by experiment."""
    return [REGISTRY[name].label for name in _broken(exact, proved)]


def _broken(exact: Mapping[str, Account], proved: Verdicts) -> Iterator[str]:
    for name, account in exact.items():
        proof = proved.get(name)
        if not account.kept or (proof is not None and proof.broken):
            yield name


def ledger_words(day: Day, exact: Mapping[str, Account], step: int) -> str:
    """ε used so far, and what ε·T means, in plain words."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    lost = float(exact[FEATURED].spent_so_far[step])
    return (
        f"By {when(step, day.scenario.days)}, after {step + 1} rates, **ε·t = {epsilon * (step + 1):g}** of "
        f"ε·T = {epsilon * steps:g} is used. From the {REGISTRY[FEATURED].label} rates the house that loses "
        f"most has really lost {loss(lost)}.\n\n**What ε·T = {epsilon * steps:g} means.** One rate shifts "
        f"the odds between occupied and empty by a factor of at most $e^ε = {factor(epsilon)}$. All {steps} "
        "rates together may shift the odds between two histories that differ at every step by up to "
        f"$e^{{ε·T}} = {factor(epsilon * steps)}$: the promise is about single moments, and a habit kept up "
        "all day enjoys only this much weaker one."
    )


def factor(exponent: float) -> str:
    """e to that power, also where it is beyond all floats."""
    power = int(exponent // log(10))
    if power < 4:
        return f"{exp(exponent):.3g}"
    return f"{exp(exponent - power * log(10)):.1f}·10^{{{power}}}"
