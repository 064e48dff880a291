"""The rooms of one process: opened, entered by their codes, closed, and ended when nobody does anything."""

import secrets
import threading
import time
from collections import Counter

from rtp.play import limits
from rtp.play.limits import Pace, RoomError, TimeSource, new_key
from rtp.play.room import SEEDS, Room
from rtp.play.round import Round
from rtp.scenario import Scenario

CODE_LETTERS = "BCDFGHJKMNPRSTVWXYZ"  # none that looks like another, and no vowels: no word comes out
CODE_LENGTH = 4


class Rooms:
    """Mutable, and changed under its lock only."""

    def __init__(self, clock: TimeSource = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._openings = Pace(limits.OPEN_AT_ONCE, limits.OPEN_EVERY, clock)
        self._wrong_codes = Pace(limits.WRONG_AT_ONCE, limits.WRONG_EVERY, clock)

    def open(self, saved: Round | None = None, address: str = "") -> tuple[str, str]:
        """Make a room, with a saved round revealed in it where one is given; gives its code and its host's
        key."""
        with self._lock:
            self._end_idle()
            if address != limits.HERE:
                self._openings.check(address)
            self._give_way(address)
            self._openings.act(address)
            code, host = self._free_code(), new_key()
            first = saved or Round(scenario=Scenario(seed=secrets.randbelow(SEEDS)))
            self._rooms[code] = Room(code, host, self._clock, first, saved is not None, address)
            return code, host

    def _give_way(self, address: str) -> None:
        """End a room where there are too many: of this address, or of the one that has most. It is one that
        nobody has joined or whose host is gone; to who sits at the machine any that was opened there."""
        owners = Counter(room.address for room in self._rooms.values())
        if owners[address] >= limits.ROOMS_PER_ADDRESS:
            owner = address
        elif len(self._rooms) >= limits.MAX_ROOMS and address != limits.HERE:
            owner = owners.most_common(1)[0][0]
        else:
            return
        own = [room for room in self._rooms.values() if room.address == owner]
        if address != limits.HERE:
            own = [room for room in own if room.may_give_way()]
        if not own:
            raise RoomError(limits.ALL_TAKEN, most=limits.MAX_ROOMS)
        del self._rooms[min(own, key=lambda room: (room.joined, room.touched)).code]

    def room(self, code: str) -> Room:
        """The room of a code that was entered before; refuses where it has been closed."""
        with self._lock:
            self._end_idle()
            if code not in self._rooms:
                raise RoomError(limits.CLOSED)
            return self._rooms[code]

    def enter(self, code: str, address: str, key: str | None = None) -> Room:
        """The room of a code that somebody types or brings, with a key or without one; whoever tries many
        codes or keys has to wait between two."""
        wanted = code.strip().upper()
        known = self._rooms.get(wanted)
        if known is None or not key or not known.knows(key):
            with self._lock:
                self._wrong_codes.check(address)
                if known is None or key:
                    self._wrong_codes.act(address)
        if known is None:
            raise RoomError(limits.NO_ROOM, code=wanted[:CODE_LENGTH])
        return self.room(wanted)

    def close(self, code: str, key: str) -> None:
        """End a room; for its host only."""
        self.room(code).check_host(key)
        with self._lock:
            self._rooms.pop(code, None)

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if code not in self._rooms:
                return code

    def _end_idle(self) -> None:
        now = self._clock()
        self._rooms = {
            code: room for code, room in self._rooms.items() if now - room.touched < limits.ROOM_IDLE
        }
