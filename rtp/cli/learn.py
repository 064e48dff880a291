"""The command `learn`: from a file of meter readings to a scenario with its habits, and to the answer."""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np

from rtp.cli.options import (
    WORKERS,
    Commands,
    chosen,
    executor_of,
    kept_in,
    must_be_writable,
    progress_bar,
    worker_options,
)
from rtp.core.formatting import plain_parts, printable
from rtp.core.workers import Progress, each
from rtp.meters import Answer, Learned, Readings, Replay, answer, learn, read
from rtp.meters.answering import bills_frame
from rtp.meters.check import AtHome, at_home, check
from rtp.meters.layout import UNITS
from rtp.meters.learned import AT_HOME, FUSE, STANDBY, Meaning, with_laws
from rtp.meters.learning import GROUPS
from rtp.output import check as check_words
from rtp.output import meters as words
from rtp.output import replayed as replayed_words
from rtp.output.exposure import houses_words
from rtp.scenario import BOUNDS, MAX_LISTED, Period, Scenario, ScenarioError, must_be_within, valid_names
from rtp.scenario.describe import origin
from rtp.scenario.export import put_text, to_csv, to_file

NOTHING_LEARNED = 1  # what the command returns
PRINTED_HOUSES = 60  # of the table that is printed; the first and the last


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    options = commands.add_parser(
        "learn",
        help="learn habits from meter readings and write the scenario that they make",
        description="Read meter readings (CSV, gzipped CSV or Parquet; a row for every house and time, or a "
        "column for every house), learn when somebody is at home, and write a scenario with these habits. "
        "Tariff and promise are those of the paper's day, or of --base. Then print what every mechanism "
        "would have published on the last well-read four weeks, what houses would have paid, and what an "
        "observer would have learned. Where the readings say who was at home, --check prints how often the "
        "learner, which does not see it, is right.",
    )
    options.add_argument("readings", type=Path, nargs="+", help="the file of readings, or several feeders'")
    options.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="the scenario's JSON file; a folder for several feeders",
    )
    options.add_argument(
        "--check",
        action="store_true",
        help="how often the learner is right, where a column of the readings says who was at home",
    )
    options.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        help="with --check: write the scores of every house and of all, as JSON or CSV",
    )
    _start_options(options)
    _street_options(options)
    options.add_argument("--from", dest="first_date", metavar="DATE", help="the first day to learn from")
    options.add_argument("--to", dest="last_date", metavar="DATE", help="the last one")
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
        "--meaning",
        choices=get_args(Meaning),
        default=AT_HOME,
        help=f"what occupied means, where the readings do not say who is at home (default: {AT_HOME})",
    )
    options.add_argument(
        "--hide-labels", action="store_true", help="learn as if the readings did not say who is at home"
    )
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


def reading_options(options: argparse.ArgumentParser) -> None:
    """How a file of readings is to be understood, and where the answer goes."""
    options.add_argument(
        "--unit", help=f"of the readings, if their column does not say it: {', '.join(UNITS)}"
    )
    options.add_argument("--zone", help="where times in UTC belong, such as Europe/Berlin")
    options.add_argument(
        "--shift", type=int, metavar="HOURS", help="by how many hours the meters' clock is slow"
    )
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
    if options.out is None and not options.check:
        raise ScenarioError("--out", "is missing: name the scenario's file, or give --check.")
    if options.scores and not options.check:
        raise ScenarioError("--scores", "are those of --check; give both.")
    if options.check and len(options.readings) > 1:
        raise ScenarioError("--check", "is for one file of readings; give one.")
    if len(options.readings) > 1:
        return _learn_many(options, base)
    must_be_writable(options.out, options.bills, options.report, options.scores)
    with progress_bar(sys.stderr) as progress:
        readings = _read(options, options.readings[0], progress)
    _report(readings)
    home = _check(options, readings) if options.check else None
    if options.out is None:
        return 0
    if renamed := _renamed(readings):
        print(words.renamed_words(renamed))
    with executor_of(options) as pool, progress_bar(sys.stderr) as progress:
        learned = _habits(options, base, readings, pool, progress)
    for sentence in words.learned_words(learned):
        print(_plain(sentence))
    print(words.houses_frame(readings, learned).to_string(max_rows=PRINTED_HOUSES))
    print(words.SURE_MEANS)
    if not learned.groups:
        return NOTHING_LEARNED
    scenario = _street(options, base, readings, learned)
    print(words.chances_frame(learned).to_string())
    put_text(options.out, to_file(scenario))
    print(printable(f"{options.out}: {words.LEAKS}"))
    with progress_bar(sys.stderr) as progress:
        result = answer(readings, scenario, learned, progress=progress)
    print("\nThe answer", *map(_plain, replayed_words.answer_words(result)), sep="\n")
    _tell(result, learned=True)
    _write(options, readings, result, scenario, home or _home(options, readings, result))
    return 0


def _check(options: argparse.Namespace, readings: Readings) -> AtHome:
    """How often the learner is right, beside what needs none, and how its certainty is to be taken; and what
    it learned."""
    with executor_of(options) as pool, progress_bar(sys.stderr) as progress:
        found = check(readings, executor=pool, progress=progress)
    print(_plain(check_words.check_words(found)))
    tables = (
        check_words.check_frame,
        check_words.hours_frame,
        check_words.sureness_frame,
        check_words.reliability_frame,
    )
    for table in tables:
        print(table(found).to_string())
    for own in found.houses if len(found.houses) > 1 else ():
        print(_plain(check_words.house_words(own)), check_words.check_frame(own).to_string(), sep="\n")
    if options.scores:
        frame = check_words.scores_frame(found)
        as_json = options.scores.suffix.lower() == ".json"
        put_text(options.scores, frame.to_json(orient="records") if as_json else to_csv(frame, {}))
    print(_plain(check_words.CHECK_MEANS))
    return found.found


def _home(options: argparse.Namespace, readings: Readings, result: Answer) -> AtHome | None:
    """When somebody was in the house that is watched, where the report is to show it beside labels."""
    if options.report is None or readings.occupied is None:
        return None
    with suppress(ScenarioError):
        return at_home(readings.only_houses(np.array([readings.houses.index(result.observed.name)])))
    return None


def _renamed(readings: Readings) -> dict[str, str]:
    """The names that houses have in the scenario, where it lists them and cannot have those of the file."""
    if len(readings.houses) > MAX_LISTED:
        return {}
    names = zip(readings.houses, valid_names(readings.houses), strict=True)
    return {name: now for name, now in names if name != now}


def _read(options: argparse.Namespace, path: Path, progress: Progress | None = None) -> Readings:
    """The days to learn from."""
    readings = read(path, unit=options.unit, zone=options.zone, shift=options.shift or 0, progress=progress)
    return readings.between(options.first_date, options.last_date)


def _periods(options: argparse.Namespace, base: Scenario) -> tuple[Period, ...] | None:
    """Those of the scenario to start from, where one is named; else as it suits what is learned."""
    named = options.scenario is not None or options.preset is not None
    return base.models[0].habits[0].periods if named else None


def _habits(
    options: argparse.Namespace,
    base: Scenario,
    readings: Readings,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Learned:
    return learn(
        readings.without_labels() if options.hide_labels else readings,
        _periods(options, base),
        options.groups,
        meaning=options.meaning,
        every_house=options.every_house,
        seed=base.seed,
        executor=executor,
        progress=progress,
    )


def _street(options: argparse.Namespace, base: Scenario, readings: Readings, learned: Learned) -> Scenario:
    """With the learned habits and the bounds that are stated."""
    scenario = learned.scenario(base, options.bound, options.empty_bound, readings.houses)
    return with_laws(scenario, learned) if options.laws else scenario


def _learn_many(options: argparse.Namespace, base: Scenario) -> int:
    """One feeder a task; the output is a folder, and what is in it already is not done again."""
    for name in ("report", "bills"):
        if getattr(options, name) is not None:
            raise ScenarioError(f"--{name}", "is written for one file of readings; give one.")
    options.out.mkdir(exist_ok=True)
    with executor_of(options, kept_in(options.out)) as pool, progress_bar(sys.stderr) as progress:
        for path, sentence in learn_feeders(options, base, pool, progress):
            print(printable(f"{path}: {sentence}"))
    print(printable(f"{options.out}: {words.LEAKS}"))
    return 0


def _report(readings: Readings) -> None:
    print(
        f"{houses_words(len(readings.houses))}, {readings.days:,} days from {readings.date(0)}, "
        f"every {readings.minutes} minutes"
    )
    for finding, done in words.findings_frame(readings)["What is done"].items():
        print(f"  {finding}; {done}")


def run_replay(options: argparse.Namespace, scenario: Scenario) -> Replay:
    """`run --replay`: the readings' demand through every mechanism, under the scenario."""
    with progress_bar(sys.stderr) as progress:
        readings = read(
            options.replay, unit=options.unit, zone=options.zone, shift=options.shift or 0, progress=progress
        )
    _report(readings)
    result = answer(readings, scenario, first=0, days=readings.days, house=options.house)
    print(*map(_plain, replayed_words.answer_words(result)), sep="\n")
    _tell(result, learned=scenario.has_laws)
    _write(options, readings, result, scenario)
    return result.replay


def _tell(result: Answer, *, learned: bool) -> None:
    """The tables beneath the answer, and what they rest on."""
    print(replayed_words.replay_frame(result.replay).to_string())
    print(
        _plain(replayed_words.replay_words(result.replay)),
        replayed_words.promise_words(learned),
        words.LEAKS,
        sep="\n",
    )
    print(replayed_words.observed_frame(result.observed).to_string(), replayed_words.WORST_MEANS, sep="\n")


def _write(
    options: argparse.Namespace,
    readings: Readings,
    result: Answer,
    scenario: Scenario,
    home: AtHome | None = None,
) -> None:
    """What was asked for to take away."""
    if options.bills:
        put_text(options.bills, to_csv(bills_frame(result.replay), origin(scenario)))
    if options.report:
        from rtp.output.street_report import street_report  # plotly, which is slow to import

        put_text(options.report, street_report(readings, result, scenario, home))


def _plain(sentence: str) -> str:
    return "".join(plain_parts(sentence))


# Many feeders, one a task on any executor. What is in the folder already is not done again, so that work
# which was interrupted goes on from where it was; who does it changes no number.


def learn_feeder(options: argparse.Namespace, base: Scenario, path: Path) -> tuple[str, Scenario | None]:
    """What came of a file of readings, in a sentence, and its scenario, or None where it could not be done. A
    module's function, so that it can travel."""
    try:
        readings = _read(options, path)
        scenario = _street(options, base, readings, _habits(options, base, readings))
    except (ScenarioError, OSError) as error:
        return f"not learned: {error}", None
    renamed = _renamed(readings)
    more = f". {words.renamed_words(renamed)}" if renamed else ""
    return f"{houses_words(len(readings.houses))}, {readings.days:,} days{more}", scenario


def learn_feeders(
    options: argparse.Namespace,
    base: Scenario,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Path, str]]:
    """What came of every feeder that was not done in the folder yet."""
    names = [path.name for path in options.readings]
    if len(set(names)) < len(names):
        raise ScenarioError("The files", "have a name twice; their scenarios would overwrite each other.")
    targets = {path: options.out / f"{path.name}.json" for path in options.readings}
    left = [path for path, target in targets.items() if not target.exists()]
    outcomes = each(partial(learn_feeder, options, base), left, executor, progress)
    for path, (sentence, scenario) in zip(left, outcomes, strict=True):
        if scenario is not None:
            put_text(targets[path], to_file(scenario))
        yield path, sentence
