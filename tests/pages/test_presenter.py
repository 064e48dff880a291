"""Presenter view: one switch, in the link."""

from rtp import Scenario
from tests.help.app import FOLDED, click, key, link_of, opened, scenario_of, shown


def test_the_switch_folds_the_sidebar_and_is_in_the_link() -> None:
    app = opened(epsilon="0.3", sections=FOLDED)
    numbers = shown(app)
    assert app.get("download_button")
    click(app, "action:present")
    assert not app.sidebar.children
    assert link_of(app) == {"epsilon": "0.3", "present": "true"}
    assert shown(app) == numbers
    assert not app.get("download_button"), "files wait until the class is over"
    app.select_slider(key=key(app, "slider:epsilon")).set_value(1.0).run()
    click(app, "action:new draw")
    assert scenario_of(app) == Scenario(epsilon=1.0, seed=1)
    links = [link.proto.query_string for link in app.get("page_link")]
    assert all("present=true" in link for link in links)
    click(app, "presenter:end")
    assert app.sidebar.children
