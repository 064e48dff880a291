"""One mechanism's money over a span, with the ranges that other days give."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.core.stats import middle
from rtp.mechanisms import REGISTRY
from rtp.money.bills import MONTH, bills, generator
from rtp.money.summary import centred, loss_words, money_of_runs, simulate_runs, spans, summarise

DAY = simulate(Scenario(households=40, days=2))
OWN, MONEY = bills(DAY)["naive"], money_of_runs(DAY, "naive", simulate_runs(DAY.street_day, 30, 12))


@pytest.mark.parametrize("span", [1.0, 2.0])
def test_numbers_of_the_scenarios_days_are_its_own_or_their_share(span: float) -> None:
    found, times = summarise(DAY, "naive", OWN, MONEY, span), span / 2
    now, change = generator(DAY)["naive"], OWN.difference * times
    assert found.own
    assert found.profit.value == pytest.approx(now.profit * times, rel=1e-12)
    assert found.loss.value == pytest.approx(now.loss * times, rel=1e-12)
    assert found.mismatch.value == pytest.approx(now.mismatch * times, rel=1e-12)
    assert [found.bills[label].value for label in found.bills] == pytest.approx(
        [change.mean(), np.median(change), np.quantile(change, 0.95), change.max()], rel=1e-9
    )
    assert list(found.bills) == ["Bill, mean change", "Median change", "95th percentile", "Worst household"]
    assert found.paying_more == np.mean(change > 0)
    assert found.mean_bill == pytest.approx(OWN.optimal.mean() * times, rel=1e-12)
    assert found.changes == pytest.approx(OWN.difference * times, rel=1e-12)


def test_a_month_is_told_by_the_mean_and_the_range_of_months() -> None:
    found, months = summarise(DAY, "naive", OWN, MONEY, MONTH), spans(MONEY, MONTH / 2, DAY.scenario.seed)
    assert not found.own
    for told, others in (
        (found.loss, months.loss),
        (found.profit, months.profit),
        (found.mismatch, months.mismatch),
        (found.bills["Worst household"], months.change.max(axis=0)),
    ):
        assert told == pytest.approx([others.mean(), *(float(end) for end in middle(others))], rel=1e-12)
    own = 15 * generator(DAY)["naive"].loss  # two days, fifteen times
    assert found.loss.value != pytest.approx(own, rel=0.1)
    assert found.changes.tolist() == months.change[:, 0].tolist()
    assert found.paying_more == np.mean(months.change > 0)


def test_ranges_are_those_of_other_days() -> None:
    found = summarise(DAY, "naive", OWN, MONEY, 2.0)
    for told, others in (
        (found.loss, MONEY.loss),
        (found.profit, MONEY.profit),
        (found.mismatch, MONEY.mismatch),
        (found.bills["Worst household"], MONEY.change.max(axis=0)),
        (found.bills["Median change"], np.median(MONEY.change, axis=0)),
        (found.bills["95th percentile"], np.quantile(MONEY.change, 0.95, axis=0)),
        (found.bills["Bill, mean change"], MONEY.change.mean(axis=0)),
    ):
        assert (told.low, told.high) == pytest.approx([float(end) for end in middle(others)], rel=1e-12)
    assert (found.runs, found.followed) == (30, 12)
    assert sorted(found.other_changes) == pytest.approx(sorted(MONEY.change.ravel()), rel=1e-12)


@pytest.mark.parametrize("name", ["naive", "filtered", "forecast"])
@pytest.mark.parametrize("change", [{}, {"elasticity": 0.8}, {"clip_at_zero": True}])
def test_noise_is_called_centred_only_where_it_alone_moves_the_money(
    name: str, change: dict[str, float]
) -> None:
    """Where it is not, the sentence tells what is to expect, which the runs' mean is."""
    day = simulate(Scenario(households=10, beta=1.0, epsilon=0.1, **change))
    money = money_of_runs(day, name, simulate_runs(day.street_day, 400, 10))
    found = summarise(day, name, bills(day)[name], money, 1.0)
    words = loss_words(day, name, found)
    is_noise = REGISTRY[name].postprocess is None and not change
    assert centred(day, name) == is_noise
    assert ("takes as often as it gives" in words) == is_noise
    assert ("To expect on average" in words) == (not is_noise)
    mean, low, high = found.mean_loss
    assert low < mean < high
    assert mean == pytest.approx(money.loss.mean())
    if is_noise:
        assert low < 0 < high
    elif name == "forecast" or change:
        assert not low < 0 < high  # what the old sentence said would have been false
