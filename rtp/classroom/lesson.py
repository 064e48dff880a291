"""A street small enough to watch Algorithm 1 think.

It is the scenario's own with few houses, living the first day. Houses are independent, so one that has been
moved (see `moves`) is replayed in a scenario whose whole group has its habits; the random draws are the
same, so a move changes nothing but what follows from it. The fast mechanism publishes the day; `rtp.joint`
thinks it through, state by state, as far as it is asked.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rtp import joint, outlook
from rtp.classroom.moves import Move, Moves, with_bounds, with_habits
from rtp.joint import Step
from rtp.life import Life, blocks_of, chances, households, plans, street_of
from rtp.occupancy import Bools, Floats, Schedule, uncertain
from rtp.outlook import Outlook
from rtp.scenario import STEPS_PER_DAY, Scenario
from rtp.simulation import Release, noise_draws, publish, responses, tariff
from rtp.street import Block, Kinds, Street, group_sizes

MIN_HOUSES, MAX_HOUSES, HOUSES = 2, joint.MAX_HOUSES, 4
MECHANISM = "blowfish"


class Member(NamedTuple):
    """One house under one model: its schedule and its own chances per step, (4,) each."""

    plan: Schedule
    leave: Floats
    arrive: Floats

    def matrices(self) -> Floats:
        """(96, 2, 2), driving each step to the next."""
        leave, arrive = self.leave[self.plan.period], self.arrive[self.plan.period]
        return np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)

    def can(self) -> Bools:
        """(4, 2, 2): the entries that are not exactly 0."""
        entries = np.array([[self.arrive < 1, self.arrive > 0], [self.leave > 0, self.leave < 1]])
        return entries.transpose(2, 0, 1)


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One day of a small street, and the algorithm's thoughts about it as far as they were asked for."""

    scenario: Scenario
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
    """The scenario with few houses and its first day; where they suffice, no group is left out."""
    small = scenario.replace(households=houses, days=1)
    sizes = group_sizes([g.share for g in scenario.groups], houses)
    if houses == scenario.households or houses < len(sizes) or min(sizes) > 0:
        return small
    while min(sizes) == 0:
        sizes[sizes.index(max(sizes))] -= 1
        sizes[sizes.index(0)] += 1
    groups = [g.replace(share=size / houses) for g, size in zip(scenario.groups, sizes, strict=True)]
    return small.replace(groups=tuple(groups))


def lesson(small: Scenario, moves: Moves) -> Lesson:
    """The small street after the moves, its day, and Algorithm 1 ready to think about it."""
    street = with_bounds(street_of(small), moves)
    own = [with_habits(small, int(g), moves.get(h, Move())) for h, g in enumerate(street.group)]
    members = _members(small, street, own)
    lives = [households(scenario, street, [h]) for h, scenario in enumerate(own)]
    states = np.column_stack([state for state, _ in lives])
    truth = _expected(small, street, members[0])
    believed = small.assumed_index
    life = Life(
        street=street,
        kinds=_kinds(members),
        occupied=states.sum(axis=1).astype(float),
        demand=np.column_stack([use for _, use in lives]).sum(axis=1),
        truth=truth,
        assumed=_expected(small, street, members[believed]) if believed else truth,
    )
    release = publish(small, life).release[MECHANISM]
    return Lesson(
        scenario=small,
        street=street,
        moves=moves,
        states=states,
        release=release,
        protected=life.kinds.protected,
        noise=noise_draws(small)[MECHANISM] * release.scale,
        thinking=joint.algorithm(
            epsilon=small.epsilon,
            alpha=small.alpha,
            beta=small.beta,
            occupied_bound=street.occupied_bound,
            empty_bound=street.empty_bound,
            initial=[np.array([m.plan.initial for m in model]) for model in members],
            matrices=[list(np.stack([m.matrices() for m in model], axis=1)) for model in members],
            published=release.rate.tolist(),
            fixed_demand=small.inelastic_demand,
            response=responses(tariff(small, life), release.rate).tolist(),
        ),
    )


def _members(small: Scenario, street: Street, own: list[Scenario]) -> list[list[Member]]:
    """By model and house."""
    return [
        [
            _member(own[h], street, block, h, m)
            for block in blocks_of(small)
            for h in range(block.start, block.stop)
        ]
        for m in range(len(small.models))
    ]


def _member(scenario: Scenario, street: Street, block: Block, house: int, model: int) -> Member:
    plan = plans(scenario)[model]
    leave, arrive = chances(scenario, street, plan, block)
    column = house - block.start
    return Member(plan[block.group], leave[:, column], arrive[:, column])


def _kinds(members: list[list[Member]]) -> Kinds:
    """Every house a kind of its own."""
    houses = len(members[0])
    return Kinds(
        of_house=np.arange(houses),
        members=tuple(slice(h, h + 1) for h in range(houses)),
        count=np.ones(houses, dtype=np.intp),
        uncertain=np.array(
            [
                uncertain(
                    np.array([m.plan.initial for m in model]),
                    np.array([m.plan.period for m in model]),
                    np.array([m.can() for m in model]),
                    1,
                )
                for model in members
            ]
        ),
    )


def _expected(small: Scenario, street: Street, model: list[Member]) -> Outlook:
    total = outlook.empty(len(small.groups), STEPS_PER_DAY)
    for h, member in enumerate(model):
        moments = outlook.of_block(
            member.plan,
            member.leave[:, None],
            member.arrive[:, None],
            street.occupied_bound[h : h + 1],
            street.empty_bound[h : h + 1],
            1,
        )
        outlook.add(total, int(street.group[h]), moments)
    return total
