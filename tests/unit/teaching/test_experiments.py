"""Experiments say what is true on their street, and the answer is read off the engine."""

import pytest

from rtp import PRESETS, Scenario
from rtp.core.time import STEPS_PER_DAY
from rtp.teaching.experiments import (
    LEAVES_ANSWERS,
    NOISE_ANSWERS,
    NONE_ANSWERS,
    experiments,
    reveal_experiment,
    surest_belief,
)
from rtp.teaching.stage import (
    Stage,
    occupied_probabilities,
    open_stage,
    opening,
    protected_by_any_model,
    small_street,
)

FALLS, STAYS, GROWS = NOISE_ANSWERS


def stage_of(scenario: Scenario, houses: int = 4) -> Stage:
    """The street the stage opens on."""
    small = small_street(scenario, houses)
    return open_stage(small, opening(small))


@pytest.mark.long
@pytest.mark.parametrize("name", list(PRESETS))
def test_every_experiment_says_and_does_what_is_true(name: str) -> None:
    street = stage_of(PRESETS[name])
    known, nobody, giant, _ = experiments(street)
    was = street.at(known.step)
    after, silent, big = (open_stage(street.scenario, each.changes) for each in (known, nobody, giant))
    now = after.at(known.step)
    assert protected_by_any_model(now) == protected_by_any_model(was) - {was.noise_setting_house}
    assert now.scale < was.scale
    answer, why = reveal_experiment(known, street, after)
    assert answer == FALLS
    assert f"{was.scale:.4g} to {now.scale:.4g}" in why
    assert not protected_by_any_model(silent.at(nobody.step))
    assert silent.release.rate[nobody.step] == silent.release.optimal[nobody.step]
    assert reveal_experiment(nobody, street, silent).answer == NONE_ANSWERS[-1]
    (larger,) = [house for house, change in giant.changes.items() if change.bound is not None]
    assert big.at(giant.step).noise_setting_house == larger
    assert big.at(giant.step).scale > was.scale
    assert reveal_experiment(giant, street, big).answer == GROWS


def test_the_posterior_never_changes_kappa() -> None:
    street = stage_of(Scenario(), 3)
    experiment = experiments(street)[-1]
    answer, why = reveal_experiment(experiment, street, street)
    assert answer == LEAVES_ANSWERS[1]
    step, house, chance = surest_belief(street)
    sure = max(chance, 1 - chance)
    assert f"{sure:.4f}" in why or sure >= 0.9999
    others = [
        abs(occupied_probabilities(street.at(t).models[0].posterior)[h] - 0.5)
        for t in range(STEPS_PER_DAY)
        for h in street.at(t).models[0].protected
    ]
    assert house in street.at(step).models[0].protected
    assert abs(chance - 0.5) == max(others)
    assert 0 < chance < 1


def test_a_house_struck_by_what_was_learned_would_be_seen() -> None:
    """Were κ to follow a small posterior, as the paper's sentence suggests, the count would say so."""
    street = stage_of(Scenario(), 3)
    street.at(STEPS_PER_DAY - 1)
    step, house, _ = surest_belief(street)
    street.protected[step, house] = False
    answer, why = reveal_experiment(experiments(street)[-1], street, street)
    assert answer == LEAVES_ANSWERS[0]
    assert f"{STEPS_PER_DAY - 1} of {STEPS_PER_DAY}" in why
