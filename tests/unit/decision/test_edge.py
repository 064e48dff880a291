"""What lies at a limit is measured until it is clear, or said to lie at its edge: on random streets, with the
slow twin as the truth."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from rtp import Scenario
from rtp.core.stats import Range
from rtp.decision import Question, Wish, decide
from rtp.decision.edge import MORE, MOST, Measured, clear, near_a_limit
from rtp.decision.requirement import described_street
from rtp.exposure import HIDDEN, VISIBLE, Exposure, Secret, exposure
from rtp.output.exposure import EDGE, interval, visibility
from tests.help import exposure_twin as twin
from tests.help.exposure_streets import random_street

RATE = "naive"  # whose noise is as wide at every step
SMALL = Scenario(households=3, step_minutes=60, habit_spread=0.0)
LEAST_COVERED = 0.93


@cache
def told(seed: int, secret: Secret) -> Exposure:
    return exposure(random_street(seed), secret, "insider")


def at_limit(found: Exposure, limit: float, beside: float = 0.0) -> float | None:
    """The ε at which she is found to be right so often, if any."""

    def above(log_epsilon: float) -> float:
        return float(found.over(RATE, [np.exp(log_epsilon)]).value[0]) - limit - beside

    ends = np.log([1e-3, 1e4]).tolist()
    return float(np.exp(brentq(above, *ends))) if above(ends[0]) < 0 < above(ends[1]) else None


@pytest.mark.parametrize("seed", [1, 5, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("limit", [HIDDEN, VISIBLE])
@pytest.mark.parametrize("beside", [-0.004, 0.0])
def test_what_is_near_a_limit_is_measured_until_it_is_clear(seed: int, limit: float, beside: float) -> None:
    first = told(seed, "day")
    epsilon = at_limit(first, limit, beside)
    if epsilon is None:
        return
    measured: Measured = {}
    asked = Question(random_street(seed), "day", "insider", 0.05, None)
    closer = clear(asked, first, RATE, epsilon, measured)
    width = float(first.width(RATE, [epsilon])[0])
    before, after = (each.at(RATE, epsilon) for each in (first, closer))
    assert near_a_limit(before)
    assert after.high - after.low < 0.7 * (before.high - before.low)
    for name, own in closer.by_group.items():
        if near_a_limit(own.at(RATE, epsilon)):
            assert MORE * closer.times(name, width) > min(MOST, closer.most_times)
    known = dict(measured)
    again = clear(asked, first, RATE, epsilon, measured)
    assert again.at(RATE, epsilon) == after
    assert clear(asked, closer, RATE, epsilon, measured) is closer
    assert measured == known, "what is known is not measured again"


@pytest.mark.long
def test_intervals_cover_as_often_where_measuring_ends_when_they_are_clear() -> None:
    """The truth is the limit itself: where one stops too soon it is left out most often."""
    street, draws = SMALL, 80
    first, asked = exposure(street, "day", "insider"), Question(street, "day", "insider", 0.05, None)
    epsilon = at_limit(first, HIDDEN)
    assert epsilon is not None
    truth = twin.worst(street, "day", "insider", float(first.width(RATE, [epsilon])[0]), 20_000)[1]
    assert truth.pairs == pytest.approx(HIDDEN, abs=0.02)
    found = [exposure(street, "day", "insider", seed=seed) for seed in range(draws)]
    for limit in (truth.pairs, truth.pairs - 0.005):
        covered = []
        for each in found:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("rtp.decision.edge.HIDDEN", limit)
                right = clear(asked, each, RATE, epsilon, {}).at(RATE, epsilon)
            covered.append(right.covers(truth.pairs, truth.error))
        assert np.mean(covered) >= LEAST_COVERED - 2 * np.sqrt(0.05 * 0.95 / draws)


@st.composite
def near_areas(draw: st.DrawFn) -> Range:
    """An area and its interval next to a limit, some by next to nothing."""
    limit = draw(st.sampled_from([HIDDEN, VISIBLE]))
    off = st.sampled_from([1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03]).flatmap(lambda d: st.sampled_from([-d, d]))
    low, value, high = sorted(round(limit + draw(off), 6) for _ in range(3))
    return Range(value, low, high)


@given(near_areas())
def test_what_is_printed_says_as_the_word_does_on_which_side_of_a_limit_it_is(area: Range) -> None:
    low, high = (float(each) for each in re.findall(r"[\d.]+", interval(area)))
    word = visibility(area)
    for limit in (100 * HIDDEN, 100 * VISIBLE):
        assert (low < limit < high) == (area.low < limit / 100 < area.high)
    across = any(low < limit < high for limit in (100 * HIDDEN, 100 * VISIBLE))
    assert word.startswith(EDGE) == across
    if not across:
        assert (word == "hidden") == (high <= 100 * HIDDEN)
        assert (word == "visible") == (low >= 100 * VISIBLE)


@pytest.mark.parametrize("seed", [3, *(pytest.param(each, marks=pytest.mark.long) for each in range(10, 18))])
def test_nothing_at_the_edge_is_called_hidden_and_what_that_costs_is_said(seed: int) -> None:
    """Whatever the street: what is chosen is hidden with its whole interval; what might hide, too, is as
    accurate or more, and not with its whole interval."""
    street = random_street(seed)
    chosen = decide(street, Wish(secret="day", observer="insider")).chosen
    hiding, edge = chosen.hiding, chosen.edge
    if hiding is not None:
        assert hiding.right.high <= HIDDEN
    if edge is not None:
        assert hiding is None or edge.error <= hiding.error
        assert edge.epsilon > 0


SEEDS = 20
FEW_SEEDS = 4


@pytest.mark.parametrize("seeds", [FEW_SEEDS, pytest.param(SEEDS, marks=pytest.mark.long)])
def test_the_same_is_published_whatever_days_are_drawn(seeds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario's own seed plays no part. Where other days are drawn, the ε that is said, and that up to
    which the secret may be hidden, too, hold one between them: the true one, in all but few draws."""
    street = SMALL.replace(beta=1.0)
    wish = Wish(secret="day", observer="insider")
    own = [decide(street.replace(seed=seed), wish).chosen for seed in range(2)]
    assert own[0] == own[1]
    found = []
    for seed in range(seeds):
        monkeypatch.setattr("rtp.decision.requirement.STREET_SEED", seed)
        listed = described_street(street).replace(seed=seed)  # the same houses
        found.append(decide(listed, wish).chosen)
    assert len({(each.verdict, each.rate, each.minutes) for each in found}) == 1
    between = []
    for each in found:
        assert each.hiding is not None
        same = each.edge is not None and each.edge.rate == each.hiding.rate
        between.append((each.hiding.epsilon, each.edge.epsilon if same and each.edge else np.inf))
    held = [sum(low <= true <= high for low, high in between) for true, _ in between]
    assert max(held) >= 0.85 * seeds
