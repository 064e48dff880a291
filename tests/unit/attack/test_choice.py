"""Which houses are looked at."""

import numpy as np

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import column_of, largest_gap, ordered_columns, posterior

DAY = simulate(Scenario(households=14))


def test_the_largest_gap_is_between_the_two_bounds_of_one_house_whichever_is_larger() -> None:
    street = DAY.street
    gaps = [abs(a - b) for a, b in zip(street.occupied_bound, street.empty_bound, strict=True)]
    assert largest_gap(street) == gaps.index(max(gaps))
    assert street.empty_bound.argmax() != largest_gap(street) != street.empty_bound.argmin()


def test_a_column_is_that_of_the_house_or_of_the_most_exposed() -> None:
    every, one = posterior(DAY, "blowfish"), posterior(DAY, "blowfish", house=7)
    assert column_of(every, 7) == 7
    assert column_of(one, 7) == 0
    assert column_of(every, None) == list(every.exposure).index(max(every.exposure))


def test_houses_stand_by_exposure_or_by_number_and_can_be_cut_short() -> None:
    seen = posterior(DAY, "blowfish")
    order = ordered_columns(seen, by_exposure=True)
    assert sorted(order.tolist()) == list(range(14))
    assert (np.diff(seen.exposure[order]) <= 0).all()
    assert ordered_columns(seen, by_exposure=True, first=3).tolist() == order[:3].tolist()
    assert ordered_columns(seen, by_exposure=False, first=5).tolist() == [0, 1, 2, 3, 4]


def test_one_house_alone_is_the_same_without_the_others() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=8))
    seen = posterior(day, "blowfish")
    alone = seen.only(5)
    assert alone.houses.tolist() == [5]
    for one, all_houses in zip([alone, *alone.by_model], [seen, *seen.by_model], strict=True):
        for name in ("belief", "prior", "log_likelihood_ratio", "model_only"):
            np.testing.assert_array_equal(getattr(one, name)[:, 0], getattr(all_houses, name)[:, 5])
            assert not np.shares_memory(getattr(one, name), getattr(all_houses, name)), "nobody else is kept"
    assert alone.by_model
