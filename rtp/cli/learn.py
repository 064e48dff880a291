"""The command `learn`: from a file of meter readings to a scenario with its habits, and to the answer."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from rtp.cli.options import WORKERS, Commands, chosen, executor_of, kept_in, progress_bar, worker_options
from rtp.core.parallel import Progress, each
from rtp.core.tables import to_csv
from rtp.meters import Readings, learn, read
from rtp.meters.answering import (
    WORST_MEANS,
    Answer,
    answer,
    answer_words,
    bills_frame,
    promise_words,
    replay_frame,
    replay_words,
    watched_frame,
    watched_words,
)
from rtp.meters.layout import UNITS
from rtp.meters.learned import FUSE, STANDBY, with_laws
from rtp.meters.learning import GROUPS
from rtp.meters.words import LEAKS, chances_frame, findings_frame, houses_frame, learned_verdict
from rtp.scenario import BOUNDS, Scenario, ScenarioError, must_be_within
from rtp.scenario.describe import origin
from rtp.scenario.export import to_file

PRINTED_HOUSES = 60  # of the table that is printed; the first and the last


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    options = commands.add_parser(
        "learn",
        help="learn habits from meter readings and write the scenario that they make",
        description="Read meter readings (CSV, gzipped CSV or Parquet; a row for every house and time, or a "
        "column for every house), learn two-state habits, and write a scenario. Tariff, promise and periods "
        "are those of the paper's day, or of --base. Then print what every mechanism would have published on "
        "the last four weeks, what the houses would have paid, and what an observer would have learned.",
    )
    options.add_argument("readings", type=Path, nargs="+", help="the file of readings, or several feeders'")
    options.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="the scenario's JSON file; a folder for several feeders",
    )
    _start_options(options)
    _street_options(options)
    _date_options(options)
    reading_options(options)
    worker_options(options)
    options.set_defaults(command=_learn, street=[])  # the houses are those of the readings


def _start_options(options: argparse.ArgumentParser) -> None:
    """What the readings do not tell."""
    options.add_argument(
        "--base", type=Path, metavar="FILE", dest="scenario", help="a scenario to start from"
    )
    options.add_argument("--preset", help="a preset to start from")
    options.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="change a field of it"
    )


def _street_options(options: argparse.ArgumentParser) -> None:
    """What is made of the houses."""
    options.add_argument(
        "--groups", type=int, help="groups of houses, by their habits (default: as many as the readings show)"
    )
    options.add_argument(
        "--every-house",
        action="store_true",
        help="habits also of houses whose two states do not look like occupancy",
    )
    options.add_argument(
        "--bound",
        type=float,
        default=FUSE,
        metavar="KW",
        help=f"what a house uses at most while occupied: its fuse or contract (default: {FUSE:g} kW)",
    )
    options.add_argument(
        "--empty-bound",
        type=float,
        default=STANDBY,
        metavar="KW",
        help=f"what it uses at most while empty (default: {STANDBY:g} kW)",
    )
    options.add_argument(
        "--laws",
        action="store_true",
        help="houses use as learned (a distribution for every group); without, uniformly up to the bounds",
    )


def _date_options(options: argparse.ArgumentParser) -> None:
    """Which days to learn from."""
    options.add_argument("--from", dest="first_date", metavar="DATE", help="the first day to learn from")
    options.add_argument("--to", dest="last_date", metavar="DATE", help="the last one")


def reading_options(options: argparse.ArgumentParser) -> None:
    """How a file of readings is to be understood, and where the answer goes."""
    options.add_argument(
        "--unit", help=f"of the readings, if their column does not say it: {', '.join(UNITS)}"
    )
    options.add_argument("--zone", help="where times in UTC belong, such as Europe/Berlin")
    options.add_argument(
        "--bills", type=Path, metavar="FILE", help="write what each house pays, at every mechanism's rates"
    )
    options.add_argument(
        "--report", type=Path, metavar="FILE", help="write the answer as an HTML page that opens offline"
    )


def _learn(options: argparse.Namespace) -> int:
    base = chosen(options)
    must_be_within("--workers", options.workers, WORKERS)
    if options.groups is not None:
        must_be_within("--groups", options.groups, GROUPS)
    must_be_within("--bound", options.bound, BOUNDS["occupied_max"])
    must_be_within("--empty-bound", options.empty_bound, BOUNDS["empty_max"])
    if len(options.readings) > 1:
        return _learn_many(options, base)
    with progress_bar(sys.stderr) as progress:
        readings = read(options.readings[0], unit=options.unit, zone=options.zone, progress=progress)
    readings = readings.between(options.first_date, options.last_date)
    _report(readings)
    periods = base.models[0].habits[0].periods
    with executor_of(options) as pool, progress_bar(sys.stderr) as progress:
        learned = learn(
            readings,
            periods,
            options.groups,
            every_house=options.every_house,
            seed=base.seed,
            executor=pool,
            progress=progress,
        )
    for sentence in learned_verdict(learned):
        print(_plain(sentence))
    print(houses_frame(readings, learned).to_string(max_rows=PRINTED_HOUSES))
    scenario = learned.scenario(base, options.bound, options.empty_bound, readings.houses)
    scenario = with_laws(scenario, learned) if options.laws else scenario
    print(chances_frame(learned).to_string())
    options.out.write_text(to_file(scenario), encoding="utf-8")
    print(f"{options.out}: {LEAKS}")
    with progress_bar(sys.stderr) as progress:
        result = answer(readings, scenario, learned, progress=progress)
    print("\nThe answer", *map(_plain, answer_words(result)), sep="\n")
    _tell(result, learned=True)
    _write(options, readings, result, scenario)
    return 0


def _learn_many(options: argparse.Namespace, base: Scenario) -> int:
    """One feeder a task; the output is a folder, and what is in it already is not done again."""
    for name in ("report", "bills"):
        if getattr(options, name) is not None:
            raise ScenarioError(f"--{name}", "is written for one file of readings; give one.")
    options.out.mkdir(exist_ok=True)
    feeders = [
        Feeder(
            path=path,
            base=base,
            groups=options.groups,
            occupied_max=options.bound,
            empty_max=options.empty_bound,
            unit=options.unit,
            zone=options.zone,
            first_date=options.first_date,
            last_date=options.last_date,
            laws=options.laws,
            every_house=options.every_house,
        )
        for path in options.readings
    ]
    with executor_of(options, kept_in(options.out)) as pool, progress_bar(sys.stderr) as progress:
        for path, sentence in learn_feeders(feeders, options.out, pool, progress):
            print(f"{path}: {sentence}")
    print(f"{options.out}: {LEAKS}")
    return 0


def _report(readings: Readings) -> None:
    print(
        f"{len(readings.houses):,} houses, {readings.days:,} days from {readings.date(0)}, "
        f"every {readings.minutes} minutes"
    )
    for finding, done in findings_frame(readings)["What is done"].items():
        print(f"  {finding}: {done}")


def run_replay(options: argparse.Namespace, scenario: Scenario) -> int:
    """`run --replay`: the readings' demand through every mechanism, under the scenario."""
    with progress_bar(sys.stderr) as progress:
        readings = read(options.replay, unit=options.unit, zone=options.zone, progress=progress)
    _report(readings)
    result = answer(readings, scenario, first=0, days=readings.days, house=options.house)
    print(*map(_plain, answer_words(result)), sep="\n")
    _tell(result, learned=scenario.has_laws)
    _write(options, readings, result, scenario)
    if options.csv:
        options.csv.write_text(to_csv(result.replay.frame(), origin(scenario)), encoding="utf-8")
    return 0


def _tell(result: Answer, *, learned: bool) -> None:
    """The tables beneath the answer, and what they rest on."""
    print(replay_frame(result.replay).to_string())
    print(_plain(replay_words(result.replay)), promise_words(learned), LEAKS, sep="\n")
    print(_plain(watched_words(result.watched)), watched_frame(result.watched).to_string(), sep="\n")
    print(WORST_MEANS)


def _write(options: argparse.Namespace, readings: Readings, result: Answer, scenario: Scenario) -> None:
    """What was asked for to take away."""
    if options.bills:
        options.bills.write_text(to_csv(bills_frame(result.replay), origin(scenario)), encoding="utf-8")
    if options.report:
        from rtp.output.street_report import street_report  # plotly, which is slow to import

        options.report.write_text(street_report(readings, result, scenario), encoding="utf-8")


def _plain(sentence: str) -> str:
    return sentence.replace("**", "")


# Many feeders, one a task on any executor. What is in the folder already is not done again, so that work
# which was interrupted goes on from where it was; who does it changes no number.


@dataclass(frozen=True, kw_only=True)
class Feeder:
    """A file of readings, and how habits are to be learned from it."""

    path: Path
    base: Scenario
    groups: int | None
    occupied_max: float
    empty_max: float
    unit: str | None = None
    zone: str | None = None
    first_date: str | None = None  # of the days to learn from
    last_date: str | None = None
    every_house: bool = False  # whether habits are also of houses whose states do not look like occupancy
    laws: bool = False  # whether its groups use as learned, not uniformly up to the bounds


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a feeder, and a sentence; `scenario` is None where it could not be done."""

    sentence: str
    scenario: Scenario | None = None


def learn_feeder(feeder: Feeder) -> Outcome:
    """Read and learn. A module's function, so that it can travel."""
    try:
        readings = read(feeder.path, unit=feeder.unit, zone=feeder.zone)
        readings = readings.between(feeder.first_date, feeder.last_date)
        periods = feeder.base.models[0].habits[0].periods
        learned = learn(
            readings, periods, feeder.groups, every_house=feeder.every_house, seed=feeder.base.seed
        )
        scenario = learned.scenario(feeder.base, feeder.occupied_max, feeder.empty_max, readings.houses)
        scenario = with_laws(scenario, learned) if feeder.laws else scenario
    except (ScenarioError, OSError) as error:
        return Outcome(sentence=f"not learned: {error}")
    return Outcome(sentence=f"{len(readings.houses):,} houses, {readings.days:,} days", scenario=scenario)


def learn_feeders(
    feeders: Sequence[Feeder],
    folder: Path,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Path, str]]:
    """What came of every feeder that was not done in the folder yet."""
    names = [feeder.path.name for feeder in feeders]
    if len(set(names)) < len(names):
        raise ScenarioError("The files", "have a name twice; their scenarios would overwrite each other.")
    left = [feeder for feeder in feeders if not _target(feeder, folder).exists()]
    for feeder, outcome in zip(left, each(learn_feeder, left, executor, progress), strict=True):
        if outcome.scenario is not None:
            target = _target(feeder, folder)
            beside = target.with_name(f"{target.name}.part")
            beside.write_text(to_file(outcome.scenario), encoding="utf-8")
            os.replace(beside, target)
        yield feeder.path, outcome.sentence


def _target(feeder: Feeder, folder: Path) -> Path:
    return folder / f"{feeder.path.name}.json"
