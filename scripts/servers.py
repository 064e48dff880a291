"""The servers of a class: one for each core, behind one front, and started again where one has ended.

Python keeps a process on one core. The servers are forked from a process that has loaded the libraries
already: they share that memory, and one that has died is soon there again.

`python -m scripts.servers PORT SERVERS [arguments of streamlit run]`, as `scripts/classroom.py` says.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from scripts import give_back
from scripts.front import Outside, Server

TICK = 0.2  # seconds between two looks at a server
TIDY = 2.0  # seconds after which a server gives back the memory that nobody uses
YOUNG = 10.0  # seconds: a server that ends sooner, and has not answered anybody, cannot be started


def run(arguments: Sequence[str]) -> None:
    """`streamlit run` with these arguments, in a process of its own, until it is terminated."""
    os.setpgrp()  # Ctrl-C is for the front
    threading.Thread(target=_end_with_front, daemon=True).start()
    threading.Thread(target=_give_back, daemon=True).start()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = nowhere  # the address that it prints is not the one to open
        import_module("streamlit.web.cli").main(["run", *arguments], standalone_mode=False)


def _give_back() -> None:
    """What work has freed stays with the server, for the next to have (`classroom.environment`), but not for
    ever."""
    while True:
        time.sleep(TIDY)
        give_back.unused()


def _end_with_front() -> None:
    """Also where the front had no time to say so."""
    if front := parent_process():
        wait([front.sentinel])
        os._exit(1)


def start(arguments: Sequence[str], port: int) -> BaseProcess:
    """A server on this port of this machine."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["scripts.preloaded"])
    process = context.Process(target=run, args=([*arguments, f"--server.port={port}"],), daemon=True)
    process.start()
    return process


async def keep_running(server: Server, arguments: Sequence[str]) -> None:
    """Start it again whenever it has ended, unless it hardly began."""
    loop = asyncio.get_running_loop()
    while True:
        process, begun, server.answered = start(arguments, server.port), loop.time(), False
        try:
            while process.is_alive():
                await asyncio.sleep(TICK)
        finally:
            process.terminate()
        if not server.answered and loop.time() - begun < YOUNG:
            print(f"A server of the lab ended as soon as it began (code {process.exitcode}).", flush=True)
            return
        print(f"A server of the lab has ended (code {process.exitcode}) and is started again.", flush=True)


async def serve(port: int, count: int, arguments: Sequence[str]) -> int:
    """Until SIGINT or SIGTERM, or a server that cannot be kept; the exit code."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stopped.set)
    servers = [Server(number, _free_port()) for number in range(count)]
    async with await loop.create_server(lambda: Outside(servers), "0.0.0.0", port):
        kept = [asyncio.create_task(keep_running(server, arguments)) for server in servers]
        waiting = [asyncio.create_task(stopped.wait()), *kept]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return 0 if stopped.is_set() else 1


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(port: str, count: str, *arguments: str) -> int:
    loop = import_module("uvloop").run if find_spec("uvloop") else asyncio.run
    try:
        code: int = loop(serve(int(port), int(count), arguments))
    except OSError as error:
        sys.exit(f"Nothing can be served on port {port} ({error.strerror}): RTP_PORT=8600 takes another one.")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
