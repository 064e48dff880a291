"""The answer to the question an analyst brings her readings with, over the same days in all its parts.

Of how many houses do the readings tell when somebody is at home? What would every mechanism have published on
their real demand, and how far off? What would each house have paid? And what would an observer have made of
the house that shows most? The first are computed where they belong (`learning`, `replaying`); here the house
is watched, and all are asked together and put into sentences and tables.

**The observer at one house.** A replayed piece is a day like any other, so `rtp.attack` and `rtp.leakage` are
asked as they are, with the replay's own rates, habits and consumption laws. It is the first piece: the span,
or its first four weeks. She is judged by who was at home, where the readings say it. Where they do not it is
a guess: the likelier state given all readings of the house's day under the same habits and laws, which is
what an insider believes at the end of a day of exact rates. Judged by it she is, with such rates, right by
construction; what noise takes from her is real.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rtp.attack.adversary import BY_KNOWLEDGE, AdversaryKind, Posterior, largest_gap, posterior
from rtp.attack.scores import Score
from rtp.attack.success import Attack, attack_of_the_day
from rtp.core.formatting import percent, plain
from rtp.core.parallel import Progress, partial_progress
from rtp.core.types import Bools, Floats
from rtp.leakage.moment import MomentLeakage, even_guess, leakage_by_mechanism, moment_leakage, step_evidence
from rtp.leakage.overview import OBSERVERS
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, UNPROTECTED
from rtp.meters.learned import Learned
from rtp.meters.readings import Readings
from rtp.meters.replaying import PIECE, Replay, replay
from rtp.meters.words import learned_verdict, named
from rtp.money.bills import house_bills_frame
from rtp.scenario import Scenario, must_be_one_of
from rtp.scenario.units import amount
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

REPLAYED = 0.8  # of the time is spent on the replay


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One house. By mechanism: her beliefs, the leak of every moment, and the loss spent on it, (T,)."""

    name: str
    house: int  # its number on the day's street
    day: Day
    first_date: str
    occupied: Bools  # (T,)
    given: bool  # whether the readings say all of it
    seen: Mapping[str, Posterior]
    leak: Mapping[str, MomentLeakage]
    spent: Mapping[str, Floats]

    @cached_property
    def attack(self) -> Attack:
        """How well she does, counted."""
        return attack_of_the_day(self.day.scenario, list(self.seen.values()), self.occupied[:, None])


def watch(
    replay: Replay,
    house: str | None = None,
    *,
    knows: str = "others",
    mechanisms: Sequence[str] | None = None,
) -> Watched:
    """A house by its name or, without one, that whose state shows best in the demand; every mechanism, or
    some. She believes the first model."""
    must_be_one_of("house", house, [None, *replay.houses])
    must_be_one_of("knows", knows, BY_KNOWLEDGE)
    day = replay.pieces[0]
    if house is None:
        number = largest_gap(day.street)
    else:
        number = int(np.flatnonzero(replay.order == replay.houses.index(house))[0])
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    model = day.scenario.model_names[0]
    occupied, given = _occupancy(replay, number)
    return Watched(
        name=replay.houses[replay.order[number]],
        house=number,
        day=day,
        first_date=replay.first_date,
        occupied=occupied,
        given=given,
        seen={
            name: posterior(day, name, adversary=BY_KNOWLEDGE[knows], house=number, model=model)
            for name in names
        },
        leak=leakage_by_mechanism(day, names, number),
        spent={name: _spent(day, name, number) for name in names},
    )


def _occupancy(replay: Replay, house: int) -> tuple[Bools, bool]:
    """(T,), and whether it is all given."""
    day = replay.pieces[0]
    given = None if replay.occupied is None else replay.occupied[replay.order[house]]
    if given is not None and np.isfinite(given).all():
        return given > 0, True
    model = day.scenario.model_names[0]
    guess = posterior(day, UNPROTECTED, adversary="insider", inference="smoothing", house=house, model=model)
    likelier = guess.belief[:, 0] >= 0.5
    return likelier if given is None else np.where(np.isnan(given), likelier, given > 0), False


def _spent(day: Day, mechanism: str, house: int) -> Floats:
    """What each rate leaves to learn about the house; nothing where every model is certain of it."""
    classes = day.street_day.support_classes
    losses = step_evidence(day, mechanism, np.array([house])).loss[:, 0]
    return np.where(classes.protected[:, classes.of_house[house]], losses, 0.0)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was learned, if anything was, and the same days replayed and watched."""

    learned: Learned | None
    replay: Replay
    watched: Watched
    most_exposed: bool  # whether the house that is watched is the one that shows most


def answer(
    readings: Readings,
    scenario: Scenario,
    learned: Learned | None = None,
    *,
    first: int | None = None,
    days: int | None = None,
    house: str | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the answer for some days of the readings: the last four weeks that were learned from, unless
    `first` or `days` says otherwise. `house` is the one that is watched; without, that which shows most among
    those whose states can be occupancy."""
    if first is None and days is None:
        start, length = (0, readings.days) if learned is None else (learned.first, learned.days)
        days = min(length, PIECE)
        first = start + length - days
    part = partial_progress(progress, 0.0, REPLAYED)
    replayed = replay(readings, scenario, learned, first=first or 0, days=days, progress=part)
    watched = watch(replayed, house or _most_exposed(replayed, learned))
    if progress is not None:
        progress(1.0)
    return Answer(learned=learned, replay=replayed, watched=watched, most_exposed=house is None)


def _most_exposed(replayed: Replay, learned: Learned | None) -> str | None:
    """The house whose occupancy shows best, of those whose states can be occupancy: a heater's are plain to
    see and say nothing of who is at home. None where it is any house's."""
    if learned is None or not learned.can_be_occupancy.any():
        return None
    can_be = np.isin(replayed.order, learned.which[learned.can_be_occupancy])
    (empty, occupied), _ = replayed.pieces[0].street.moments()
    most = int(np.where(can_be, np.abs(occupied - empty), -1.0).argmax())
    return replayed.houses[int(replayed.order[most])]


def answer_words(result: Answer) -> list[str]:
    """The answer in a few sentences, the one that counts most first."""
    verdict = [] if result.learned is None else learned_verdict(result.learned)[:1]
    return [*verdict, rates_words(result.replay), bills_words(result.replay), observer_words(result)]


def answer_cards(result: Answer) -> dict[str, tuple[str, str]]:
    """The four numbers of the answer by label, each with what stands beneath it."""
    learned, replayed, scores = result.learned, result.replay, result.watched.attack.scores
    shown = ("–", "not learned yet")
    if learned is not None:
        shown = (f"{int(learned.can_be_occupancy.sum()):,} of {learned.all_houses:,}", "by two states of use")
    down, up = _ends(replayed.bill_share(FEATURED))
    return {
        "Houses that show occupancy": shown,
        f"Error of {REGISTRY[FEATURED].label}": (percent(replayed.error(FEATURED)), "in a typical step"),
        "Mean bill": (
            amount(float(replayed.paid[UNPROTECTED].mean()), replayed.scenario),
            f"{_signed(down)} to {_signed(up)}",
        ),
        "Observer is right at": (right_at(scores[FEATURED]), f"{right_at(scores[UNPROTECTED])} unprotected"),
    }


def right_at(score: Score) -> str:
    """At which share of the moments she is right."""
    return percent(float(score.accuracy.value), 3)


def _signed(share: float) -> str:
    return f"{share:+z.2%}".replace("-", "−")


def rates_words(replayed: Replay) -> str:
    """How far the rates would have been off: the paper's, the best that adds noise, the one without data."""
    private = [name for name, mechanism in REGISTRY.items() if mechanism.adds_noise]
    best = min(private, key=replayed.error)
    errors = {name: percent(replayed.error(name)) for name in (FEATURED, best, NO_DATA)}
    parts = [f"{REGISTRY[name].label} by {error}" for name, error in errors.items()]
    return (
        f"**On real demand**, {_span(replayed)}, the published rate would have been off in a typical step: "
        f"{', '.join(parts)}. {REGISTRY[NO_DATA].label} looks at no reading of these days."
    )


def bills_words(replayed: Replay) -> str:
    """What the houses would have paid, and what privacy would have changed."""
    optimal = replayed.paid[UNPROTECTED]
    mean, low, high = (amount(float(x), replayed.scenario) for x in (optimal.mean(), *_ends(optimal)))
    down, up = (_signed(end) for end in _ends(replayed.bill_share(FEATURED)))
    return (
        f"**At optimal rates a house would have paid {mean}** on average, from {low} to {high}. With the "
        f"{REGISTRY[FEATURED].label} rate its bill changes by {down} to {up}."
    )


def _ends(values: Floats) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _span(replayed: Replay) -> str:
    days = "on one day" if replayed.days == 1 else f"over {replayed.days:,} days"
    return f"{days} from {replayed.first_date}"


def observer_words(result: Answer) -> str:
    """What an insider gets of one house: without privacy, with the paper's, and with no rate at all."""
    attack, name = result.watched.attack, result.watched.name
    who = (
        f"The house that shows most is {name}" if result.most_exposed else f"Of the houses, {name} is watched"
    )
    exact, private, alone = (
        right_at(score) for score in (attack.scores[UNPROTECTED], attack.scores[FEATURED], attack.model)
    )
    weeks = ", over the first four weeks" if result.replay.days > PIECE else ""
    judged = "" if result.watched.given else " She is judged by a guess: nobody knows who was at home."
    return (
        f"**{who}.** Someone who knows what everyone else used is right about it at {exact} of the moments "
        f"from unprotected rates, at {private} from the {REGISTRY[FEATURED].label} rate and at {alone} by "
        f"the model alone{weeks}.{judged}"
    )


def bills_frame(replayed: Replay) -> "pd.DataFrame":
    """One row per house: its group, its energy, and what it would have paid at every mechanism's rates."""
    groups = [group.name for group in replayed.scenario.groups]
    frame = house_bills_frame(
        list(replayed.houses), [groups[g] for g in replayed.group], replayed.paid, replayed.scenario
    )
    frame.insert(2, "energy_kWh", replayed.energy)
    return frame


def replay_frame(replayed: Replay) -> "pd.DataFrame":
    """Every mechanism on the real demand."""
    import pandas as pd

    rows = []
    for name, mechanism in REGISTRY.items():
        bill = float(replayed.paid[UNPROTECTED].sum())
        change = float(replayed.bill_change(name).sum())
        rows.append(
            (
                mechanism.label,
                percent(replayed.error(name)),
                plain(float(replayed.scale(name).mean())),
                plain(bill + change, 5),
                f"{change / bill if bill else 0.0:+z.2%}",
                f"{replayed.bill_share(name).max():+z.2%}",
            )
        )
    columns = ["Rate", "Error in a typical step", "Mean noise scale", "All bills", "Change", "Worst house"]
    return pd.DataFrame(rows, columns=columns).set_index("Rate")


def replay_moments_frame(replayed: Replay) -> "pd.DataFrame":
    """What all rates of the first days tell an insider about one moment, under every mechanism."""
    import pandas as pd

    day, rows = replayed.pieces[0], []
    for name, mechanism in REGISTRY.items():
        leak = moment_leakage(day, name)
        rows.append((mechanism.label, plain(leak.worst), plain(leak.theorem_2)))
    return pd.DataFrame(rows, columns=["Rate", "Worst moment, exactly", "Theorem 2 allows"]).set_index("Rate")


def replay_words(replayed: Replay) -> str:
    """What was cut and what was filled in."""
    cut = "No reading is above its bound"
    if replayed.cut:
        cut = (
            f"**Cut, because above the bound: {replayed.cut:,} readings**, in {replayed.cut_houses:,} of the "
            f"houses, {percent(replayed.cut_energy)} of the energy"
        )
    filled = (
        f"{percent(replayed.filled)} of the readings are missing and were filled with the house's usual use"
    )
    if not replayed.mostly_filled:
        return f"{cut}; {filled}."
    return f"{cut}; {filled}. **More is filled in than was read** of {named(replayed.mostly_filled)}."


def promise_words(learned: bool) -> str:
    """Whose promise stands on real use."""
    names = " and ".join(m.label for m in REGISTRY.values() if m.assumes == "uniform")
    if not learned:
        return (
            f"{names} rely on use that is uniform up to the bounds, which real use is not: on real demand "
            "their promise holds only for houses that do so. The others rely on the bounds alone."
        )
    return (
        f"{names} use noise made for the learned consumption distributions, which are taken as public: "
        "their promise is exact for those. The others rely on the bounds alone."
    )


COLUMNS = ("Rate", "She is right at", "Beyond the model", "Spent in a step, at most", "Worst moment")
WORST_MEANS = (
    "Spent: what a rate leaves an insider to learn about this house, in the unit of ε. Worst moment: the "
    "most that all rates together shift the log-odds of one moment of it."
)


def watched_frame(watched: Watched) -> "pd.DataFrame":
    """One row per rate, and one for the guess that sees none."""
    import pandas as pd

    rows = []
    for name, score in watched.attack.scores.items():
        rows.append(
            (
                REGISTRY[name].label,
                right_at(score),
                f"{score.advantage.value:+z.1%}",
                plain(float(watched.spent[name].max())),
                plain(watched.leak[name].worst),
            )
        )
    rows.append(("The model alone", right_at(watched.attack.model), f"{0:+z.1%}", plain(0.0), plain(0.0)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).set_index(COLUMNS[0])


def watched_words(watched: Watched) -> str:
    """Who watches whom, by what she is judged, and what comes of it."""
    adversary: AdversaryKind = next(iter(watched.seen.values())).adversary
    judged = (
        "She is judged by the occupancy that the readings give."
        if watched.given
        else "Nobody knows who was at home: she is judged by **a guess**, the likelier state given all "
        "readings of the house's day."
    )
    words = f"**{watched.name}**, watched by {OBSERVERS[adversary]}. {judged}"
    exact = watched.attack.scores.get(UNPROTECTED)
    if exact is None:
        return words
    words += f" From the unprotected rates she is right at **{right_at(exact)}**"
    words += f" of the moments, by the model alone at {right_at(watched.attack.model)}."
    private = {name: leak for name, leak in watched.leak.items() if REGISTRY[name].adds_noise}
    if private:
        name = max(private, key=lambda each: private[each].worst)
        words += (
            f" From the private rates shown, an even guess about one moment becomes "
            f"at most {percent(even_guess(private[name].worst), 4)} to an insider ({REGISTRY[name].label})."
        )
    return words
