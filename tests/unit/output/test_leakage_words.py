"""What is said first of what an observer can tell: from the numbers of the bars beneath it."""

import pytest

from rtp import Scenario
from rtp.core.stats import Range
from rtp.leakage.overview import OBSERVERS, SECRETS, Overview
from rtp.output.leakage import EDGE, crowd_hides, verdict_words

STREET = Scenario(households=777)


def seen(moment: float, holiday: float, *, settled: bool = False) -> Overview:
    shares = {"moment": moment, "history": 0.8, "holiday": holiday}
    areas = {
        (secret, who): Range(shares[secret], shares[secret] - 0.02, shares[secret] + 0.02)
        for secret in SECRETS
        for who in OBSERVERS
        if not (settled and secret == "moment")
    }
    return Overview(house=0, step=0, repetitions=40, areas=areas)


def test_a_crowd_that_hides_all_is_said_to_an_outsider_only() -> None:
    found = {"optimal": seen(0.55, 0.7), "blowfish": seen(0.51, 0.7)}
    assert crowd_hides(found)
    assert "777" in verdict_words(STREET, found, "outsider")
    assert "777" not in verdict_words(STREET, found, "insider")
    for edge in (0.59, 0.9):  # what may be more than that is not called hidden
        assert not crowd_hides(found | {"optimal": seen(edge, 0.9)})


@pytest.mark.parametrize("right", [0.5, 0.59, 0.7, 0.89, 0.95])
def test_a_value_whose_interval_crosses_a_limit_is_on_the_edge(right: float) -> None:
    both = {"optimal": seen(1.0, 1.0), "blowfish": seen(0.7, right)}
    assert (EDGE in verdict_words(STREET, both, "insider")) == (right in (0.59, 0.89))
