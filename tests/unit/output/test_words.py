"""Sentences and tables hold the numbers of the day that they are about; none is repeated here in words."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import plain
from rtp.mechanisms import FEATURED, REGISTRY
from rtp.output.glossary import GLOSSARY, help_for
from rtp.output.words import edited, noise_story, unusual_words

FEW = simulate(Scenario(households=20))


@pytest.mark.parametrize("name", ["mansions", "quiet night", "paper"])
def test_the_story_has_a_line_for_every_change_of_the_noise(name: str) -> None:
    day = simulate(PRESETS[name])
    scale = day.release[FEATURED].scale
    changes = np.flatnonzero(np.diff(scale)) + 1
    story = noise_story(day)
    if not len(changes):
        assert len(story) == 1
        assert plain(scale[0], 4) in story[0]
        return
    for step, line in zip(changes, story, strict=True):
        assert line.startswith(f"**{day.scenario.when(int(step))}**")
        assert f"{plain(scale[step - 1], 4)} → {plain(scale[step], 4)}" in line


def test_only_rates_outside_their_range_are_called_unusual() -> None:
    error = FEW.release["naive"].rmsre
    assert unusual_words(FEW, {"naive": (0.5 * error, 1.5 * error)}) == ""
    assert unusual_words(FEW, {"naive": (2.0, 2.0)}) == ""  # no noise: every draw is the same
    low, high = (unusual_words(FEW, {"naive": ends}) for ends in ((2 * error, 3 * error), (0.0, error / 2)))
    assert REGISTRY["naive"].label in low
    assert REGISTRY["naive"].label in high
    assert low != high


def test_what_was_edited_is_named_and_cut() -> None:
    paper = PRESETS["paper"]
    assert edited("paper", paper, paper) == ""
    assert "0.5 → 0.3" in edited("paper", paper, paper.replace(epsilon=0.3))
    many = paper.replace(epsilon=0.3, households=7, alpha=2.0, beta=1.0, seed=4)
    assert edited("paper", paper, many).count("→") == 3
    assert "2 more" in edited("paper", paper, many)


def test_the_glossary_explains_the_words_of_a_text_and_no_parts_of_others() -> None:
    found = help_for("Models Θ the curator guards against; RMSRE, κ and λ of an observer. Observers!")
    assert found is not None
    used = [line.partition("**")[2].partition("**")[0] for line in found.split("\n\n")]
    assert used == [term for term in GLOSSARY if term not in ("ε", "occupied")]
    assert help_for("preoccupied, armsre") is None
