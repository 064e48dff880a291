"""A street of a round: choice by choice, by the lab's own mechanisms and attackers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from rtp import Scenario, simulate
from rtp.attack import posterior
from rtp.attack.joint_filter import rate_log_likelihoods
from rtp.core.random import Stream, seed_of
from rtp.core.types import Floats
from rtp.mechanisms import REGISTRY
from rtp.play import Round, in_one_street, play_street, street_scenario
from rtp.play.scores import street_cost
from rtp.simulation.publish import unit_noise
from rtp.simulation.setup import street_spec
from rtp.street.draw import Street
from tests.unit.play.rounds import rounds


@settings(max_examples=12)
@given(rounds(most=5, longest=8, guesses=False))
def test_a_choice_replaces_a_state_and_nothing_else(played: Round) -> None:
    """Use keeps its place in the range of the state: 0.6 to 1 of the size at home, up to a tenth away. The
    price is that of the sum, with the noise of the largest house."""
    habits = played.replace(choices=())
    for street, houses in enumerate(played.streets):
        scenario, sizes = street_scenario(played, street), np.array(played.street_sizes)
        found, habit = (play_street(each, street, "optimal") for each in (played, habits))
        chosen = habit.at_home.copy()
        for t, row in enumerate(played.choices):
            for i, house in enumerate(houses):
                chosen[t, i] = habit.at_home[t, i] if row[house] == -1 else row[house] == 1
        np.testing.assert_array_equal(found.at_home, chosen)
        place = np.where(habit.at_home, (habit.used / sizes - 0.6) / 0.4, habit.used / sizes / 0.1)
        used = sizes * np.where(chosen, 0.6 + 0.4 * place, 0.1 * place)
        np.testing.assert_allclose(found.used, used, atol=1e-12)
        exact = scenario.alpha * used.sum(axis=1) + scenario.beta
        np.testing.assert_allclose(found.price, exact, rtol=1e-12)
        unit = unit_noise(seed_of(scenario.seed, Stream.NOISE), 24, False)["blowfish"][: played.steps]
        noisy = exact + scenario.alpha * sizes.max() / scenario.epsilon * unit
        np.testing.assert_allclose(play_street(played, street, "blowfish").price, noisy)


@settings(max_examples=8)
@given(rounds(most=4, longest=6, guesses=False))
def test_a_street_by_habit_is_a_day_of_the_lab(played: Round) -> None:
    alone = played.replace(choices=())
    day = simulate(street_scenario(alone, 0))
    for name in REGISTRY:
        found = play_street(alone, 0, name)
        np.testing.assert_array_equal(found.price, day.release[name].rate[: played.steps])
        np.testing.assert_array_equal(found.missed_percent, day.release[name].error_percent[: played.steps])
    seen = posterior(day, played.mechanism, model=day.scenario.model_names[0])
    belief = play_street(alone, 0).belief
    np.testing.assert_array_equal(np.sort(belief), np.sort(seen.belief[: played.steps]))


@pytest.mark.long
@pytest.mark.parametrize("name", list(REGISTRY))
def test_a_price_depends_on_choices_up_to_its_step(name: str) -> None:
    rng = np.random.default_rng(5)
    before = Round(players=4, choices=rows(rng, 12), scenario=Scenario(seed=3))
    whole = play_street(before, 0, name)
    for step in range(12):
        after = play_street(
            before.replace(choices=(*before.choices[: step + 1], *rows(rng, 11 - step))), 0, name
        )
        np.testing.assert_array_equal(after.price[: step + 1], whole.price[: step + 1])
        np.testing.assert_array_equal(after.belief[: step + 1], whole.belief[: step + 1])
        so_far = play_street(before.replace(choices=before.choices[: step + 1]), 0, name)
        np.testing.assert_array_equal(so_far.price[: step + 1], whole.price[: step + 1])


def rows(rng: np.random.Generator, steps: int) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, rng.integers(0, 2, (steps, 4)).tolist()))


def test_in_one_street_houses_keep_their_sizes_and_hours() -> None:
    before = Round(players=7, steps=3, choices=((1, 0) * 4,))
    after = in_one_street(before)
    assert after.streets == (range(8),)
    assert [after.size(house) for house in range(8)] == [before.size(house) for house in range(8)]
    apart = np.hstack([play_street(before, street).at_home for street in (0, 1)])
    together = play_street(after, 0)
    np.testing.assert_array_equal(together.at_home, apart)
    for house in range(8):
        share = together.used[:, house] / after.size(house)
        np.testing.assert_array_equal(share >= 0.6, apart[:, house])


def right_by_bayes(street: Street, b: float) -> Floats:
    """How often the likelier state is the true one, house by house, from one rate: ∫ max f(x, state) dx."""
    reach = 30 * b
    count = 6_000
    step = (float(street.bound.sum()) + 2 * reach) / count
    x = np.asarray((np.arange(count) + 0.5) * step - reach, dtype=np.float64)
    houses = len(street.group)
    joint = np.exp(rate_log_likelihoods([street], x[:, None], np.full((count, 1), b))[:, 0]) / 2**houses
    assert joint.sum() * step == pytest.approx(1, abs=1e-6)
    by_house = [joint.reshape(count, 2**i, 2, -1).sum(axis=(1, 3)).max(axis=1).sum() for i in range(houses)]
    return np.array(by_house) * step


def test_one_exact_price_gives_four_houses_away_and_a_private_one_hides_them() -> None:
    """Coin flips and exact Bayes: 77 % right on average, 95 % for the largest house; with Blowfish at ε = 0.5
    54 % and 58 %. The paper's uniform use, U(0, u) at home and U(0, u/2) away, would hide them without noise:
    59 % and 69 %."""
    street = street_spec(street_scenario(Round(), 0)).draw()
    found = right_by_bayes(street, 0.0)
    np.testing.assert_allclose(found, [0.6070, 0.6872, 0.8516, 0.9481], atol=1e-4)
    found = right_by_bayes(street, 8 / 0.5)
    np.testing.assert_allclose(found, [0.5098, 0.5195, 0.5390, 0.5826], atol=1e-4)
    uniform = replace(street, empty_bound=street.occupied_bound / 2, distributions=None)
    hidden = right_by_bayes(uniform, 0.0)
    np.testing.assert_allclose(hidden, [0.5218, 0.5438, 0.5904, 0.6901], atol=1e-4)


@pytest.mark.parametrize(("houses", "share"), [(3, 0.858), (4, 0.773), (5, 0.717), (8, 0.617), (20, 0.565)])
def test_the_more_houses_the_less_one_exact_price_tells(houses: int, share: float) -> None:
    """By Fourier transform, whatever their number; on short streets that of exact Bayes."""
    found = street_cost(Round(per_street=5).street_sizes, houses, 16.0, 62.5)
    assert found.optimal == pytest.approx(share, abs=3e-3)
    if houses <= 5:
        street = street_spec(street_scenario(Round(per_street=houses), 0)).draw()
        assert found.optimal == pytest.approx(right_by_bayes(street, 0.0).mean(), abs=3e-3)
        assert found.private == pytest.approx(right_by_bayes(street, 16.0).mean(), abs=1e-4)
