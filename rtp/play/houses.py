"""Who has which house of a room: keys, the phones that they were given to, and where these came from.

One phone, one house. A phone keeps a mark of its own, drawn by its browser, and whoever joins with a mark
that is known has the house that it has. A mark is as secret as a key: it leaves the phone for the server
alone, and no room shows it. Where a browser keeps none, "", the key in the address is all there is.
"""

import secrets
from collections import Counter

from rtp.play import limits
from rtp.play.limits import Pace, RoomError, TimeSource

LONGEST_MARK = 64  # characters


def new_key() -> str:
    return secrets.token_urlsafe(16)


class Seats:
    """Mutable; used under its room's lock. Houses are counted from 0."""

    def __init__(self, clock: TimeSource) -> None:
        self._house: dict[str, int] = {}  # by key
        self._key: dict[str, str] = {}  # by the mark of a phone
        self._address: dict[str, str] = {}  # that a key was given to
        self._pace = Pace(limits.JOIN_AT_ONCE, limits.JOIN_EVERY, clock)
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
            raise RoomError(limits.NOT_PLAYER)
        return self._house[key]

    def of_phone(self, mark: str) -> str | None:
        """The key that a phone has, if it has one."""
        return self._key.get(mark)

    def join(self, address: str, mark: str, crowd: bool) -> str:
        """The phone's own house, or else the first that is free; gives its key. `crowd`: all may come by one
        address."""
        if known := self.of_phone(mark):
            return known
        if len(self._house) >= limits.MAX_PLAYERS:
            raise RoomError(limits.FULL)
        if not crowd and Counter(self._address.values())[address] >= limits.HOUSES_PER_ADDRESS:
            self.refused = True
            raise RoomError(limits.MANY_HERE)
        self._pace.check(address)
        self._pace.act(address)
        key = new_key()
        self._house[key] = next(h for h in range(limits.MAX_PLAYERS) if h not in self.taken)
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
