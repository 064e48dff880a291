"""Does a round teach? The plain guesser, and the averages that `docs/maths.md` shows."""

from itertools import product
from math import sqrt

import pytest

from rtp import Scenario
from rtp.play import Round, play_street
from rtp.play.scores import CLEARLY
from tests.help.played_lessons import lesson, plain_guess

ROUNDS = 12
# Guesses about one street at one step share a price: however they hang together, their mean has a standard
# deviation of at most 1/2. Prices of other steps and streets are independent.
TOLERANCE = 3.3 * 0.5 / sqrt(ROUNDS * 12 * 5)


@pytest.mark.parametrize("alpha", [1.0, 2.0])
def test_the_plain_guesser_takes_the_nearest_sum(alpha: float) -> None:
    """A price is α for every kW above 62.5, of which 10 kW are used by nobody's house."""
    tariff = Scenario(alpha=alpha, inelastic_demand=10.0, beta=62.5 - 10 * alpha)
    street = play_street(Round(scenario=tariff), 0)
    guessed = plain_guess(street)
    for price, row in zip(street.price, guessed, strict=True):
        sums = {
            state: 62.5
            + alpha * sum((0.8 if s else 0.05) * size for s, size in zip(state, (1, 2, 4, 8), strict=True))
            for state in product((0, 1), repeat=4)
        }
        assert tuple(row) == min(sums, key=lambda state: abs(sums[state] - price))


@pytest.mark.long
def test_the_observers_share_is_that_of_exact_bayes() -> None:
    """An optimal rate teaches her, a private one does not; nor the plain guesser; and the screens say so."""
    default = lesson(Round(), range(1000, 1000 + ROUNDS))
    assert default.habits.value == 0.5
    assert default.observer.value == pytest.approx(0.7735, abs=TOLERANCE)
    assert default.observer_private.value == pytest.approx(0.5377, abs=TOLERANCE)
    assert default.plain.value - 0.5 > CLEARLY > default.plain_private.value - 0.5
    assert default.away.value == default.apart.value == 1.0 > 0.5 > default.away_private.value
