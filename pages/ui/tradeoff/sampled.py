"""The ε–error curve of a day and the budgets an error asks for, kept until anything but ε changes."""

from functools import partial

from pages.ui.cached import kept
from pages.ui.sidebar import EPSILON_GRID
from rtp.scenario import OccupancyModel, Scenario
from rtp.simulation import Day
from rtp.tradeoff import Curve, curve
from rtp.tradeoff.answers import Budgets, budgets
from rtp.tradeoff.misbelief import live_believing

NOISE_DAYS = 300


def own_curve(day: Day) -> Curve:
    """With the belief that the scenario states."""
    epsilons = _epsilons(day.scenario)
    make = partial(curve, day.scenario, epsilons, NOISE_DAYS, life=day.life)
    return _kept(day.scenario, f"{epsilons} own", make)


def curve_believing(day: Day, belief: OccupancyModel | None) -> Curve:
    """With another belief of filter and forecast; None is the truth."""
    epsilons = _epsilons(day.scenario)
    words = belief.model_dump_json() if belief else "truth"
    return _kept(day.scenario, f"{epsilons} {words}", partial(_believing, day, belief, epsilons))


def _believing(day: Day, belief: OccupancyModel | None, epsilons: tuple[float, ...]) -> Curve:
    life = live_believing(day.scenario, day.life, belief)
    return curve(day.scenario, epsilons, NOISE_DAYS, life=life)


def _epsilons(scenario: Scenario) -> tuple[float, ...]:
    return tuple(sorted({*EPSILON_GRID, scenario.epsilon}))


def _kept(scenario: Scenario, words: str, make: "partial[Curve]") -> Curve:
    return kept("curve", f"{_key(scenario)} {words}", make, "Pricing the day at every budget …")


def budgets_for(day: Day, target: float) -> Budgets:
    """What every mechanism needs to reach that error."""
    make = partial(budgets, day.scenario, target, day.life)
    return kept("budgets", f"{_key(day.scenario)} {target!r}", make, "Looking for the budgets …")


def _key(scenario: Scenario) -> str:
    """All that a curve depends on, which the scenario's budget is not."""
    return scenario.model_dump_json(exclude={"epsilon"})
