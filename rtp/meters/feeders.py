"""Many feeders, one a task: each file of readings becomes a scenario of its own and, if asked for, its sweep.

The tasks run on any executor: reading, learning and sweeping of one feeder are done in one place, and what
came of it is written by who asked, each file in one go. A feeder whose files are there is passed over, so
that work which was interrupted goes on from where it was. The numbers do not depend on who did the work.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from rtp.core.parallel import Progress, each
from rtp.meters.group_laws import with_laws
from rtp.meters.learning import learn
from rtp.meters.reading import read
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.export import to_file
from rtp.sweep.measures import Part
from rtp.sweep.plan import Grid, Plan, make
from rtp.sweep.run import run_plan
from rtp.sweep.store import SweepFile


@dataclass(frozen=True, kw_only=True)
class Feeder:
    """A file of readings, and how habits are to be learned from it."""

    path: Path
    base: Scenario
    groups: int
    occupied_max: float
    empty_max: float
    unit: str | None = None
    zone: str | None = None
    laws: bool = False  # whether its groups use as learned, not uniformly up to the bounds
    sweep: Grid | None = None  # what to vary of its scenario


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a feeder, and a sentence; `scenario` is None where it could not be done."""

    sentence: str
    scenario: Scenario | None = None
    plan: Plan | None = None
    parts: Mapping[int, Part] | None = None


def learn_feeder(feeder: Feeder) -> Outcome:
    """Read, learn and sweep. A module's function, so that it can travel."""
    try:
        readings = read(feeder.path, unit=feeder.unit, zone=feeder.zone)
        learned = learn(
            readings, feeder.base.models[0].habits[0].periods, feeder.groups, seed=feeder.base.seed
        )
        scenario = learned.scenario(feeder.base, feeder.occupied_max, feeder.empty_max)
        scenario = with_laws(scenario, learned) if feeder.laws else scenario
        plan = None if feeder.sweep is None else make(scenario, *feeder.sweep)
        parts = None if plan is None else {result.point: result.part for result in run_plan(plan)}
    except (ScenarioError, OSError) as error:
        return Outcome(sentence=f"not learned: {error}")
    words = f"{len(readings.houses):,} houses, {readings.days:,} days"
    return Outcome(sentence=words, scenario=scenario, plan=plan, parts=parts)


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
    left = [feeder for feeder in feeders if not _done(feeder, folder)]
    for feeder, outcome in zip(left, each(learn_feeder, left, executor, progress), strict=True):
        _write(outcome, folder / feeder.path.name)
        yield feeder.path, outcome.sentence


def _done(feeder: Feeder, folder: Path) -> bool:
    target = folder / feeder.path.name
    return _scenario(target).exists() and (feeder.sweep is None or _swept(target).exists())


def _write(outcome: Outcome, target: Path) -> None:
    if outcome.scenario is None:
        return
    beside = target.with_name(f"{target.name}.part")
    beside.unlink(missing_ok=True)
    if outcome.plan is not None and outcome.parts is not None:
        with SweepFile(beside, outcome.plan) as store:
            store.save(outcome.parts)
        os.replace(beside, _swept(target))
    beside.write_text(to_file(outcome.scenario), encoding="utf-8")
    os.replace(beside, _scenario(target))


def _scenario(target: Path) -> Path:
    return target.with_name(f"{target.name}.json")


def _swept(target: Path) -> Path:
    return target.with_name(f"{target.name}.sqlite")
