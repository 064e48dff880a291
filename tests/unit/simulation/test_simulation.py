"""simulate(scenario) as a table, and of its own street only."""

from typing import Any

import numpy as np
import pytest

from rtp import PRESETS, Group, Scenario, ScenarioError, simulate
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, publish_day

NOISY = [name for name in REGISTRY if name != "optimal"]


def test_the_frame_has_a_row_for_every_step() -> None:
    day = simulate(PRESETS["mixed street"].replace(households=50, days=2, elasticity=0.4))
    frame = day.frame()
    assert frame["day"].tolist() == [1] * 96 + [2] * 96
    assert frame["time"].iloc[[0, 1, -1]].tolist() == ["00:00", "00:15", "23:45"]
    assert frame[["period_Office", "period_Shift"]].iloc[6 * 4].tolist() == ["Morning", "Return"]
    for name in NOISY:
        release = day.release[name]
        for column in ("rate", "scale", "protected", "demand"):
            np.testing.assert_array_equal(frame[f"{name}_{column}"], getattr(release, column))
        off = (release.rate - release.optimal) / release.optimal
        np.testing.assert_allclose(frame[f"{name}_error_percent"], 100 * off, rtol=1e-9)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"households": 5}, "^households is 5; it must be 10"),
        ({"step_minutes": 60}, "^step_minutes"),
        ({"days": 2}, "^days"),
        ({"groups": (Group(occupied_max=2.0),)}, "^groups .* bounds"),
    ],
)
def test_a_day_of_another_street_is_refused(change: dict[str, Any], named: str) -> None:
    """Half as many households made an occupancy of 2.0 of it."""
    scenario = Scenario(households=10)
    with pytest.raises(ScenarioError, match=named):
        publish_day(scenario.replace(**change), draw_day(scenario))
