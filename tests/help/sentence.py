"""A refusal is one sentence, which tests look through for the field and what would be accepted."""

import re
from collections.abc import Callable

import pytest

from rtp import ScenarioError


def refuse(make: Callable[[], object]) -> str:
    """The sentence with which something is refused, after checking that it is exactly one."""
    with pytest.raises(ScenarioError) as caught:
        make()
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert not re.search(r"[.!?]\s+[A-Z]", sentence), "more than one sentence"
    assert len(sentence) < 600
    assert sentence == f"{caught.value.path} {caught.value.problem}"
    return sentence
