"""Open the lab to a classroom: `streamlit run` on the network, warmed up, then its address and a QR code.

`rtp app --class` and `make class` run it: `python -m scripts.classroom PORT [options of streamlit run]`.
"""

import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import segno

from scripts.serve import APP, ROOT, healthy, screen_names, streamlit

ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation
# For the C library. Every session has a thread; those of one process share two pools of memory instead of
# having one each. What is free beyond 4 MB is given back.
FREE = str(4 * 2**20)
ENVIRONMENT = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_TRIM_THRESHOLD_": FREE,
    "MALLOC_MMAP_THRESHOLD_": FREE,
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # so this holds for tables too
}


def own_address() -> str | None:
    """Return this machine's address in its network, by which way it would send, if it has one; nothing is
    sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address


def banner(url: str) -> str:
    """Return the address to write on the board, and its QR code for phones."""
    code = io.StringIO()
    segno.make(url, micro=False).terminal(code, compact=True)
    return f"The lab is open to everyone in this network, until Ctrl-C:\n\n    {url}\n\n{code.getvalue()}"


def command(address: str, port: int, options: Sequence[str] = (), script: Path = APP) -> list[str]:
    """Return what serves the class: `streamlit run` on every network, known to others by this address."""
    named = [f"--browser.serverAddress={address}", f"--browser.serverPort={port}"]
    quiet = [
        "--logger.hideWelcomeMessage=true",
        "--logger.level=warning",
    ]  # it names the address itself
    return [*streamlit(script, port, "0.0.0.0"), *named, *quiet, *options]


def taken(port: int) -> bool:
    """Return whether something listens on this port already."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def warm_up(server: "subprocess.Popen[bytes]", url: str) -> None:
    """Open every screen once and move ε, in a process that ends again: no visitor waits for what all need."""
    while server.poll() is None and not healthy(url):
        time.sleep(0.1)
    if server.poll() is None:
        subprocess.run([sys.executable, "-m", "scripts.visitor", url, *screen_names()], cwd=ROOT)


def main(port: int, options: Sequence[str] = (), script: Path = APP) -> int:
    address = own_address()
    if address is None:
        sys.exit("This machine is in no network: connect it first, or open the lab for yourself alone.")
    if taken(port):
        sys.exit(f"Port {port} is taken: --port 8600 takes another one.")
    print("Starting the lab and opening each screen once …", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = subprocess.Popen(command(address, port, options, script), cwd=ROOT, env=os.environ | ENVIRONMENT)
    try:
        warm_up(server, f"http://127.0.0.1:{port}")
        if server.poll() is None:
            print(banner(f"http://{address}:{port}"), flush=True)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
