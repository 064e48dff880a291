"""Which command was asked for, and one sentence where it cannot be done."""

import argparse
import sys
from typing import NoReturn

from rtp.cli import answer, app, audit, learn, overtime, run, sweep, tariff
from rtp.core.formatting import printable
from rtp.scenario import ScenarioError
from rtp.version import VERSION


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 2 with one sentence on bad input, 130 if stopped."""
    try:
        options = parser().parse_args(arguments)
        return int(options.command(options))
    except ScenarioError as error:
        print(f"rtp: {error}", file=sys.stderr)
    except OSError as error:
        problem = f"{error.filename or 'the file'}: {error.strerror or error}."
        print(f"rtp: {printable(problem)}", file=sys.stderr)
    except MemoryError:
        print("rtp: that needs more memory than there is.", file=sys.stderr)
    except KeyboardInterrupt:
        print("rtp: stopped.", file=sys.stderr)
        return 130
    return 2


class Parser(argparse.ArgumentParser):
    """What it refuses it repeats, and a file's name may be among that."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def parser() -> argparse.ArgumentParser:
    result = Parser(
        prog="rtp",
        description="What privacy costs when electricity prices are published in real time.",
        epilog="Start with: rtp app",
    )
    result.add_argument("--version", action="version", version=f"RTP Privacy Lab {VERSION}")
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    for module in (app, run, answer, tariff, learn, audit, overtime, sweep):
        module.add(commands)
    return result
