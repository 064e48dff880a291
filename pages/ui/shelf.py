"""A shelf keeps the last used values of one kind; least recently used ones are dropped."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from pages.ui import CORES

Value = TypeVar("Value")

PLACES = threading.Semaphore(CORES)  # more at once would only take turns, and each other's memory


def one(value: object) -> int:
    return 1


class Limit(NamedTuple):
    """How much of one kind is kept: the sizes of its values add up to at most so much."""

    most: int
    size: Callable[..., int] = one
    heavy: bool = False  # whether it keeps a core busy for long: then as many at once as there are cores


def among(limit: Limit, servers: int) -> Limit:
    """What a server keeps beside others on the machine: its share, but all that is heavy to make."""
    return limit if limit.heavy else limit._replace(most=max(limit.most // servers, 1))


@dataclass
class Shelf(Generic[Value]):
    """The last used values of one kind. What several ask for at once is made once; a failure is not kept."""

    limit: Limit
    values: OrderedDict[str, Value] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    making: WeakValueDictionary[str, threading.Lock] = field(default_factory=WeakValueDictionary)

    def get(self, key: str, make: Callable[[], Value]) -> Value:
        with self.lock:
            turn = self.making.setdefault(key, threading.Lock())  # forgotten when nobody holds it
        with turn:
            with self.lock:
                if key in self.values:
                    self.values.move_to_end(key)
                    return self.values[key]
            with PLACES if self.limit.heavy else nullcontext():
                value = make()
            with self.lock:
                self._put(key, value)
            return value

    def _put(self, key: str, value: Value) -> None:
        self.values[key] = value
        while len(self.values) > 1 and sum(map(self.limit.size, self.values.values())) > self.limit.most:
            self.values.popitem(last=False)
