"""Exposure as it is asked for: what it says of plain streets, of odd ones, and what it refuses."""

from importlib import import_module
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rtp
from rtp import PRESETS, Group, Law, OccupancyModel, Scenario, ScenarioError
from rtp.core.time import Weekday
from rtp.exposure import Exposure, Observer, Secret
from rtp.exposure.area import belief_area, weighted_area
from rtp.probability.histogram import Histograms
from rtp.probability.joint_use import joint_use
from rtp.scenario import period
from tests.help import exposure_twin as twin

HOURLY = Scenario(households=4, step_minutes=60, habit_spread=0.0)
ONE_OR_NONE = Law(edges=(0.1, 0.1, 1.0, 1.0), empty=(1.0, 0.0, 0.0), occupied=(0.0, 0.0, 1.0))


def of_sizes(sizes: list[float], law: Law, **fields: object) -> Scenario:
    """A group of one house for every size, to which the law is stretched."""
    groups = tuple(
        Group(
            name=f"{size:g}",
            share=1 / len(sizes),
            occupied_min=size,
            occupied_max=size,
            law=law.replace(edges=tuple(edge * size for edge in law.edges)),
        )
        for size in sizes
    )
    habits = HOURLY.models[0].habits * len(sizes)
    models = (OccupancyModel(habits=habits),)
    return HOURLY.replace(households=len(sizes), groups=groups, models=models, **fields)


def certain(scenario: Scenario, occupied: float) -> Scenario:
    """The same houses, who never move."""
    habits = scenario.models[0].habits[0]
    stay = tuple(period.replace(matrix=((1.0, 0.0), (0.0, 1.0))) for period in habits.periods)
    still = habits.replace(initial_occupied=occupied, periods=stay)
    return scenario.replace(models=(OccupancyModel(habits=(still,)),))


def without_weekend(scenario: Scenario) -> Scenario:
    """The same street, whose Saturdays are as other days."""
    habits = scenario.models[0].habits[0].replace(weekend=None, sunday=None)
    return scenario.replace(models=(OccupancyModel(habits=(habits,)),))


@given(st.lists(st.integers(0, 10).map(lambda tenths: tenths / 10), min_size=1, max_size=12))
def test_the_area_of_beliefs_is_that_of_all_pairs_of_days(belief: list[float]) -> None:
    p = np.array(belief)
    pairs = np.multiply.outer(p, 1 - p)
    wins = (np.sign(np.subtract.outer(p, p)) + 1) / 2
    area = (pairs * wins).sum() / pairs.sum() if pairs.any() else 0.5
    assert float(belief_area(p)) == pytest.approx(area)
    assert float(weighted_area(p, p)[0]) == pytest.approx(area)


def test_the_function_stays_what_rtp_exposure_is() -> None:
    for name in ("rtp.exposure", "rtp.exposure.search", "rtp.exposure.result"):
        import_module(name)
    assert callable(rtp.exposure)
    assert isinstance(rtp.exposure(HOURLY, "day", "insider"), Exposure)


def test_a_map_shows_where_it_is_worst_and_what_does_not_count() -> None:
    found = rtp.exposure(HOURLY, rarest=0.2)
    assert found.map.shape == (4, 24)
    chance = found.records[0].occupied.T
    np.testing.assert_array_equal(np.isnan(found.map), np.minimum(chance, 1 - chance) < 0.2)
    assert found.map[found.house, found.step] >= np.nanmax(found.map) - 0.02
    assert found.at("optimal").low - 0.02 <= np.nanmax(found.map) <= found.at("optimal").high + 0.02
    with pytest.raises(ValueError, match="moment"):
        _ = rtp.exposure(HOURLY, "day").map


def test_a_long_street_is_looked_at_by_a_spread_of_its_houses() -> None:
    found = rtp.exposure(HOURLY.replace(households=2_000), observer="insider")
    seen = np.isfinite(found.map).any(axis=1)
    bound = found.records[0].street.bound
    assert 200 < seen.sum() < 400
    assert bound[seen].max() > 0.99 > 0.2 > bound[seen].min()
    one = rtp.exposure(HOURLY.replace(households=2_000), observer="insider", houses=[1_234])
    assert one.house == 1_234
    assert one.at("optimal").low <= found.at("optimal").high


@pytest.mark.parametrize("day", ["Saturday", "Sunday"])
def test_a_house_that_goes_out_on_one_day_of_the_week_shows_on_that_day(day: Weekday) -> None:
    """By the slow twin no less; on all other days there is nothing to tell of it."""
    home, out = ((period("Day", 0.0, leave=leave, arrive=1.0 - leave, basis="step"),) for leave in (0.0, 0.3))
    apart = {"weekend": out, "sunday": home} if day == "Saturday" else {"sunday": out}
    street = certain(HOURLY.replace(households=3), 1.0)
    habits = street.models[0].habits[0].replace(periods=home, **apart)
    street = street.replace(models=(OccupancyModel(habits=(habits,)),), groups=(Group(occupied_min=0.5),))
    place, told = twin.worst(street, "moment", "outsider", 0.0, 200)
    found = rtp.exposure(street)
    worst = found.worst("optimal")
    assert worst is not None
    assert worst.weekday == place.weekday == day
    right = found.at("optimal")
    assert right.low - 3 * told.error <= told.pairs <= right.high + 3 * told.error
    assert rtp.exposure(without_weekend(street)).at("optimal").value == 0.5


def test_under_a_cap_the_worst_day_is_the_one_whose_rates_still_show() -> None:
    """On working days nearly all rates are at the cap, so a house away shows on the Saturday, by the twin."""
    work, free = ((period("Day", 0.0, leave=leave, arrive=1 - leave, basis="step"),) for leave in (0.1, 0.4))
    habits = HOURLY.models[0].habits[0].replace(periods=work, weekend=free)
    street = HOURLY.replace(
        households=16,
        groups=(Group(occupied_min=1.0, empty_max=0.5, empty_min=0.5),),
        models=(OccupancyModel(habits=(habits,)),),
    )
    street = street.replace(price_cap=street.beta + street.alpha * 5.6)
    place, told = twin.worst(street, "day", "outsider", 0.0, 100)
    found = rtp.exposure(street, "day")
    assert found.weekday == place.weekday == "Saturday"
    assert found.at("optimal").high > told.pairs - 3 * told.error


def test_noise_falls_between_none_and_much_where_others_hide_a_house_that_shows_anyway() -> None:
    """All are up for an hour, without noise: an insider sees who is not, an outsider loses by other hours."""
    up, day = (("Up", 0.0, 0.0, 1.0), ("Day", 2.0, 0.3, 0.3))
    periods = tuple(
        period(name, at, leave=out, arrive=back, basis="step") for name, at, out, back in (up, day)
    )
    habits = HOURLY.models[0].habits[0].replace(initial_occupied=1.0, periods=periods)
    street = HOURLY.replace(models=(OccupancyModel(habits=(habits,)),), groups=(Group(occupied_min=0.5),))
    found = rtp.exposure(street, "day")
    for width in (0.0, 2.0, 8.0):
        told = twin.tell(street, "day", "outsider", width, found.house or 0, "Monday", 400)[0]
        _, low, high = (float(each[0]) for each in found.over_widths([width]))
        assert low - 3 * told.error <= told.pairs <= high + 3 * told.error


def test_a_kind_of_day_without_secrets_does_not_say_how_wide_noise_is() -> None:
    """On a Saturday nobody is in, so no noise is needed; working days have theirs."""
    gone = (period("Day", 0.0, leave=1.0, arrive=0.0, basis="step"),)
    habits = HOURLY.models[0].habits[0].replace(initial_occupied=0.0, weekend=gone)
    street = HOURLY.replace(models=(OccupancyModel(habits=(habits,)),))
    apart, alone = (rtp.exposure(each, observer="insider") for each in (street, without_weekend(street)))
    assert apart.width("blowfish", [1.0]) == alone.width("blowfish", [1.0]) > 0
    assert abs(apart.at("blowfish", 0.5).value - alone.at("blowfish", 0.5).value) < 0.02


def _beside_large(small: Law, large: Law, many: int) -> Scenario:
    """Return a street of one small house beside so many large ones."""
    return HOURLY.replace(
        households=1 + many,
        groups=(
            Group(name="Small", share=1 / (1 + many), law=small, occupied_min=1.0),
            Group(name="Large", share=many / (1 + many), law=large, occupied_min=6.0, occupied_max=6.0),
        ),
        models=(OccupancyModel(habits=HOURLY.models[0].habits * 2),),
    )


def test_sums_of_point_masses_show_a_small_house_among_many_large_ones() -> None:
    """Twenty houses use whole halves, so what is left of a sum is what the small one uses."""
    edges, empty, occupied = (0.01, 0.06, 0.07), (0.1, 0.5, 0.4), (0.6, 0.2, 0.2)
    small, large = (
        Law(
            edges=tuple(np.repeat(places, 2).tolist()),
            empty=(empty[0], 0.0, empty[1], 0.0, empty[2]),
            occupied=(occupied[0], 0.0, occupied[1], 0.0, occupied[2]),
        )
        for places in (edges, (1.5, 3.5, 4.0))
    )
    street = _beside_large(small, large, 20)
    found = rtp.exposure(street, group="Small")
    assert found.exact
    place = twin.Place(0, found.weekday or "Monday", found.step)
    told = twin.at(street, "moment", "outsider", 0.0, place, 300)
    low, high = found.at("optimal")[1:]
    assert low - 3 * told.error <= told.pairs <= high + 3 * told.error


def test_a_small_house_shows_between_the_narrow_uses_of_large_ones() -> None:
    """Five large houses leave gaps in what they use together; the small one's uses lie within these."""
    tight = Law(edges=(0.0, 0.003, 0.006, 0.009), empty=(1.0, 0.0, 0.0), occupied=(0.0, 0.0, 1.0))
    large = Law(edges=(1.0, 1.001, 2.0, 2.001), empty=(1.0, 0.0, 0.0), occupied=(0.0, 0.0, 1.0))
    street = _beside_large(tight, large, 5)
    assert rtp.exposure(street, group="Small").at("optimal").value > 0.99


def test_groups_and_houses_are_those_that_were_asked_for() -> None:
    street = PRESETS["feeder"].replace(households=18, step_minutes=60)
    found = rtp.exposure(street, "day", "insider")
    assert list(found.by_group) == ["Flats", "Houses", "Shops"]
    assert found.at("blowfish").value == max(each.at("blowfish").value for each in found.by_group.values())
    only = rtp.exposure(street, "day", "insider", group="Houses")
    assert list(only.by_group) == ["Houses"]
    with pytest.raises(ScenarioError):
        rtp.exposure(street, group="Barns")
    with pytest.raises(ScenarioError):
        rtp.exposure(street, houses=[18])


def test_demand_that_point_masses_decode_hides_nobody() -> None:
    """Sizes whose sums all differ: the exact demand says who is in, though sums of floats are rounded."""
    street = of_sizes([1.1**k * 2**k / 7 for k in range(4)], ONE_OR_NONE)
    found = rtp.exposure(street).at("optimal")
    assert found.value == 1.0
    assert found.low > 0.95


def test_a_sum_that_is_rounded_is_still_explained() -> None:
    edges = np.array([[each, each] for each in (0.1, 0.2, 0.3)])
    used = joint_use(Histograms(edges=edges, mass=np.ones((2, 3, 1))))
    added = np.array([0.1 + (0.2 + 0.3), (0.1 + 0.2) + 0.3])
    assert added[0] != added[1]
    assert np.isfinite(used.log_density(added, np.zeros(2))).all()


def test_a_cap_hides_what_is_above_it_and_no_more() -> None:
    """Where all rates are capped a price shows nothing, and where few are nearly all that it showed."""
    free = rtp.exposure(HOURLY, "day").at("optimal").value
    at = [
        rtp.exposure(HOURLY.replace(price_cap=HOURLY.beta + more), "day").at("optimal").value
        for more in (1e-9, 0.5, 10.0)
    ]
    assert at[0] == pytest.approx(0.5, abs=0.01)
    assert at[0] < at[1] < at[2] == free


ODD = {
    "one house": HOURLY.replace(households=1),
    "all at home": certain(HOURLY, 1.0),
    "never moving": certain(HOURLY, 0.3),
    "next to no use": HOURLY.replace(groups=(Group(occupied_max=1e-6, empty_max=1e-6),)),
    "the same use": HOURLY.replace(groups=(Group(empty_min=1.0, empty_max=1.0, occupied_min=1.0),)),
    "dear": HOURLY.replace(alpha=1e6),
    "cut at both ends": HOURLY.replace(price_cap=HOURLY.beta + 1, clip_at_zero=True),
    "habits apart": HOURLY.replace(habit_spread=0.3),
    "many, point masses": HOURLY.replace(households=14, groups=(Group(law=ONE_OR_NONE, occupied_min=1.0),)),
    "many": HOURLY.replace(households=100_000),
    "Sunday first": PRESETS["feeder"].replace(households=5, step_minutes=60, first_weekday="Sunday", days=9),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ODD)
def test_an_odd_street_has_an_answer(name: str) -> None:
    asked: list[tuple[Secret, Observer, float]] = [
        ("moment", "outsider", 0.05),
        ("moment", "insider", 0),
        ("day", "outsider", 0),
    ]
    for secret, observer, rarest in asked:
        found = rtp.exposure(ODD[name], secret, observer, rarest=rarest)
        for epsilon in (None, 1e-4, 1e4):
            value, low, high = found.at("blowfish", epsilon)
            assert 0.5 <= low <= value <= high <= 1
        assert found.at("forecast") == (0.5, 0.5, 0.5)
        if ODD[name].households == 1 and secret == "moment":
            assert found.exact
    if name in ("all at home", "the same use"):
        assert rtp.exposure(ODD[name]).at("optimal").value == 0.5


def test_noise_that_grows_never_shows_more() -> None:
    found = rtp.exposure(PRESETS["tiny street"])
    value, low, high = found.over_widths(np.geomspace(1e-3, 1e3, 40))
    assert (np.diff(value) <= 0).all()
    assert value[0] > 0.9 > 0.52 > value[-1]
    assert ((low <= value) & (value <= high)).all()
    assert found.at("blowfish", 1e-4).high < 0.501


def test_a_house_that_shows_without_noise_alone_is_not_the_worst_of_a_little() -> None:
    """Two houses are certain without noise, and one of them is hidden by little."""
    found = rtp.exposure(PRESETS["tiny street"].replace(households=20), observer="insider")
    (curve,) = found.curves.values()
    assert (np.diff(curve.areas[0]) < 0.01).all()


def test_the_same_seed_says_the_same_and_another_nearly() -> None:
    first, again, other = (rtp.exposure(HOURLY, seed=seed).at("blowfish", 5.0) for seed in (1, 1, 2))
    assert first == again != other
    assert abs(first.value - other.value) < 2 * (first.high - first.low)


@pytest.mark.parametrize("secret", ["moment", "day"])
def test_an_outsider_tells_no_more_than_an_insider(secret: Secret) -> None:
    """Where noise is all that hides, luck must not put the one who knows less above."""
    street = PRESETS["tiny street"].replace(step_minutes=60)
    budgets = np.geomspace(0.01, 10, 30)
    outside, inside = (
        rtp.exposure(street, secret, who).over("blowfish", budgets) for who in get_args(Observer)
    )
    for less, more in zip(outside, inside, strict=True):
        assert (less <= more).all()
