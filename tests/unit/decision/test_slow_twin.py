"""An answer's numbers against days lived house by house and textbook Bayes, on three streets whose houses are
uncertain all day. Of the lab's own only the smoothing of published rates is used."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.optimize import brentq
from scipy.stats import rankdata

from rtp import Group, Habits, House, OccupancyModel, Scenario
from rtp.core.types import Floats
from rtp.decision import EPSILONS, Wish, decide
from rtp.decision.frontier import kinds_of_days
from rtp.mechanisms import REGISTRY, Public
from rtp.scenario import period
from rtp.simulation import draw_day, market
from rtp.simulation.publish import publish
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay
from tests.help.few import few
from tests.help.oracles import chances, textbook_days
from tests.help.streets import MANSION

DAYS, LIVES = 300, 2000
LIMIT = 5.0  # standard errors of the twin
SECOND_ORDER = 0.01  # of the error of a rate that leans on habits
SIZES = {f"{size} kW": float(size) for size in (1, 2, 4, 8)}
LISTED = tuple(House(name=name, group="Households", occupied=u, empty=u / 8) for name, u in SIZES.items())
KILOWATTS = Scenario(groups=(Group(occupied_max=8, empty_max=1),), households=4, power_unit="kW")
_LATE = (
    period("Morning", 10.0, leave=0.3, arrive=0.8),
    period("Noon", 12.0, leave=0.6, arrive=0.5),
    period("Evening", 18.0, leave=0.2, arrive=0.7),
    period("Night", 22.0, leave=0.6, arrive=0.3),
)
WEEKLY = OccupancyModel(habits=(Habits(weekend=_LATE),))
STREETS = {
    "listed": (KILOWATTS.replace(houses=LISTED, currency="EUR", alpha=0.01, beta=0.2), 6.0),
    "paper": (Scenario(households=15, beta=4.0), 6.0),
    "mansions": (MANSION.replace(households=24), 1.0),
    "weekend": (KILOWATTS.replace(households=6, beta=2.0, models=(WEEKLY,)), 20.0),
}


def needed(street: Street, rate: str, epsilon: float) -> float:
    """The scale of Laplace noise on demand: by the largest bound, or as narrow as keeps every house's ε."""
    if rate != "calibrated" and rate != "filtered":
        return float(street.bound.max() / epsilon)

    def excess(b: float, *bounds: float) -> float:
        one, other = (u / b + np.log(-np.expm1(-u / b) * b / u) if u else 0.0 for u in bounds)
        return float(abs(one - other) - epsilon)

    houses = zip(street.occupied_bound, street.empty_bound, strict=True)
    roots = (brentq(excess, 1e-3 * abs(h[0] - h[1]), 2 * abs(h[0] - h[1]) / epsilon, args=h) for h in houses)
    return float(max(roots))


def insider(scenario: Scenario, street: Street, house: int, b: float) -> tuple[float, float]:
    """How often she is right about a day away of this house, with its standard error."""
    rng = default_rng(8)
    initial, period, leave, arrive = (each[..., house] for each in chances(scenario, street, 0))
    score, p = np.zeros((2, LIVES)), np.full((2, LIVES), initial)
    home = rng.random((2, LIVES)) < [[initial], [0.0]]
    for out, back in zip(leave[period], arrive[period], strict=True):
        bounds = street.empty_bound[house], street.occupied_bound[house]
        seen = rng.random(home.shape) * np.where(home, *bounds[::-1]) + rng.laplace(scale=b, size=home.shape)
        empty, occupied = (uniform_laplace(seen, bound, b) for bound in bounds)
        score += np.log(empty / (likely := (1 - p) * empty + p * occupied))
        p = p * occupied / likely
        p = p * (1 - out) + (1 - p) * back
        home = np.where(home, rng.random(home.shape) >= out, rng.random(home.shape) < back)
        home[1] = False
    ranks = rankdata(score).reshape(score.shape)[1].sum()
    right = float(ranks - LIVES * (LIVES + 1) / 2) / LIVES**2
    return right, float(np.sqrt(right * (1 - right) / LIVES))


def uniform_laplace(y: Floats, u: float, b: float) -> Floats:
    """The density of U(0, u) + Lap(b)."""
    if u == 0:
        return np.asarray(np.exp(-np.abs(y) / b) / (2 * b))
    tails = [np.exp(-np.abs(x) / b) / 2 for x in (y, y - u)]
    one, other = (np.where(x < 0, tail, 1 - tail) for x, tail in zip((y, y - u), tails, strict=True))
    return np.asarray((one - other) / u)


class Kind(NamedTuple):
    """A kind of day: the street on it, what is public, days that are lived, and unit noise, (T, D) each."""

    scenario: Scenario
    life: StreetDay
    public: Public
    demand: Floats
    unit: Floats


def of_a_week(scenario: Scenario) -> list[Scenario]:
    """The street where all days are like one of a week, for each; for one where they are alike."""
    if not scenario.has_weekends:
        return [scenario]
    model = scenario.models[0]
    weekends = tuple(each.replace(periods=each.weekend or each.periods) for each in model.habits)
    every = (model.habits, weekends)
    one = [tuple(each.replace(weekend=None) for each in habits) for habits in every]
    streets = [scenario.replace(models=(model.replace(habits=habits),)) for habits in one]
    return [streets[day >= 5] for day in range(7)]


def lived(scenario: Scenario, streets: Sequence[Scenario]) -> Kind:
    life, rng = draw_day(scenario), default_rng(6)
    demand = textbook_days(streets, life.street, DAYS, rng).T
    return Kind(scenario, life, market(scenario, life).public, demand, rng.laplace(size=demand.shape))


def going_on(scenario: Scenario, week: Sequence[Scenario]) -> list[tuple[float, Kind]]:
    """Each kind of day and its share, with the days of it in the second of two weeks that are lived."""
    plans, rng = kinds_of_days(scenario.replace(epsilon=1.0)), default_rng(6)
    street = plans[0].market.street_day.street
    days = textbook_days([*week, *week], street, DAYS, rng).T.reshape(2, len(week), -1, DAYS)[1]
    found = []
    for plan, some in zip(plans, (slice(5), slice(5, 7)), strict=False):
        demand = days[some].transpose(1, 0, 2).reshape(days.shape[1], -1)
        unit = rng.laplace(size=demand.shape)
        kind = Kind(scenario, plan.market.street_day, plan.market.public, demand, unit)
        found.append((plan.share, kind))
    return found


def optimal(kind: Kind) -> Floats:
    return kind.scenario.alpha * kind.demand + kind.scenario.beta


@pytest.mark.slow
@pytest.mark.parametrize("name", few(STREETS, "listed", "weekend"))
def test_an_answers_numbers_are_those_of_days_that_are_lived(name: str) -> None:
    scenario, accepted = STREETS[name]
    wish = Wish(secret="day", observer="insider", error=accepted)
    found = decide(scenario.replace(habit_spread=0.0), wish, among=(15,))
    week = of_a_week(found.scenario)
    kinds = [
        (week.count(kind) / len(week), lived(kind, [kind])) for kind in (week[0], week[-1])[-len(week) :]
    ]

    weeks = going_on(found.scenario, week)

    def published(rate: str, epsilon: float, kind: Kind) -> Floats:
        scenario, life, public, demand, unit = kind
        b = needed(life.street, rate, epsilon) if rate != "forecast" else 0.0
        scale = np.full((len(demand), 1), scenario.alpha * b)
        return publish(REGISTRY[rate], public, demand, unit, scale).rate

    choices = {
        (each.rate, each.epsilon): each.error for each in (found.chosen.hiding, found.chosen.accurate) if each
    }
    for (rate, epsilon), error in (choices | {("forecast", 1.0): found.chosen.timetable_error}).items():
        days = [
            share
            * ((published(rate, epsilon, kind) / optimal(kind) - 1) ** 2)
            .mean(axis=0)
            .reshape(-1, DAYS)
            .mean(axis=0)
            for share, kind in weeks
        ]
        squares = np.sum(days, axis=0)
        within = LIMIT * squares.std() / np.sqrt(DAYS) / 2 / squares.mean()
        leans = REGISTRY[rate].postprocess is not None
        assert np.sqrt(squares.mean()) / error == pytest.approx(1, abs=within + SECOND_ORDER * leans), rate
    assert found.chosen.accurate
    assert found.chosen.accurate.error == pytest.approx(accepted / 100, rel=0.011)
    lines = [line for line in found.lines if line.rate in ("blowfish", "calibrated")]
    for line in lines:
        at = int(np.argmin(np.abs(line.right[0] - 0.75)))
        told = [
            insider(scenario, life.street, house, needed(life.street, line.rate, float(EPSILONS[at])))
            for _, (scenario, life, *_) in kinds
            for house in range(scenario.households)
        ]
        right, error = max(told)
        assert line.right[0, at] == pytest.approx(right, abs=LIMIT * error), line.rate
    whole = lived(scenario := found.scenario.replace(days=len(week)), week)  # whose days do not begin anew
    demand = whole.demand
    more = published(found.rate, scenario.epsilon, whole) - optimal(whole)
    paid = optimal(whole) * demand, more * demand
    for money, of_days in zip((found.money.bills.bill, found.money.bills.mean.value), paid, strict=True):
        months = 30 / len(week) * scenario.step_hours * of_days.sum(axis=0) / scenario.households
        assert money == pytest.approx(months.mean(), abs=LIMIT * months.std() / np.sqrt(DAYS))
