"""What an address may do in rooms, how fast, and the sentences that refuse it; who has which house of a room.

Nobody may take the rooms or the houses of all others. An address opens a few rooms, and one more in place of
its own that nobody has joined or whose host is gone; takes a few houses of a room, or as many as its host
allows (a class may share one, behind a proxy), then so many at once and one a second; and after some wrong
codes it waits between two of them. Who sits at the machine itself is refused no room: the smallest of those
that were opened there gives way.

One phone, one house. A phone keeps a mark of its own, drawn by its browser, and whoever joins with a mark
that is known has the house that it has. A mark is as secret as a key: it leaves the phone for the server
alone, and no room shows it. Where a browser keeps none, "", the key in the address is all there is.
"""

import os
import secrets
from collections import Counter
from collections.abc import Callable
from math import ceil

from rtp.core.language import noted, say

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
_REMEMBERED = 10_000  # addresses that are remembered before the idle ones are forgotten

NO_ROOM = noted("No open room has the code {code}. Look for the code on the beamer.")
CLOSED = noted("This room is closed. Thank you for playing.")
ALL_TAKEN = noted("{most} rooms are open, and there may be no more. Close one first.")
FULL = noted("The room is full: {most} have joined.")
MANY_HERE = noted(
    "{most} houses of this room were taken from your address. More may join from there when "
    "the host allows it."
)
SLOWER = noted("That was too often from your address. Try again in {seconds} s.")
NOT_HOST = noted("Only the host of this room may do that.")
NOT_PLAYER = noted("Nobody has a house here by this address any more. Join again with the code.")
NOT_NOW = noted("That cannot be done now.")
TOO_LATE = noted("The rate has moved on, so this answer does not count.")

TimeSource = Callable[[], float]


class RoomError(Exception):
    """Why something was not done, in one sentence: said when it is shown, in the language of who reads it."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence)
        self.sentence, self.values = sentence, values

    def __str__(self) -> str:
        return say(self.sentence, **self.values)


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
            raise RoomError(SLOWER, seconds=ceil(wait))

    def act(self, address: str) -> None:
        """Count an action."""
        now = self.clock()
        if len(self.busy_until) >= _REMEMBERED:
            self.busy_until = {each: until for each, until in self.busy_until.items() if until > now}
        self.busy_until[address] = max(self.busy_until.get(address, now), now) + self.seconds


LONGEST_MARK = 64  # characters


def new_key() -> str:
    return secrets.token_urlsafe(16)


class Seats:
    """Mutable; used under its room's lock. Houses are counted from 0."""

    def __init__(self, clock: TimeSource) -> None:
        self._house: dict[str, int] = {}  # by key
        self._key: dict[str, str] = {}  # by the mark of a phone
        self._address: dict[str, str] = {}  # that a key was given to
        self._pace = Pace(JOIN_AT_ONCE, JOIN_EVERY, clock)
        self.refused = False  # whether an address has had its houses and asked for more

    def __len__(self) -> int:
        return len(self._house)

    def __contains__(self, key: str) -> bool:
        return key in self._house

    @property
    def taken(self) -> frozenset[int]:
        return frozenset(self._house.values())

    def items(self) -> list[tuple[str, int]]:
        """Keys and their houses."""
        return list(self._house.items())

    def house(self, key: str) -> int:
        if key not in self._house:
            raise RoomError(NOT_PLAYER)
        return self._house[key]

    def of_phone(self, mark: str) -> str | None:
        """The key that a phone has, if it has one."""
        return self._key.get(mark)

    def join(self, address: str, mark: str, crowd: bool) -> str:
        """The phone's own house, or else the first that is free; gives its key. `crowd`: all may come by one
        address."""
        if known := self.of_phone(mark):
            return known
        if len(self._house) >= MAX_PLAYERS:
            raise RoomError(FULL, most=MAX_PLAYERS)
        if not crowd and Counter(self._address.values())[address] >= HOUSES_PER_ADDRESS:
            self.refused = True
            raise RoomError(MANY_HERE, most=HOUSES_PER_ADDRESS)
        self._pace.check(address)
        self._pace.act(address)
        key = new_key()
        self._house[key] = next(h for h in range(MAX_PLAYERS) if h not in self.taken)
        self._address[key] = address
        self._remember(key, mark)
        return key

    def recognise(self, key: str, mark: str) -> str:
        """The key that a phone is to use: that of its first house, where it has taken this one besides."""
        self.house(key)
        first = self.of_phone(mark) or key
        if key in self._key.values():
            return key
        if first == key:
            self._remember(key, mark)
        else:
            self.remove(self._house[key])
        return first

    def _remember(self, key: str, mark: str) -> None:
        if 0 < len(mark) <= LONGEST_MARK:
            self._key[mark] = key

    def remove(self, house: int) -> str | None:
        """Take a house from whoever has it; gives the key, which is worth nothing any more."""
        for key, own in self._house.items():
            if own == house:
                del self._house[key], self._address[key]
                self._key = {mark: other for mark, other in self._key.items() if other != key}
                return key
        return None
