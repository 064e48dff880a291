"""Open the lab to a classroom: listen on the network, show the address and its QR code.

`make class`, or `python scripts/classroom.py [options of streamlit run]`; the port is 8501 or RTP_PORT.
"""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import segno
from streamlit.net_util import get_internal_ip

ROOT = Path(__file__).resolve().parents[1]
PORT = 8501


def banner(url: str) -> str:
    """The address to write on the board, and its QR code for phones."""
    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True)
    return f"The lab is open to everyone in this network, until Ctrl-C:\n\n    {url}\n\n{drawn.getvalue()}"


def command(port: int, options: Sequence[str]) -> list[str]:
    """Streamlit on every network of this machine, without looking for changes of the code."""
    listen = ["--server.address=0.0.0.0", f"--server.port={port}", "--server.headless=true"]
    run = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    return [*run, *listen, "--server.fileWatcherType=none", *options]


def main(options: Sequence[str]) -> None:
    port, here = int(os.environ.get("RTP_PORT", PORT)), get_internal_ip()
    if here is None or here.startswith("127."):
        sys.exit("This machine is in no network: connect it first, or use make run.")
    print(banner(f"http://{here}:{port}"), flush=True)
    os.chdir(ROOT)
    os.execv(sys.executable, command(port, options))


if __name__ == "__main__":
    main(sys.argv[1:])
