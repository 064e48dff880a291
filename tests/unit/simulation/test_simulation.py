"""simulate(scenario) as a table."""

import numpy as np

from rtp import PRESETS, simulate
from rtp.mechanisms import REGISTRY

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
