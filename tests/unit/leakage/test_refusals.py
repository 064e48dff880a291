"""What is refused of what a whole record may reveal."""

from collections.abc import Callable

import pytest

from rtp import Day, Scenario, ScenarioError, simulate
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.composition import TOTAL, compositions
from rtp.leakage.crowd import DELTA, noise_still_needed
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.scenario import BOUNDS

FEW = Scenario(households=4, step_minutes=60)


@pytest.mark.parametrize(
    ("call", "field", "accepted"),
    [
        (lambda day: moment_leakage(day, "none"), "mechanism", "blowfish"),
        (lambda day: moment_leakage(day, "naive", 4), "house", "0 to 3"),
        (lambda day: giveaway(day, "naive", 0, 24), "step", "0 to 23"),
        (lambda day: epsilon_for_moment(FEW, "optimal", 1.0), "mechanism", "blowfish"),
        (lambda day: epsilon_for_moment(FEW, "naive", 0.0), "leak", "above 0"),
        (lambda day: noise_still_needed(day, 0.2, 0.0), "delta", f"{DELTA.high:g}"),
        (lambda day: noise_still_needed(day, 0.0), "epsilon", f"{BOUNDS['epsilon'].high:,g}"),
        (lambda day: compositions(FEW, 0.0), "total", f"{TOTAL.low:g}"),
    ],
)
def test_a_refusal_names_the_field_and_what_is_accepted(
    call: Callable[[Day], object], field: str, accepted: str
) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} .*{accepted}"):
        call(simulate(FEW))
