"""Which command was asked for, and one sentence where it cannot be done."""

import argparse
import errno
import sys
from typing import NoReturn

from rtp.cli import answer, app, audit, learn, overtime, run, sweep
from rtp.cli.options import NotDone
from rtp.core.formatting import printable
from rtp.scenario import ScenarioError
from rtp.version import VERSION

BAD_INPUT, NOT_DONE, STOPPED = 2, 3, 130
EXIT_CODES = f"""\
exit codes:
  0    done
  1    done, and the answer is no: nothing can be published, a promise is broken, nothing was learned
  {BAD_INPUT}    bad input: an option, a file or a value is refused in one sentence
  {NOT_DONE}    not done: the disk is full, memory ran out, a worker ended, something is not installed
  {STOPPED}  stopped by Ctrl-C"""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)  # of a disk; other errors are of a file's name


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
        return NOT_DONE if error.errno in FULL else BAD_INPUT
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
    commands = result.add_subparsers(required=True, metavar="COMMAND")
    for module in (app, run, answer, learn, audit, overtime, sweep):
        module.add(commands)
    return result
