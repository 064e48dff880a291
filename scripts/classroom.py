"""Open the lab to a classroom: listen on the network, show the address and its QR code.

`make class`, or `python -m scripts.classroom [options of streamlit run]`; the port is 8501
or RTP_PORT. Where the system can fork there is a server for every core (`scripts/servers.py`).
"""

import io
import os
import sys
from collections.abc import Sequence
from multiprocessing import get_all_start_methods
from pathlib import Path

import segno
from streamlit.net_util import get_internal_ip

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app.py"
PORT = 8501
EVERYWHERE = "0.0.0.0"
MB = 2**20
MOST = 4  # servers: each takes its memory, and four hold the largest class


def banner(url: str) -> str:
    """The address to write on the board, and its QR code for phones."""
    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True)
    return f"The lab is open to everyone in this network, until Ctrl-C:\n\n    {url}\n\n{drawn.getvalue()}"


def arguments(script: Path, address: str, options: Sequence[str]) -> list[str]:
    """Of `streamlit run`, without looking for changes of the code."""
    listen = [f"--server.address={address}", "--server.headless=true", "--server.fileWatcherType=none"]
    return [str(script), *listen, *options]


def command(port: int, servers: int, options: Sequence[str], script: Path = APP) -> list[str]:
    """What serves the class on this port: Streamlit, or a front with several of it behind."""
    python = [sys.executable, "-m"]
    if servers == 1:
        return [*python, "streamlit", "run", *arguments(script, EVERYWHERE, options), f"--server.port={port}"]
    reached = [f"--browser.serverAddress={EVERYWHERE}", f"--browser.serverPort={port}"]
    quiet = "--logger.level=warning"  # each would say where it listens
    behind = [*arguments(script, "127.0.0.1", options), *reached, quiet]
    return [*python, "scripts.servers", str(port), str(servers), *behind]


def environment(servers: int) -> dict[str, str]:
    """Among how many a server has its share. And sessions, which have a thread each, take their memory from
    one pool. A table is taken from it as well, and goes back to it: asking the system for fresh pages would
    cost as much as the work that is done in them (`servers` gives back what stays unused)."""
    return {
        "RTP_SERVERS": str(servers),
        "MALLOC_ARENA_MAX": "1",
        "MALLOC_MMAP_THRESHOLD_": str(32 * MB),
        "MALLOC_TRIM_THRESHOLD_": str(16 * MB),
    }


def main(options: Sequence[str]) -> None:
    port, here = int(os.environ.get("RTP_PORT", PORT)), get_internal_ip()
    if here is None or here.startswith("127."):
        sys.exit("This machine is in no network: connect it first, or use make run.")
    print(banner(f"http://{here}:{port}"), flush=True)
    os.chdir(ROOT)
    servers = min(os.cpu_count() or 1, MOST) if "forkserver" in get_all_start_methods() else 1
    os.environ.update(environment(servers))
    os.execv(sys.executable, command(port, servers, options))


if __name__ == "__main__":
    main(sys.argv[1:])
