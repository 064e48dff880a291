"""The commands `run`, `presets` and `scenario`: one scenario, simulated, listed or printed. And `sweep` and
`export`: many, on this machine's cores or a Dask cluster's."""

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import get_args

from rtp.cli.learn import reading_options, run_replay
from rtp.cli.options import (
    LINE_LENGTH,
    PRESET_NAMES,
    WORKERS,
    Commands,
    chosen,
    executor_of,
    kept_in,
    must_be_writable,
    progress_bar,
    scenario_options,
    text_table,
    worker_options,
)
from rtp.core.formatting import percent, plain, printable
from rtp.core.types import Frame
from rtp.core.workers import partial_progress
from rtp.exposure import Observer, exposure
from rtp.mechanisms import REGISTRY
from rtp.meters import Replay
from rtp.metrics import ERROR_MEANS
from rtp.money.bills import bills, house_bills_frame
from rtp.output.words import NO_MEAN
from rtp.scenario import DEFAULT_PRESET, LIBRARY, ScenarioError, must_be_within, preset_named
from rtp.scenario.describe import origin, origin_words
from rtp.scenario.export import put_in_place, put_text, to_csv, to_file
from rtp.scenario.model import LAB_KEY
from rtp.simulation import Day, Release, simulate
from rtp.sweep import plan, store
from rtp.sweep.run import run_plan

OF_READINGS = ("house", "unit", "zone", "shift")  # options that mean nothing without --replay


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    run = commands.add_parser(
        "run",
        parents=[scenario_options()],
        help="simulate a scenario and print how far each published rate is from the optimal one",
        description="Simulate a scenario. Without a file or preset it is the paper's day.",
    )
    run.add_argument("--csv", type=Path, metavar="FILE", help="write the day, one row per step")
    run.add_argument(
        "--json", type=Path, metavar="FILE", help="write the errors, and the scenario they belong to"
    )
    run.add_argument(
        "--replay", type=Path, metavar="READINGS", help="meter readings whose demand is priced instead"
    )
    run.add_argument(
        "--house", metavar="NAME", help="with --replay: the house that is watched (default: the easiest)"
    )
    reading_options(run)
    worker_options(run)
    run.set_defaults(command=_run)

    presets = commands.add_parser("presets", help="list the presets and what to look at in each")
    presets.set_defaults(command=_presets)

    scenario = commands.add_parser("scenario", help="print a preset's JSON, to edit and run")
    scenario.add_argument("preset", nargs="?", default=DEFAULT_PRESET, help=PRESET_NAMES)
    scenario.set_defaults(command=_scenario)


def _run(options: argparse.Namespace) -> int:
    scenario = chosen(options)
    must_be_writable(options.csv, options.json, options.bills, options.report)
    if options.replay:
        replayed = run_replay(options, scenario)
        if options.csv:
            put_text(options.csv, to_csv(replayed.frame(), origin(scenario)))
        if options.json:
            put_text(options.json, json.dumps(_summary_of_replay(replayed), indent=2))
        return 0
    for name in OF_READINGS:
        if getattr(options, name) is not None:
            raise ScenarioError(f"--{name}", "is about readings; give them with --replay.")
    must_be_within("--workers", options.workers, WORKERS)
    with executor_of(options) as executor:
        day = simulate(scenario, executor=executor)
    days = "one day" if scenario.days == 1 else f"{scenario.days} days"
    print(f"{scenario.households:,} households, {days}, ε = {scenario.epsilon:g}, seed {scenario.seed}")
    print(text_table("rate", {name: _row(release) for name, release in day.release.items()}))
    print(fill(ERROR_MEANS, LINE_LENGTH))
    if not day.market.error_has_mean:
        print(fill(NO_MEAN, LINE_LENGTH))
    if options.csv:
        put_text(options.csv, to_csv(day.frame(), origin(day.scenario)))
    if options.bills:
        put_text(options.bills, to_csv(_bills_frame(day), origin(day.scenario)))
    if options.report:
        from rtp.output.report import report  # plotly, which is slow to import

        with progress_bar(sys.stderr) as progress:
            parts = [partial_progress(progress, half / 2, (half + 1) / 2) for half in range(2)]
            observers = zip(get_args(Observer), parts, strict=True)
            seen = [exposure(scenario, "moment", who, progress=part) for who, part in observers]
        put_text(options.report, report(day, seen=seen))
    if options.json:
        put_text(options.json, json.dumps(_summary(day), indent=2))
    return 0


def _bills_frame(day: Day) -> Frame:
    """One row per house of the simulated street, in its order."""
    scenario = day.scenario
    groups = [group.name for group in scenario.groups]
    with progress_bar(sys.stderr) as progress:
        paid = bills(day, progress)
    names = [scenario.house_label(number, first=0) for number in range(scenario.households)]
    return house_bills_frame(names, [groups[g] for g in day.street.group.tolist()], paid, scenario)


def _row(release: Release) -> dict[str, str]:
    scale = release.scale
    return {
        "error": percent(release.error),
        "expected": percent(release.expected_error),
        "noise scale": f"{plain(scale.min(), 4)} … {plain(scale.max(), 4)}",
        "protected": f"{release.protected.min()} … {release.protected.max()}",
    }


def _summary(day: Day) -> dict[str, object]:
    releases = day.release.items()
    return {
        LAB_KEY: origin_words(day.scenario),
        "scenario": day.scenario.model_dump(),
        "error_percent": _finite({name: 100 * r.error for name, r in releases}),
        "expected_error_percent": _finite({name: 100 * r.expected_error for name, r in releases}),
        "rmsre": _finite({name: r.rmsre for name, r in releases}),
        "expected_rmsre": _finite({name: r.expected_rmsre for name, r in releases}),
    }


def _summary_of_replay(replayed: Replay) -> dict[str, object]:
    return {
        LAB_KEY: origin_words(replayed.scenario),
        "scenario": replayed.scenario.model_dump(),
        "first_date": replayed.first_date,
        "days": replayed.days,
        "error_percent": _finite({name: 100 * replayed.error(name) for name in REGISTRY}),
        "bills": {name: float(replayed.paid[name].sum()) for name in REGISTRY},
    }


def _finite(errors: dict[str, float]) -> dict[str, float | None]:
    """JSON has no infinity: an error relative to a rate of zero is null."""
    return {name: error if math.isfinite(error) else None for name, error in errors.items()}


def _presets(options: argparse.Namespace) -> int:
    for name, preset in LIBRARY.items():
        print(f"{name}\n    {preset.look_at}\n    Occupied means {preset.scenario.occupied_means}.")
    return 0


def _scenario(options: argparse.Namespace) -> int:
    print(to_file(preset_named(options.preset)))
    return 0


def add_sweep(commands: "Commands[argparse.ArgumentParser]") -> None:
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
    wanted = plan.from_json(options.spec.read_bytes(), options.days, options.spec.parent)
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
    must_be_writable(options.csv, options.parquet)
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
