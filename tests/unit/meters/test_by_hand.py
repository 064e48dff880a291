"""The steps of learning on numbers so small that each answer can be worked out by hand."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from rtp.core.types import Floats
from rtp.meters.grouping import groups_shown, sort_by_habit, sorting_days
from rtp.meters.hmm import (
    baum_welch,
    climb_correlation,
    conditional_emission,
    event_rate,
    first_guess,
    join,
    log_likelihoods,
    occupied_uses_more,
)
from rtp.meters.house_fit import HouseBlock, by_hour, count_houses, use_moments
from rtp.meters.learned import period_of_steps
from rtp.meters.learning import training_block
from rtp.meters.moves import Moves, counted_moves, precision
from rtp.meters.readings import BINS, Observations, quantile_edges, to_bins
from rtp.scenario import PAPER_PERIODS
from rtp.street.schedule import INTERIOR
from tests.unit.meters.streets import as_readings
from tests.unit.meters.test_hmm import PERIOD, SEEN, emission_after, random_model


def test_an_hour_has_the_mean_of_what_was_read_in_it() -> None:
    """One day, or two of which one is missing; nothing where nothing was read."""
    day = np.arange(24.0)[:, None]
    assert by_hour(day, 24)[:, 0].tolist() == list(range(24))
    gap = np.where(np.arange(24)[:, None] == 5, np.nan, day)
    assert by_hour(np.concatenate([day + 2, gap]), 24)[4:7, 0].tolist() == [5.0, 7.0, 7.0]
    assert by_hour(gap, 24)[5, 0] == 0.0
    assert by_hour(np.arange(48.0)[:, None], 48)[:2, 0].tolist() == [0.5, 2.5]


def test_use_in_each_state_is_weighed_by_its_probability() -> None:
    power = np.array([[1.0], [2.0], [4.0], [np.nan]])
    mean, variance = use_moments(power, np.array([[0.0], [0.5], [1.0], [1.0]]))
    assert mean[:, 0].tolist() == pytest.approx([2 / 1.5, 5 / 1.5])
    spread = [(1 - 4 / 3) ** 2 + 0.5 * (2 - 4 / 3) ** 2, 0.5 * (2 - 10 / 3) ** 2 + (4 - 10 / 3) ** 2]
    assert variance[:, 0].tolist() == pytest.approx([each / 1.5 for each in spread])
    never = use_moments(power, np.zeros((4, 1)))
    assert (never[0][1, 0], never[1][1, 0]) == (0.0, 0.0)


def test_what_a_model_says_of_an_hour_is_the_mean_of_its_states() -> None:
    states = np.tile(np.repeat([0, 1], 12), 7)[None].astype(np.int8)
    power = np.where(states, 2.0, 0.5).astype(np.float32)
    clock = period_of_steps(PAPER_PERIODS, 60, 7)
    fits = count_houses(HouseBlock(power=power, occupied=states, period=clock, periods=4, per_day=24))
    assert fits.fitted[:, 0].tolist() == [0.5] * 12 + [2.0] * 12
    half = replace(fits, profile=np.full((24, 1), 0.25))
    assert half.fitted[:, 0].tolist() == [0.875] * 24
    assert (fits.certainty.tolist(), fits.starts_agree.tolist()) == ([1.0], [True])
    assert fits.used[:, 0].tolist() == fits.fitted[:, 0].tolist()
    assert fits.model.leave[:, 0].tolist() == [0.5, INTERIOR, INTERIOR, 1 - INTERIOR]
    assert fits.model.arrive[:, 0].tolist() == [INTERIOR, 0.25, 0.5, INTERIOR]


def test_events_are_counted_by_the_steps_at_which_they_could_happen() -> None:
    rates = event_rate(np.array([0.0, 1.0, 2.0, 0.0]), np.array([0.0, 4.0, 2.0, 3.0]), 0.125)
    assert rates.tolist() == [0.125, 0.25, 1 - INTERIOR, INTERIOR]


def test_states_that_are_swapped_explain_the_same_readings() -> None:
    model = random_model(3, 2, 3)
    seen = Observations(np.column_stack([SEEN, SEEN[:, 0]]), PERIOD)
    ranks = np.arange(BINS)
    upright = occupied_uses_more(model)
    assert (upright.emission[1] @ ranks >= upright.emission[0] @ ranks).all()
    upside_down = replace(
        upright,
        initial=1 - upright.initial,
        leave=upright.arrive,
        arrive=upright.leave,
        emission=upright.emission[::-1],
    )
    for each in (upright, upside_down):
        np.testing.assert_allclose(log_likelihoods(seen, each), log_likelihoods(seen, model), atol=1e-12)
        again = occupied_uses_more(each)
        np.testing.assert_allclose(again.initial, upright.initial)
        for name in ("leave", "arrive", "emission", "correlation"):
            np.testing.assert_array_equal(getattr(again, name), getattr(upright, name))


def test_bins_that_are_hardly_ever_seen_have_ranks_that_are_not_quite_0_or_1() -> None:
    model = random_model(2, 2, 1)
    rare = model.emission.copy()
    rare[..., [0, -1]] = 1e-6
    model = replace(model, emission=rare / rare.sum(axis=2, keepdims=True))
    table = conditional_emission(model.emission, model.correlation)
    for state, house, before in product((0, 1), (0, 1), (0, 5, BINS - 1, BINS)):
        own = emission_after(model, state, house, before)
        np.testing.assert_allclose(table[state, house, before, :BINS], own, rtol=1e-9)
    assert (table[..., BINS] == 1).all()


def pairs_of(rho: float) -> tuple[Floats, Floats]:
    """As often as such a correlation makes them come, (1, 1, K + 1, K + 1); and the histogram, flat."""
    flat = np.full((1, 1, BINS), 1 / BINS)
    return conditional_emission(flat, np.array([rho])) / BINS, flat


@pytest.mark.parametrize("often", [1e-3, 1.0, 1e6])
def test_a_step_towards_a_correlation_is_the_same_however_often_pairs_were_seen(often: float) -> None:
    pairs, flat = pairs_of(0.3)
    pairs[..., BINS, :] = pairs[..., :, BINS] = 0.0
    start = np.array([0.25])
    near = climb_correlation(often * pairs, flat, start)
    np.testing.assert_allclose(near, climb_correlation(pairs, flat, start), rtol=1e-6)
    assert near[0] == pytest.approx(0.3, abs=0.01)
    for _ in range(4):
        near = climb_correlation(often * pairs, flat, near)
    assert near[0] == pytest.approx(0.3, abs=1e-3)


def test_a_step_towards_a_correlation_is_no_longer_than_it_may_be() -> None:
    pairs, flat = pairs_of(0.8)
    assert climb_correlation(1e4 * pairs, flat, np.array([0.0]))[0] == pytest.approx(0.15)
    alike = np.zeros_like(pairs)
    alike[0, 0, range(BINS), range(BINS)] = 1.0
    near = np.array([0.9])
    for _ in range(3):
        near = climb_correlation(alike, flat, near)
    assert near[0] == pytest.approx(0.93)


def test_a_first_guess_leans_as_a_bin_is_high() -> None:
    """By a logistic curve around the share that counts as occupied."""
    bins = np.arange(BINS, dtype=np.int8)[:, None]
    guess = first_guess(Observations(bins, np.zeros(BINS, dtype=int)), 0.25, 0.05, 2)
    lean = 1 / (1 + np.exp(-((np.arange(BINS) + 0.5) / BINS - 0.75) / 0.15))
    np.testing.assert_allclose(guess.emission[1, 0], lean / lean.sum())
    np.testing.assert_allclose(guess.emission[0, 0], (1 - lean) / (1 - lean).sum())
    assert (guess.initial.tolist(), guess.leave.tolist(), guess.arrive.tolist()) == (
        [0.5],
        [[0.05]] * 2,
        [[0.05]] * 2,
    )


def test_learning_that_may_take_no_round_more_ends_where_it_is() -> None:
    """After one round the model is the second one; a tolerance that all meet leaves the first."""
    seen, start = Observations(SEEN, PERIOD), random_model(2, 2)
    once = baum_welch(seen, start, max_iterations=1, tolerance=0.0).model
    assert not np.allclose(once.leave, start.leave)
    twice = baum_welch(seen, start, max_iterations=2, tolerance=0.0).model
    again = baum_welch(seen, once, max_iterations=1, tolerance=0.0).model
    np.testing.assert_allclose(twice.leave, again.leave)
    np.testing.assert_array_equal(baum_welch(seen, start, tolerance=np.inf).model.leave, start.leave)


def test_models_that_are_joined_are_taken_apart_again() -> None:
    one, two = random_model(2, 2), random_model(1, 2, 1)
    both = join([one, two])
    assert both.group.tolist() == [0, 1, 2]
    last = both.only_groups(np.array([False, False, True]))
    for name in vars(two):
        np.testing.assert_array_equal(getattr(last, name), getattr(two, name))
    week = one.with_periods(4)
    assert week.leave.tolist() == [*one.leave.tolist()] * 2


def moves_of(states: list[list[int]], days: int) -> Moves:
    """Of houses, (n, T): two steps a day, each its own period."""
    steps = np.array(states, dtype=np.int8).T
    half = np.arange(len(steps)) % 2
    return counted_moves(steps, half, 2, np.arange(len(steps)) // 2 % days)


def test_moves_are_counted_by_period_day_and_house() -> None:
    """Nothing is known of a move from or to what is unknown."""
    moves = moves_of([[1, 0, 0, 1, 1, 1], [0, -1, 0, 0, 1, 0]], 3)
    assert moves.departures[:, :, 0].tolist() == [[1, 0, 0], [0, 0, 0]]
    assert moves.from_occupied[:, :, 0].tolist() == [[1, 0, 1], [0, 1, 0]]
    assert moves.arrivals[:, :, 0].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert moves.from_empty[:, :, 0].tolist() == [[0, 1, 0], [1, 0, 0]]
    assert moves.from_empty[:, :, 1].tolist() == [[0, 1, 0], [0, 1, 0]]
    leave, arrive = moves.only(np.array([0])).probabilities()
    assert (leave.tolist(), arrive.tolist()) == ([0.5, INTERIOR], [1 - INTERIOR, INTERIOR])
    weighed = moves.only(np.array([0])).probabilities(np.array([3.0, 1.0, 1.0]))[0]
    assert weighed.tolist() == [0.75, INTERIOR]
    assert moves.probabilities()[0].tolist() == [pytest.approx(2 / 3), INTERIOR]
    always, never = moves_of([[1, 1, 1, 1]], 2), moves_of([[0, 0, 0, 0]], 2)
    assert always.probabilities()[1].tolist() == never.probabilities()[0].tolist() == [0.5, 0.5]


def test_one_house_differs_from_nobody_and_what_never_happened_can_be_anything() -> None:
    moves = moves_of([[1, 0] * 20], 20)
    sure = precision(moves, *moves.probabilities())
    assert not np.any(sure.heterogeneity)
    assert (sure.leave.low[1], sure.leave.high[1]) == (0.0, 1.0)
    assert sure.information_fraction[0][1] == 0.0


@pytest.mark.parametrize(("days", "first"), [(13, [1, 0, 1]), (14, [1, 1, 1])])
def test_every_other_week_sorts_or_day_where_weeks_are_few(days: int, first: list[int]) -> None:
    sorting = sorting_days(days)
    assert len(sorting) == days
    assert sorting[:3].tolist() == first
    assert sorting.sum() == 7


def profile_of(*levels: float) -> Floats:
    return np.tile(np.array(levels), (24, 1))


@pytest.mark.parametrize(
    ("levels", "groups", "found"),
    [
        ((0.1, 0.9, 0.1, 0.9, 0.9), 2, [1, 0, 1, 0, 0]),
        ((0.1, 0.9, 0.5, 0.9, 0.2, 0.9), 3, [1, 0, 2, 0, 1, 0]),
        ((0.5, 0.5), 2, [0, 0]),
    ],
)
def test_houses_are_sorted_by_their_days(levels: tuple[float, ...], groups: int, found: list[int]) -> None:
    assert sort_by_habit(profile_of(*levels), groups).tolist() == found


def test_as_many_groups_are_shown_as_predict_the_other_weeks() -> None:
    """Six houses that always leave and six that never do, on fourteen days; or all alike."""
    always, never = [1, 0] * 14, [1, 1] * 14
    moves = moves_of([always] * 6 + [never] * 6, 14)
    profile = profile_of(*[0.5] * 6, *[1.0] * 6) + np.linspace(0, 0.01, 12)
    assert groups_shown(profile, moves, 8) == 2
    assert groups_shown(profile, moves, 1) == 1
    assert groups_shown(profile, moves_of([always] * 12, 14), 8) == 1


@pytest.mark.parametrize(("minutes", "learned"), [(5, 15), (15, 15), (10, 10), (30, 30), (1, 15)])
def test_fine_readings_are_learned_from_in_quarter_hours(minutes: int, learned: int) -> None:
    """Their means; who is at home is who was when the quarter began."""
    steps = 1440 // minutes
    power = np.arange(steps, dtype=float)[None] % 6
    states = (np.arange(steps)[None] // (learned // minutes) % 2).astype(np.int8)
    block = training_block(as_readings(power, minutes, states), np.array([0]), 0, 1, PAPER_PERIODS)
    assert (block.per_day, block.days, block.periods) == (1440 // learned, 1, 4)
    np.testing.assert_allclose(block.power[0], power.reshape(-1, learned // minutes).mean(axis=1))
    assert block.occupied is not None
    assert block.occupied[0].tolist() == (np.arange(1440 // learned) % 2).tolist()


def test_bins_are_edged_by_quantiles_and_hold_what_is_at_their_upper_edge() -> None:
    power = np.arange(1.0, 2 * BINS + 1, dtype=np.float32)[None]
    edges = quantile_edges(power)
    assert edges[0].tolist() == [0.0, *range(2, 2 * BINS + 1, 2)]
    gap = np.append(power, [[np.nan]], axis=1)
    assert to_bins(gap, edges)[:, 0].tolist() == [*np.repeat(range(BINS), 2).tolist(), BINS]
    assert quantile_edges(np.full((1, 3), np.nan, dtype=np.float32)).tolist() == [[0.0] * (BINS + 1)]
