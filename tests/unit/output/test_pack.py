"""The teacher's pack: what is to be solved can be, and what is said of it is true."""

from itertools import combinations

import pytest

from rtp.output import pack
from rtp.play import Round, reveal
from rtp.play.scores import COIN, class_share
from rtp.teaching.exercises import EXERCISES


def test_the_price_on_the_handout_is_solved_by_two_sums_and_the_truth_is_one() -> None:
    """By counting all sums of 0.6 to 1 of a size at home, and up to a tenth away."""
    solved, sizes = pack.puzzle(), (1.0, 2.0, 4.0, 8.0)
    found = []
    for many in range(5):
        for home in combinations(range(4), many):
            low = sum(0.6 * sizes[house] for house in home)
            high = sum(sizes[house] * (1 if house in home else 0.1) for house in range(4))
            if low <= solved.price - 62.5 <= high:
                found.append(tuple(house in home for house in range(4)))
    assert sorted(found) == sorted(solved.fits)
    assert solved.truth in solved.fits
    sure = [house for house in range(4) if len({each[house] for each in found}) == 1]
    assert solved.sure() == sure
    assert f"{solved.price:.1f}" in " ".join(pack.handout().lines)


def test_the_recorded_round_opens_and_its_class_guesses_as_an_observer_does() -> None:
    played = Round.from_json(pack.recorded_round().to_json())
    scores = reveal(played)
    assert played.players == 25
    assert len(played.guesses) == played.steps * played.players
    share = class_share(played, scores.at_home)
    assert share is not None
    assert share.low < scores.observer.value < share.high
    assert scores.observer.low > COIN


@pytest.mark.long
def test_the_pack_is_whole() -> None:
    slides, sheet = pack.slides(), pack.expected_numbers()
    assert len(slides) == 8
    assert sum(slide.bars is not None or slide.svg is not None for slide in slides) == 3
    assert all(exercise.title in sheet for exercise in EXERCISES)
