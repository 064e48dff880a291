"""The Paper screen's figures hold the data they claim to."""

import numpy as np
import pytest

from rtp import simulate
from rtp.core.stats import middle, spread
from rtp.figures import paper as figures
from rtp.paper import published
from rtp.paper.reproduction import MECHANISMS, PAPER, PaperDays, as_printed, rmse
from rtp.paper.state_dependent import log_likelihood_ratio, most_exposed
from rtp.simulation import Day
from tests.help.paper import paper_days
from tests.unit.figures.look import axis_titles, hovers, trace


@pytest.fixture(scope="module")
def days() -> PaperDays:
    return paper_days()


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(PAPER)


@pytest.mark.slow
def test_figures_2a_and_2b_draw_ours_range_and_published(day: Day, days: PaperDays) -> None:
    _, occupancy, consumption = published.figure2()
    for picture, title, ours, many, theirs in (
        (
            figures.mean_occupancy_figure(day, days),
            "Mean occupancy",
            day.occupancy,
            days.occupancy,
            occupancy,
        ),
        (
            figures.mean_consumption_figure(day, days),
            "Mean consumption",
            day.consumption,
            days.consumption,
            consumption,
        ),
    ):
        assert trace(picture.figure, "Our run").y.tolist() == ours.tolist()
        assert trace(picture.figure, "Published").y.tolist() == theirs.tolist()
        assert hovers(picture.figure) == {"%{y:.3f}"}
        low, high = middle(many)
        assert trace(picture.figure, f"95 % of {len(days)} days").y.tolist() == [*high, *low[::-1]]
        assert axis_titles(picture.figure) == {"xaxis": "Time of day", "yaxis": title}
        assert picture.words == (
            f"{title} over the day. Our run lies between {ours.min():.3f} and {ours.max():.3f}, "
            f"the published curve between {theirs.min():.3f} and {theirs.max():.3f}; "
            f"their root mean square distance is {rmse(ours, theirs):.4f}."
        )


def test_figure_2c_draws_the_papers_three_rates(day: Day) -> None:
    figure, words = figures.rates_figure(day, "Rates")
    assert [t.name for t in figure.data] == list(figures.RATES.values())
    for name, of_paper in figures.RATES.items():
        assert trace(figure, of_paper).y.tolist() == day.release[name].rate.tolist()
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "Rate"}
    assert hovers(figure) == {"%{y:.1f}"}
    optimal = day.release["optimal"].rate
    assert words == (
        f"Rates over the day. The optimal rate runs from {optimal.min():.0f} to {optimal.max():.0f}. "
        f"Naive private rate RMSRE {as_printed(day.release['naive'].rmsre, '.3e')}, "
        f"Private rate (Blowfish) RMSRE {as_printed(day.release['blowfish'].rmsre, '.3e')}."
    )


def test_figure_2c_draws_the_errors_of_the_private_rates(day: Day) -> None:
    figure, words = figures.rates_figure(day, "Error")
    assert [t.name for t in figure.data] == ["Naive private rate", "Private rate (Blowfish)"]
    for name, of_paper in list(figures.RATES.items())[1:]:
        release = day.release[name]
        assert trace(figure, of_paper).y.tolist() == (release.rate - release.optimal).tolist()
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "Published − optimal rate"}
    assert hovers(figure) == {"%{y:+.2f}"}
    assert words.startswith("Error over the day. ")


def test_the_distribution_counts_every_day_and_marks_the_published_numbers(days: PaperDays) -> None:
    figure, words = figures.distribution_figure(days)
    for name, label in zip(MECHANISMS, ("Naive", "Blowfish", "Calibrated"), strict=True):
        outline = trace(figure, label)
        shares = outline.y[1:-1:2]
        assert shares.sum() == pytest.approx(1.0)
        edges, values = outline.x[::2], days.errors(name)
        inside = (values[:, None] >= edges[:-1]) & (values[:, None] < edges[1:])
        assert inside.mean(axis=0)[:-1] == pytest.approx(shares[:-1])
        own = spread(values)
        assert f"{label} {as_printed(own.low, '.3e')} to {as_printed(own.high, '.3e')}" in words
    for label, number in (("Naive", 1.149e-3), ("Blowfish", 1.089e-3)):
        assert list(trace(figure, f"{label}, published").x) == [number, number]
    assert figure.layout.yaxis.range[1] > max(t.y.max() for t in figure.data if isinstance(t.y, np.ndarray))
    assert axis_titles(figure) == {"xaxis": "One day's RMSRE", "yaxis": "Share of days"}
    assert hovers(figure) == {"%{y:.1%} of days"}
    assert words.startswith(f"Histogram of one day's RMSRE over {len(days)} days. 95 % of days: Naive ")


def test_other_answers_are_drawn_with_their_distance_to_the_published(day: Day) -> None:
    _, occupancy, _ = published.figure2()
    curves = {"ours": day.expected_occupancy, "flat": np.zeros(96)}
    figure, words = figures.alternatives_figure(curves, occupancy, day)
    assert [t.name for t in figure.data] == ["ours", "flat", "Published"]
    for name, curve in (curves | {"Published": occupancy}).items():
        assert trace(figure, name).y.tolist() == curve.tolist()
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "Expected mean occupancy"}
    assert words == (
        "Expected mean occupancy over the day. Distance to the published curve: "
        f"ours {rmse(day.expected_occupancy, occupancy):.4f}, flat {rmse(np.zeros(96), occupancy):.4f}."
    )


def test_state_dependent_noise_is_drawn_beside_algorithm_1(day: Day) -> None:
    house, epsilon = most_exposed(day.street), PAPER.epsilon
    picture = figures.state_dependent_figure(house, epsilon, alpha=2.0)
    figure = picture.figure
    kept, broken = trace(figure, "Algorithm 1"), trace(figure, "Noise follows the states")
    assert kept.y.tolist() == log_likelihood_ratio(kept.x / 2.0, house, house.common_scales(epsilon)).tolist()
    assert (
        broken.y.tolist()
        == log_likelihood_ratio(broken.x / 2.0, house, house.state_dependent_scales(epsilon)).tolist()
    )
    assert set(np.abs(trace(figure, "Promised").y)) == {epsilon}
    assert np.abs(kept.y).max() <= epsilon < np.abs(broken.y).max()
    assert f"{np.abs(kept.y).max():.2f} by Algorithm 1, within the promised 0.5" in picture.words
    assert f"up to {np.abs(broken.y).max():.1f} within 8 of the rate" in picture.words
