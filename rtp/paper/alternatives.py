"""What every other answer to an open question would have given, on the same streets as ours.

Errors are expected ones, luck removed; curves are expected ones too, held against the digitised figures. The
streets and the noise are the same for all options, so differences are the option's own. One day's difference
between naive and Blowfish is sampled from many draws of the noise alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generators, seed_of
from rtp.core.stats import Range, spread
from rtp.core.types import Floats
from rtp.paper import published
from rtp.paper.choices import CHOICES, Choice, Option, unchanged
from rtp.paper.reproduction import MECHANISMS, rmse
from rtp.paper.worlds import WORLDS, World
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation import life_key, live
from rtp.street.life import Life

STREETS = 5
NOISE_DRAWS = 400  # per street


@dataclass(frozen=True, kw_only=True)
class Headline:
    """What an option gives."""

    errors: tuple[float, ...]  # expected RMSRE in the order of MECHANISMS
    excess: Range  # one day's naive error above Blowfish's
    dropping: float  # steps of a day in which Blowfish drops houses
    least: float  # the smallest noise scale of Blowfish, as a share of the naive one
    occupancy: Floats  # (T,) expected, mean over the streets
    occupancy_rmse: float  # to figure 2a
    consumption_rmse: float  # to figure 2b


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """An option of a choice, and its headline, or why there is none."""

    choice: Choice
    option: Option
    ours: bool
    headline: Headline | None
    problem: str = ""


def study(report: Callable[[float], object] | None = None) -> list[Outcome]:
    """Every option of every choice; ours is computed once and stands first in each choice."""
    known: dict[str, Life] = {}
    ours = headline(Option("ours", unchanged), known)
    outcomes = []
    for done, choice in enumerate(CHOICES, start=1):
        own = Option(choice.ours, unchanged)
        outcomes.append(Outcome(choice=choice, option=own, ours=True, headline=ours))
        outcomes += [_outcome(choice, option, known) for option in choice.others]
        if report is not None:
            report(done / len(CHOICES))
    return outcomes


def _outcome(choice: Choice, option: Option, known: dict[str, Life]) -> Outcome:
    try:
        return Outcome(choice=choice, option=option, ours=False, headline=headline(option, known))
    except ScenarioError as error:
        return Outcome(choice=choice, option=option, ours=False, headline=None, problem=str(error))


def headline(option: Option, known: dict[str, Life] | None = None) -> Headline:
    """The headline numbers of one option, mean over the streets; raises what its scenario refuses.

    Days that are known are not simulated again.
    """
    base = option.make()
    known = {} if known is None else known
    worlds, excesses = [], []
    for street in range(STREETS):
        scenario = base.replace(seed=base.seed + street)
        key = life_key(scenario)
        if key not in known:
            known[key] = live(scenario)
        world = WORLDS[option.world](scenario, known[key])
        worlds.append(world)
        excesses.append(one_day_excess(world, *units(scenario), shared=not scenario.independent_noise))
    errors = np.array([[expected_error(w, i) for i in range(len(MECHANISMS))] for w in worlds]).mean(axis=0)
    if option.conventional:
        errors = np.array([metrics.typical_error(float(e), base.steps) for e in errors])
    _, occupancy, consumption = published.figure2()
    return Headline(
        errors=tuple(errors.tolist()),
        excess=spread(np.concatenate(excesses)),
        dropping=float(np.mean([w.dropping for w in worlds])),
        least=min(float((w.scale[1] / w.scale[0]).min()) for w in worlds),
        occupancy=np.mean([w.occupancy for w in worlds], axis=0),
        occupancy_rmse=float(np.mean([rmse(w.occupancy, occupancy) for w in worlds])),
        consumption_rmse=float(np.mean([rmse(w.consumption, consumption) for w in worlds])),
    )


def expected_error(world: World, mechanism: int) -> float:
    return metrics.expected_rmsre(2 * world.scale[mechanism] ** 2, world.optimal)


def units(scenario: Scenario) -> tuple[Floats, Floats]:
    """Unit Laplace draws for naive and Blowfish, (NOISE_DRAWS, T) each: the same for every option."""
    return _units(scenario.seed, scenario.steps)


@lru_cache(maxsize=STREETS)
def _units(seed: int, steps: int) -> tuple[Floats, Floats]:
    naive, blowfish = generators(seed_of(seed, Stream.PAPER_NOISE), 2)
    return naive.laplace(size=(NOISE_DRAWS, steps)), blowfish.laplace(size=(NOISE_DRAWS, steps))


def one_day_excess(world: World, naive: Floats, blowfish: Floats, *, shared: bool) -> Floats:
    """By which fraction one day's naive error is above Blowfish's, for every draw of the noise."""
    squared = [
        ((unit * scale / world.optimal) ** 2).sum(axis=1)
        for unit, scale in ((naive, world.scale[0]), (naive if shared else blowfish, world.scale[1]))
    ]
    return np.asarray(np.sqrt(squared[0] / squared[1]) - 1)
