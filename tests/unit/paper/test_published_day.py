"""The paper's own day: its figure, and the errors to expect of it."""

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.core.time import STEPS_PER_DAY
from rtp.paper.published import READING_STEPS, figure2
from rtp.simulation import draw_day, publish_day

PAPER = PRESETS["paper"]


def _rmse(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.sqrt(np.mean((ours - theirs) ** 2)))


def test_expected_occupancy_is_the_published_figure() -> None:
    _, occupancy, _ = figure2()
    assert _rmse(simulate(PAPER).expected_occupancy, occupancy) <= 0.015


def test_mean_consumption_is_the_published_figure() -> None:
    """Averaged over ten streets: one street's own scatter is about as large as the tolerance."""
    _, _, consumption = figure2()
    ours = np.mean([simulate(PAPER.replace(seed=seed)).consumption for seed in range(10)], axis=0)
    assert _rmse(ours, consumption) <= 0.006


def test_the_digitised_figure_has_one_row_per_step() -> None:
    hour, occupancy, consumption = figure2()
    np.testing.assert_array_equal(hour, np.arange(STEPS_PER_DAY) / 4)
    assert occupancy.min() > 0
    assert occupancy.max() < 1
    assert 0.1 < consumption.min() < consumption.max() < 0.3


def test_the_error_of_a_reading_is_a_printed_line() -> None:
    """Panels of 0.3 of 7 inches, 72.27 points each, for 96 steps; a line of 0.4 points."""
    points_per_step = 0.3 * 7 * 72.27 / STEPS_PER_DAY
    assert pytest.approx(0.4 / points_per_step, abs=0.005) == READING_STEPS


@pytest.mark.parametrize(("curve", "shown"), [(1, 0.12), (2, 0.23)])
def test_readings_at_seven_are_within_the_width_of_a_line(curve: int, shown: float) -> None:
    """At 07:00 the night has just ended: what is more than its last hour belongs to the rise until 07:15."""
    read = figure2()[curve]
    night, seven = read[24:28].mean(), 28
    early = (read[seven] - night) / (read[seven + 1] - night)
    assert early == pytest.approx(shown, abs=0.005)
    assert early < READING_STEPS


def test_expected_errors_of_the_papers_day() -> None:
    for seed in range(5):
        release = simulate(PAPER.replace(seed=seed)).release
        assert 1.20e-3 <= release["naive"].expected_rmsre <= 1.29e-3
        assert release["calibrated"].expected_rmsre <= 0.60 * release["naive"].expected_rmsre
        assert release["blowfish"].expected_rmsre <= release["naive"].expected_rmsre


@pytest.mark.long
def test_many_days_of_the_papers_street() -> None:
    """Root mean square over so many seeds, each its own street and day."""
    seeds = 60
    squares: dict[tuple[float, str], list[float]] = {}
    budgets = (0.5, 0.1, 0.05)
    for seed in range(seeds):
        life = draw_day(PAPER.replace(seed=seed))
        for epsilon in budgets:
            for name, release in publish_day(PAPER.replace(seed=seed, epsilon=epsilon), life).release.items():
                squares.setdefault((epsilon, name), []).append(release.rmsre**2)
    rms = {key: float(np.sqrt(np.mean(values))) for key, values in squares.items()}
    assert rms[0.5, "filtered"] < rms[0.5, "calibrated"]
    assert rms[0.1, "filtered"] <= 0.60 * rms[0.1, "calibrated"]
    assert rms[0.05, "filtered"] <= 0.35 * rms[0.05, "calibrated"]
    for epsilon in budgets:
        assert rms[epsilon, "filtered"] <= 1.02 * rms[epsilon, "forecast"]
        assert rms[epsilon, "calibrated"] <= 0.60 * rms[epsilon, "naive"]
    designed = {
        (0.5, "naive"): 1.24e-3,
        (0.5, "filtered"): 6.2e-4,
        (0.1, "filtered"): 1.6e-3,
        (0.5, "forecast"): 1.9e-3,
    }
    for key, value in designed.items():  # two digits in the design, and 11 % a day over so many days
        assert rms[key] == pytest.approx(value, rel=0.04 + 5 * 0.11 / np.sqrt(seeds))
