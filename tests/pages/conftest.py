"""What all tests of screens share."""

from collections.abc import Iterator
from functools import cache
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from tests.help.app import glance
from tests.help.outline import SCREENS

PATIENCE = 60.0  # seconds


@pytest.fixture(scope="session", autouse=True)
def _one_scan_for_components() -> Iterator[None]:
    """Streamlit looks through all installed packages for components whenever a test opens the app; the lab
    has none, and the answer, which costs more than the screen itself, is the same every time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests)
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_run_is_awaited() -> Iterator[None]:
    """Streamlit asks a thousand times a second whether the script has ended, and so keeps it from running;
    to wait for its thread says the same. A machine that is busy otherwise is waited for, too."""

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        thread = runner._script_thread
        assert thread is not None
        patience = max(timeout, PATIENCE)
        thread.join(patience)
        if thread.is_alive():
            runner.request_stop()
            raise RuntimeError(f"The script ran for more than {patience} seconds.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def _a_script_is_compiled_once() -> Iterator[None]:
    """Streamlit's server keeps what it has compiled, and its test runner compiles it anew for every run: the
    app in one cache, its pages in another."""
    kept = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        for module in (local_script_runner, app_test):
            patch.setattr(module, "ScriptCache", lambda: kept)
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_server_is_mocked() -> Iterator[None]:
    """What stands for the server is a class of its own for every run, and costs more than to start a run; a
    run sets all that it uses of it, and nobody asks what was called."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", cache(MagicMock))
        yield


@pytest.fixture(scope="session", autouse=True)
def _messages_have_no_names() -> Iterator[None]:
    """Every message has a name made of all that it says, by which a browser knows what it was sent before.
    No browser reads these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script_run_context, "populate_hash_if_needed", lambda _: None)
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at the same screen follow one another, so that one worker opens it for all of them."""
    places = [i for i, item in enumerate(items) if "glanced" in getattr(item, "fixturenames", ())]
    looking = [items[i] for i in places]
    looking.sort(key=screen_of)
    for i, item in zip(places, looking, strict=True):
        items[i] = item


def screen_of(item: pytest.Item) -> int:
    assert isinstance(item, pytest.Function)
    return list(SCREENS).index(str(item.callspec.params["name"]))


@pytest.fixture
def glanced(name: str) -> AppTest:
    """The screen of `SCREENS` with the name that the test is given."""
    return glance(*SCREENS[name])
