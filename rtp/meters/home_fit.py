"""What the three states of `rhythm` tell of some houses, in the form in which two states are told.

A scenario has houses of two states. Here *occupied* is at home, up or asleep; what it uses is the mixture of
both; its moves are leaving home and coming back, as the readings make one expect. So mechanisms, replay and
observer take what three states taught like anything else that was learned. Where somebody would be up mostly
at night it is a heater, by the limits that hold for two states (`house_fit`), and nothing is learned of that
house.
"""

from dataclasses import dataclass, replace

import numpy as np

from rtp.core.random import Stream, random_generator
from rtp.core.types import Bools, Floats, Ints
from rtp.meters import hmm, transitions
from rtp.meters.hmm import Expected, Model
from rtp.meters.house_fit import (
    AT_NIGHT,
    RESAMPLED,
    Decoded,
    HouseBlock,
    HouseFits,
    by_day_and_hour,
    by_hour,
    mostly_at_night,
    use_moments,
)
from rtp.meters.readings import BINS, MINUTES_PER_DAY, weighted_sums
from rtp.meters.rhythm import AWAY, UP, Rhythm, join, learn_rhythm, observations

BY_HOUSE = ("mean", "variance", "profile", "up", "at_night", "certainty")  # arrays whose last axis they are


@dataclass(frozen=True, kw_only=True)
class HomeFits:
    """What was learned of n houses."""

    rhythm: Rhythm
    decoded: Decoded
    emission: Floats  # (2, n, K), away and at home
    mean: Floats  # (2, n) kW
    variance: Floats  # (2, n)
    profile: Floats  # (24, n) Pr[at home] in every hour of the day
    up: Floats  # (24, n) Pr[up and about]
    at_night: Floats  # (n,) the share of days drawn anew on which up is mostly at night
    certainty: Floats  # (n,)

    def select(self, homes: Ints) -> "HomeFits":
        """Some houses."""
        return replace(
            self,
            rhythm=self.rhythm.select(homes),
            decoded=self.decoded.select(homes),
            emission=self.emission[:, homes],
            **{name: getattr(self, name)[..., homes] for name in BY_HOUSE},
        )


@dataclass(frozen=True, kw_only=True)
class HomeWork:
    """Houses, and the days that sort them into groups: one piece of work."""

    block: HouseBlock
    sorting: Bools  # (T,)
    week: int | None  # the weekday of the first day, where weekends are apart


def fit_homes(work: HomeWork) -> HomeFits:
    """Return what three states tell of every house. It can travel to a process."""
    block, minutes = work.block, MINUTES_PER_DAY // work.block.per_day
    rhythm, edges, found = learn_rhythm(block.power, minutes, work.week)
    home = 1 - found.states[:, AWAY]
    expected = Expected(
        occupied=home,
        departures=found.moves[:, UP, AWAY].sum(axis=1),
        arrivals=found.moves[:, AWAY, UP].sum(axis=1),
        log_likelihood=found.evidence.sum(axis=0),
    )
    seen = observations(block.power, edges, minutes)
    at_home = weighted_sums(seen.emission_index, home, seen.houses, 1)[:, 0]
    emission = np.array([seen.count - at_home, at_home])[:, :, :BINS] + hmm.SMOOTHING * seen.own_histogram
    mean, variance = use_moments(block.power.T, home)
    up = by_day_and_hour(found.states[:, UP].sum(axis=1), block.per_day)
    return HomeFits(
        rhythm=rhythm,
        decoded=Decoded(
            profile=by_hour(home[work.sorting], block.per_day),
            moves=transitions.expected_transitions(expected, block.period, block.periods, block.day),
        ),
        emission=np.asarray(emission / emission.sum(axis=2, keepdims=True)),
        mean=mean,
        variance=variance,
        profile=by_hour(home, block.per_day),
        up=up.mean(axis=0),
        at_night=_share_at_night(up),
        certainty=np.maximum(home, 1 - home).mean(axis=0),
    )


def _share_at_night(up: Floats) -> Floats:
    """(n,): of days drawn anew, (days, 24, n), that on which somebody is up mostly at night."""
    drawn = random_generator(0, Stream.METER_DAYS).integers(len(up), size=(RESAMPLED, len(up)))
    return np.asarray(np.mean([mostly_at_night(up[days].mean(axis=0)) for days in drawn], axis=0))


def join_homes(parts: list[HomeFits]) -> HomeFits:
    """Return blocks of houses one after the other."""
    return HomeFits(
        rhythm=join([part.rhythm for part in parts]),
        decoded=Decoded(
            profile=np.concatenate([part.decoded.profile for part in parts], axis=1),
            moves=transitions.join_transitions([part.decoded.moves for part in parts]),
        ),
        emission=np.concatenate([part.emission for part in parts], axis=1),
        **{name: np.concatenate([getattr(part, name) for part in parts], axis=-1) for name in BY_HOUSE},
    )


def without_heaters(houses: HouseFits, which: Ints, homes: HomeFits) -> tuple[HouseFits, Bools]:
    """Return what was learned of all houses, some of them by three states; and which of these show people.
    Of one that is up mostly at night, as a heater is, the verdict says so."""
    heater = mostly_at_night(homes.up)
    verdict, profile, sureness = (getattr(houses, name).copy() for name in ("verdict", "profile", "sureness"))
    verdict[which[heater]] = AT_NIGHT
    profile[:, which[heater]], sureness[which[heater]] = homes.up[:, heater], homes.at_night[heater]
    return replace(houses, verdict=verdict, profile=profile, sureness=sureness), ~heater


def with_homes(houses: HouseFits, which: Ints, homes: HomeFits) -> HouseFits:
    """Return what was learned of all houses, some of them by three states. Verdicts are those on two."""
    parts = {name: getattr(houses, name).copy() for name in ("mean", "variance", "profile", "certainty")}
    for name, values in parts.items():
        values[..., which] = getattr(homes, name)
    emission, correlation = houses.model.emission.copy(), houses.model.correlation.copy()
    emission[:, which], correlation[which] = homes.emission, 0.0
    model = _counted(replace(houses.model, emission=emission, correlation=correlation), which, homes)
    return replace(houses, model=model, **parts)


def _counted(model: Model, which: Ints, homes: HomeFits) -> Model:
    """With every house's own chances, of the working days' periods where weekends are apart."""
    initial, leave, arrive = model.initial.copy(), model.leave.copy(), model.arrive.copy()
    initial[which] = homes.profile[0]
    for place, house in enumerate(which.tolist()):
        own = homes.decoded.moves.only(np.array([place])).probabilities()
        leave[:, house], arrive[:, house] = (chance[: len(leave)] for chance in own)
    return replace(model, initial=initial, leave=leave, arrive=arrive)


def spread(decoded: Decoded, which: Ints, houses: int) -> Decoded:
    """Return the same with a place for every one of so many houses; those that were not decoded have none."""

    def placed(values: Floats) -> Floats:
        result = np.zeros((*values.shape[:-1], houses))
        result[..., which] = values
        return result

    return Decoded(
        profile=placed(decoded.profile),
        moves=transitions.TransitionCounts(*map(placed, decoded.moves)),
    )
