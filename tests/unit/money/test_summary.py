"""One mechanism's money over a span, with the ranges that other days give."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.stats import middle
from rtp.core.types import Floats
from rtp.money.bills import MONTH
from rtp.money.summary import money_of_runs, simulate_runs, spans, summarise
from rtp.simulation import draw_day

DAY = simulate(Scenario(households=40, days=2, elasticity=0.4))
MONEY = money_of_runs(DAY, "naive", simulate_runs(DAY.street_day, 30, 12))
MIXED = PRESETS["mixed street"]


def test_sampled_numbers_are_means_of_runs_with_the_range_of_spans() -> None:
    found, months = summarise(DAY, MONEY, MONTH), spans(MONEY, MONTH / 2, DAY.scenario.seed)
    everybody = months.weight / months.weight.sum()
    worst = np.array([_worst(column, months.weight) for column in months.change.T])
    for shown, mean, values in (
        (found.loss, MONEY.loss.mean() * MONTH / 2, months.loss),
        (found.profit, MONEY.profit.mean() * MONTH / 2, months.profit),
        (found.mismatch, MONEY.mismatch.mean() * MONTH / 2, months.mismatch),
        (found.bills.mean, (everybody @ MONEY.change).mean() * MONTH / 2, everybody @ months.change),
        (found.bills.worst, worst.mean(), worst),
    ):
        assert shown == pytest.approx([mean, *(float(end) for end in middle(values))], rel=1e-9)
    assert not found.exact
    for mean, low, high in (found.mean_loss, found.bills.interval):
        assert low < mean < high
    assert found.bills.paying_more == pytest.approx(everybody @ (months.change > 0).mean(axis=1))
    assert found.bills.bill == pytest.approx((everybody @ MONEY.bill).mean() * MONTH / 2)
    assert (found.spans.count, len(found.spans.weight), found.bills.houses) == (months.count, 12, 40)


def _worst(changes: Floats, weight: Floats) -> float:
    """The mean over the worst tenth of the households, each of them counted by itself: 40 ÷ 12 are 10 ÷ 3."""
    houses = sorted(np.repeat(changes, np.rint(3 * weight).astype(int)))
    return float(np.mean(houses[-round(len(houses) / 10) :]))


@pytest.mark.parametrize("span", [0.5, 1.0, 30.0])
@pytest.mark.parametrize("name", ["blowfish", "filtered"])
def test_groups_weighted_by_their_houses_make_the_street(name: str, span: float) -> None:
    """The tile said −0.219 and the groups −0.486 when one was of many days and the other of one."""
    day = simulate(MIXED.replace(households=90, elasticity=0.3))
    found = summarise(day, money_of_runs(day, name, simulate_runs(day.street_day, 20, 30)), span)
    groups = found.groups.values()
    assert sum(of.houses for of in groups) == found.bills.houses == 90
    for part in ("bill", "paying_more"):
        together = sum(of.houses * getattr(of, part) for of in groups) / 90
        assert together == pytest.approx(getattr(found.bills, part), rel=1e-9)
    together = sum(of.houses * of.mean.value for of in groups) / 90
    assert together == pytest.approx(found.bills.mean.value, rel=1e-9)
    for of in groups:
        assert of.worst.value >= of.mean.value
        assert of.worst.value > 0 or of.paying_more < 1


@pytest.mark.parametrize(("most", "followed"), [(2, [1, 1, 1]), (12, [11, 4, 4]), (60, [59, 5, 5])])
def test_every_group_is_followed_and_stands_for_its_houses(most: int, followed: list[int]) -> None:
    """Each has its part of the houses that are followed, a third here, or all its five."""
    shares = (0.99, 0.005, 0.005)
    groups = tuple(group.replace(share=share) for group, share in zip(MIXED.groups, shares, strict=True))
    runs = simulate_runs(draw_day(MIXED.replace(households=1000, groups=groups)), 2, most)
    assert np.bincount(runs.group).tolist() == followed
    np.testing.assert_allclose(np.bincount(runs.group, weights=runs.weight), [990, 5, 5])
