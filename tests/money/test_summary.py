"""One mechanism's money over a span, with the ranges that other noise gives."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.money.bills import MONTH, bills, generator
from rtp.money.luck import other_noise
from rtp.money.summary import summarise
from rtp.statistics import middle

DAY = simulate(Scenario(households=40, days=2))
OWN, LUCK = bills(DAY)["naive"], other_noise(DAY, "naive", days=30, houses=12)


@pytest.mark.parametrize("span", [1.0, 2.0, float(MONTH)])
def test_numbers_of_the_scenarios_days_are_scaled_to_the_span(span: float) -> None:
    found, times = summarise(DAY, "naive", OWN, LUCK, span), span / 2
    now, change = generator(DAY)["naive"], OWN.change(span)
    assert found.profit.value == pytest.approx(now.profit * times, rel=1e-12)
    assert found.loss.value == pytest.approx(now.loss * times, rel=1e-12)
    assert found.mismatch.value == pytest.approx(now.mismatch * times, rel=1e-12)
    assert [found.bills[label].value for label in found.bills] == pytest.approx(
        [change.mean, change.median, change.p95, change.worst], rel=1e-9
    )
    assert list(found.bills) == ["Bill, mean change", "Median change", "95th percentile", "Worst household"]
    assert found.paying_more == change.paying_more
    assert found.mean_bill == pytest.approx(OWN.optimal.mean() * times, rel=1e-12)
    assert found.changes == pytest.approx(OWN.difference * times, rel=1e-12)


def test_ranges_are_those_of_days_with_other_noise() -> None:
    found = summarise(DAY, "naive", OWN, LUCK, 2.0)
    best = generator(DAY)["optimal"].profit
    for told, others in (
        (found.loss, LUCK.loss),
        (found.profit, best - LUCK.loss),
        (found.mismatch, LUCK.mismatch),
        (found.bills["Worst household"], LUCK.change.max(axis=0)),
        (found.bills["Median change"], np.median(LUCK.change, axis=0)),
        (found.bills["95th percentile"], np.quantile(LUCK.change, 0.95, axis=0)),
        (found.bills["Bill, mean change"], LUCK.change.mean(axis=0)),
    ):
        assert (told.low, told.high) == pytest.approx([float(end) for end in middle(others)], rel=1e-12)
    assert (found.noise_days, found.sampled) == (30, 12)
    assert sorted(found.other_changes) == pytest.approx(sorted(LUCK.change.ravel()), rel=1e-12)
