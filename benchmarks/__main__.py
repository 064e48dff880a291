"""Run the benchmarks, all or those named: `python -m benchmarks [library screens load …]`; 1 if one is over.

`--users 5 --changes 2` asks less of the class in `load`: to see that it runs, not to measure.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import attacks, audit, exposure, files, home, library, load, meters, play, screens
from benchmarks.measure import Result


def line(result: Result) -> str:
    bound = "for information" if result.target is None else f"at most {result.target:g}"
    return f"{result.subject:<85}{f'{result.value:.3g}{result.unit}':>12}  {bound:<20}{result.verdict}"


def main() -> int:
    size = load.ClassSize()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="library, audit, exposure, files, meters, home, blink, screens, load, play, attacks; or all",
    )
    parser.add_argument("--users", type=int, default=size.users, help="of load")
    parser.add_argument("--changes", type=int, default=size.changes, help="that each user makes in load")
    parser.add_argument("--sessions", type=int, default=size.sessions, help="opened and closed in load")
    parser.add_argument("--screen", action="append", default=[], help="of load, such as Attacker: it alone")
    options = parser.parse_args()
    only = tuple(name.removeprefix("Explore") for name in options.screen)
    size = load.ClassSize(options.users, options.changes, options.sessions, only)
    # To add a benchmark: a function that yields results, and its line here.
    subjects: dict[str, Callable[[], Iterator[Result]]] = {
        "library": library.results,
        "audit": audit.results,
        "exposure": exposure.results,
        "files": files.results,
        "meters": meters.results,
        "home": home.results,
        "blink": screens.charts_that_stay,
        "screens": screens.results,
        "load": partial(load.results, size),
        "play": play.results,
        "attacks": attacks.results,
    }
    if unknown := [name for name in options.names if name not in subjects]:
        parser.error(f"{unknown[0]!r} is none of {', '.join(subjects)}.")
    over = 0
    for name in options.names or subjects:
        for result in subjects[name]():
            print(line(result), flush=True)
            over += result.verdict == "over"
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
