"""A street small enough to watch Algorithm 1 think.

It is the scenario's own with few houses, living the first day. Houses are independent, so one that has been
moved (see `moves`) is replayed in a scenario whose whole group has its habits; the random draws are the
same, so a move changes nothing but what follows from it. The fast mechanism publishes the day;
`rtp.algorithm1` thinks it through, state by state, as far as it is asked.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from rtp import algorithm1
from rtp.algorithm1 import Step
from rtp.classroom.members import Member, expected, kinds_of, members_of
from rtp.classroom.moves import Move, Moves, with_bounds, with_habits
from rtp.core.random import Stream, seed_of
from rtp.core.types import Bools, Floats
from rtp.mechanisms import blowfish
from rtp.scenario import Scenario, edit
from rtp.simulation import Day, Release, publish_day, street_spec, unit_noise
from rtp.street.draw import Street, StreetSpec, group_sizes
from rtp.street.simulate import StreetDay, replay_houses

MIN_HOUSES, MAX_HOUSES, HOUSES = 2, algorithm1.MAX_HOUSES, 4
MECHANISM = blowfish.MECHANISM.name


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One day of a small street, and the algorithm's thoughts about it as far as they were asked for."""

    scenario: Scenario
    spec: StreetSpec  # of the street before any move
    street: Street
    moves: Moves
    states: Bools  # (T, N) who is really at home
    release: Release
    protected: Bools  # (T, N) uncertain under some model, by the fast mechanism
    noise: Floats  # (T,) what line 12 drew
    thinking: Iterator[Step]
    thought: list[Step] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def houses(self) -> int:
        return len(self.street.group)

    def at(self, step: int, progress: Callable[[float], None] | None = None) -> Step:
        """The algorithm at that step; what it thought before is remembered. `progress` may raise to stop."""
        with self.lock:
            while len(self.thought) <= step:
                self.thought.append(next(self.thinking))
                if progress is not None:
                    progress(len(self.thought) / (step + 1))
            return self.thought[step]


def small_street(scenario: Scenario, houses: int) -> Scenario:
    """The scenario with few houses and its first day; where they suffice, no group is left out. Algorithm 1
    thinks in sums of uniforms: laws of use are left aside, and the screen says so."""
    same = houses == scenario.households
    small = edit.without_laws(scenario if same else edit.of_size(scenario, houses)).replace(days=1)
    sizes = group_sizes([g.share for g in scenario.groups], houses)
    if houses == scenario.households or houses < len(sizes) or min(sizes) > 0:
        return small
    while min(sizes) == 0:
        sizes[sizes.index(max(sizes))] -= 1
        sizes[sizes.index(0)] += 1
    groups = [g.replace(share=size / houses) for g, size in zip(small.groups, sizes, strict=True)]
    return small.replace(groups=tuple(groups))


def lesson(small: Scenario, moves: Moves) -> Lesson:
    """The small street after the moves, its day, and Algorithm 1 ready to think about it."""
    spec = street_spec(small)
    street = with_bounds(spec.draw(), moves)
    own = [
        street_spec(with_habits(small, int(group), moves.get(house, Move())))
        for house, group in enumerate(street.group)
    ]
    members = members_of(spec, street, own)
    lived = [replay_houses(of_house, street, [h]) for h, of_house in enumerate(own)]
    states = np.column_stack([state for state, _ in lived])
    truth = expected(spec, street, members[0])
    life = StreetDay(
        spec=spec,
        street=street,
        support_classes=kinds_of(members),
        occupied=states.sum(axis=1).astype(float),
        demand=np.column_stack([use for _, use in lived]).sum(axis=1),
        true_moments=truth,
        assumed_moments=expected(spec, street, members[spec.assumed_index]) if spec.assumed_index else truth,
    )
    day = publish_day(small, life)
    release = day.release[MECHANISM]
    unit = unit_noise(seed_of(small.seed, Stream.NOISE), small.steps, small.independent_noise)
    return Lesson(
        scenario=small,
        spec=spec,
        street=street,
        moves=moves,
        states=states,
        release=release,
        protected=life.support_classes.protected,
        noise=unit[MECHANISM] * release.scale,
        thinking=_algorithm(day, members),
    )


def _algorithm(day: Day, members: list[list[Member]]) -> Iterator[Step]:
    """Algorithm 1 on the rates of the day."""
    tariff, rate = day.market.tariff, day.release[MECHANISM].rate
    return algorithm1.algorithm(
        epsilon=day.scenario.epsilon,
        alpha=tariff.alpha,
        beta=tariff.beta,
        occupied_bound=day.street.occupied_bound,
        empty_bound=day.street.empty_bound,
        initial=[np.array([m.schedule.initial for m in model]) for model in members],
        matrices=[list(np.stack([m.matrices() for m in model], axis=1)) for model in members],
        published=rate.tolist(),
        fixed_demand=tariff.inelastic_demand,
        response=tariff.responses(rate).tolist(),
    )
