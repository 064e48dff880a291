"""What every other answer to an open question would have given on the same streets, and what that says.

Errors are expected ones, on average over the noise; curves are expected ones too, held against the digitised
figures. The streets and the noise are the same for all options, so differences are the option's own. One
day's difference between naive and Blowfish is sampled from many draws of the noise alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generators, seed_of
from rtp.core.stats import Range, spread
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.paper import published
from rtp.paper.choices import OPEN_CHOICES, Choice, Option, PricedDay, step_scatter, unchanged
from rtp.paper.reproduction import MECHANISMS, PAPER, as_printed, range_text, rmse
from rtp.paper.state_dependent import exceedance, most_exposed
from rtp.scenario import Scenario, ScenarioError
from rtp.scenario.fields import sentence
from rtp.simulation import draw_day
from rtp.street.draw import Street

if TYPE_CHECKING:
    import pandas as pd

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
    scatter: float  # of mean consumption from step to step


@dataclass(frozen=True, kw_only=True)
class OptionOutcome:
    """An option of a choice, and its headline, or why there is none."""

    choice: Choice
    option: Option
    ours: bool
    headline: Headline | None
    problem: str = ""


def study(report: Callable[[float], object] | None = None) -> list[OptionOutcome]:
    """Every option of every choice; ours is computed once and stands first in each choice."""
    ours = option_headline(Option("ours", unchanged))
    outcomes = []
    for done, choice in enumerate(OPEN_CHOICES, start=1):
        own = Option(choice.ours, unchanged)
        outcomes.append(OptionOutcome(choice=choice, option=own, ours=True, headline=ours))
        outcomes += [_outcome(choice, option) for option in choice.others]
        if report is not None:
            report(done / len(OPEN_CHOICES))
    return outcomes


def _outcome(choice: Choice, option: Option) -> OptionOutcome:
    try:
        return OptionOutcome(choice=choice, option=option, ours=False, headline=option_headline(option))
    except ScenarioError as error:
        return OptionOutcome(
            choice=choice, option=option, ours=False, headline=None, problem=sentence(error, PAPER)
        )


def option_headline(option: Option) -> Headline:
    """The headline numbers of one option, mean over the streets; raises what its scenario refuses."""
    base = option.make()
    days, excesses = [], []
    for street in range(STREETS):
        scenario = base.replace(seed=base.seed + street)
        day = option.price(scenario, draw_day(scenario))
        days.append(day)
        excesses.append(one_day_excess(day, *laplace_draws(scenario), shared=not scenario.independent_noise))
    errors = np.array([[expected_error(day, i) for i in range(len(MECHANISMS))] for day in days]).mean(axis=0)
    if option.conventional:
        errors = np.array([metrics.typical_error(float(e), base.steps) for e in errors])
    _, occupancy, consumption = published.figure2()
    return Headline(
        errors=tuple(errors.tolist()),
        excess=spread(np.concatenate(excesses)),
        dropping=float(np.mean([day.dropping for day in days])),
        least=min(float((day.scale[1] / day.scale[0]).min()) for day in days),
        occupancy=np.mean([day.occupancy for day in days], axis=0),
        occupancy_rmse=float(np.mean([rmse(day.occupancy, occupancy) for day in days])),
        consumption_rmse=float(np.mean([rmse(day.consumption, consumption) for day in days])),
        scatter=float(np.mean([day.scatter for day in days])),
    )


def expected_error(day: PricedDay, mechanism: int) -> float:
    """The expected RMSRE of a mechanism, by its place in MECHANISMS."""
    return metrics.expected_rmsre(2 * day.scale[mechanism] ** 2, day.optimal)


def laplace_draws(scenario: Scenario) -> tuple[Floats, Floats]:
    """Unit Laplace draws for naive and Blowfish, (NOISE_DRAWS, T) each: the same for every option."""
    naive, blowfish = generators(seed_of(scenario.seed, Stream.PAPER_NOISE), 2)
    shape = NOISE_DRAWS, scenario.steps
    return naive.laplace(size=shape), blowfish.laplace(size=shape)


def one_day_excess(day: PricedDay, naive: Floats, blowfish: Floats, *, shared: bool) -> Floats:
    """By which fraction one day's naive error is above Blowfish's, for every draw of the noise."""
    squared = [
        ((unit * scale / day.optimal) ** 2).sum(axis=1)
        for unit, scale in ((naive, day.scale[0]), (naive if shared else blowfish, day.scale[1]))
    ]
    return np.asarray(np.sqrt(squared[0] / squared[1]) - 1)


Headlines = Sequence[tuple[str, Headline]]  # by option, ours first
_ROUNDING = 5e-4  # half a unit of the distances as they are written


def reason(choice: Choice, outcomes: Sequence[OptionOutcome]) -> str:
    """What the numbers say about our answer to a choice."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    headlines = [(o.option.name, o.headline) for o in mine if o.headline is not None]
    verdict = JUDGES[choice.judged_by](headlines)
    refused = [_no_root()] if len(headlines) < len(mine) else []
    return " ".join([verdict, *_dropping(headlines), *refused])


def _by_occupancy(headlines: Headlines) -> str:
    distances = [(name, given.occupancy_rmse) for name, given in headlines]
    least, best = min((distance, name) for name, distance in distances)
    closest = "no other comes closer" if distances[0][1] <= least + _ROUNDING else f"{best} comes closer"
    return (
        f"Distance to Figure 2a: {'; '.join(f'{name} {d:.3f}' for name, d in distances)}. Of these {closest}."
    )


def _by_naive(headlines: Headlines) -> str:
    excess = [(name, given.errors[0] / given.errors[1] - 1) for name, given in headlines]
    parts = " and ".join(f"{as_printed(above, '.2%')} ({name})" for name, above in excess)
    reached = any(abs(above - published.NAIVE_EXCESS) <= published.EXCESS.half_unit for _, above in excess)
    return (
        f"On average, the naive error is above Blowfish's by {parts}; "
        f"{'one of them is' if reached else 'neither is'} the published {published.EXCESS.text}."
    )


def _by_excess(headlines: Headlines) -> str:
    parts = [
        f"{name} put one day's difference between {as_printed(given.excess.low, '.1%')} and "
        f"{as_printed(given.excess.high, '.1%')}, which "
        f"{'holds' if given.excess.covers(published.NAIVE_EXCESS) else 'does not hold'} the "
        f"published {published.EXCESS.text}"
        for name, given in headlines
    ]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _by_published_error(headlines: Headlines) -> str:
    parts = [f"{given.errors[0] / published.NAIVE_RMSRE:.2f} with {name}" for name, given in headlines]
    return f"Our naive error over the published one: {'; '.join(parts)}."


def _by_noise(headlines: Headlines) -> str:
    """The one reading that makes the noise smaller in some steps is no mechanism: it leaks."""
    parts = [
        f"{given.least:.3f} of the naive one ({name}), which puts the naive error "
        f"{as_printed(given.errors[0] / given.errors[1] - 1, '.2%')} above Blowfish's"
        for name, given in headlines
    ]
    return f"Blowfish's noise scale falls to {'; to '.join(parts)}. {leak_words(draw_day(PAPER).street)}"


def leak_words(street: Street) -> str:
    """What scaling the noise to the state a house is in gives away; see `rtp.paper.state_dependent`."""
    epsilon, house = PAPER.epsilon, most_exposed(street)
    scales = house.state_dependent_scales(epsilon)
    share = exceedance(house, scales, epsilon)
    common = exceedance(house, house.common_scales(epsilon), epsilon)
    return (
        f"But noise that follows the states gives them away. With everybody else empty, house {house.number} "
        f"has noise of scale {PAPER.alpha * scales[0]:.2f} while it is occupied and "
        f"{PAPER.alpha * scales[1]:.2f} while it is empty: to someone who knows what the others used, "
        f"{as_printed(share.occupied, '.0%')} of the rates while it is occupied and "
        f"{as_printed(share.empty, '.0%')} while it is empty tell more than the promised "
        f"ε = {epsilon:g}, and the further off a rate, the more it tells, without limit. "
        f"With the larger bound {as_printed(max(common), '.0%')} do."
    )


def _by_bounds(headlines: Headlines) -> str:
    """Figure 2b's scatter from step to step tells the two apart; reading off a picture only smooths it."""
    _, occupancy, consumption = published.figure2()
    theirs = step_scatter(occupancy, consumption)
    _, best = min((abs(given.scatter - theirs), name) for name, given in headlines)
    parts = "; ".join(f"{name} {given.scatter:.4f}" for name, given in headlines)
    return f"Figure 2b scatters from step to step by {theirs:.4f}. Ours: {parts}. The closest: {best}."


JUDGES = {
    "bounds": _by_bounds,
    "occupancy": _by_occupancy,
    "naive": _by_naive,
    "excess": _by_excess,
    "published error": _by_published_error,
    "noise": _by_noise,
}


def _dropping(headlines: Headlines) -> list[str]:
    """Where an answer makes Algorithm 1 drop houses."""
    return [
        f"With “{name}” Algorithm 1 drops houses in {given.dropping:.0f} of {PAPER.steps} steps."
        for name, given in headlines
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


def alternatives_frame(outcomes: Sequence[OptionOutcome]) -> "pd.DataFrame":
    """Ours once, then a row per other answer; what does not exist has no numbers."""
    import pandas as pd

    ours = next(o for o in outcomes if o.ours)
    chosen = {o.choice.name: o.option.name for o in outcomes if o.ours}
    rows = [{"Answer": "as we chose", **_numbers(ours.headline), "Left open": "", "We chose": ""}]
    rows += [
        {
            "Answer": o.option.name,
            **_numbers(o.headline),
            "Left open": o.choice.name,
            "We chose": chosen[o.choice.name],
        }
        for o in outcomes
        if not o.ours
    ]
    return pd.DataFrame(rows)


def _numbers(given: Headline | None) -> dict[str, float | str | None]:
    names = [REGISTRY[name].label for name in MECHANISMS]
    if given is None:
        return {**dict.fromkeys(names), "Naive above Blowfish": "does not exist"}
    return {
        **dict(zip(names, given.errors, strict=True)),
        "Naive above Blowfish": range_text(given.excess, ".1%"),
        "Steps dropping": given.dropping,
        "To 2a": given.occupancy_rmse,
        "To 2b": given.consumption_rmse,
    }
