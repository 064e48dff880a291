"""Does a round teach? The plain guesser, and the averages that `docs/maths.md` shows."""

from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from rtp import Scenario
from rtp.core.stats import Range
from rtp.play import Round, play_street
from rtp.play.scores import CLEARLY
from rtp.play.teach import Lesson, lesson, lessons_table, main, measure_round, plain_guess
from rtp.teaching.plan import PLAY_PLAN

ROUNDS = 12
# Guesses about one street at one step share a price: however they hang together, their mean has a standard
# deviation of at most 1/2. Prices of other steps and streets are independent.
TOLERANCE = 3.3 * 0.5 / sqrt(ROUNDS * 12 * 5)


@pytest.fixture(scope="module")
def default() -> Lesson:
    return lesson(Round(), range(1000, 1000 + ROUNDS))


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


def test_the_plain_guesser_cannot_tell_equal_houses_apart() -> None:
    street = play_street(Round(per_street=8), 0)
    guessed = plain_guess(street)
    np.testing.assert_array_equal(guessed[:, 0], guessed[:, 5])  # both of 1 kW
    assert ((guessed >= 0) & (guessed <= 1)).all()


@pytest.mark.slow
def test_exact_prices_teach_and_private_ones_do_not(default: Lesson) -> None:
    """The expected shares are 77 % and 54 % for the observer, 76 % and 53 % for the plain guesser."""
    for exact, private in (
        (default.observer, default.observer_private),
        (default.plain, default.plain_private),
    ):
        assert exact.value - default.habits.value > CLEARLY
        assert private.value - default.habits.value < CLEARLY
        assert exact.value - private.value > CLEARLY


def test_the_observers_share_is_that_of_exact_bayes(default: Lesson) -> None:
    assert default.habits.value == 0.5
    assert default.observer.value == pytest.approx(0.7735, abs=TOLERANCE)
    assert default.observer_private.value == pytest.approx(0.5377, abs=TOLERANCE)
    assert TOLERANCE < CLEARLY - 0.0377


@pytest.mark.long
def test_a_crowd_hides_everyone() -> None:
    shares = [lesson(Round(per_street=houses), range(6)).observer.value for houses in (3, 5, 20)]
    margin = 3.3 * 0.5 / sqrt(6 * 12)  # of the longest street, which has one price a step
    assert shares[0] > shares[1] > shares[2]
    assert shares[2] < 0.566 + margin


def test_a_lesson_is_the_mean_over_its_rounds() -> None:
    small = Round(players=4, steps=3)
    shares = np.array([measure_round(small.replace(scenario=small.scenario.replace(seed=s))) for s in (1, 2)])
    found = lesson(small, (1, 2))
    assert found.observer.value == pytest.approx(shares[:, 2].mean())
    half = (found.observer.high - found.observer.low) / 2
    assert half == pytest.approx(12.706204736 * abs(shares[0, 2] - shares[1, 2]) / 2)
    assert found.per_street == 4
    assert [each.value for each in found[1:]] == pytest.approx(shares.mean(axis=0).tolist())


def test_what_the_teachers_plan_says_of_a_round_holds() -> None:
    """Noise of scale 8 kW/ε deviates by √2 as much; a house uses 0.425 of its size on average."""
    _, _, revealed, private, *_ = (stop.say for stop in PLAY_PLAN)
    assert "about three times in four" in revealed  # 77 %, and 95 % of the largest: `test_street`
    assert "misses by about a third" in private
    assert sqrt(2) * 8 / 0.5 / (62.5 + 0.425 * 15) == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.slow
def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(2)
    rows = capsys.readouterr().out.splitlines()
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {houses}" for houses in (3, 4, 5, 8, 20)]
    assert (
        rows[2:4] == lessons_table([lesson(Round(per_street=n), range(2)) for n in (3, 4)]).splitlines()[2:]
    )


def test_the_documents_table_is_in_the_form_that_is_printed(default: Lesson) -> None:
    text = (Path(__file__).parents[3] / "docs" / "maths.md").read_text(encoding="utf-8")
    head, rule, row = lessons_table([default]).split("\n")
    assert f"{head}\n{rule}\n" in text
    assert row.count("±") == 5
    half = Lesson(4, *[Range(0.5, 0.375, 0.625)] * 5)
    assert lessons_table([half, half._replace(per_street=5)]).splitlines() == [
        "| houses per street | habits alone | plain guesser, exact price | observer, exact price | "
        "plain guesser, private price | observer, private price |",
        "| --- | --- | --- | --- | --- | --- |",
        "| 4 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 |",
        "| 5 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 | 50.0 ± 12.5 |",
    ]
