"""Every room still answers what it answered, on every preset and four odd streets.

`-k leakage`, `attack`, `audit`, `money`, `tradeoff`, `sweep`, `cli`, `help`, `scenario`, `simulation`,
`teaching`, `paper`, `play`, `meters` or `decision` asks one room alone; `figures` and `texts` hold every
picture as it is drawn and every constant and default, `words` what is said of a street. Floats are compared
to 1e-9, texts to the letter.
`tests.help.answers` says how they are recorded anew where a change is meant.
"""

from copy import deepcopy

import pytest

from tests.help.answers import QUICK, ROOMS, answers, changes, recorded

CASES = [
    pytest.param(
        room,
        case,
        id=f"{room} {case}".replace("paper", "default" if room != "paper" else "paper"),
        marks=() if room in QUICK else pytest.mark.long,
    )
    for room, (_, cases) in ROOMS.items()
    for case in cases
]


@pytest.mark.parametrize(("room", "case"), CASES)
def test_answers_are_those_that_were_recorded(room: str, case: str) -> None:
    assert list(changes(recorded(room)[case], answers(room, case))) == []


@pytest.mark.parametrize("room", ROOMS)
def test_recorded_cases_are_all_that_are_asked(room: str) -> None:
    assert tuple(recorded(room)) == ROOMS[room][1]


def test_a_change_is_noticed_wherever_it_is() -> None:
    kept = recorded("leakage")["paper"]
    assert list(changes(kept, deepcopy(kept))) == []
    moved, fewer = deepcopy(kept), deepcopy(kept)
    moved["moment"]["naive"]["whole"]["sum"] *= 1 + 1e-8
    del fewer["crowd"]
    assert [text.split(":")[0] for text in changes(kept, moved)] == ["/moment/naive/whole/sum"]
    assert [text.split(":")[0] for text in changes(kept, fewer)] == ["/crowd"]
