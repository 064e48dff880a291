"""Sentences and tables hold the numbers of the day that they are about; none is repeated here in words."""

import numpy as np
import pytest

from rtp import PRESETS, simulate
from rtp.core.formatting import plain
from rtp.mechanisms import FEATURED
from rtp.output.words import noise_story


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
