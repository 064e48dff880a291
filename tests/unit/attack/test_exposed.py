"""Why this house: each reason is said where, and only where, it holds."""

from itertools import pairwise

import numpy as np

from rtp import Scenario, simulate
from rtp.attack.exposed import Place, place, why_words
from rtp.attack.observer import posterior

DAY = simulate(Scenario(households=40))
FIRST = Place(exposure=1, gap=1, gap_and_openness=1, of=40, more_while_empty=False, uniform=True)


def test_places_are_counted_among_the_houses_she_follows() -> None:
    seen = posterior(DAY, "calibrated")
    gaps = [abs(a - b) for a, b in zip(DAY.street.occupied_bound, DAY.street.empty_bound, strict=True)]
    open_ = [gap * np.mean(p * (1 - p)) for gap, p in zip(gaps, seen.model_only.T, strict=True)]
    for column in (0, 7, int(seen.exposure.argmax())):
        found = place(seen, column, DAY.street)
        for rank, values in (
            (found.exposure, list(seen.exposure)),
            (found.gap, gaps),
            (found.gap_and_openness, open_),
        ):
            assert sorted(values, reverse=True)[rank - 1] == values[column]
        assert found.of == 40
        assert found.more_while_empty == (DAY.street.empty_bound[column] > DAY.street.occupied_bound[column])
    assert place(seen, int(seen.exposure.argmax()), DAY.street).exposure == 1
    assert place(posterior(DAY, "calibrated", house=7), 0, DAY.street)[:4] == (1, 1, 1, 1)


def test_a_larger_gap_with_a_smaller_product_leaves_less_open() -> None:
    """What is said of the second reason follows from its rank."""
    rng = np.random.default_rng(0)
    for gap, openness in rng.random((100, 2, 6)):
        best = int((gap * openness).argmax())
        assert (openness[gap > gap[best]] < openness[best]).all()


def test_the_reason_is_the_first_that_holds() -> None:
    assert "no other house's two bounds are as far apart" in why_words(FIRST)
    habits = why_words(FIRST._replace(gap=3))
    assert "only 2 of them have bounds further apart, and their habits leave less open" in habits
    luck = why_words(FIRST._replace(gap=3, gap_and_openness=2))
    assert luck.endswith("of 40: only 2 of them have bounds further apart; the rest is how this day went.")
    asked = why_words(FIRST._replace(exposure=9, gap=4))
    assert asked == (
        "Of 40 houses it is number 9 by what the rates tell about it, and number 4 by how far its two bounds "
        "are apart."
    )
    alone = FIRST._replace(of=1)
    assert why_words(alone) == ""
    assert why_words(alone._replace(more_while_empty=True)) == (
        "It uses more while empty: a high rate speaks for nobody at home."
    )
    sentences = [why_words(FIRST), habits, luck, asked]
    assert all(one != other for one, other in pairwise(sentences))


def test_of_a_house_that_uses_more_while_empty_high_rates_speak_for_nobody_at_home() -> None:
    """The insider's evidence falls as the rate rises, and rises where a house uses more while occupied."""
    seen = posterior(DAY, "blowfish", knows="others")
    noise = DAY.release["blowfish"].rate - DAY.release["blowfish"].optimal
    more = DAY.street.empty_bound > DAY.street.occupied_bound
    assert 0 < more.sum() < 40
    for house in range(40):
        low, high = seen.log_evidence[noise.argmin(), house], seen.log_evidence[noise.argmax(), house]
        assert (high < low) == more[house]


def test_where_use_has_laws_its_means_are_what_is_apart() -> None:
    assert "two bounds are as far apart" in why_words(FIRST)
    assert "two mean uses are as far apart" in why_words(FIRST._replace(uniform=False))
