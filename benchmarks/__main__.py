"""Run the benchmarks, all or those named: `python -m benchmarks [library load …]`; 1 if one is over."""

import sys
from collections.abc import Iterator

from benchmarks import audit, interactions, latency, library, load, meters
from benchmarks.measure import Result

# To add a benchmark: a module with `results() -> Iterator[Result]`, and its line here.
SUBJECTS = {
    "library": library,
    "audit": audit,
    "meters": meters,
    "latency": latency,
    "interactions": interactions,
    "load": load,
}


def line(result: Result) -> str:
    bound = "for information" if result.target is None else f"at most {result.target:g}"
    aim = "" if result.aim is None else f", aim {result.aim:g}"
    return f"{result.subject:<85}{f'{result.value:.3g}{result.unit}':>12}  {bound + aim:<20}{result.verdict}"


def chosen(names: list[str]) -> Iterator[Result]:
    for name in names:
        yield from SUBJECTS[name].results()


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SUBJECTS]
    if unknown:
        print(f"benchmarks: {unknown[0]!r} is none of {', '.join(SUBJECTS)}.", file=sys.stderr)
        return 2
    missed = 0
    for result in chosen(names or list(SUBJECTS)):
        print(line(result), flush=True)
        missed += result.verdict == "over"
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
