"""What every reading of the paper gives, computed. `make record` writes it to the package's `readings.json`.

*What the paper leaves open.* Bounds are read in one of three ways. By the lab's own, *drawn once*, a house
has two bounds all day and Algorithm 1 takes the larger one. *Redrawn*, they are drawn anew at every step.
*State-dependent*, Algorithm 1 takes the bound of the state that a house is in just now, which no curator may
do. Line 8 of Algorithm 1 takes the largest u_h, one bound a house. Read as the bound of the state a house *is
in*, λ falls while the street sleeps, and Blowfish needs less noise "in some time steps" without dropping
anybody. But then the noise's width depends on the secret. For a house with bounds u₁ (occupied) and u₀
(empty), among others whose largest bound is v, the rate less what the others used is U(0, u₁) +
Lap(max(u₁, v)/ε) or U(0, u₀) + Lap(max(u₀, v)/ε), in the unit of consumption. Where the two scales differ,
b₁ > b₀, the log-ratio of the densities grows like |x|·(1/b₀ − 1/b₁): no ε bounds it. The definition asks for
every possible state of the others, hence also for all of them empty. How often a rate tells more than ε is
the integral of the exact density over those rates.

*Group differential privacy.* Without a model every state is possible and the naive noise α·u_max/ε protects
one rate. All T rates differ, between a house that is always there and one that never is, by T·α·u_max in sum:
so the steps taken as one group need T times the noise for the same ε, and the naive noise leaves them T·ε.

*Composition.* Independent steps would leave one rate to tell about one moment, ε; copies of one state all of
them, T·ε. A Markov chain lies between, and `rtp.leakage.moment` computes where, exactly.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, generators, random_generator, seed_of
from rtp.core.stats import spread
from rtp.core.time import STEPS_PER_DAY
from rtp.core.types import Bools, Floats
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, YARDSTICK
from rtp.mechanisms.calibrated import widest
from rtp.paper import published
from rtp.paper.comparison import MECHANISMS, PAPER, printed_rmsre, rmse
from rtp.paper.readings import (
    MEAN_STREETS,
    READINGS,
    WINS,
    Headline,
    RecordedReadings,
    StateDependentNoise,
    Win,
    open_choices,
)
from rtp.probability.laplace_uniform import density
from rtp.scenario import PRESETS, Scenario
from rtp.simulation import draw_day, market, publish_day, simulate
from rtp.street.draw import Street
from rtp.street.simulate import StreetDay, replay_houses

NOISE_DRAWS = 400  # per street
DIGITS = 7  # that are recorded
OFFSETS = np.linspace(-8.0, 8.0, 121)  # how far off the rates are of which it is recorded what they reveal
_REACH = 40.0  # scales beyond the largest consumption at which the integral ends; e⁻⁴⁰ is left
_CELLS = 40_000


class PricedDay(NamedTuple):
    """One street's day as far as the headline numbers need it."""

    optimal: Floats  # (T,)
    scale: Floats  # (3, T), in the order of MECHANISMS
    dropping: int  # steps in which Blowfish protects fewer than all houses
    occupancy: Floats  # (T,) expected mean
    consumption: Floats  # (T,) expected mean
    scatter: float  # of simulated mean consumption from step to step, see `step_scatter`


def price_as_simulated(scenario: Scenario, day: StreetDay) -> PricedDay:
    """The day as the simulation prices it."""
    priced = market(scenario, day)
    return PricedDay(
        optimal=priced.tariff.rate(day.demand),
        scale=np.array([REGISTRY[name].scale(priced.public).scale[:, 0] for name in MECHANISMS]),
        dropping=int(np.sum(day.support_classes.protected_houses < scenario.households)),
        occupancy=day.true_moments.occupied.sum(axis=0) / scenario.households,
        consumption=day.true_moments.expected_demand / scenario.households,
        scatter=step_scatter(day.occupied / scenario.households, day.demand / scenario.households),
    )


def price_with_redrawn_bounds(scenario: Scenario, day: StreetDay) -> PricedDay:
    """The same comings and goings, with every house's bounds drawn anew at every step.

    A mechanism that sees this step's bounds has this step's maximum, over the houses still protected.
    """
    before = price_as_simulated(scenario, day)
    rng = random_generator(scenario.seed, Stream.PAPER_BOUNDS)
    (group,) = scenario.groups
    states, _ = replay_houses(day.spec, day.street, range(scenario.households))
    occupied, empty = (
        rng.random(states.shape) * group.occupied_max,
        rng.random(states.shape) * group.empty_max,
    )
    demand = (rng.random(states.shape) * np.where(states, occupied, empty)).sum(axis=1)
    share = before.occupancy
    return before._replace(
        optimal=market(scenario, day).tariff.rate(demand),
        scale=noise_of(scenario, before, _protected(day), occupied, empty),
        consumption=(share * group.occupied_max + (1 - share) * group.empty_max) / 4,
        scatter=step_scatter(states.mean(axis=1), demand / scenario.households),
    )


def noise_of(
    scenario: Scenario, before: PricedDay, protected: Bools, occupied: Floats, empty: Floats
) -> Floats:
    """Return the scales (3, T) for these protected houses (T, N) with these bounds (T, N), Algorithm 1's for
    the larger one. A house that needs no protection is one whose two bounds agree: it asks for no noise."""
    largest = np.where(protected, np.maximum(occupied, empty), 0.0).max(axis=1)
    epsilons = np.array([scenario.epsilon])
    least = [
        widest(np.where(p, u, 0.0), np.where(p, v, 0.0), epsilons)[0][0]
        for p, u, v in zip(protected, occupied, empty, strict=True)
    ]
    return np.array(
        [before.scale[0], scenario.alpha * largest / scenario.epsilon, scenario.alpha * np.array(least)]
    )


def _protected(day: StreetDay) -> Bools:
    """(T, N): whose state is uncertain."""
    return day.support_classes.protected[:, day.support_classes.of_house]


def step_scatter(occupancy: Floats, consumption: Floats) -> float:
    """The standard deviation of mean consumption around what the occupancy makes one expect, step by step.

    It is taken from differences of neighbouring steps, and tells bounds drawn once (a house's variance is
    u²/12, on average u_max²/36) from bounds drawn anew at every step (u_max²(1/9 − 1/16)).
    """
    group = PAPER.groups[0]
    expected = (group.empty_max + (group.occupied_max - group.empty_max) * occupancy) / 4
    return float(np.diff(consumption - expected).std() / np.sqrt(2))


def price_with_state_bounds(scenario: Scenario, day: StreetDay) -> PricedDay:
    """Algorithm 1 with the bounds of the states that the protected houses are in."""
    before = price_as_simulated(scenario, day)
    states, _ = replay_houses(day.spec, day.street, range(scenario.households))
    bound = np.where(states, day.street.occupied_bound, day.street.empty_bound)
    scale = before.scale.copy()
    scale[MECHANISMS.index(FEATURED)] = (
        scenario.alpha * np.where(_protected(day), bound, 0.0).max(axis=1) / scenario.epsilon
    )
    return before._replace(scale=scale)


def price_with_cut_habits(scenario: Scenario, day: StreetDay) -> PricedDay:
    """The day with habits cut to [0, 1], which may make a house certain; who is in when is as simulated, as a
    chance of 1e-6 or less moves nobody."""
    before, schedule = price_as_simulated(scenario, day), day.spec.schedules[0][0]
    stated = np.array([schedule.leave, schedule.arrive])[:, :, None]
    draws = day.street.habit_draws[:, :, : stated.shape[1]].transpose(1, 2, 0)
    leave, arrive = np.clip(stated + scenario.habit_spread * draws, 0.0, 1.0)
    occupied = np.full(scenario.households, schedule.initial)
    can_be_in, can_be_out = occupied > 0, occupied < 1
    share, protected = np.empty(scenario.steps), np.empty((scenario.steps, scenario.households), dtype=bool)
    for t, period in enumerate(schedule.period[: scenario.steps]):
        share[t], protected[t] = occupied.mean(), can_be_in & can_be_out
        going, coming = leave[period], arrive[period]
        occupied = occupied * (1 - going) + (1 - occupied) * coming
        can_be_in, can_be_out = (
            (can_be_in & (going < 1)) | (can_be_out & (coming > 0)),
            (can_be_in & (going > 0)) | (can_be_out & (coming < 1)),
        )
    bounds = (
        np.broadcast_to(own, protected.shape) for own in (day.street.occupied_bound, day.street.empty_bound)
    )
    return before._replace(
        scale=noise_of(scenario, before, protected, *bounds),
        dropping=int(np.sum(~protected.all(axis=1))),
        occupancy=share,
    )


Price = Callable[[Scenario, StreetDay], PricedDay]
PRICES: Mapping[str, Price] = {  # of answers that are no scenario
    "drawn at every step": price_with_redrawn_bounds,
    "of the state it is in": price_with_state_bounds,
    "cut to [0, 1]": price_with_cut_habits,
    "cut to [0, 1], direct": price_with_cut_habits,
}
CONVENTIONAL = "mean inside the root"


def headlines() -> dict[str, Headline]:
    """Return what each answer but ours gives, by its name."""
    choices = open_choices(steady_start())
    streets = {
        answer.name: answer.scenario or PAPER
        for choice in choices
        for answer in choice.others
        if not answer.refused
    }
    streets["cut to [0, 1], direct"] = streets["direct, per step"]
    return {
        name: headline(street, PRICES.get(name, price_as_simulated), name == CONVENTIONAL)
        for name, street in streets.items()
    }


def headline(base: Scenario, price: Price = price_as_simulated, conventional: bool = False) -> Headline:
    """Return the headline numbers of one answer, mean over the streets; `conventional`: the RMSRE with the
    mean inside the root."""
    days, excesses = [], []
    for street in range(MEAN_STREETS):
        scenario = base.replace(seed=base.seed + street)
        day = price(scenario, draw_day(scenario))
        days.append(day)
        excesses.append(one_day_excess(day, *laplace_draws(scenario), shared=not scenario.independent_noise))
    errors = np.mean([expected_errors(day) for day in days], axis=0)
    if not conventional:
        errors = np.array([printed_rmsre(float(error), base.steps) for error in errors])
    _, occupancy, consumption = published.figure2()
    return Headline(
        errors=tuple(errors.tolist()),
        excess=spread(np.concatenate(excesses)),
        dropping=float(np.mean([day.dropping for day in days])),
        least=min(float((day.scale[1] / day.scale[0]).min()) for day in days),
        occupancy=tuple(np.mean([day.occupancy for day in days], axis=0).tolist()),
        occupancy_rmse=float(np.mean([rmse(day.occupancy, occupancy) for day in days])),
        consumption_rmse=float(np.mean([rmse(day.consumption, consumption) for day in days])),
        scatter=float(np.mean([day.scatter for day in days])),
    )


def expected_errors(day: PricedDay) -> list[float]:
    """Return the expected RMSRE of each of MECHANISMS."""
    return [float(metrics.expected_rmsre(2 * scale**2, day.optimal)) for scale in day.scale]


def laplace_draws(scenario: Scenario) -> tuple[Floats, Floats]:
    """Return unit Laplace draws for naive and Blowfish, (NOISE_DRAWS, T) each: the same for every answer."""
    naive, blowfish = generators(seed_of(scenario.seed, Stream.PAPER_NOISE), 2)
    shape = NOISE_DRAWS, scenario.steps
    return naive.laplace(size=shape), blowfish.laplace(size=shape)


def one_day_excess(day: PricedDay, naive: Floats, blowfish: Floats, *, shared: bool) -> Floats:
    """Return by which fraction one day's naive error is above Blowfish's, for every draw of the noise."""
    squared = [
        ((unit * scale / day.optimal) ** 2).sum(axis=1)
        for unit, scale in ((naive, day.scale[0]), (naive if shared else blowfish, day.scale[1]))
    ]
    return np.asarray(np.sqrt(squared[0] / squared[1]) - 1)


def steady_start() -> float:
    """Return Pr[occupied] at midnight once every day starts as the one before ended, mean over the houses."""
    truth = draw_day(PAPER.replace(days=3)).true_moments
    return float(truth.occupied.sum(axis=0)[2 * STEPS_PER_DAY] / PAPER.households)


class ExposedHouse(NamedTuple):
    """A house, and the largest bound among the others, in the states they are in."""

    number: int
    occupied: float  # its bound while it is occupied
    empty: float
    others: float
    largest: float  # of all bounds of all houses, whatever their states

    def common_scales(self, epsilon: float) -> tuple[float, float]:
        """The scales by Algorithm 1, which takes the larger bound of every house: one for both states."""
        return self.largest / epsilon, self.largest / epsilon

    def state_dependent_scales(self, epsilon: float) -> tuple[float, float]:
        """While it is occupied, while it is empty; in the unit of consumption."""
        return max(self.occupied, self.others) / epsilon, max(self.empty, self.others) / epsilon


def largest_user(street: Street) -> ExposedHouse:
    """Return the house that uses most, everybody else being empty."""
    number = int(street.occupied_bound.argmax())
    return ExposedHouse(
        number,
        float(street.occupied_bound[number]),
        float(street.empty_bound[number]),
        float(np.delete(street.empty_bound, number).max(initial=0.0)),
        float(street.bound.max()),
    )


def log_likelihood_ratio(x: Floats, house: ExposedHouse, scales: tuple[float, float]) -> Floats:
    """Return ln Pr[x | occupied] − ln Pr[x | empty] of the rate less what the others used."""
    occupied, empty = _densities(x, house, scales)
    return np.asarray(np.log(occupied) - np.log(empty))


def exceedance(house: ExposedHouse, scales: tuple[float, float], epsilon: float) -> tuple[float, float]:
    """Return how often a log-likelihood ratio is beyond ±ε while the house is occupied, and while it is
    empty, by the exact densities on a fine grid."""
    largest = max(house.occupied, house.empty)
    edges = np.linspace(-_REACH * max(scales), largest + _REACH * max(scales), _CELLS + 1)
    x = (edges[1:] + edges[:-1]) / 2
    beyond = np.abs(log_likelihood_ratio(x, house, scales)) > epsilon * (1 + 1e-9)
    width = float(edges[1] - edges[0])
    occupied, empty = (float(each[beyond].sum()) * width for each in _densities(x, house, scales))
    return occupied, empty


def _densities(x: Floats, house: ExposedHouse, scales: tuple[float, float]) -> tuple[Floats, Floats]:
    return (
        density(x, np.array([house.occupied]), scales[0]),
        density(x, np.array([house.empty]), scales[1]),
    )


def state_dependent_noise() -> StateDependentNoise:
    epsilon, house = PAPER.epsilon, largest_user(draw_day(PAPER).street)
    dependent, common = house.state_dependent_scales(epsilon), house.common_scales(epsilon)
    occupied, empty = exceedance(house, dependent, epsilon)
    told, told_commonly = (
        tuple(log_likelihood_ratio(OFFSETS / PAPER.alpha, house, scales).tolist())
        for scales in (dependent, common)
    )
    return StateDependentNoise(
        house=house.number,
        occupied=occupied,
        empty=empty,
        common=max(exceedance(house, common, epsilon)),
        offset=tuple(OFFSETS.tolist()),
        log_odds=told,
        common_log_odds=told_commonly,
    )


def group_errors() -> tuple[float, float]:
    """Return the naive error of a typical step: by ε for each rate, and by ε for all of them as one group."""
    day = draw_day(PAPER)
    budgets = (PAPER.epsilon, PAPER.epsilon / PAPER.steps)
    each, group = (publish_day(PAPER.replace(epsilon=e), day).release[YARDSTICK] for e in budgets)
    return each.expected_error, group.expected_error


def moment_loss() -> tuple[float, int]:
    """Return how far a day's rates can shift the log-odds of one moment by the paper's habits, and which."""
    alone = PAPER.replace(households=1, habit_spread=0.0)
    leakage = moment_leakage(simulate(alone), YARDSTICK, 0, promised=True)
    return leakage.worst, leakage.step


def win() -> Win:
    scenario = PRESETS[WINS]
    release = simulate(scenario).release
    dropping = int(np.sum(release[FEATURED].protected < scenario.households))
    naive, blowfish = (release[name].expected_error for name in (YARDSTICK, FEATURED))
    return Win(naive, blowfish, dropping, scenario.steps)


def computed() -> RecordedReadings:
    """Return all that is recorded, computed anew."""
    _, occupancy, consumption = published.figure2()
    (each, group), (loss, step) = group_errors(), moment_loss()
    return RecordedReadings(
        ours=headline(PAPER),
        others=headlines(),
        published_scatter=step_scatter(occupancy, consumption),
        steady_start=steady_start(),
        state_dependent=state_dependent_noise(),
        each_error=each,
        group_error=group,
        moment_loss=loss,
        moment_step=step,
        win=win(),
    )


def recorded_text() -> str:
    """Return what is to be recorded, as JSON with a list of numbers a line."""
    text = json.dumps(_rounded(READINGS.dump_python(computed(), mode="json")), indent=1, ensure_ascii=False)
    return re.sub(r"\[[^\[\]]*\]", lambda found: " ".join(found[0].split()), text) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
