"""The caption of a picture says which scenario it shows."""

import pytest

from rtp import PRESETS, Scenario
from rtp.scenario.describe import MAX_CHANGES, caption, origin_words


def test_the_papers_day() -> None:
    told = "ε 0.5; α 1; β 62.5; households 1,000; days 1"
    assert caption(Scenario(), "paper") == f"Paper: {told}. RTP Privacy Lab {origin_words(Scenario())}"


def test_what_else_was_changed_is_named_and_what_is_always_told_is_told_once() -> None:
    changed = caption(Scenario(epsilon=0.1, inelastic_demand=30.0, clip_at_zero=True), "paper")
    assert "days 1; Inelastic demand: 30; Never publish a negative rate: yes." in changed
    assert changed.count("ε") == 1
    assert changed.startswith("Paper: ε 0.1; ")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_as_it_is_has_changed_nothing(preset: str) -> None:
    assert caption(PRESETS[preset], preset).count(";") == 5  # four between the numbers, one before the digest


def test_many_changes_are_cut_short() -> None:
    changed = Scenario(
        inelastic_demand=1.0,
        elasticity=0.5,
        negligible=0.1,
        habit_spread=0.02,
        habit_clip="closed",
        naive_bound="realised",
        independent_noise=True,
        clip_at_zero=True,
    )
    told = caption(changed, "paper")
    assert told.count(";") == 5 + MAX_CHANGES + 1
    assert f"; {8 - MAX_CHANGES} more settings changed. RTP" in told
