"""What every other answer to an open question would have given, on the same streets as ours.

Errors are expected ones, luck removed; curves are expected ones too, held against the digitised figures. The
streets and the noise are the same for all options, so differences are the option's own. One day's difference
between naive and Blowfish is sampled from many draws of the noise alone.

Why we chose as we did where the paper is silent: sentences from the computed outcomes of each choice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generator, generators, seed_of
from rtp.core.stats import Range, spread
from rtp.core.types import Floats
from rtp.paper import published
from rtp.paper.choices import CHOICES, WORLDS, Choice, Option, World, unchanged
from rtp.paper.in_state import most_exposed, told
from rtp.paper.picture import blur_weight, blurred, unrest, unrest_if_redrawn
from rtp.paper.reproduction import MECHANISMS, PAPER, Days, rmse, say
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation import live, street_key
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay

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
    known: dict[str, StreetDay] = {}
    ours = headline(Option("ours", unchanged), known)
    outcomes = []
    for done, choice in enumerate(CHOICES, start=1):
        own = Option(choice.ours, unchanged)
        outcomes.append(Outcome(choice=choice, option=own, ours=True, headline=ours))
        outcomes += [_outcome(choice, option, known) for option in choice.others]
        if report is not None:
            report(done / len(CHOICES))
    return outcomes


def _outcome(choice: Choice, option: Option, known: dict[str, StreetDay]) -> Outcome:
    try:
        return Outcome(choice=choice, option=option, ours=False, headline=headline(option, known))
    except ScenarioError as error:
        return Outcome(choice=choice, option=option, ours=False, headline=None, problem=str(error))


def headline(option: Option, known: dict[str, StreetDay] | None = None) -> Headline:
    """The headline numbers of one option, mean over the streets; raises what its scenario refuses.

    Days that are known are not simulated again.
    """
    base = option.make()
    known = {} if known is None else known
    worlds, excesses = [], []
    for street in range(STREETS):
        scenario = base.replace(seed=base.seed + street)
        key = street_key(scenario)
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


Gave = Sequence[tuple[str, Headline]]  # (option, what it gives); ours first
SHOWN = 5e-4  # half a unit of the distances as they are written


def reason(choice: Choice, outcomes: Sequence[Outcome], days: Days) -> str:
    """What the numbers say about our answer to a choice."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    gave = [(o.option.name, o.headline) for o in mine if o.headline is not None]
    said = _by_bounds(days) if choice.judged_by == "bounds" else JUDGES[choice.judged_by](gave)
    refused = [_no_root()] if len(gave) < len(mine) else []
    return " ".join([said, *_dropping(gave), *refused])


def _by_occupancy(gave: Gave) -> str:
    distances = [(name, given.occupancy_rmse) for name, given in gave]
    least, best = min((distance, name) for name, distance in distances)
    said = "no other comes closer" if distances[0][1] <= least + SHOWN else f"{best} comes closer"
    return f"Distance to Figure 2a: {'; '.join(f'{name} {d:.3f}' for name, d in distances)}. Of these {said}."


def _by_naive(gave: Gave) -> str:
    excess = [(name, given.errors[0] / given.errors[1] - 1) for name, given in gave]
    parts = " and ".join(f"{say(above, '.2%')} ({name})" for name, above in excess)
    found = any(abs(above - published.NAIVE_EXCESS) <= published.EXCESS.half_unit for _, above in excess)
    return (
        f"Luck removed, the naive error is above Blowfish's by {parts}; "
        f"{'one of them is' if found else 'neither is'} the published {published.EXCESS.text}."
    )


def _by_excess(gave: Gave) -> str:
    parts = [
        f"{name} put one day's difference between {say(given.excess.low, '.1%')} and "
        f"{say(given.excess.high, '.1%')}, which {_holds(given.excess, published.NAIVE_EXCESS)} the "
        f"published {published.EXCESS.text}"
        for name, given in gave
    ]
    return _sentence("; ".join(parts))


def _by_published_error(gave: Gave) -> str:
    parts = [f"{given.errors[0] / published.NAIVE_RMSRE:.2f} with {name}" for name, given in gave]
    return f"Our naive error over the published one: {'; '.join(parts)}."


def _by_noise(gave: Gave) -> str:
    """The one reading that makes the noise smaller in some steps is no mechanism: it leaks."""
    parts = [
        f"{given.least:.3f} of the naive one ({name}), which puts the naive error "
        f"{say(given.errors[0] / given.errors[1] - 1, '.2%')} above Blowfish's"
        for name, given in gave
    ]
    return f"Blowfish's noise scale falls to {'; to '.join(parts)}. {leak_words(live(PAPER).street)}"


def leak_words(street: Street) -> str:
    """What scaling the noise to the state a house is in gives away; see `rtp.paper.in_state`."""
    epsilon, house = PAPER.epsilon, most_exposed(street)
    scales = house.scales(epsilon)
    share, kept = told(house, scales, epsilon), told(house, house.alike(epsilon), epsilon)
    return (
        f"But noise that follows the states gives them away. With everybody else empty, house {house.number} "
        f"has noise of scale {PAPER.alpha * scales[0]:.2f} while it is occupied and "
        f"{PAPER.alpha * scales[1]:.2f} while it is empty: to someone who knows what the others used, "
        f"{say(share.occupied, '.0%')} of the rates while it is occupied and {say(share.empty, '.0%')} while "
        f"it is empty tell more than the promised ε = {epsilon:g}, and the further off a rate, the more it "
        f"tells, without limit. With the larger bound {say(max(kept), '.0%')} do."
    )


JUDGES = {
    "occupancy": _by_occupancy,
    "naive": _by_naive,
    "excess": _by_excess,
    "published error": _by_published_error,
    "noise": _by_noise,
}


def _by_bounds(days: Days) -> str:
    """See `rtp.paper.picture`: the unrest of Figure 2b tells the two apart."""
    _, occupancy, consumption = published.figure2()
    weight = blur_weight(days)
    theirs = float(unrest(occupancy, consumption))
    once = spread(unrest(blurred(days.occupancy, weight), blurred(days.consumption, weight)))
    anew = unrest_if_redrawn(occupancy, weight, generator(PAPER.seed, Stream.PAPER_PICTURE))
    return (
        f"Figure 2b scatters from step to step by {theirs:.4f}. Seen through a picture that blurs as Figure "
        f"2a does, bounds drawn once give {once.low:.4f} to {once.high:.4f}, which {_holds(once, theirs)} "
        f"it; drawn anew, {anew.low:.4f} to {anew.high:.4f}, which {_holds(anew, theirs)} it."
    )


def _holds(span: Range, value: float) -> str:
    return "holds" if span.covers(value) else "does not hold"


def _dropping(gave: Gave) -> list[str]:
    """Where an answer makes Algorithm 1 drop houses."""
    return [
        f"With “{name}” Algorithm 1 drops houses in {given.dropping:.0f} of {PAPER.steps} steps."
        for name, given in gave
        if given.dropping > 0
    ]


def _no_root() -> str:
    habits = PAPER.models[0].habits[0]
    periods = habits.periods
    beyond = [
        f"{p.name} {p.leave + p.arrive:.4g} over {steps} steps"
        for p, steps in zip(periods, habits.steps(), strict=True)
        if p.leave + p.arrive > 1
    ]
    return (
        "Where leave + arrive > 1 there is no stochastic matrix root over an even number of steps (over an "
        f"odd number there may be one), and {len(beyond)} of {len(periods)} periods are such: "
        f"{', '.join(beyond)}."
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."
