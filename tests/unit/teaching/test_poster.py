"""The poster: a crowd hides, noise hides, and where there is neither the house is read."""

import numpy as np
import pytest

from rtp import PRESETS
from rtp.teaching.poster import BUDGETS, STREETS, poster


@pytest.mark.slow
def test_belief_goes_from_the_truth_to_habits_by_crowd_and_by_noise() -> None:
    panels = poster(PRESETS["paper"])
    far = np.array([np.abs(panel.belief - panel.habits).mean() for panel in panels])
    moved = far.reshape(len(STREETS), len(BUDGETS))
    assert moved[:, 0].tolist() == sorted(moved[:, 0], reverse=True)  # the crowd, without noise
    assert moved[0, 0] > 5 * moved[-1, 0]
    assert moved[0, 0] > 5 * moved[0, -1]  # the noise, on the smallest street
    assert all(panel.right > panel.habits_right + 0.05 for panel in panels[: len(BUDGETS) - 1])
    assert abs(panels[-1].right - panels[-1].habits_right) < 0.02
    first = panels[0]
    assert np.abs(first.belief - first.occupied).mean() < 0.05
