"""Secrets that last: what each changes, how well it is told, and what is refused."""

from collections.abc import Callable

import numpy as np
import pytest

from rtp import Day, Scenario, ScenarioError, simulate
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.composition import TOTAL, compositions
from rtp.leakage.crowd import DELTA, noise_still_needed
from rtp.leakage.detection import AREA, DAYS, REPETITIONS, detect, epsilon_for_detection
from rtp.leakage.hypothesis import HYPOTHESES, one_row_per_step
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.leakage.overview import overview
from rtp.scenario import BOUNDS

FEW = Scenario(households=4, step_minutes=60)


@pytest.mark.parametrize(
    ("name", "initial", "leave", "arrive"),
    [
        ("holiday", 0.0, [1, 1, 1], [0, 0, 0]),
        ("working hours", 0.6, [0.1, 1, 0.3], [0.4, 0, 0.2]),
        ("up at night", 1.0, [0.1, 0.2, 0], [0.4, 0.3, 1]),
    ],
)
def test_a_house_keeps_its_habits_but_for_the_hours_of_the_secret(
    name: str, initial: float, leave: list[float], arrive: list[float]
) -> None:
    """Three steps a day, at 00:00, 08:00 and 16:00, and the first of the next."""
    moves = np.array([[0.1], [0.2], [0.3]]), np.array([[0.4], [0.3], [0.2]])
    found = HYPOTHESES[name].condition(one_row_per_step(np.array([0.6]), *moves), 3)
    assert found.initial.tolist() == [initial]
    assert (found.leave[:, 0].tolist(), found.arrive[:, 0].tolist()) == (leave, arrive)


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
        (lambda day: overview(FEW, "naive", 0, house=4), "house", "0 to 3"),
        (lambda day: detect(FEW, "naive", "party", 1, "outsider"), "hypothesis", "holiday"),
        (lambda day: detect(FEW, "naive", "holiday", 31, "outsider"), "days", f"{DAYS.high}"),
        (lambda day: detect(FEW, "none", "holiday", 1, "outsider"), "mechanism", "blowfish"),
        (
            lambda day: detect(FEW, "naive", "holiday", 1, "outsider", repetitions=39),
            "repetitions",
            f"{REPETITIONS.low}",
        ),
        (lambda day: epsilon_for_detection(FEW, "naive", "holiday", 1.0, "outsider"), "area", f"{AREA.high}"),
    ],
)
def test_a_refusal_names_the_field_and_what_is_accepted(
    call: Callable[[Day], object], field: str, accepted: str
) -> None:
    with pytest.raises(ScenarioError, match=f"^{field} .*{accepted}"):
        call(simulate(FEW))
