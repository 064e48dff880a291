"""How often luck alone makes the published difference."""

from dataclasses import replace

import numpy as np

from rtp.paper.odds import odds
from rtp.paper.reproduction import chance_apart
from tests.help.paper import paper_days


def test_the_odds_are_shares_of_days_and_of_pairs_of_days() -> None:
    days = paper_days(40)
    errors = np.array([[1.1, 1.0, 1.0], [1.0, 1.1, 1.0], [1.05, 1.0, 1.0], [1.2, 1.0, 1.0]])
    few = replace(days, rmsre=errors)
    found = odds(few, 0.1 * (1 - 1e-12))
    assert found.naive_worse == 0.5
    assert found.blowfish_worse == 0.25
    assert found.two_runs == {
        "naive": chance_apart(errors[:, 0], 0.1 * (1 - 1e-12)),
        "blowfish": chance_apart(errors[:, 1], 0.1 * (1 - 1e-12)),
    }
