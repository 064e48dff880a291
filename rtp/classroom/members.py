"""The houses of a small street one by one: their chances, and what the mechanisms need to know of them."""

from typing import NamedTuple

import numpy as np

from rtp.core.types import Bools, Floats
from rtp.street.draw import Block, Street, StreetSpec
from rtp.street.moments import DemandMoments, block_moments
from rtp.street.prior_marginals import SupportClasses
from rtp.street.schedule import Schedule, both_states_possible


class Member(NamedTuple):
    """One house under one model: its schedule and its own chances per step, (P,) each."""

    schedule: Schedule
    leave: Floats
    arrive: Floats

    def matrices(self) -> Floats:
        """(C, 2, 2), driving each step to the next."""
        leave, arrive = self.leave[self.schedule.period], self.arrive[self.schedule.period]
        return np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)

    def can(self) -> Bools:
        """(P, 2, 2): the entries that are not exactly 0."""
        entries = np.array([[self.arrive < 1, self.arrive > 0], [self.leave > 0, self.leave < 1]])
        return entries.transpose(2, 0, 1)


def members_of(spec: StreetSpec, street: Street, own: list[StreetSpec]) -> list[list[Member]]:
    """By model and house."""
    return [
        [
            _member(own[h], street, block, h, m)
            for block in spec.blocks
            for h in range(block.start, block.stop)
        ]
        for m in range(len(spec.schedules))
    ]


def _member(spec: StreetSpec, street: Street, block: Block, house: int, model: int) -> Member:
    leave, arrive = spec.transition_probabilities(street, model, block)
    column = house - block.start
    return Member(spec.schedules[model][block.group], leave[:, column], arrive[:, column])


def kinds_of(members: list[list[Member]]) -> SupportClasses:
    """Every house a kind of its own."""
    houses = len(members[0])
    return SupportClasses(
        of_house=np.arange(houses),
        members=tuple(slice(h, h + 1) for h in range(houses)),
        count=np.ones(houses, dtype=np.intp),
        both_states_possible=np.array(
            [
                both_states_possible(
                    np.array([m.schedule.initial for m in model]),
                    np.array([m.schedule.period for m in model]),
                    np.array([m.can() for m in model]),
                    members[0][0].schedule.steps_per_day,
                )
                for model in members
            ]
        ),
    )


def expected(spec: StreetSpec, street: Street, model: list[Member]) -> DemandMoments:
    total = DemandMoments.zeros(len(spec.groups), spec.steps_per_day)
    for h, member in enumerate(model):
        moments = block_moments(
            member.schedule,
            member.leave[:, None],
            member.arrive[:, None],
            *street.moments(slice(h, h + 1)),
            1,
        )
        total.add(int(street.group[h]), moments)
    return total
