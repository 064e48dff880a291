"""What an address may do in rooms, how fast, and the sentences that refuse it.

Nobody may take the rooms or the houses of all others. An address opens a few rooms, and one more in place of
its own that nobody has joined or whose host is gone; takes a few houses of a room, or as many as its host
allows (a class may share one, behind a proxy), then so many at once and one a second; and after some wrong
codes it waits between two of them. Who sits at the machine itself is refused no room: the smallest of those
that were opened there gives way.
"""

import os
from collections.abc import Callable
from math import ceil

MAX_ROOMS, MAX_PLAYERS = 20, 100
ROOMS_PER_ADDRESS = 4
HERE = ""  # the address of the machine itself
# Houses that one address may take in a room; more where its host lets all come by one, as through a proxy.
HOUSES_PER_ADDRESS = int(os.environ.get("RTP_HOUSES_PER_ADDRESS", "10"))
JOIN_AT_ONCE, JOIN_EVERY = max(40, HOUSES_PER_ADDRESS), 1.0  # houses, and seconds between two more
OPEN_AT_ONCE, OPEN_EVERY = 6, 60.0  # rooms, and seconds between two more
WRONG_AT_ONCE, WRONG_EVERY = 10, 5.0  # codes, and seconds between two more
HOST_ABSENT = 300.0  # seconds without a look of the host's after which a room may give way to another
ROOM_IDLE = 2 * 3600.0  # seconds without an action after which a room ends
REMEMBERED = 10_000  # addresses that are remembered before the idle ones are forgotten

NO_ROOM = "No open room has the code {}. Look for the code on the beamer."
CLOSED = "This room is closed. Thank you for playing."
ALL_TAKEN = f"{MAX_ROOMS} rooms are open, and there may be no more. Close one first."
FULL = f"The room is full: {MAX_PLAYERS} have joined."
MANY_HERE = (
    f"{HOUSES_PER_ADDRESS} houses of this room were taken from your address. More may join from there when "
    "the host allows it."
)
SLOWER = "That was too often from your address. Try again in {} s."
NOT_HOST = "Only the host of this room may do that."
NOT_PLAYER = "Nobody has a house here by this address any more. Join again with the code."
NOT_NOW = "That cannot be done now."
TOO_LATE = "The rate has moved on, so this answer does not count."

TimeSource = Callable[[], float]


class RoomError(Exception):
    """Why something was not done, in one sentence."""


class Pace:
    """How fast an address may go on: so many actions at once, then one every so many seconds. Mutable; used
    under its owner's lock.

    The generic cell rate algorithm: of every address it is known when its last action will be worked off.
    """

    def __init__(self, at_once: int, seconds: float, clock: TimeSource) -> None:
        self.seconds, self.slack, self.clock = seconds, (at_once - 1) * seconds, clock
        self.busy_until: dict[str, float] = {}

    def check(self, address: str) -> None:
        """Refuse where the address may not act yet, with the seconds that it has to wait."""
        now = self.clock()
        wait = self.busy_until.get(address, now) - now - self.slack
        if wait > 0:
            raise RoomError(SLOWER.format(ceil(wait)))

    def act(self, address: str) -> None:
        """Count an action."""
        now = self.clock()
        if len(self.busy_until) >= REMEMBERED:
            self.busy_until = {each: until for each, until in self.busy_until.items() if until > now}
        self.busy_until[address] = max(self.busy_until.get(address, now), now) + self.seconds
