"""Experiments say what is true on their street, and the reveal is read off the engine."""

import re

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR, when
from rtp.scenario import BOUNDS, Group, Habits, Matrix, OccupancyModel
from rtp.teaching.consequences import protected_by_any_model
from rtp.teaching.experiments import (
    KEYS,
    LEAVES_ANSWERS,
    LOOK,
    NOISE_ANSWERS,
    NONE_ANSWERS,
    experiments,
    reveal,
    surest_belief,
)
from rtp.teaching.lines import occupied_probabilities
from rtp.teaching.moves import Move
from rtp.teaching.stage import Stage, open_stage, opening, opening_words, small_street

FALLS, STAYS, GROWS = NOISE_ANSWERS


def stage(scenario: Scenario, houses: int) -> Stage:
    """The street the stage opens on."""
    small = small_street(scenario, houses)
    return open_stage(small, opening(small))


@pytest.mark.parametrize("name", list(PRESETS))
def test_the_stage_opens_where_lines_leave_something_out(name: str) -> None:
    for houses in (2, 4):
        own = stage(PRESETS[name], houses).at(0).models[0]
        assert not own.possible.all()
        assert len(own.protected) < houses


@pytest.mark.parametrize("name", list(PRESETS))
def test_nothing_is_done_where_some_house_is_certain_already(name: str) -> None:
    small = small_street(PRESETS[name], 5)
    assert bool(opening(small)) == open_stage(small, {}).protected[0].all()


def test_the_opening_takes_the_smallest_house_and_says_so() -> None:
    small = small_street(Scenario(), 4)
    street = open_stage(small, {})
    opened = stage(Scenario(), 4)
    (house,) = opened.moves
    assert street.street.bound[house] == street.street.bound.min()
    assert opened.at(0).scale == street.at(0).scale, "the noise is still the street's own"
    words = f"house {house} starts surely empty, cannot come home at night."
    assert words in opening_words(opened)
    assert opening_words(street) == ""


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_experiment_says_and_does_what_is_true(name: str) -> None:
    street = stage(PRESETS[name], 4)
    known, nobody, giant, _ = experiments(street)
    t = known.step
    was = street.at(t)
    assert f"House {was.noise_setting_house} sets the noise." in known.question
    after = open_stage(street.scenario, known.moves)
    assert protected_by_any_model(after.at(t)) == protected_by_any_model(was) - {was.noise_setting_house}
    assert after.at(t).scale < was.scale
    answer, why = reveal(known, street, after)
    assert answer == FALLS
    assert f"falls from scale {was.scale:.4g} to {after.at(t).scale:.4g}" in why
    silent = open_stage(street.scenario, nobody.moves)
    assert not protected_by_any_model(silent.at(t))
    assert silent.release.rate[t] == silent.release.optimal[t]
    answer, why = reveal(nobody, street, silent)
    assert answer == NONE_ANSWERS[-1]
    assert f"{silent.release.optimal[t]:,.4f} is exact" in why
    big = open_stage(street.scenario, giant.moves)
    answer, why = reveal(giant, street, big)
    assert answer == GROWS
    assert f"grows from scale {was.scale:.4g} to {big.at(t).scale:.4g}" in why
    assert big.at(t).noise_setting_house == next(
        h for h, move in giant.moves.items() if move.bound is not None
    )


def test_an_answer_is_read_off_the_streets_whatever_it_is() -> None:
    street = stage(Scenario(), 3)
    known, nobody, giant, _ = experiments(street)
    scale = f"{street.at(known.step).scale:.4g}"
    assert reveal(known, street, street) == (
        STAYS,
        f"The noise keeps its scale {scale}: house 1 sets it now. House 1 has nothing to hide as long as the "
        "models are right; should it come home against all expectation, the promise does not cover it.",
    )
    assert reveal(giant, street, street) == (
        STAYS,
        f"The noise keeps its scale {scale}, because the largest protected house sets it for all. The same "
        "noise now hides house 2, better than it needs.",
    )
    assert reveal(nobody, street, street).answer == NONE_ANSWERS[0]
    less = open_stage(street.scenario, {h: Move(bound=0.01) for h in range(3)})
    assert reveal(nobody, street, less).answer == NONE_ANSWERS[1]


def test_the_last_secret_house_leaves_nobody_to_protect() -> None:
    street = stage(one_secret_house(), 4)
    known, _, giant, _ = experiments(street)
    scale = f"{street.at(known.step).scale:.4g}"
    assert reveal(known, street, open_stage(street.scenario, known.moves)) == (
        FALLS,
        f"The noise falls from scale {scale} to 0: nobody is left to protect. Everyone who reads the price "
        "gains. House 0 has nothing to hide as long as the models are right; should it come home against all "
        "expectation, the promise does not cover it.",
    )
    alone = reveal(giant, street, open_stage(street.scenario, giant.moves)).why
    assert re.fullmatch(
        r"The noise grows from scale [\d.]+ to [\d.]+, because the largest protected house sets it for all\.",
        alone,
    )


def test_who_sets_the_noise_instead_is_named() -> None:
    small = small_street(Scenario(), 2)
    street = open_stage(small, {1: Move(start=0)})
    assert reveal(experiments(street)[0], street, open_stage(small, experiments(street)[0].moves)) == (
        FALLS,
        "The noise falls from scale 1.257 to 0.698: house 0 sets it now. Everyone who reads the price gains. "
        "House 1 has nothing to hide as long as the models are right; should it come home against all "
        "expectation, the promise does not cover it.",
    )


def test_a_period_that_begins_then_is_the_one_that_is_known() -> None:
    own = Scenario().models[0].habits[0]
    early = own.replace(periods=(own.periods[0].replace(start=float(LOOK)), *own.periods[1:]))
    known, *_ = experiments(stage(Scenario(models=(OccupancyModel(habits=(early,)),)), 2))
    assert known.question == (
        "House 1 sets the noise. Suppose everyone knows that it is empty until 08:00. What happens to the "
        "noise, who gets a better price signal, and is house 1 worse off?"
    )


def test_the_noise_is_looked_at_from_the_second_hour_on() -> None:
    for minutes, step in ((15, 8), (60, 2)):
        known, *_, learning = experiments(stage(Scenario(step_minutes=minutes), 2))
        assert (known.step, learning.step) == (step, 24 * 60 // minutes - 1)


def test_the_posterior_never_changes_kappa() -> None:
    street = stage(Scenario(), 3)
    (experiment,) = [each for each in experiments(street) if each.key == KEYS[-1]]
    answer, why = reveal(experiment, street, street)
    assert answer == LEAVES_ANSWERS[1]
    assert why.startswith("The posterior never changes κ: only exact zeros do.")
    assert f"At {STEPS_PER_DAY} of {STEPS_PER_DAY} steps" in why
    step, house, chance = surest_belief(street)
    assert f"At {when(step)} " in why
    assert f"house {house} is {'occupied' if chance > 0.5 else 'empty'}" in why
    others = [
        abs(occupied_probabilities(street.at(t).models[0].posterior)[h] - 0.5)
        for t in range(STEPS_PER_DAY)
        for h in street.at(t).models[0].protected
    ]
    assert abs(chance - 0.5) == max(others)
    assert 0 < chance < 1
    assert f"with {max(chance, 1 - chance):.4f}." in why


@pytest.mark.parametrize(
    ("epsilon", "belief"),
    [
        (20.0, "house 1 is empty with 1 − 9.4e-08"),
        (60.0, "house 1 is occupied with a probability that the computer cannot tell from 1"),
        (200.0, "house 1 is occupied with a probability that the computer cannot tell from 1"),
    ],
)
def test_a_nearly_certain_belief_is_never_called_certain(epsilon: float, belief: str) -> None:
    """At ε = 200 a sum of probabilities is rounded to 1 + 2e-16: it was called “1 − -2.2e-16”."""
    street = stage(Scenario(epsilon=epsilon), 2)
    step = surest_belief(street).step
    assert reveal(experiments(street)[-1], street, street) == (
        LEAVES_ANSWERS[1],
        f"The posterior never changes κ: only exact zeros do. At {when(step)} the rates have made the "
        f"algorithm surest of a protected house: {belief}. It is in κ all the same. At 96 of 96 steps κ is "
        "what the zeros of the habits alone leave open, without a look at any rate: Laplace noise can bring "
        "any rate forth from any state, so no posterior ever becomes exactly 0, however small.",
    )


def test_a_house_struck_by_what_was_learned_would_be_seen() -> None:
    """Were κ to follow a small posterior, as the paper's sentence suggests, the count would say so."""
    street = stage(Scenario(), 3)
    street.at(STEPS_PER_DAY - 1)
    step, house, _ = surest_belief(street)
    street.protected[step, house] = False
    answer, why = reveal(experiments(street)[-1], street, street)
    assert answer == LEAVES_ANSWERS[0]
    assert f"At {STEPS_PER_DAY - 1} of {STEPS_PER_DAY} steps" in why
    assert "never changes" not in why


def one_secret_house(secret: bool = True) -> Scenario:
    """Of four houses at most one is a secret, and that from the morning on: it surely sleeps until then."""
    sure, free = ((1.0, 0.0), (1.0, 0.0)), ((0.5, 0.5), (0.5, 0.5))

    def habits(day: Matrix) -> Habits:
        periods = Scenario().models[0].habits[0].periods
        return Habits(
            initial_occupied=0.0,
            periods=tuple(
                p.replace(matrix=sure if p.name == "Night" else day, basis="step") for p in periods
            ),
        )

    return Scenario(
        households=4,
        groups=(Group(name="Secret", share=0.25), Group(name="Open", share=0.75)),
        models=(OccupancyModel(name="Theirs", habits=(habits(free if secret else sure), habits(sure))),),
    )


def test_an_experiment_waits_until_somebody_is_protected() -> None:
    street = stage(one_secret_house(), 4)
    assert not street.moves, "the models are certain about all houses at the start"
    protected = street.release.protected
    first = int(np.flatnonzero(protected)[0])
    assert (first, protected[first]) == (7 * STEPS_PER_HOUR + 1, 1)
    known, nobody, giant, _ = experiments(street)
    assert [each.step for each in (known, nobody, giant)] == [first] * 3
    assert first > LOOK * STEPS_PER_HOUR
    assert known.moves.keys() == {0}


def test_what_would_be_false_is_not_offered() -> None:
    assert experiments(stage(one_secret_house(secret=False), 4)) == [], "nobody is ever uncertain"
    street = stage(Scenario(), 3)
    largest = {0: Move(bound=BOUNDS["occupied_max"].high)}
    titles = [each.key for each in experiments(open_stage(street.scenario, largest))]
    assert titles == [key for key in KEYS if key != "giant"], "nobody can be larger than the largest allowed"
