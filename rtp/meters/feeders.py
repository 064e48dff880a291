"""Many feeders, one a task: each file of readings becomes a scenario of its own.

The tasks run on any executor. What came of a feeder is written by who asked, each file in one go. A feeder
whose file is there is passed over, so that work which was interrupted goes on from where it was. The numbers
do not depend on who did the work.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from rtp.core.parallel import Progress, each
from rtp.meters.learned import with_laws
from rtp.meters.learning import learn
from rtp.meters.reading import read
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.export import to_file


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
    first_date: str | None = None  # of the days to learn from
    last_date: str | None = None
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
        learned = learn(readings, periods, feeder.groups, seed=feeder.base.seed)
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
