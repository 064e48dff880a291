"""Coroutines beside a test: a browser's loop may run on its own thread."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_aside(work: Coroutine[Any, Any, Result]) -> Result:
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, work).result()
