"""All that a street and its days depend on: what is left of a scenario once it has been unpacked."""

from dataclasses import dataclass
from functools import cached_property

from rtp.core.time import steps_per_day
from rtp.core.types import Floats
from rtp.scenario import Group
from rtp.street.draw import Block, Street, batches, blocks, draw, group_sizes
from rtp.street.occupancy import Schedule, personal


@dataclass(frozen=True, kw_only=True)
class StreetSpec:
    """Neither tariff nor promise is in it: those price a day that has been lived."""

    households: int
    days: int
    step_minutes: int
    groups: tuple[Group, ...]
    listed: Floats | None = None  # (2, N) bounds when occupied and when empty; None: they are drawn
    schedules: tuple[tuple[Schedule, ...], ...]  # by model and group; the first model generates the day
    believed: int  # the model that filter and forecast believe in
    habit_spread: float
    habit_clip: str
    seed: int

    @property
    def steps_per_day(self) -> int:
        return steps_per_day(self.step_minutes)

    @property
    def steps(self) -> int:
        return self.days * self.steps_per_day

    @property
    def periods(self) -> int:
        """P, for which every house has habits: the same number in all schedules."""
        return len(self.schedules[0][0].leave)

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(group_sizes([g.share for g in self.groups], self.households))

    @cached_property
    def batches(self) -> list[range]:
        return batches(self.blocks)

    def draw(self, only: range | None = None) -> Street:
        """The street, or some blocks of it."""
        return draw(self.groups, self.households, self.seed, self.periods, self.listed, only)

    def chances(self, street: Street, model: int, block: Block) -> tuple[Floats, Floats]:
        """(leave, arrive) per step of the block's houses under a model, both (P, n)."""
        return personal(
            self.schedules[model][block.group],
            street.habit_draws[block.houses],
            self.habit_spread,
            self.habit_clip,
        )
