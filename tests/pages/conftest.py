"""What all tests of screens share."""

import importlib.metadata
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _no_package_is_searched() -> Iterator[None]:
    """Streamlit looks through all installed packages for components whenever a test opens the app; none has
    one that the lab uses, and to look costs five times what the screen itself does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: [])
        yield
