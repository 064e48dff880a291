"""Other habits than people have: what is tried, and that nothing but the belief changes."""

import pytest

from rtp import PRESETS
from rtp.decision.habits import other_models, with_assumed_model, worst_habits
from rtp.mechanisms import REGISTRY, private
from rtp.simulation import draw_day, market
from rtp.tradeoff.expected import expected, scales


@pytest.mark.parametrize("name", ["paper", "unsure curator"])
def test_only_filter_and_forecast_move_and_they_get_worse(name: str) -> None:
    scenario = PRESETS[name].replace(households=200)
    life = draw_day(scenario)
    wrong = with_assumed_model(scenario, life, next(iter(other_models(scenario).values())))
    for mechanism in map(REGISTRY.__getitem__, private()):
        before, after = (
            expected(known, mechanism, scales(known, [mechanism], [0.1, 2.0])[mechanism.name])
            for known in (market(scenario, day) for day in (life, wrong))
        )
        if mechanism.postprocess is None:
            assert after.tolist() == before.tolist()
        else:
            assert (after > before).all()


def test_the_worst_habits_are_those_under_which_a_rate_that_leans_on_them_errs_most() -> None:
    scenario = PRESETS["feeder"].replace(households=30, step_minutes=60)
    known, forecast = market(scenario, draw_day(scenario)), REGISTRY["forecast"]
    error, words = worst_habits(scenario, "forecast")
    assert words in other_models(scenario)
    assert error > expected(known, forecast, scales(known, [forecast], [0.5])["forecast"])[0]
    assert worst_habits(scenario, "blowfish")[1] == ""
