"""Words and tables of replayed readings: what would have been published, paid and seen."""

import numpy as np

from rtp.core.formatting import in_markdown, percent, plain, shown_name
from rtp.core.types import Floats, Frame, data_frame
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, UNPROTECTED, short, title
from rtp.meters.answering import Answer, ObservedHouse
from rtp.meters.replaying import Replay
from rtp.output.meters import verdicts_words
from rtp.scenario.units import amount

WORST_MEANS = (
    "Whom a rate would mislead goes by the model alone, and counts as right as often. "
    "Spent: what a rate leaves an insider to learn about this house, in the unit of ε. Worst moment: the "
    "most that all rates together shift the log-odds of one moment of it."
)


def answer_words(result: Answer) -> list[str]:
    """The answer in a few sentences, the one that counts most first."""
    verdict = [] if result.learned is None else [verdicts_words(result.learned)]
    return [*verdict, rates_words(result.replay), bills_words(result.replay), observer_words(result)]


def _right(share: float) -> str:
    """At which share of the moments she is right."""
    return percent(share, 3)


def _days(days: int) -> str:
    return "1 day" if days == 1 else f"{days:,} days"


def _change(shares: Floats) -> str:
    ends = dict.fromkeys(f"{share:+z.2%}" for share in (shares.min(), shares.max()))
    return " to ".join(ends).replace("-", "−")


def rates_words(replayed: Replay) -> str:
    """How far the rates would have been off: the paper's, the best that adds noise, the one without data."""
    private = [name for name, mechanism in REGISTRY.items() if mechanism.adds_noise]
    best = min(private, key=replayed.error)
    errors = {name: percent(replayed.error(name)) for name in (FEATURED, best, NO_DATA)}
    off = ", ".join(f"{short(name)} by {error}" for name, error in errors.items())
    filled = f" {percent(replayed.filled)} of the readings are filled in." if replayed.filled else ""
    return (
        f"**On real demand** of {_days(replayed.days)} from {replayed.first_date} the rate would have been "
        f"off in a typical step: {off}.{filled} {forecast_words(replayed)}"
    )


def forecast_words(replayed: Replay) -> str:
    """Whether the forecast is private of what was replayed: not of what its habits were learned from."""
    label = REGISTRY[NO_DATA].label
    if replayed.learned_days:
        return (
            f"{label} knows {_days(replayed.learned_days)} of these: its habits were learned from them, so "
            "it is not private of them."
        )
    if replayed.learned is not None:
        return f"{label} looks at none of these days: its habits were learned from others."
    return f"{label} looks at no reading, unless the scenario's habits were learned from these."


def bills_words(replayed: Replay) -> str:
    """What the houses would have paid, for what was read and for what was filled in, and what privacy would
    have changed."""
    mean, read = (
        amount(float(paid[UNPROTECTED].mean()), replayed.scenario)
        for paid in (replayed.paid, replayed.paid_as_read)
    )
    as_read = (
        f", {read} of it for what was read and the rest for what is filled in" if replayed.filled else ""
    )
    return (
        f"**At optimal rates a house would have paid {mean}** on average{as_read}. With the "
        f"{short(FEATURED)} rate bills change by {_change(replayed.bill_share(FEATURED))}."
    )


def observer_words(result: Answer) -> str:
    """What someone who knows what everyone else used gets of one house: without privacy, and with."""
    observed, chosen = result.observed, not result.most_exposed or len(result.replay.houses) == 1
    most = "" if chosen else ", the house that shows most"
    house = in_markdown(shown_name(observed.name))
    right = observed.right
    shares = [f"{_right(right(name))} from the {short(name)} rate" for name in (UNPROTECTED, FEATURED)]
    shares.append(f"{_right(observed.right_alone)} by habits alone")
    does = "is right at" if observed.given else "agrees with a guess at"
    share = result.replay.filled_of[result.replay.houses.index(observed.name)]
    filled = f" {percent(float(share))} of this house's readings are filled in." if share else ""
    return f"**An observer of {house}{most}** {does} {', '.join(shares)}.{filled} {judged_words(observed)}"


def judged_words(observed: ObservedHouse) -> str:
    """By how many moments she is judged; that without any a guess is no measure of her success."""
    days, moments = observed.day.scenario.days, len(observed.occupied)
    if observed.given:
        said = f"Judged by the {observed.labelled:,} of {moments:,} moments"
        inside = _right(float(observed.occupied[observed.judged].mean()))
        return (
            f"{said}, over {_days(days)}, at which the readings say who was at home: somebody, at {inside} "
            "of them."
        )
    return (
        f"Over {_days(days)} no reading says who was at home. The guess is what the readings themselves "
        "suggest: to agree with it is **no measure of her success**."
    )


def replay_words(replayed: Replay) -> str:
    """What was cut and what was filled in."""
    return (
        f"**{replayed.cut:,} readings above the bound were cut**, {percent(replayed.cut_energy)} of the "
        f"energy; {percent(replayed.filled)} of the readings are missing and were filled with the house's "
        "usual use."
    )


def promise_words(learned: bool) -> str:
    """Whose promise stands on real use."""
    names = " and ".join(short(m.name) for m in REGISTRY.values() if m.assumes == "uniform")
    relied = (
        "the learned distributions of use, taken as public" if learned else "use uniform up to the bounds"
    )
    return f"The promise of {names} is exact for {relied}; that of the others relies on the bounds alone."


def replay_frame(replayed: Replay) -> Frame:
    """Every mechanism on the real demand."""
    rows = []
    for name in REGISTRY:
        bill = float(replayed.paid[UNPROTECTED].sum())
        change = float(replayed.bill_change(name).sum())
        rows.append(
            (
                title(name),
                percent(replayed.error(name)),
                plain(float(replayed.scale(name).mean())),
                plain(bill + change, 5),
                *([plain(float(replayed.paid_as_read[name].sum()), 5)] if replayed.filled else []),
                _change(np.array([change / bill if bill else 0.0])),
                _change(replayed.bill_share(name).max(keepdims=True)),
            )
        )
    read = ["For what was read"] if replayed.filled else []
    columns = ["Rate", "Error in a typical step", "Mean noise scale", "All bills", *read]
    columns += ["Change", "Worst house"]
    return data_frame(rows, columns=columns).set_index("Rate")


def observed_frame(observed: ObservedHouse) -> Frame:
    """One row per rate, and one for the guess that sees none."""
    rows = [
        (
            title(name),
            _right(observed.right(name)),
            plain(float(observed.spent[name].max())),
            plain(observed.leak[name].worst),
        )
        for name in observed.seen
    ]
    rows.append(("Habits alone", _right(observed.right_alone), plain(0.0), plain(0.0)))
    does = "She is right at" if observed.given else "Agrees with the guess at"
    columns = ["Rate", does, "Spent in a step, at most", "Worst moment"]
    return data_frame(rows, columns=columns).set_index("Rate")
