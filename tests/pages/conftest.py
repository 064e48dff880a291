"""What all tests of screens share."""

import importlib.metadata
from collections.abc import Callable, Iterator

import pytest

from pages.ui import cache, jobs
from tests.help.app import called_here


@pytest.fixture(scope="package", autouse=True)
def _no_package_is_searched() -> Iterator[None]:
    """Streamlit looks through all installed packages for components whenever a test opens the app; none has
    one that the lab uses, and to look costs five times what the screen itself does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: [])
        yield


@pytest.fixture(scope="package", autouse=True)
def _nothing_is_made_beside_the_page() -> Iterator[None]:
    """What a page does not wait for would come at any time; `made_at_once` is for tests of it. The observers
    of Over time, and how far off the attacker is, are waited for, however long it takes."""

    def waited_for(
        kind: str, key: str, make: Callable[[], object], patience: float = 0.0
    ) -> cache.Beside[object]:
        if kind not in ("overview", "judged"):
            return cache.Beside(False, None)
        return cache.Beside(True, cache.cached(kind, key, make))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "beside", waited_for)
        yield


@pytest.fixture(scope="package", autouse=True)
def _no_worker_is_started() -> Iterator[None]:
    """What a screen has computed in a worker is computed here: to start one takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "call", called_here)
        patch.setattr(jobs, "call_alone", called_here)
        yield


@pytest.fixture
def made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made beside the page is there when the page is drawn, and forgotten after the test."""
    made: dict[str, object] = {}

    def at_once(
        kind: str, key: str, make: Callable[[], object], patience: float = 0.0
    ) -> cache.Beside[object]:
        name = f"{kind} {key}"
        if name not in made:
            made[name] = make()
        return cache.Beside(True, made[name])

    monkeypatch.setattr(cache, "beside", at_once)
