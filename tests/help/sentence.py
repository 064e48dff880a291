"""A refusal is tested by its whole sentence: `raises(…, match=exactly("…"))`, or `refuse(…) == "…"`."""

import re
from collections.abc import Callable

import pytest

from rtp import ScenarioError

NO_TEXT = "input should be a valid string, unable to parse raw data as a unicode string."


def exactly(sentence: str) -> str:
    """A pattern that nothing but this sentence matches."""
    return rf"\A{re.escape(sentence)}\Z"


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
