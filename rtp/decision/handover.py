"""What is handed over to whoever publishes: a timetable, or the noise of every step and a sample day; and the
code that makes a price of what is metered."""

from dataclasses import dataclass

from rtp.core.random import Stream, random_generator
from rtp.core.types import Floats
from rtp.decision.decide import Answer
from rtp.decision.frontier import KindOfDay, kinds_of_days
from rtp.mechanisms import REGISTRY
from rtp.simulation.publish import publish
from rtp.tradeoff.expected import scales, weights_of


@dataclass(frozen=True, kw_only=True)
class DayPlan:
    """One kind of day, at every step."""

    kind: str
    expected: Floats  # (T,) the rate that is expected: the timetable itself
    scale: Floats | None  # (T,) of the Laplace noise on the rate; None: a timetable has none
    sample: Floats | None  # (T,) what is published on a day that was drawn
    optimal: Floats | None  # (T,) the optimal rate of that day
    shares: Floats | None = None  # (T, T) of every noisy rate in each published one, where it is smoothed


def plans(answer: Answer) -> tuple[DayPlan, ...]:
    """Return what is published on each kind of day."""
    street = answer.scenario.replace(epsilon=1.0)
    return tuple(_plan(answer, day) for day in kinds_of_days(street))


def _plan(answer: Answer, day: KindOfDay) -> DayPlan:
    mechanism, context = REGISTRY[answer.rate], day.market
    tariff = context.tariff
    expected = tariff.published(tariff.optimal(context.public.moments.expected_demand))
    if not mechanism.reads_demand:
        return DayPlan(kind=day.words, expected=expected, scale=None, sample=None, optimal=None)
    scale = scales(context, [mechanism], [answer.scenario.epsilon])[mechanism.name][:, 0]
    unit = random_generator(answer.scenario.seed, Stream.NOISE).laplace(size=len(scale))
    drawn = publish(mechanism, context.public, context.street_day.demand, unit, scale)
    return DayPlan(
        kind=day.words,
        expected=expected,
        scale=scale,
        sample=drawn.rate,
        optimal=drawn.optimal,
        shares=weights_of(context, mechanism, scale),
    )


_PROGRAM = '''"""A price every {minutes} minutes: the {label} rate, ε = {epsilon} per step.

price(day, step, used) takes the kind of day, the step counted from midnight, and the mean demand of the
whole street during it, in the unit of the scenario; steps of a day come in order, each once. Whoever asks
twice for one step breaks the promise.
"""

from math import log
from random import SystemRandom

ALPHA, BETA, INELASTIC = {alpha}, {beta}, {inelastic}
LOWEST, HIGHEST = {lowest}, {highest}  # prices beyond are cut
SCALE = {scale}  # of the Laplace noise on the price, by kind of day and step
{smoothing}
_RANDOM = SystemRandom()


def laplace(scale):
    """Return Laplace noise."""
    size = -log(1.0 - _RANDOM.random()) * scale
    return size if _RANDOM.random() < 0.5 else -size


def price(day, step, used):
    noisy = ALPHA * (used + INELASTIC) + BETA + laplace(SCALE[day][step])
    {published}
    return min(max(value, LOWEST), HIGHEST)
'''
_SMOOTHING = """EXPECTED = {expected}  # prices, by kind of day and step
SHARES = {shares}  # of what every price so far missed the expected one by, by kind of day and step
_MISSED = []
"""
_SMOOTHED = """if step == 0:
        _MISSED.clear()
    _MISSED.append(noisy - EXPECTED[day][step])
    shares = SHARES[day][step]
    value = EXPECTED[day][step] + sum(s * m for s, m in zip(shares, _MISSED))"""
DIGITS = 6


def program(answer: Answer) -> str | None:
    """Return Python that publishes the rate; None for a timetable, which is its own, and where prices move
    demand and are smoothed, too."""
    made, scenario, choice = plans(answer), answer.scenario, answer.choice
    smooth = REGISTRY[answer.rate].postprocess is not None
    if choice is None or (smooth and any(plan.shares is None for plan in made)):
        return None
    shares = {
        plan.kind: [_numbers(row[: step + 1]) for step, row in enumerate(plan.shares)]
        for plan in made
        if plan.shares is not None
    }
    return _PROGRAM.format(
        minutes=choice.minutes,
        label=REGISTRY[choice.rate].label,
        epsilon=choice.epsilon,
        alpha=scenario.alpha,
        beta=scenario.beta,
        inelastic=scenario.inelastic_demand,
        lowest=0.0 if scenario.clip_at_zero else 'float("-inf")',
        highest='float("inf")' if scenario.price_cap is None else scenario.price_cap,
        scale={plan.kind: _numbers(plan.scale) for plan in made if plan.scale is not None},
        smoothing=_SMOOTHING.format(
            expected={plan.kind: _numbers(plan.expected) for plan in made}, shares=shares
        )
        if smooth
        else "",
        published=_SMOOTHED if smooth else "value = noisy",
    )


def _numbers(values: Floats) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
