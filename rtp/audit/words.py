"""The audit as tables and sentences: what is promised, what is spent, what was proved."""

from collections.abc import Mapping
from math import isfinite, isnan
from typing import TYPE_CHECKING

from rtp.audit.checks import DETECTION_POWER
from rtp.audit.exact import ExactLoss
from rtp.audit.trial import AUDIT_FALSE_ALARM, AUDITED_STREETS, Verdict, Verdicts
from rtp.core.formatting import percent, plain
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


def promise(value: float) -> str:
    return plain(value) if isfinite(value) else "nothing"


def spent_frame(day: Day, exact: Mapping[str, ExactLoss]) -> "pd.DataFrame":
    """Return what each mechanism promises and really spends, one row each."""
    import pandas as pd

    rows = {
        REGISTRY[name].label: {
            "Promised ε": promise(spent.promised),
            "Spent": plain(float(spent.spent.max())),
            "By house (bounds)": loser(day, spent),
            "All day": plain(float(spent.spent_so_far[-1])),
        }
        for name, spent in exact.items()
    }
    return pd.DataFrame(rows).T


def loser(day: Day, spent: ExactLoss) -> str:
    """Return the house that loses most, with its bounds; how many, where several lose as much."""
    house, street = spent.setter, day.street
    if house < 0:
        return "–"
    if spent.losers > 1:
        return f"{spent.losers:,} alike"
    label = day.scenario.house_label(house)
    return f"{label} ({plain(street.occupied_bound[house])} / {plain(street.empty_bound[house])})"


def neglect_words(day: Day, exact: Mapping[str, ExactLoss]) -> str:
    """Return what a promise leaves out, how likely that is, and what is then lost; empty if nothing."""
    negligible = day.scenario.negligible
    names = [name for name in exact if REGISTRY[name].neglects]
    if negligible == 0 or not names:
        return ""
    failure = day.street_day.prior_marginals.failure(negligible)
    return " ".join(
        f"{REGISTRY[name].label} does not guard a house while one of its states has a probability of "
        f"{negligible:g} or less under every model that leaves it open. A house that is in such a state has "
        "no promise: at one step that happens to a given house with a probability of at most "
        f"{failure.of_one.max():z.2%} and to any house of the street with {failure.of_any.max():z.2%}; over "
        f"the whole record with up to {failure.day_of_one:z.2%} and {failure.day_of_any:z.2%}. It can then "
        f"lose {plain(float(exact[name].neglected.max()))} in one step."
        for name in names
    )


def proofs_frame(proved: Verdicts) -> "pd.DataFrame":
    """Return what the experiment found of each mechanism that it could try."""
    import pandas as pd

    rows = {
        REGISTRY[name].label: {
            "Promised ε": promise(proof.promised),
            "Proved": f"at least {plain(proof.proved)}",
            "Noise found, of what is needed": noise_found(proof),
            "Would find": would_find(proof),
            "Flaws": "; ".join(proof.reasons) or "none",
        }
        for name, proof in proved.items()
        if proof is not None
    }
    return pd.DataFrame(rows).T


def noise_found(proof: Verdict) -> str:
    return "–" if isnan(proof.noise.ratio) else percent(proof.noise.ratio, 4)


def would_find(proof: Verdict) -> str:
    """Return the smallest flaw that would be seen: noise below that share of what is needed."""
    if not proof.noise.detectable:
        return "–"
    return f"noise below {percent(proof.noise.detectable)}: a loss of {plain(proof.scale_loss)}"


def power_words(proved: Verdicts, n: int) -> str:
    """Return how releases were made, how small a flaw they show, and how rarely they blame the innocent."""
    tried = [proof for proof in proved.values() if proof is not None and proof.noise.detectable]
    words = (
        f"From {n:,} days published anew on {AUDITED_STREETS} streets, in which the house that needs most "
        "noise is once in one state and once in the other. A mechanism that keeps its promise is blamed in "
        f"at most 1 of {1 / AUDIT_FALSE_ALARM:,.0f} audits."
    )
    if not tried:
        return words
    step = min(proof.noise.detectable_at_a_step for proof in tried)
    small = max(proof.distribution.detectable for proof in tried)
    again = max(proof.reuse.detectable for proof in tried)
    sequences = min(proof.repeats.detectable for proof in tried)
    apart = min(proof.detectable_loss for proof in tried)
    flaws = [
        "the noise that the table names, over all rates",
        f"at one step only, noise below {percent(step, 2)} of what is needed",
        f"{percent(small, 2)} of the rates too small: without noise, or with lighter tails than Laplace's"
        if small <= 1
        else "no change of the noise's shape",
        f"noise used at two steps in {percent(again, 2)} of the days"
        if again <= 1
        else "no reuse at two steps",
        f"noise drawn from {sequences:,.0f} sequences or fewer" if sequences >= 1 else "no repeated days",
    ]
    if isfinite(apart):
        house = "to a house that uses its bound or nothing"
        flaws.append(f"a loss of {plain(apart)}, from the rates alone, {house}")
    every = f"{'; '.join(flaws[:-1])}; and {flaws[-1]}"
    return f"{words} In {percent(DETECTION_POWER)} of audits it would find {every}."


def broken(exact: Mapping[str, ExactLoss], proved: Verdicts) -> list[str]:
    """Return the labels of mechanisms whose promise is broken, exactly or by experiment."""
    flawed = {name for name, proof in proved.items() if proof is not None and proof.broken}
    return [REGISTRY[name].label for name, spent in exact.items() if not spent.kept or name in flawed]
