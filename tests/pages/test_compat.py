"""Without anything that is not public in Streamlit and starlette the app starts and works."""

import pytest

from pages.ui import compat
from tests.help.app import click, enter, link_of, opened, scenario_of
from tests.help.few import few
from tests.help.outline import VIEWS


@pytest.fixture(autouse=True)
def _absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hook finds nothing, as on another version."""
    monkeypatch.setattr(compat, "run_context", None)
    monkeypatch.setattr(compat, "thread_state", None)
    monkeypatch.setattr(compat, "Spooled", None)


@pytest.mark.parametrize(
    "page", few(sorted({view.page for view in VIEWS} - {"Paper", "Class"}), "Explore", "Street")
)
def test_every_screen_opens_by_its_link_and_follows_epsilon(page: str) -> None:
    app = opened(page, households="5", step_minutes="60", epsilon="0.25")
    assert not app.error
    enter(app, "epsilon", "2")
    assert not app.exception
    assert link_of(app)["epsilon"] == "2.0"
    click(app, "action:undo")
    assert scenario_of(app).epsilon == 0.25
