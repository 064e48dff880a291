"""Which command was asked for, and one sentence where it cannot be done; and the command `app`.

`rtp app` opens the lab in the browser, for this machine or for a class: it is a way to say `streamlit run
app.py` from anywhere. All settings stand in `.streamlit/config.toml` beside app.py; only what must differ is
said here. The package has app.py and its pages in the folder `app`, a checkout has them beside the package.
"""

import argparse
import errno
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from rtp.cli import answer, audit, learn, overtime, run
from rtp.cli.options import Commands, NotDone
from rtp.core.formatting import printable
from rtp.scenario import Bounds, ScenarioError, must_be_within
from rtp.version import VERSION

PORT = 8501
PORTS = Bounds(1, 65535, "Port")
PACKAGE = Path(__file__).resolve().parents[1]
NEEDED = ("streamlit", "orjson", "segno")  # the extra `app`


def add_app(commands: "Commands[argparse.ArgumentParser]") -> None:
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


def _app(options: argparse.Namespace) -> int:
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise NotDone(
            "app", f'needs {", ".join(missing)}: pip install "rtp-privacy-lab[app]" brings what is missing.'
        )
    if options.port is not None:
        must_be_within("--port", options.port, PORTS)
    if options.for_class:
        start = [sys.executable, "-m", "scripts.classroom", str(options.port or PORT)]
    else:
        start = [sys.executable, "-m", "streamlit", "run", "app.py"]
        start += [f"--server.port={options.port}"] * (options.port is not None)
        start += ["--server.headless=true"] * options.no_browser
    start += options.options
    os.chdir(PACKAGE / "app" if (PACKAGE / "app").is_dir() else PACKAGE.parent)
    if sys.platform == "win32":
        return subprocess.call(start)
    return os.execv(start[0], start)  # the server takes this process over, and all signals


BAD_INPUT, NOT_DONE, STOPPED = 2, 3, 130
EXIT_CODES = f"""\
exit codes:
  0    done
  1    done, and the answer is no: nothing can be published, a promise is broken, nothing was learned
  {BAD_INPUT}    bad input: an option, a file or a value is refused in one sentence
  {NOT_DONE}    not done: the disk is full, memory ran out, a worker ended, something is not installed
  {STOPPED}  stopped by Ctrl-C"""
DISK_FULL = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.EFBIG,
)  # of a disk; other errors are of a file's name


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; what went wrong is said in one sentence."""
    try:
        options = parser().parse_args(arguments)
        return int(options.command(options))
    except ScenarioError as error:
        print(f"rtp: {error}", file=sys.stderr)
        return NOT_DONE if isinstance(error, NotDone) else BAD_INPUT
    except OSError as error:
        problem = f"{error.filename or 'the file'}: {error.strerror or error}."
        print(f"rtp: {printable(problem)}", file=sys.stderr)
        return NOT_DONE if error.errno in DISK_FULL else BAD_INPUT
    except MemoryError:
        print("rtp: that needs more memory than there is.", file=sys.stderr)
        return NOT_DONE
    except KeyboardInterrupt:
        print("rtp: stopped.", file=sys.stderr)
        return STOPPED


class Parser(argparse.ArgumentParser):
    """What it refuses it repeats, and a file's name may be among that."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    result = Parser(
        prog="rtp",
        description="What privacy costs when electricity prices are published in real time.",
        epilog=f"start with: rtp app\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("--version", action="version", version=f"RTP Privacy Lab {VERSION}")
    commands: Any = result.add_subparsers(required=True, metavar="COMMAND")
    answers = answer.add, answer.add_tariff
    for add in (add_app, run.add, *answers, learn.add, audit.add, overtime.add, run.add_sweep):
        add(commands)
    return result
