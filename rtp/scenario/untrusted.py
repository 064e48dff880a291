"""What strangers send is read in a process of its own, with a limit of memory, which ends with it.

A damaged file can end the process that reads it (pyarrow aborts on some), and one that was made for it can
unpack to more than the machine has. Neither may be the server's, or a person's terminal.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from rtp.core.workers import WorkerError, WorkerPool
from rtp.scenario.validation import ScenarioError

Result = TypeVar("Result")
MEMORY = 3 * 2**29  # bytes: a file of 200 MB takes a third of it


def read_apart(function: Callable[..., Result], *args: Any, memory: int = MEMORY, **options: Any) -> Result:
    """Return function(*args, **options), which reads what somebody sent; refuse in one sentence.

    `progress` and `still_wanted` are those of `WorkerPool.call`.
    """
    with WorkerPool(1, memory=memory) as alone:
        try:
            return alone.call(function, *args, **options)
        except (WorkerError, MemoryError):
            problem = f"is damaged, or needs more than the {memory // 2**20:,} MB of memory that it may have."
            raise ScenarioError("The file", f"cannot be read: it {problem}") from None
