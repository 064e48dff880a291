"""The small street: the scenario's own, changed by nothing but the moves, and thought through once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, ScenarioError, simulate
from rtp.algorithm1 import algorithm
from rtp.scenario import PAPER_PERIODS, Habits, OccupancyModel
from rtp.simulation import street_key, street_spec
from rtp.teaching.consequences import protected_by_any_model
from rtp.teaching.experiments import experiments
from rtp.teaching.moves import TRANSITIONS, Move, Never, describe, everywhere, with_moved_habits
from rtp.teaching.stage import (
    MAX_STAGE_HOUSES,
    Stage,
    fewer_houses_words,
    open_stage,
    opening,
    opening_words,
    small_street,
)
from tests.help import oracles
from tests.help.sentence import exactly

RICH = Scenario(
    households=5, beta=2.0, elasticity=0.8, inelastic_demand=1.5, clip_at_zero=True, independent_noise=True
)
never_strategy = st.builds(Never, st.integers(0, 3), st.integers(0, 1), st.integers(0, 1))
moves_strategy = st.builds(
    Move,
    start=st.sampled_from([None, 0, 1]),
    never=st.frozensets(never_strategy, max_size=6).filter(
        lambda chosen: not any(n._replace(after=1 - n.after) in chosen for n in chosen)
    ),
    bound=st.sampled_from([None, 0.01, 3.0]),
)


def thought(taught: Stage) -> list[bytes]:
    taught.at(95)
    return [m.posterior.tobytes() for step in taught.done for m in step.models]


@pytest.mark.parametrize("scenario", [*PRESETS.values(), RICH], ids=[*PRESETS, "rich"])
def test_without_moves_it_is_the_scenarios_own_day(scenario: Scenario) -> None:
    small = small_street(scenario, 4)
    taught, day = open_stage(small, {}), simulate(small)
    release = day.release["blowfish"]
    np.testing.assert_array_equal(taught.states.sum(axis=1), day.street_day.occupied)
    for name in ("demand", "optimal", "rate", "scale"):
        np.testing.assert_allclose(
            getattr(taught.release, name), getattr(release, name), rtol=1e-13, atol=0, err_msg=name
        )
    np.testing.assert_array_equal(taught.release.protected, release.protected)
    np.testing.assert_array_equal(taught.release.setter, release.setter)


@pytest.mark.parametrize("name", ["paper", "mixed street", "unsure curator", "elastic demand"])
def test_the_algorithm_is_given_every_houses_own_habits(name: str) -> None:
    small = small_street(PRESETS[name].replace(habit_spread=0.05), 4)
    taught = open_stage(small, {})
    models = range(len(small.models))
    rates = taught.release.rate.tolist()
    reference = algorithm(
        epsilon=small.epsilon,
        alpha=small.alpha,
        beta=small.beta,
        occupied_bound=taught.street.occupied_bound,
        empty_bound=taught.street.empty_bound,
        initial=[oracles.chances(small, taught.street, m)[0] for m in models],
        matrices=[list(oracles.matrices(small, taught.street, m)) for m in models],
        published=rates,
        response=_responses(small, rates),
    )
    for t, step in enumerate(reference):
        for ours, theirs in zip(taught.at(t).models, step.models, strict=True):
            np.testing.assert_allclose(ours.posterior, theirs.posterior, rtol=1e-9, atol=1e-300)


def _responses(small: Scenario, rates: list[float]) -> list[float]:
    """The price response, from the definition: min(1, (r̂/r_ref)^(−η))."""
    expected = simulate(small).street_day.true_moments.expected_demand
    reference = float(np.mean(small.alpha * (expected + small.inelastic_demand) + small.beta))
    return [1.0, *(min(1.0, (rate / reference) ** -small.elasticity) for rate in rates[:-1])]


@pytest.mark.long
@settings(max_examples=25)
@given(
    st.dictionaries(st.integers(0, 2), moves_strategy, max_size=3),
    st.sampled_from(["paper", "unsure curator"]),
)
def test_after_any_moves_the_literal_algorithm_is_the_fast_one(moves: dict[int, Move], name: str) -> None:
    taught = open_stage(small_street(PRESETS[name], 3), moves)
    for t in range(96):
        step = taught.at(t)
        assert step.scale == pytest.approx(taught.release.scale[t], rel=1e-14, abs=0)
        assert protected_by_any_model(step) == set(np.flatnonzero(taught.protected[t]).tolist())
        assert len(protected_by_any_model(step)) == taught.release.protected[t]
        assert step.noise_setting_house == taught.release.setter[t]
        assert taught.release.rate[t] == taught.release.optimal[t] + taught.noise[t]
        truth = int("".join(str(int(s)) for s in taught.states[t]), 2)
        assert step.models[0].possible[truth], "what happens must be possible"


@pytest.mark.slow
@settings(max_examples=25)
@given(moves_strategy, st.integers(0, 3))
def test_a_moved_house_obeys_and_the_others_notice_nothing(move: Move, house: int) -> None:
    small = small_street(PRESETS["mixed street"], 4)
    before, after = open_stage(small, {}), open_stage(small, {house: move})
    others = [h for h in range(4) if h != house]
    np.testing.assert_array_equal(before.states[:, others], after.states[:, others])
    np.testing.assert_array_equal(before.street.bound[others], after.street.bound[others])
    own = after.states[:, house].astype(int)
    if move.start is not None:
        assert own[0] == move.start
    period = street_spec(small).schedules[0][int(after.street.group[house])].period
    done = set(zip(period[:-1].tolist(), own[:-1].tolist(), own[1:].tolist(), strict=True))
    assert not done & {tuple(n) for n in move.never}
    if move.bound is not None:
        assert after.street.bound[house] == pytest.approx(move.bound, rel=1e-15)
        assert after.street.empty_bound[house] / after.street.occupied_bound[house] == pytest.approx(
            before.street.empty_bound[house] / before.street.occupied_bound[house]
        )


def test_a_model_that_does_not_know_keeps_a_house_protected() -> None:
    twice = PRESETS["paper"].models[0]
    small = small_street(Scenario(models=(twice, twice.replace(name="The same again"))), 3)
    sure = Move(start=0, never=frozenset({Never(3, 0, 1)}))
    assert protected_by_any_model(open_stage(small, {1: sure}).at(4)) == {0, 2}
    told = open_stage(small, {1: replace(sure, model=1)}).at(4)
    assert protected_by_any_model(told) == {0, 1, 2}
    assert told.models[1].protected == (0, 2)


def test_a_replay_is_identical_and_no_step_is_thought_twice() -> None:
    small, moves = small_street(PRESETS["mixed street"], 5), {1: Move(bound=2.0), 3: Move(start=1)}
    once, again = open_stage(small, moves), open_stage(small, moves)
    seen: list[float] = []
    assert once.at(40, seen.append) is once.at(40, seen.append)
    assert len(seen) == 41
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert thought(once) == thought(again)
    np.testing.assert_array_equal(once.release.rate, again.release.rate)


def test_thinking_can_be_stopped_and_taken_up_again() -> None:
    class Enough(Exception):
        pass

    def stop_half_way(done: float) -> None:
        if done > 0.5:
            raise Enough

    small = small_street(PRESETS["paper"], 3)
    taught = open_stage(small, {})
    with pytest.raises(Enough):
        taught.at(95, stop_half_way)
    assert 0 < len(taught.done) < 96
    assert thought(taught) == thought(open_stage(small, {}))


def test_the_small_street_keeps_the_scenario_and_every_group() -> None:
    assert street_key(small_street(PRESETS["tiny street"], 5)) == street_key(PRESETS["tiny street"])
    week = small_street(PRESETS["paper"].replace(days=7), 6)
    assert (week.households, week.days) == (6, 1)
    for name, houses in (("mansions", 2), ("mansions", 8), ("unsure curator", 4), ("mixed street", 3)):
        street = open_stage(small_street(PRESETS[name], houses), {}).street
        assert set(street.group.tolist()) == set(range(len(PRESETS[name].groups)))
        assert len(street.group) == houses
    alone = open_stage(small_street(PRESETS["mixed street"], 2), {})
    assert alone.houses == 2, "fewer houses than groups: some group is missing, and that is all"


@pytest.mark.parametrize("before", [0, 1])
def test_a_house_with_nowhere_to_go_is_refused(before: int) -> None:
    stuck = Move(never=frozenset({Never(1, before, 0), Never(1, before, 1)}))
    with pytest.raises(ScenarioError) as refused:
        open_stage(small_street(Scenario(), 3), {0: stuck})
    state = "occupied" if before else "empty"
    assert str(refused.value) == f"Noon leaves a house that is {state} nowhere to go; it must stay or change."


def test_a_move_without_a_matrix_root_is_refused() -> None:
    even = Habits(periods=tuple(p.replace(matrix=((0.6, 0.4), (0.4, 0.6))) for p in PAPER_PERIODS))
    rooted = Scenario(conversion="root", models=(OccupancyModel(habits=(even,)),))
    sentence = (
        "models[0].habits[0].periods[1].matrix has leave + arrive = 1.4; "
        "over 32 steps it has no stochastic matrix root, which a sum of at most 1 always has."
    )
    with pytest.raises(ScenarioError, match=exactly(sentence)):
        open_stage(small_street(rooted, 2), {0: Move(never=frozenset({Never(1, 1, 1)}))})


def test_a_move_can_be_made_by_the_whole_scenario() -> None:
    move = Move(start=0, never=frozenset({Never(3, 0, 1)}))
    everyone_asleep = everywhere(PRESETS["mixed street"], move)
    for habits in everyone_asleep.models[0].habits:
        assert habits.initial_occupied == 0
        assert habits.periods[3].matrix[0] == (1.0, 0.0)
    assert not simulate(everyone_asleep.replace(households=30)).release["blowfish"].scale[:10].any()


def test_a_link_that_asks_for_too_many_houses_is_told_so() -> None:
    assert [fewer_houses_words(houses) for houses in (None, 2, 5)] == [""] * 3
    assert fewer_houses_words(6) == "The stage holds up to 5 houses; this link asks for 6, so 5 are shown."


def test_moves_are_told_in_words() -> None:
    names = ("Morning", "Noon", "Evening", "Night")
    move = Move(start=1, never=frozenset({Never(3, 0, 1), Never(0, 1, 0)}), bound=2.5)
    assert describe(move, names) == (
        "starts surely occupied, cannot leave in the morning, cannot come home at night, can use up to 2.5"
    )
    assert describe(Move(start=0, never=frozenset({Never(1, 1, 1), Never(2, 0, 0)})), ("Day", "Dusk")) == (
        "starts surely empty, cannot stay occupied during “Dusk”, cannot stay empty in period 3"
    )
    assert describe(Move(), names) == ""
    assert not Move()
    assert not Move(model=1)
    assert len(TRANSITIONS) == 4
    assert MAX_STAGE_HOUSES == 5


def test_a_period_that_a_model_does_not_have_changes_nothing() -> None:
    two = Scenario(models=(OccupancyModel(habits=(Habits(periods=PAPER_PERIODS[1:3]),)),))
    assert with_moved_habits(two, 0, Move(never=frozenset({Never(2, 0, 1)}))) == two
    assert with_moved_habits(two, 0, Move(never=frozenset({Never(1, 0, 1)}))) != two


@pytest.mark.parametrize("shorter_first", [True, False])
def test_models_may_have_different_numbers_of_periods(shorter_first: bool) -> None:
    day = Habits(periods=PAPER_PERIODS[1:3])
    models = (OccupancyModel(name="Two", habits=(day,)), OccupancyModel(name="Four"))
    small = small_street(Scenario(models=models if shorter_first else models[::-1]), 3)
    stage = open_stage(small, opening(small))
    (house,) = stage.moves
    assert not stage.protected[0, house], "known to be empty under both models"
    assert stage.protected[0].sum() == 2
    # The first period of the one is the second of the other, and each is called as the first model does.
    noon, night = ("in the evening", "in period 4") if shorter_first else ("at noon", "at night")
    assert opening_words(stage) == (
        "The stage opens with one certain house, so that lines 5 to 7 have something to leave out: house "
        f"{house} starts surely empty, cannot come home {noon}, cannot come home {night}. Take that back "
        "under “Make a move”."
    )
    for experiment in experiments(stage):
        open_stage(small, experiment.moves).at(experiment.step)
