"""The audit as tables and sentences: what is promised, what is spent, what was proved."""

from collections.abc import Mapping
from math import isfinite, isnan, log2

from rtp.audit.checks import DETECTION_POWER
from rtp.audit.exact import ExactLoss
from rtp.audit.trial import AUDIT_FALSE_ALARM, Untried, Verdict, Verdicts
from rtp.audit.worlds import AUDITED_STREETS
from rtp.core.formatting import percent, plain
from rtp.core.types import Frame, data_frame
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

OUT_OF_REACH = (
    "Out of its reach: smaller flaws, noise that a hidden seed foretells, a fault that waits for a day it "
    "does not try, and steps whose noise goes together only four or more at a time, or with others every day."
)


def promise(value: float) -> str:
    return plain(value) if isfinite(value) else "nothing"


def spent_frame(day: Day, exact: Mapping[str, ExactLoss]) -> Frame:
    """Return what each mechanism promises and really spends, one row each."""
    rows = {
        REGISTRY[name].label: {
            "Promised ε": promise(spent.promised),
            "Spent": plain(float(spent.spent.max())),
            "By house (bounds)": loser(day, spent),
            "All day": plain(float(spent.spent_so_far[-1])),
        }
        for name, spent in exact.items()
    }
    return data_frame(rows).T


def loser(day: Day, spent: ExactLoss, first: int = 1) -> str:
    """Return the house that loses most, with its bounds; how many, where several lose as much. Houses are
    counted from `first`, see `Scenario.house`."""
    house, street = spent.setter, day.street
    if house < 0:
        return "–"
    if spent.losers > 1:
        return f"{spent.losers:,} alike"
    label = day.scenario.house_label(house, first)
    return f"{label} ({plain(street.occupied_bound[house])} / {plain(street.empty_bound[house])})"


def neglect_words(day: Day, exact: Mapping[str, ExactLoss]) -> str:
    """Return what a promise leaves out, how likely that is, and what is then lost; empty if nothing."""
    negligible = day.scenario.negligible
    names = [name for name in exact if REGISTRY[name].neglects]
    if negligible == 0 or not names:
        return ""
    failure = day.street_day.prior_marginals.failure(negligible)
    return " ".join(
        f"{REGISTRY[name].label} gives no promise to a house in a state of probability {negligible:g} or "
        f"less. At one step that is a given house with a probability of at most {failure.of_one.max():z.2%}, "
        f"any house with {failure.of_any.max():z.2%}; over the whole record {failure.day_of_one:z.2%} and "
        f"{failure.day_of_any:z.2%}. It then loses up to {plain(float(exact[name].neglected.max()))} a step."
        for name in names
    )


def proofs_frame(proved: Verdicts) -> Frame:
    """Return what the experiment found of each mechanism; of one that it could not try, why."""
    rows = {
        REGISTRY[name].label if name in REGISTRY else name: {"Flaws": flaws(proof)}
        if isinstance(proof, Untried)
        else {
            "Promised ε": promise(proof.promised),
            "Proved": f"at least {plain(proof.proved)}",
            "Noise found, of what is needed": noise_found(proof),
            "Would find": would_find(proof),
            "Flaws": flaws(proof) or "none",
        }
        for name, proof in proved.items()
    }
    columns = ["Promised ε", "Proved", "Noise found, of what is needed", "Would find", "Flaws"]
    return data_frame(rows.values(), index=list(rows), columns=columns).fillna("–")


def noise_found(proof: Verdict) -> str:
    return "–" if isnan(proof.noise.ratio) else percent(proof.noise.ratio, 4)


def would_find(proof: Verdict) -> str:
    """Return the smallest flaw that would be seen: noise below that share of what is needed."""
    if not proof.noise.detectable:
        return "–"
    return f"noise below {percent(proof.noise.detectable)}: a loss of {plain(proof.scale_loss)}"


def flaws(proof: Verdict | Untried) -> str:
    """Return why the experiment calls the promise broken, or why it could not try; empty where it found no
    flaw."""
    if isinstance(proof, Untried):
        return f"not tried: {proof.value}"
    if not proof.broken:
        return ""
    words = {
        "scale": f"its noise is {percent(proof.noise.ratio)} of what the promise needs",
        "scale at a step": "its noise is too narrow at a step",
        "distribution": "its noise is too often small",
        "two steps": "the noise of one step is used at another",
        "three steps": "the sign of its noise at a step follows two others",
        "sizes": "the sizes of its noise at two steps go together",
        "two days": "the noise of one day is used on another",
        "values": "its noise has few values",
        "sums": "its noise adds up to what is known",
        "secrets": f"its noise follows a secret ({proof.secrets.followed})",
        "a house told apart": f"its rates prove a loss of {plain(proof.proved)}",
    }
    if proof.noise.proved:  # of which these follow
        del words["scale at a step"], words["distribution"]
    return "; ".join(said for check, said in words.items() if proof.proofs[check])


def power_words(proved: Verdicts, n: int) -> str:
    """Return how releases were made, how small a flaw they show, and how rarely they blame the innocent."""
    words = (
        f"From {n:,} days published anew on {AUDITED_STREETS} streets. A mechanism that keeps its promise is "
        f"blamed in at most 1 of {1 / AUDIT_FALSE_ALARM:,.0f} audits."
    )
    tried = [proof for proof in proved.values() if isinstance(proof, Verdict) and proof.noise.detectable]
    if not tried:
        return words
    overall = min(proof.noise.detectable for proof in tried)
    step = min(proof.noise.detectable_at_a_step for proof in tried)
    small = max(proof.distribution.detectable for proof in tried)
    again = max(proof.reuse.detectable for proof in tried)
    parity = max(proof.parity.detectable for proof in tried)
    sizes = max(proof.sizes.detectable for proof in tried)
    sequences = min(proof.repeats.detectable for proof in tried)
    values = min(proof.values.detectable for proof in tried)
    wider = max(proof.secrets.detectable for proof in tried)
    apart = min(proof.detectable_loss for proof in tried)
    found = {
        f"noise below {percent(overall, 2)} of what is needed": True,
        f"noise below {percent(step, 2)} of it at one step": True,
        f"{percent(small, 2)} of the rates without noise": small <= 1,
        f"noise used at two steps in {percent(again, 2)} of the days": again <= 1,
        f"a sign that follows two others in {percent(parity, 2)} of them": parity <= 1,
        f"sizes that go together in {percent(sizes, 2)} of them": sizes <= 1,
        f"noise drawn from {sequences:,.0f} sequences or fewer": sequences >= 1,
        f"noise made of {int(log2(max(values, 1)))} random bits or fewer": values >= 2,
        f"noise wider by {percent(wider - 1, 2)} while a house is in": isfinite(wider),
        f"a loss of {plain(apart)} from the rates alone": isfinite(apart),
    }
    every = "; ".join(words for words, is_so in found.items() if is_so)
    return f"{words} In {percent(DETECTION_POWER)} of audits it would find: {every}. {OUT_OF_REACH}"


def broken(exact: Mapping[str, ExactLoss], proved: Verdicts) -> list[str]:
    """Return the names of mechanisms whose promise is broken, exactly or by experiment."""
    flawed = {name for name, proof in proved.items() if isinstance(proof, Verdict) and proof.broken}
    return [name for name, spent in exact.items() if not spent.kept or name in flawed]
