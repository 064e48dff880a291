"""The command `app`: opens the lab in the browser, for this machine or for a class.

It is a way to say `streamlit run app.py` from anywhere. All settings stand in `.streamlit/config.toml` beside
app.py; only what must differ is said here. The package has app.py and its pages in the folder `app`, a
checkout has them beside the package.
"""

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from rtp.cli.options import Commands, NotDone
from rtp.scenario import Bounds, must_be_within

PORT = 8501
PORTS = Bounds(1, 65535, "Port")
PACKAGE = Path(__file__).resolve().parents[1]
NEEDED = ("streamlit", "orjson", "segno")  # the extra `app`


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    app = commands.add_parser(
        "app",
        help="open the lab in the browser",
        description="Open the lab in the browser. Only this machine can reach it, unless --class is given. "
        "Ctrl-C closes it.",
        epilog="What follows -- goes to `streamlit run`: rtp app -- --server.baseUrlPath lab",
    )
    port = os.environ.get("RTP_PORT")
    app.add_argument(
        "--port", type=int, default=port, help=f"where it listens ({PORT}, or RTP_PORT, unless given)"
    )
    app.add_argument(
        "--class",
        action="store_true",
        dest="for_class",
        help="open it to everyone in the network, and show the address and its QR code",
    )
    app.add_argument("--no-browser", action="store_true", help="start the server and open no browser")
    app.add_argument("options", nargs="*", metavar="OPTION", help=argparse.SUPPRESS)
    app.set_defaults(command=_app)


def folder() -> Path:
    """Return the folder of app.py."""
    inside = PACKAGE / "app"
    return inside if inside.is_dir() else PACKAGE.parent


def command(port: int | None, for_class: bool = False, no_browser: bool = False) -> list[str]:
    """Return what starts the server, in the folder of app.py."""
    if for_class:
        return [sys.executable, "-m", "scripts.classroom", str(port or PORT)]
    own = [f"--server.port={port}"] * (port is not None) + ["--server.headless=true"] * no_browser
    return [sys.executable, "-m", "streamlit", "run", "app.py", *own]


def _app(options: argparse.Namespace) -> int:
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise NotDone(
            "app", f'needs {", ".join(missing)}: pip install "rtp-privacy-lab[app]" brings what is missing.'
        )
    if options.port is not None:
        must_be_within("--port", options.port, PORTS)
    start = [*command(options.port, options.for_class, options.no_browser), *options.options]
    os.chdir(folder())
    if sys.platform == "win32":
        return subprocess.call(start)
    return os.execv(start[0], start)  # the server takes this process over, and all signals
