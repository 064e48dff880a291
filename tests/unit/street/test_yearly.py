"""Use that adds up to a year's energy: its mean and bounds, and the descriptions that it makes doubtful."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Group, Habits, ScenarioError
from rtp.output.roster import doubt_words, group_doubts
from rtp.scenario import edit, period
from rtp.scenario.consumption import HOURS_A_YEAR
from rtp.simulation import draw_day
from rtp.simulation.prices import load_of
from rtp.simulation.setup import yearly_use
from rtp.street.draw import consumption_distributions

bounds = st.lists(st.tuples(st.floats(0.05, 50), st.floats(0, 1)), min_size=1, max_size=6)
NIGHT_OWLS = Habits(
    periods=(
        period("Asleep", 4.0, leave=0.99, arrive=0.01),
        period("Up", 20.0, leave=0.01, arrive=0.99),
    )
)


@given(bounds, st.floats(0.01, 1), st.floats(0, 1))
def test_a_years_use_has_its_mean_below_every_peak(
    houses: list[tuple[float, float]], share: float, place: float
) -> None:
    occupied = np.array([peak for peak, _ in houses])
    empty = np.array([peak * standby for peak, standby in houses])
    least, most = (yearly_use(kwh, share, occupied, empty).kwh for kwh in (1e-9, 1e9))
    kwh = least + place * (most - least)
    found = yearly_use(kwh, share, occupied, empty)
    assert found.kwh == pytest.approx(kwh, rel=1e-6)
    cut = consumption_distributions((Group(law=found.law),), np.zeros(len(houses), np.int8), occupied, empty)
    assert cut is not None
    means = cut.mean.mean(axis=1)
    assert HOURS_A_YEAR * (share * means[1] + (1 - share) * means[0]) == pytest.approx(kwh, rel=1e-6)
    assert (cut.edges[:, -1] <= np.maximum(occupied, empty) + 1e-12).all()


def test_use_leans_to_the_right_and_is_uniform_at_half_the_peak() -> None:
    peak, standby = np.array([4.0]), np.array([0.1])
    low = yearly_use(0.4 * HOURS_A_YEAR, 1.0, peak, standby).law
    density = np.array(low.occupied) / np.diff(low.edges)
    assert (np.diff(density) < 0).all()
    even = yearly_use(2.0 * HOURS_A_YEAR, 1.0, peak, standby).law
    assert np.array(even.occupied) / np.diff(even.edges) == pytest.approx(0.25)


def test_what_a_group_states_is_what_its_houses_use() -> None:
    stated = PRESETS["feeder"].replace(households=600, days=14)
    day = draw_day(stated)
    used = HOURS_A_YEAR * day.true_moments.demand[:, 7 * 96 :].mean(axis=1) / np.bincount(day.street.group)
    assert used == pytest.approx([2000, 4000, 10_000], rel=0.03)
    assert load_of(stated).a_month == pytest.approx(np.array([2000, 4000, 10_000]) / 12)


def test_what_is_not_plausible_is_pointed_at() -> None:
    feeder = PRESETS["feeder"]
    assert not load_of(feeder).doubts
    uniform = edit.without_laws(feeder)
    cases = {  # each with the group that it is said of
        ("too large", 1): edit.set_group_field(feeder, 1, "occupied_max", 4000.0),
        ("standby above peak", 0): edit.set_group_field(feeder, 0, "empty_max", 3.5),
        ("out of reach", 1): edit.set_yearly(feeder, 1, 100.0),
        ("too much", 2): edit.set_counts(uniform, [0, 100, 80]),
        ("too little", 0): edit.set_yearly(edit.set_counts(feeder, [150, 1, 1]), 0, 300.0),
        ("at night", 1): edit.set_habits(edit.set_counts(feeder, [5, 300, 5]), 1, NIGHT_OWLS),
    }
    for (kind, group), scenario in cases.items():
        load = load_of(scenario)
        assert (kind, group) in [(doubt.kind, doubt.group) for doubt in load.doubts]
        assert len(doubt_words(scenario, load)) == len(load.doubts)
        name = scenario.groups[group].name
        assert all(words.startswith(name) for words in group_doubts(scenario, load, group))
    with pytest.raises(ScenarioError, match=r"yearly_kwh.* at most"):
        edit.set_yearly(feeder, 0, 3 * 8760 + 1)
