"""What all tests of screens share."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def _one_scan_for_components() -> Iterator[None]:
    """Streamlit looks through all installed packages for components whenever a test opens the app; the lab
    has none, and the answer, which costs more than the screen itself, is the same every time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests)
        )
        yield
