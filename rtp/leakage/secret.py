"""What a stretch of days may hide: a house that is empty, or up, at the same hours of every day.

A secret is a chain of its own: at its hours the state is what the secret says, elsewhere the house comes and
goes as the model says, from wherever the secret left it.
"""

from dataclasses import dataclass

import numpy as np

from rtp.core.types import Bools, Floats


@dataclass(frozen=True, kw_only=True)
class HouseChain:
    """One house's chain over T steps."""

    initial: float
    leave: Floats  # (T − 1,) from each step to the next
    arrive: Floats

    def occupied(self) -> Floats:
        """(T,): Pr[occupied] before any rate."""
        chance = [self.initial]
        for leave, arrive in zip(self.leave.tolist(), self.arrive.tolist(), strict=True):
            chance.append(chance[-1] * (1 - leave) + (1 - chance[-1]) * arrive)
        return np.array(chance)


@dataclass(frozen=True, kw_only=True)
class Secret:
    label: str
    words: str  # "the house is …"
    occupied: bool  # what the house is at those hours
    start: int  # hour of the day
    end: int  # the same as `start`: all day long

    def hours(self, steps: int, steps_per_day: int) -> Bools:
        """(T,): the steps at which the state is given."""
        hour = np.arange(steps) % steps_per_day * 24 / steps_per_day
        if self.start < self.end:
            return np.asarray((hour >= self.start) & (hour < self.end))
        return np.asarray((hour >= self.start) | (hour < self.end))

    def kept_by(self, chain: HouseChain, steps_per_day: int) -> HouseChain:
        """The chain of a house that keeps this secret."""
        given = self.hours(len(chain.leave) + 1, steps_per_day)
        state = float(self.occupied)
        return HouseChain(
            initial=state if given[0] else chain.initial,
            leave=np.where(given[1:], 1 - state, chain.leave),
            arrive=np.where(given[1:], state, chain.arrive),
        )


SECRETS = {
    "holiday": Secret(
        label="A holiday", words="empty all along, day and night", occupied=False, start=0, end=0
    ),
    "working hours": Secret(
        label="Nobody home 9–17", words="empty from 09:00 to 17:00 every day", occupied=False, start=9, end=17
    ),
    "up at night": Secret(
        label="Up in the night", words="up from 23:00 to 07:00 every night", occupied=True, start=23, end=7
    ),
}
