"""The Paper screen's figures hold the data they claim to."""

from typing import Any

import numpy as np
import pytest

from rtp import simulate
from rtp.figures import paper as figures
from rtp.paper import published
from rtp.paper.reproduction import MECHANISMS, PAPER, Days, rmse, say
from rtp.simulation import Day
from rtp.statistics import middle, spread
from tests.help.paper import paper_days


@pytest.fixture(scope="module")
def days() -> Days:
    return paper_days()


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PAPER)


def drawn(figure: Any, name: str) -> Any:
    return next(trace for trace in figure.data if trace.name == name)


def test_figures_2a_and_2b_draw_our_run_the_range_and_the_published_curve(day: Day, days: Days) -> None:
    _, occupancy, consumption = published.figure2()
    for figure, ours, many, theirs in (
        (figures.mean_occupancy(day, days), day.occupancy, days.occupancy, occupancy),
        (figures.mean_consumption(day, days), day.consumption, days.consumption, consumption),
    ):
        assert drawn(figure, "Our run").y.tolist() == ours.tolist()
        assert drawn(figure, "Published").y.tolist() == theirs.tolist()
        low, high = middle(many)
        assert drawn(figure, f"95 % of {len(days)} days").y.tolist() == [*high, *low[::-1]]


def test_figure_2c_draws_the_papers_three_rates_or_their_errors(day: Day) -> None:
    rates = figures.calculated_rates(day, "Rates")
    assert [trace.name for trace in rates.data] == list(figures.RATES.values())
    for name, words in figures.RATES.items():
        assert drawn(rates, words).y.tolist() == day.release[name].rate.tolist()
    errors = figures.calculated_rates(day, "Error")
    assert len(errors.data) == 2
    naive = day.release["naive"]
    assert drawn(errors, "Naive private rate").y.tolist() == (naive.rate - naive.optimal).tolist()
    assert say(naive.rmsre, ".3e") in figures.rates_alt(day, "Rates")


def test_the_distribution_counts_every_day_and_marks_the_published_numbers(days: Days) -> None:
    figure = figures.distribution(days)
    for name, label in zip(MECHANISMS, ("Naive", "Blowfish", "Calibrated"), strict=True):
        trace = drawn(figure, label)
        shares = trace.y[1:-1:2]
        assert shares.sum() == pytest.approx(1.0)
        edges, values = trace.x[::2], days.errors(name)
        inside = (values[:, None] >= edges[:-1]) & (values[:, None] < edges[1:])
        assert inside.mean(axis=0)[:-1] == pytest.approx(shares[:-1])
    for label, number in (("Naive", 1.149e-3), ("Blowfish", 1.089e-3)):
        assert list(drawn(figure, f"{label}, published").x) == [number, number]
    assert figure.layout.yaxis.range[1] > max(t.y.max() for t in figure.data if isinstance(t.y, np.ndarray))


def test_alternative_texts_say_the_numbers(day: Day, days: Days) -> None:
    _, occupancy, _ = published.figure2()
    distance = rmse(day.occupancy, occupancy)
    assert f"{distance:.4f}" in figures.curve_alt("Mean occupancy", day.occupancy, occupancy, distance)
    spans = [spread(days.errors(name)) for name in MECHANISMS]
    said = figures.distribution_alt(days, spans)
    assert all(say(span.low, ".3e") in said for span in spans)
    curves = {"ours": day.expected_occupancy, "flat": np.zeros(96)}
    rivals = figures.rivals(curves, occupancy, day)
    assert [trace.name for trace in rivals.data] == ["ours", "flat", "Published"]
    assert f"flat {rmse(np.zeros(96), occupancy):.4f}" in figures.rivals_alt(curves, occupancy)
