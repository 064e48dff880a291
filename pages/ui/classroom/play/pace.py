"""How fast an address may go on: so many actions at once, then one every so many seconds.

The generic cell rate algorithm: of every address it is known when its last action will be worked off.
"""

from collections.abc import Callable

MANY = 10_000  # addresses that are remembered before the idle ones are forgotten


class Pace:
    """Mutable; used under its owner's lock."""

    def __init__(self, at_once: int, seconds: float, clock: Callable[[], float]) -> None:
        self.seconds, self.slack, self.clock = seconds, (at_once - 1) * seconds, clock
        self.busy_until: dict[str, float] = {}

    def left(self, address: str) -> float:
        """Seconds until the address may act again; 0: now."""
        now = self.clock()
        return max(self.busy_until.get(address, now) - now - self.slack, 0.0)

    def act(self, address: str) -> None:
        """Count an action."""
        now = self.clock()
        if len(self.busy_until) >= MANY:
            self.busy_until = {each: until for each, until in self.busy_until.items() if until > now}
        self.busy_until[address] = max(self.busy_until.get(address, now), now) + self.seconds
