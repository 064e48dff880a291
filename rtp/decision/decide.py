"""The answer to a wish: what to publish, what it costs, and what an observer can still tell.

The street is the one that is described, not one that was drawn (`street`). What an observer gets right is
computed over the noise's scale (`sight`), errors and exposures meet on the frontier (`frontier`), the wish is
weighed there (`choose`). Money is that of a month at what was chosen. Beside it stands every other secret of
every group at the same noise, by either observer, so that nobody takes the secret that was asked about for
the only one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rtp.attack.adversary import AdversaryKind
from rtp.attack.joint_filter import is_exact
from rtp.core.stats import Range
from rtp.core.time import StepMinutes
from rtp.core.workers import Progress, partial_progress
from rtp.decision.choose import Choice, Chosen, choose
from rtp.decision.frontier import INTERVALS, Frontier, Interval, frontier, intervals_of
from rtp.decision.habits import worst_habits
from rtp.decision.requirement import SECRETS, Secret, Wish, described_street
from rtp.decision.sight import NOTHING, REPETITIONS, Watching, watch
from rtp.leakage.approximation import Approximation, crowd_approximation
from rtp.leakage.overview import OBSERVERS
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.money.bills import share_outside
from rtp.money.summary import Summary, monthly
from rtp.scenario import Scenario, edit
from rtp.simulation.prices import Load, load_of, typical_prices
from rtp.tradeoff.expected import scales

INSIDER: AdversaryKind = "insider"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """How often an observer is right about one secret of a group's most exposed house."""

    group: str
    houses: int
    secret: Secret
    observer: AdversaryKind
    right: Range  # from what is published
    without_noise: Range


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What to publish, and the numbers behind it.

    Attributes
    ----------
    scenario : Scenario
        The street that is answered for, at the interval and ε of the answer.
    wish : Wish
        What was asked for.
    chosen : Chosen
        The rate that satisfies it, or by how much the wish fails.
    rate : str
        Its mechanism, by name.
    frontier : Frontier
        Every rate at every ε and interval.
    seen : tuple of Seen
        How often an observer is right about each secret of every group, with noise and without.
    wrong_error, wrong_habits : float, str
        The error under the other habits for which it is largest, and which these are.
    money : Summary
        Of a month.
    prices : tuple of float
        The lowest and the highest of a typical day, without noise.
    outside : tuple of float
        The share of steps whose price is not between them: without noise, and as published.
    load : Load
        Of a typical week.
    refused : mapping of int to str
        Intervals at which the street cannot be priced, and why.
    moved : mapping of int to tuple of Moved
        Periods that begin with another step at an interval.
    approximation : Approximation or None
        How far the outsider is off; None where she is exact.

    Examples
    --------
    >>> import rtp
    >>> from rtp.decision import Wish, decide
    >>> answer = decide(rtp.Scenario(households=2), Wish(error=20.0), repetitions=8)
    >>> answer.rate, answer.approximation is None, sorted(answer.moved)
    ('forecast', True, [15, 30, 60])
    """

    scenario: Scenario  # the street that is answered for, at the interval and ε of the answer
    wish: Wish
    chosen: Chosen
    refused: Mapping[StepMinutes, str]  # intervals at which the street cannot be priced, and why
    moved: Mapping[StepMinutes, tuple[edit.Moved, ...]]  # periods that begin with another step there
    frontier: Frontier
    seen: tuple[Seen, ...]  # at what is published
    wrong_error: float  # of what is published, under the other habits for which it is largest
    wrong_habits: str  # which these are; "" where what is published does not lean on habits
    money: Summary  # of a month
    approximation: Approximation | None  # how far the outsider is off; None where she is exact
    prices: tuple[float, float]  # the lowest and the highest of a typical day, without noise
    outside: tuple[float, float]  # the share of steps that are not between them: without noise, as published
    load: Load  # of a typical week

    @property
    def rate(self) -> str:
        return self.chosen.rate

    @property
    def choice(self) -> Choice | None:
        return self.chosen.choice


def decide(
    scenario: Scenario,
    wish: Wish,
    *,
    repetitions: int = REPETITIONS,
    among: Sequence[StepMinutes] = INTERVALS,
    progress: Progress | None = None,
) -> Answer:
    """Return the answer to a wish: which rate, interval and ε to publish, and what can still be told.

    Parameters
    ----------
    scenario : Scenario
        The street, as it is described.
    wish : Wish
        What must stay hidden, and which error is accepted.
    repetitions : int
        How often the experiment behind the exposures is repeated: more take longer and narrow its intervals.
    among : sequence of int
        The intervals between two prices to choose from, in minutes.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    Answer

    Examples
    --------
    >>> import rtp
    >>> from rtp.decision import Wish, decide
    >>> answer = decide(rtp.Scenario(households=2), Wish(error=20.0), repetitions=8)
    >>> answer.rate, answer.chosen.verdict
    ('forecast', 'timetable')
    """
    wish.check(scenario)
    street = described_street(scenario)
    part = partial_progress(progress, 0.0, 0.7)
    intervals, refused = intervals_of(street, wish, part, repetitions, among)
    chosen = choose(wish, intervals, partial(_insider_right, wish, intervals, repetitions))
    here, rate = intervals[chosen.minutes], chosen.rate
    epsilon = chosen.choice.epsilon if chosen.choice else street.epsilon
    decided = here.scenario.replace(epsilon=epsilon)
    wrong, habits = worst_habits(decided, rate)
    few = is_exact(here.context.street_day.street)
    prices = decided.price_range or typical_prices(decided)
    answer = Answer(
        scenario=decided,
        wish=wish,
        chosen=chosen,
        refused=refused,
        moved={minutes: edit.moved_periods(scenario, minutes) for minutes in intervals},
        frontier=frontier(wish, intervals),
        seen=_seen(wish, here, rate, epsilon, repetitions, partial_progress(progress, 0.7, 0.9)),
        wrong_error=wrong,
        wrong_habits=habits,
        money=monthly(decided, rate),
        prices=prices,
        outside=_outside(here, rate, epsilon, prices),
        load=load_of(decided),
        approximation=None if few else crowd_approximation(decided, FEATURED),
    )
    if progress is not None:
        progress(1.0)
    return answer


def _insider_right(
    wish: Wish,
    intervals: Mapping[StepMinutes, Interval],
    repetitions: int,
    minutes: StepMinutes,
    rate: str,
    epsilon: float,
) -> Range:
    """Return how often an insider is right about the group that shows best."""
    here, one = intervals[minutes], np.array([epsilon])
    if wish.observer == "insider":
        return Range(*here.right(rate, one)[:, 0].tolist())
    width = float(here.watching.width(REGISTRY[rate], one)[0])
    present = np.unique(here.watching.context.street_day.street.group).tolist()
    asked = [g for g in wish.numbers(here.scenario) if g in present]
    seen = [_right(here.watching, "insider", g, [width], repetitions)[0] for g in asked]
    return max(seen, key=lambda each: each.value)


def _right(
    watching: Watching, observer: AdversaryKind, group: int, widths: list[float], repetitions: int
) -> list[Range]:
    """Return how often she is right about the most exposed house of a group at these widths of the noise."""
    house = watching.most_exposed(observer, group)
    if house is None:
        return [NOTHING] * len(widths)
    lives = watching.lives(house, observer, repetitions)
    return [lives.area(width) if np.isfinite(width) else NOTHING for width in widths]


def _seen(
    wish: Wish, here: Interval, rate: str, epsilon: float, repetitions: int, progress: Progress | None
) -> tuple[Seen, ...]:
    """Return what can be told of the most exposed house of every group, by secret and observer."""
    found = []
    for at, secret in enumerate(SECRETS):
        watching = here.watching if secret == wish.shown else watch(here.scenario, secret)
        group = watching.context.street_day.street.group
        width = np.inf
        if REGISTRY[rate].reads_demand:
            width = float(watching.width(REGISTRY[rate], np.array([epsilon]))[0])
        for observer in OBSERVERS:
            known = here.sights if (secret, observer) == (wish.shown, wish.observer) else ()
            read = {sight.group: sight for sight in known if sight.leading}
            for g in np.unique(group).tolist():
                name = here.scenario.groups[g].name
                if sight := read.get(name):
                    right = Range(*sight.at(np.array(width)).tolist()) if np.isfinite(width) else NOTHING
                    without_noise = sight.without_noise
                else:
                    without_noise, right = _right(watching, observer, g, [0.0, width], repetitions)
                found.append(
                    Seen(
                        group=name,
                        houses=int((group == g).sum()),
                        secret=secret,
                        observer=observer,
                        right=right,
                        without_noise=without_noise,
                    )
                )
                if progress is not None:
                    progress((at + 1) / (len(SECRETS) + 1))
    return tuple(found)


def _outside(here: Interval, rate: str, epsilon: float, prices: tuple[float, float]) -> tuple[float, float]:
    """Return the share of steps at which prices are not those of a typical day: without noise, published."""
    shares = []
    for name in (UNPROTECTED, rate):
        scale = scales(here.context, [REGISTRY[name]], [epsilon])[name][:, 0]
        shares.append(share_outside(here.context, REGISTRY[name], scale, *prices))
    return shares[0], shares[1]
