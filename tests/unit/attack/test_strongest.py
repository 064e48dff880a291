"""The strongest attack: counted by hand on the day at hand, and told in a sentence."""

from typing import get_args

import numpy as np

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import Inference, posterior
from rtp.attack.success import Strongest, strongest
from rtp.attack.words import strongest_words
from rtp.street.simulate import replay_houses


def test_it_is_right_as_often_as_her_likelier_state_is_the_true_one() -> None:
    for scenario in (Scenario(households=30), PRESETS["unsure curator"].replace(households=12)):
        day = simulate(scenario)
        occupied, used = replay_houses(day.street_day.spec, day.street, range(scenario.households))
        seen = posterior(day, "optimal", adversary="insider", model=scenario.model_names[0])
        found = strongest(day)
        ties = (seen.model_only == 0.5).mean() / 2
        assert found.houses == scenario.households
        assert found.right == np.mean((seen.belief > 0.5) == occupied)
        assert abs(found.alone - np.mean((seen.model_only > 0.5) == occupied)) <= ties
        assert found.right > found.alone
        proved = (used > day.street.empty_bound) | (used > day.street.occupied_bound)
        assert found.right >= proved.mean()  # what only one state can use is proof of it


def test_one_house_of_a_long_street_is_attacked_alone() -> None:
    day = simulate(Scenario(households=3000))
    found = strongest(day, 17)
    occupied = replay_houses(day.street_day.spec, day.street, [17])[0]
    seen = posterior(day, "optimal", adversary="insider", house=17)
    assert found.houses == 1
    assert found.right == np.mean((seen.belief > 0.5) == occupied)


def test_at_the_end_of_the_day_it_is_stronger_still() -> None:
    day = simulate(Scenario(households=30))
    so_far, whole = (strongest(day, inference=inference) for inference in get_args(Inference))
    assert whole.right > so_far.right
    assert whole.alone == so_far.alone


def test_it_is_announced_before_it_is_chosen_and_told_once_it_is() -> None:
    found = Strongest(houses=1000, right=0.9402, alone=0.8181)
    before, chosen = strongest_words(found, False), strongest_words(found, True)
    assert "If she knew what everyone else used, she would be right from the unprotected rate" in before
    assert (
        "at **94.0%** of the moments of all 1,000 houses, where the model alone is right at 81.8%" in before
    )
    assert "She knows what everyone else used, and is right from the unprotected rate" in chosen
    assert "of the moments of this house" in strongest_words(found._replace(houses=1), True)
