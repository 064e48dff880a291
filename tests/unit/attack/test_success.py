"""How well the observer does over many days, and what must hold between mechanisms."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.scores import FALSE_ALARMS, roc_ceiling
from rtp.attack.success import Attack, attack, attack_of_the_day, attacks
from rtp.core.types import Bools, Floats
from rtp.street.simulate import replay_houses

SMALL = Scenario(households=5)
HOURLY = SMALL.replace(step_minutes=60)  # 32 joint states a step, of 24 steps
STREET = Scenario(households=40)


@pytest.fixture(scope="module")
def others() -> Attack:
    return attack(STREET, 20, adversary="insider")


@pytest.fixture(scope="module")
def model() -> Attack:
    return attack(HOURLY, 3)


@pytest.mark.slow
def test_no_evidence_curve_rises_above_the_ceiling(others: Attack, model: Attack) -> None:
    """Up to sampling: by no more than its own interval, at any of 101 points."""
    for result in (others, model):
        ceiling = roc_ceiling(result.scenario.epsilon, FALSE_ALARMS)
        for name in ("naive", "blowfish", "calibrated", "filtered"):
            assert (result.scores[name].evidence_roc.low <= ceiling + 1e-9).all()
    assert (others.scores["optimal"].evidence_roc.low > roc_ceiling(0.5, FALSE_ALARMS)).any()


def test_days_are_new_and_reproducible_and_come_one_by_one() -> None:
    first, again = (list(attacks(HOURLY, 3, mechanisms=["blowfish"])) for _ in range(2))
    assert [result.days for result in first] == [1, 2, 3]
    losses = [[day.loss for day in result.binned["blowfish"]] for result in (first[-1], again[-1])]
    assert losses[0] == losses[1]
    assert len(set(losses[0])) == 3
    reported: list[float] = []
    three = attack(HOURLY.replace(days=2), 3, mechanisms=["blowfish"], progress=reported.append)
    assert [day.loss for day in three.binned["blowfish"]] == losses[0], "a day at a time"
    assert reported == [pytest.approx(day / 3) for day in (1, 2, 3)]
    alone = attack(HOURLY, 3, house=3, mechanisms=["blowfish"])
    assert (alone.houses.tolist(), alone.binned["blowfish"][0].moments) == ([3], 24)


def guesses(belief: Floats, occupied: Bools) -> Floats:
    """1 where the likelier state is the true one, 0 where not, a half where neither is likelier."""
    return (1 + np.sign(belief - 0.5) * np.where(occupied, 1, -1)) / 2


def test_a_day_that_was_watched_is_an_attack_of_one_day() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=8))
    occupied, _ = replay_houses(day.street_day.spec, day.street, range(8))
    seen = [posterior(day, name) for name in ("optimal", "naive")]
    result = attack_of_the_day(day.scenario, seen, occupied)
    assert (result.days, result.adversary, result.houses.tolist()) == (1, "outsider", list(range(8)))
    assert list(result.scores) == ["optimal", "naive"]
    for found in seen:  # she believes the model that people live by
        right = guesses(found.by_model[0].belief, occupied).mean()
        assert result.scores[found.mechanism].accuracy.value == pytest.approx(right, rel=1e-12)
    alone = guesses(seen[0].by_model[0].model_only, occupied).mean()
    assert result.model.accuracy.value == pytest.approx(alone, rel=1e-12)
