"""The pictures of Play: the price so far, truth against belief, the tally."""

import numpy as np
import pytest

from rtp.figures.play import AT_HOME, price_figure, reveal_figure, tally_figure
from rtp.figures.style import ARRIVE
from rtp.play import Round, Scores, replay, reveal
from tests.unit.figures.look import axis_titles, trace

WRONG = "The observer is wrong"


@pytest.fixture(scope="module")
def scores() -> Scores:
    return reveal(Round(players=7, steps=6))


def test_a_price_grows_in_a_frame_that_stays(scores: Scores) -> None:
    played = scores.round
    for steps in (1, 6):
        figure, words = price_figure(played, scores.price[:steps, 0])
        np.testing.assert_array_equal(trace(figure, "Exact price").y, scores.price[:steps, 0])
        assert tuple(figure.layout.xaxis.range) == (-0.5, 5.5)
        assert figure.layout.xaxis.ticktext[0] == "07:00"
        assert words.count(" at ") == steps
    assert words.startswith(f"Exact price: {scores.price[0, 0]:.1f} at 07:00, ")
    assert axis_titles(figure) == {"xaxis": "Hour of the round", "yaxis": "Price"}


def test_before_the_first_price_the_frame_is_empty(scores: Scores) -> None:
    figure, words = price_figure(scores.round, scores.price[:0, 0])
    assert len(trace(figure, "Exact price").x) == 0
    assert words == "No price has been published yet."


def test_a_private_price_stands_beside_the_exact_one(scores: Scores) -> None:
    private = scores.round.replace(mechanism="blowfish")
    figure, _ = price_figure(private, scores.private_price[:4, 1], scores.optimal[:, 1])
    np.testing.assert_array_equal(trace(figure, "Blowfish price").y, scores.private_price[:4, 1])
    np.testing.assert_array_equal(trace(figure, "Exact price").y, scores.optimal[:4, 1])


@pytest.mark.parametrize("street", [None, 0, 1])
def test_the_reveal_shows_truth_belief_and_errors(scores: Scores, street: int | None) -> None:
    houses = slice(None) if street is None else slice(4 * street, 4 * street + 4)
    belief, at_home = scores.belief[:, houses], scores.at_home[:, houses]
    figure, words = reveal_figure(scores, street)
    np.testing.assert_allclose(np.array(figure.data[0].z), belief.T, atol=1e-3)
    truth, wrong = trace(figure, AT_HOME), trace(figure, WRONG)
    assert set(zip(truth.x, truth.y, strict=True)) == set(zip(*np.nonzero(at_home), strict=True))
    mistaken = np.nonzero((belief > 0.5) != at_home)
    assert set(zip(wrong.x, wrong.y, strict=True)) == set(zip(*mistaken, strict=True))
    assert len(figure.layout.shapes) == (1 if street is None else 0)
    first = 0 if street is None else 4 * street
    assert figure.layout.yaxis.ticktext[0] == f"{first + 1} (1 kW)"
    right = 1 - len(mistaken[0]) / belief.size
    assert f"She is right {right:.0%} of the time: house {first + 1} " in words


def test_a_replayed_reveal_says_its_rate_and_budget(scores: Scores) -> None:
    _, words = reveal_figure(replay(scores.round, "blowfish", 0.1), 0)
    assert words.startswith(
        "Truth against the observer's belief from the blowfish price at ε = 0.1, 4 houses"
    )


def test_a_tally_shows_counts_and_marks_the_answer_once_revealed() -> None:
    options, counts = ["More", "Less", "The same"], [3, 0, 12]
    figure, words = tally_figure(options, counts)
    assert list(figure.data[0].x) == counts
    assert list(figure.layout.yaxis.ticktext) == options
    assert len(set(figure.data[0].marker.color)) == 1
    assert words == "15 answers. More: 3; Less: 0; The same: 12."
    figure, words = tally_figure(options, counts, answer=2)
    assert figure.layout.yaxis.ticktext[2] == "✓ The same"
    assert figure.data[0].marker.color[2] == ARRIVE
    assert words.endswith("Right is: The same.")
