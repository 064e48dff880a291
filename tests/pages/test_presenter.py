"""Presenter view: one switch, in the link."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from rtp import Scenario
from rtp.figures.theme import LARGE_TYPE, SMALL
from rtp.scenario.describe import caption
from tests.help.app import FOLDED, figures, key, link_of, opened, press, scenario_of, shown


def data(app: AppTest) -> dict[str, object]:
    """What the browser is told for the pictures."""
    (proto,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "lab_charts"]
    told: dict[str, object] = json.loads(proto.json)
    return told


def test_the_switch_folds_the_sidebar_and_is_in_the_link() -> None:
    app = opened(epsilon="0.3", sections=FOLDED)
    numbers = shown(app)
    assert app.get("download_button")
    press(app, "Present")
    assert not app.sidebar.children
    assert link_of(app) == {"epsilon": "0.3", "present": "true"}
    assert shown(app) == numbers
    assert not app.get("download_button"), "files wait until the class is over"
    assert FOLDED[1] not in [each.label for each in app.expander]
    press(app, "End")
    assert app.sidebar.children
    assert link_of(app) == {"epsilon": "0.3"}
    assert FOLDED[1] in [each.label for each in app.expander]


def test_epsilon_and_another_day_are_at_hand_and_other_screens_are_presented_too() -> None:
    app = opened(present="true")
    app.select_slider(key=key(app, "slider:epsilon")).set_value(1.0).run()
    press(app, "New draw")
    scenario = Scenario(epsilon=1.0, seed=1)
    assert scenario_of(app) == scenario
    assert data(app)["caption"] == caption(scenario, "paper")
    links = [link.proto.query_string for link in app.get("page_link")]
    assert len(links) > 5
    assert all("present=true" in link for link in links)


@pytest.mark.parametrize("present", ["true", "false"])
def test_charts_are_in_large_type_only_in_front_of_a_class(present: str) -> None:
    app = opened("Paper", present=present)
    large = present == "true"
    assert data(app) == data(app) | {"screen": "Paper", "presenting": large}
    sizes = {figure["layout"].get("font", {}).get("size") for figure in figures(app)}
    assert sizes == {LARGE_TYPE if large else SMALL}


def test_the_story_can_be_told_to_a_class() -> None:
    app = opened(story="1", present="true", epsilon="0.3")
    assert link_of(app) == {"epsilon": "0.3", "present": "true", "story": "1"}
    assert not app.sidebar.children
    press(app, "End the story")
    assert scenario_of(app) == Scenario(epsilon=0.3)
    assert not app.sidebar.children
    press(app, "End")
    assert app.sidebar.children
