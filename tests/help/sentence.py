"""A refusal is tested by its whole sentence: `pytest.raises(…, match=exactly("…"))`."""

import re


def exactly(sentence: str) -> str:
    """A pattern that nothing but this sentence matches."""
    return rf"\A{re.escape(sentence)}\Z"
