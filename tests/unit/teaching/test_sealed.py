"""Find the cheat: what is drawn, seen and voted. The audit of twenty draws: `python -m benchmarks audit`."""

import re

import numpy as np
import pytest

from rtp.audit.cheating import (
    FAULTS,
    name_of,
    no_noise_in_one_rate_of_twenty,
    noise_repeated_every_other_day,
)
from rtp.output.play import reason
from rtp.scenario import ScenarioError
from rtp.teaching.sealed import HONEST, SEALED_LETTERS, SHOWN_DAYS, prices, sealed, votes_of, votes_text

REPEATED, MISSING = map(name_of, (noise_repeated_every_other_day, no_noise_in_one_rate_of_twenty))


def test_every_five_have_two_or_three_different_cheats_and_each_comes_up() -> None:
    faults, honest = set(), set()
    for number in range(1, 101):
        five = sealed(number)
        assert "".join(each.letter for each in five) == SEALED_LETTERS
        assert len({(each.made_from, each.fault) for each in five}) == len(five)
        assert sum(bool(each.fault) for each in five) in (2, 3)
        faults |= {each.fault for each in five if each.fault}
        honest |= {each.made_from for each in five if not each.fault}
    assert (faults, honest) == (set(FAULTS), set(HONEST))


def test_what_can_be_seen_of_a_cheat_is_there_and_is_named() -> None:
    """Noise that is used again, and no other; and the rate that is said to have none."""
    for number in range(1, 9):
        seen = prices(number)
        for each in sealed(number):
            noise = seen.rate[each.letter] - seen.optimal
            assert np.allclose(*np.split(noise, SHOWN_DAYS)) == (each.fault == REPEATED)
            said = reason(each, seen)
            assert bool(said) == bool(each.fault)
            named = re.search(r"Step (\d+) is exact", said)
            assert named or each.fault != MISSING
            assert named is None or noise[int(named[1]) - 1] == 0


def test_votes_come_back_from_their_text_and_others_are_refused() -> None:
    votes = {"A": True, "C": False, "E": True}
    assert votes_of("votes", votes_text(votes)) == votes
    assert votes_of("votes", "eA") == {"A": True, "E": False}
    for text in ("F", "Aa", "A B", "é"):
        with pytest.raises(ScenarioError, match="votes is"):
            votes_of("votes", text)
