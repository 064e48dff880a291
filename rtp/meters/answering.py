"""The answer to the question an analyst brings her readings with, over the same days in all its parts.

Of how many houses do the readings tell when somebody is at home? What would every mechanism have published on
their real demand, and how far off? What would each house have paid? And what would an observer have made of
the house that shows most? The first are computed where they belong (`learning`, `replaying`); here the house
is watched, and all are asked together.

**The observer at one house.** A replayed piece is a day like any other, so `rtp.attack` and `rtp.leakage` are
asked as they are, with the replay's own rates, habits and consumption laws. It is the first piece: the span,
or its first four weeks. She is judged by who was at home, at the moments at which the readings say it, and
at no others. Where they never do there is a guess: the likelier state as `learning.decode` has it, which is
what the picture of the house shows; where nothing was learned of the house, what an insider believes at the
end of a day of exact rates. How far she agrees with it is no measure of success: with such rates she does
nearly by construction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rtp.attack.adversary import BY_KNOWLEDGE, Inference, Posterior, posterior
from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats, Frame
from rtp.core.workers import Progress, partial_progress
from rtp.exposure import exposure
from rtp.leakage.moment import MomentLeakage, leakage_by_mechanism, step_evidence
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.meters.learned import Learned
from rtp.meters.learning import decode
from rtp.meters.observer import believe, place_of
from rtp.meters.readings import Readings, in_steps_of
from rtp.meters.replaying import PIECE, Replay, first_day, replay
from rtp.money.bills import house_bills_frame
from rtp.scenario import Scenario, must_be_one_of
from rtp.scenario.units import column
from rtp.simulation import Day

WATCHING = 4  # times as long as the replay of a piece: a house of it is watched through every mechanism


@dataclass(frozen=True, kw_only=True)
class ObservedHouse:
    """One house. By mechanism: her beliefs, the leak of every moment, and the loss spent on it, (T,)."""

    name: str
    house: int  # its number among the replay's
    day: Day
    first_date: str
    occupied: Bools  # (T,) as the readings say it, and guessed where they do not
    judged: Bools  # (T,) the moments at which the readings say it; all of them where they never do
    given: bool  # whether they ever do
    seen: Mapping[str, Posterior]
    leak: Mapping[str, MomentLeakage]
    spent: Mapping[str, Floats]

    def right(self, mechanism: str) -> float:
        """At which share of the moments at which she is judged she is right by a rate, or by the model alone
        where that is more: nobody has to heed a rate."""
        return max(self._right(self.seen[mechanism].belief), self.right_alone)

    @property
    def right_alone(self) -> float:
        """The same by the model alone."""
        return self._right(next(iter(self.seen.values())).model_only)

    def _right(self, belief: Floats) -> float:
        return float(right_guesses(belief[:, 0], self.occupied)[self.judged].mean())

    @property
    def labelled(self) -> int:
        """At how many moments the readings say whether somebody was at home."""
        return int(self.judged.sum()) if self.given else 0


def watch(
    replay: Replay,
    house: str | None = None,
    *,
    knows: str = "others",
    mechanisms: Sequence[str] | None = None,
) -> ObservedHouse:
    """Return what an observer makes of one house during a replay. She believes the first model.

    Parameters
    ----------
    replay : Replay
        What `replay` gave.
    house : str, optional
        A house by its name; without, that which shows most.
    knows : {"others", "model"}
        Whether she knows everybody else's use, or the model only.
    mechanisms : sequence of str, optional
        Whose rates she reads; all without.

    Returns
    -------
    ObservedHouse

    Examples
    --------
    >>> import rtp
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> day = meters.replay(real_home(), rtp.Scenario(households=1, power_unit="kW"), days=1)
    >>> sorted(meters.watch(day, mechanisms=["blowfish"]).seen)
    ['blowfish']
    """
    must_be_one_of("house", house, [None, *replay.houses])
    must_be_one_of("knows", knows, BY_KNOWLEDGE)
    day = replay.pieces[0]
    number = most_exposed_house(day, replay.learned) if house is None else replay.houses.index(house)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    occupied, labelled = _occupancy(replay, number)
    return ObservedHouse(
        name=replay.houses[number],
        house=number,
        day=day,
        first_date=replay.first_date,
        occupied=occupied,
        judged=labelled if labelled.any() else np.ones_like(labelled),
        given=bool(labelled.any()),
        seen={name: believed(replay, name, knows, number) for name in names},
        leak=leakage_by_mechanism(day, names, number),
        spent={name: _spent(day, name, number) for name in names},
    )


def believed(
    replay: Replay, mechanism: str, knows: str, house: int, inference: Inference = "filtering"
) -> Posterior:
    """Return what she believes of a house: by four states, where they were learned."""
    day, kind, learned = replay.pieces[0], BY_KNOWLEDGE[knows], replay.learned
    place, model = place_of(learned, house, day), day.scenario.model_names[0]
    if learned is None or place is None:
        return posterior(day, mechanism, adversary=kind, inference=inference, house=house, model=model)
    two = posterior(day, mechanism, adversary="insider", inference=inference, house=house, model=model)
    outside = kind == "outsider" and day.scenario.households > 1
    return replace(believe(day, two, house, learned, place, outside=outside), adversary=kind)


def _occupancy(replay: Replay, house: int) -> tuple[Bools, Bools]:
    """(T,) each: who was at home, and where the readings say it; the rest is guessed."""
    day = replay.pieces[0]
    given = np.full(day.scenario.steps, np.nan)
    if replay.occupied is not None:
        given = replay.occupied[house]
    labelled = np.isfinite(given)
    if labelled.all():
        return given > 0, labelled
    learned = replay.learned
    if learned is not None and not learned.counted and house in learned.which[learned.taught]:
        place = int(np.flatnonzero(learned.which == house)[0])
        _, chance = decode(replay.readings, learned, place, replay.first, day.scenario.days)
        guessed = in_steps_of(chance, learned.minutes, day.scenario.step_minutes) >= 0.5
        return np.where(labelled, given > 0, guessed), labelled
    model = day.scenario.model_names[0]
    two = posterior(day, UNPROTECTED, adversary="insider", inference="smoothing", house=house, model=model)
    return np.where(labelled, given > 0, two.belief[:, 0] >= 0.5), labelled


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
    observed: ObservedHouse
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
    """Return the answer for some days of the readings: what each rate costs, and what it gives away.

    Parameters
    ----------
    readings : Readings
        Real use.
    scenario : Scenario
        The promise, the tariff and the stated bounds.
    learned : Learned, optional
        What the readings taught.
    first, days : int, optional
        Which days, as `replay` takes them; four weeks without.
    house : str, optional
        The house that is watched; without, that which shows most among those whose states can be occupancy.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Answer

    Examples
    --------
    >>> import rtp
    >>> from rtp import meters
    >>> from rtp.meters.real_home import real_home
    >>> found = meters.answer(real_home(), rtp.Scenario(households=1, power_unit="kW"), days=1)
    >>> sorted(found.replay.paid)[:2]
    ['blowfish', 'calibrated']
    """
    if first is None and days is None:
        days = min(readings.days, PIECE)
    pieces = -(-(days or readings.days) // PIECE)
    part = partial_progress(progress, 0.0, pieces / (pieces + WATCHING))
    replayed = replay(readings, scenario, learned, first=first, days=days, progress=part)
    shows_most = replayed.houses[most_exposed_house(replayed.pieces[0], replayed.learned)]
    observed = watch(replayed, house or shows_most)
    if progress is not None:
        progress(1.0)
    return Answer(learned=learned, replay=replayed, observed=observed, most_exposed=house is None)


def most_exposed_house(day: Day, learned: Learned | None = None) -> int:
    """Return the house of which an insider tells best, by the private rate, whether it is empty for a day;
    where habits were learned, of those whose states can be occupancy: a heater's are plain to see and say
    nothing of who is at home."""
    some = [] if learned is None else np.sort(learned.which[learned.can_be_occupancy]).tolist()
    alone = first_day(day, learned)
    worst = exposure(alone.scenario, "day", "insider", houses=some or None, day=alone).worst(FEATURED)
    return (some or [0])[0] if worst is None else worst.house


def bills_frame(replayed: Replay) -> Frame:
    """One row per house: its group, its energy, which share of its readings was filled in, what it would have
    paid at optimal rates for what was read, and at every mechanism's for all."""
    groups = [group.name for group in replayed.scenario.groups]
    frame = house_bills_frame(
        list(replayed.houses), [groups[g] for g in replayed.group], replayed.paid, replayed.scenario
    )
    frame.insert(2, "energy_kWh", replayed.energy)
    frame.insert(3, "filled_in_share", replayed.filled_of)
    as_read = column("optimal_bill_as_read", replayed.scenario, "money")
    frame.insert(4, as_read, replayed.paid_as_read[UNPROTECTED])
    return frame
