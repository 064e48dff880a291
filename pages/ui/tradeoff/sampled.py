"""The ε–error curve of a day and the budgets an error asks for, kept until anything but ε changes."""

from functools import partial

from pages.ui.cache import cached
from pages.ui.sidebar import EPSILON_GRID
from rtp.scenario import OccupancyModel, Scenario
from rtp.simulation import Day
from rtp.street.simulate import StreetDay
from rtp.tradeoff import Curve, curve
from rtp.tradeoff.answers import Budgets, budgets
from rtp.tradeoff.curves import joined
from rtp.tradeoff.misspecification import with_assumed_model

NOISE_DAYS = 300


def own_curve(day: Day) -> Curve:
    """With the belief that the scenario states."""
    return _with_own_budget(day, day.street_day, "own")


def curve_believing(day: Day, belief: OccupancyModel | None) -> Curve:
    """With another belief of filter and forecast; None is the truth."""
    words = belief.model_dump_json() if belief else "truth"
    make = partial(with_assumed_model, day.scenario, day.street_day, belief)
    return _with_own_budget(
        day, cached("believing", f"{_key(day.scenario)} {words}", make, weight="heavy"), words
    )


def _with_own_budget(day: Day, life: StreetDay, belief: str) -> Curve:
    """The curve over the slider's budgets, the same for everybody, and the scenario's own budget in it."""
    scenario = day.scenario
    make = partial(curve, scenario, EPSILON_GRID, NOISE_DAYS, street_day=life)
    common = cached(
        "curve", f"{_key(scenario)} {belief}", make, "Pricing the day at every budget …", weight="heavy"
    )
    if scenario.epsilon in EPSILON_GRID:
        return common
    make = partial(curve, scenario, [scenario.epsilon], NOISE_DAYS, street_day=life)
    return joined(common, cached("point", f"{scenario.to_json(None)} {belief}", make))


def budgets_for(day: Day, target: float) -> Budgets:
    """What every mechanism needs to reach that error."""
    make = partial(budgets, day.scenario, target, day.street_day)
    return cached("budgets", f"{_key(day.scenario)} {target!r}", make, "Looking for the budgets …")


def _key(scenario: Scenario) -> str:
    """All that a curve depends on, which the scenario's budget is not."""
    return scenario.model_dump_json(exclude={"epsilon"})
