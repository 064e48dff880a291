"""The commands `sweep` and `export`: many scenarios, on this machine's cores or a Dask cluster's."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rtp.cli.options import WORKERS, Commands, executor_of, kept_in, progress_bar, worker_options
from rtp.core.formatting import printable
from rtp.core.tables import put_in_place, to_csv
from rtp.scenario import ScenarioError, must_be_within
from rtp.scenario.describe import origin
from rtp.sweep import plan, store
from rtp.sweep.run import run_plan


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    run = commands.add_parser(
        "sweep",
        help="vary fields of a scenario over a grid, many days per point",
        description="Run a sweep's spec, or go on with one that was interrupted. A spec is JSON such as "
        '{"preset": "paper", "grid": {"epsilon": {"from": 0.1, "to": 10, "count": 20, "scale": "log"}}}.',
    )
    run.add_argument("spec", type=Path, help="the spec's JSON file")
    own = f"the spec's, or {plan.DAYS_PER_POINT}"
    run.add_argument("--days", type=int, help=f"days per point (default: {own})")
    worker_options(run)
    run.add_argument("--out", type=Path, required=True, metavar="FILE", help="the SQLite file of the results")
    run.set_defaults(command=_sweep)

    export = commands.add_parser("export", help="write a sweep's points as CSV or Parquet")
    export.add_argument("file", type=Path, help="a sweep's SQLite file")
    export.add_argument("--csv", type=Path, metavar="FILE")
    export.add_argument("--parquet", type=Path, metavar="FILE")
    export.set_defaults(command=_export)


def _sweep(options: argparse.Namespace) -> int:
    wanted = plan.from_json(options.spec.read_bytes(), options.days)
    must_be_within("--workers", options.workers, WORKERS)
    keep_on = kept_in(options.out)
    with store.SweepFile(options.out, wanted) as results:
        try:
            with executor_of(options, keep_on) as executor, progress_bar(sys.stderr) as progress:
                for _ in run_plan(wanted, executor=executor, store=results, progress=progress):
                    pass
        except KeyboardInterrupt:
            print(printable(f"rtp: stopped. {keep_on}"), file=sys.stderr)
            return 130
    points, days = _count(len(wanted), "point"), _count(wanted.days, "day")
    print(printable(f"{points}, {days} each, in {options.out}"))
    return 0


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("s" if number != 1 else "")


def _export(options: argparse.Namespace) -> int:
    if not (options.csv or options.parquet):
        raise ScenarioError("export", "needs --csv FILE, --parquet FILE or both.")
    done, parts = store.read_sweep(options.file)
    table, where = store.frame(done, parts), origin(done.scenario)
    if options.csv:
        _write(options, options.csv, lambda target: target.write_text(to_csv(table, where), encoding="utf-8"))
    if options.parquet:
        whole = table.assign(**where)
        _write(options, options.parquet, lambda target: whole.to_parquet(target, index=False))
    missing = len(done) - sum(part.days == done.days for part in parts.values())
    if missing:
        print(
            f"rtp: {missing:,} of {len(done):,} points not finished; {store.SAMPLED} says how many days "
            "each has.",
            file=sys.stderr,
        )
    return 0


def _write(options: argparse.Namespace, target: Path, write: Callable[[Path], object]) -> None:
    if target.exists() and target.samefile(options.file):
        raise ScenarioError(str(target), "is the sweep itself; name another file to export to.")
    put_in_place(target, write)
