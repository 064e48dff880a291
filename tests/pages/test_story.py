"""The story on Explore and its tour across the screens."""

import re
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.explore.screen import COMPARE
from rtp import PRESETS
from rtp.teaching.tour import STOPS
from tests.help.app import click, figures, key, lab_of, opened, said


def walk(app: AppTest, label: str) -> None:
    """Follow a link of the tour, as a browser does."""
    (link,) = [element.proto for element in app.get("page_link") if element.proto.label == label]
    app.query_params.clear()
    app.query_params.update(dict(parse_qsl(link.query_string)))
    app.switch_page(f"pages/{link.page}.py" if link.page != "." else "app.py").run()


def titles(app: AppTest) -> list[str]:
    """What stands above the panels of the picture."""
    notes = figures(app)[0]["layout"]["annotations"]
    return [note["text"] for note in notes if "right" in note["text"]]


@pytest.mark.slow
def test_the_tour_leads_through_all_stops_and_leaves_no_trace() -> None:
    app = opened(households="40", epsilon="0.3", rates="naive", sections=[COMPARE])
    click(app, "action:new draw")
    click(app, "pin:now")
    lab = lab_of(app)
    before, pinned, link = (lab.edition, lab.history), dict(lab.pins), dict(app.query_params)
    app.button(key="story:start").click().run()
    for position, stop in enumerate(STOPS, 1):
        assert not app.exception
        assert not app.error
        lab = lab_of(app)
        assert (lab.screen, lab.pins, "shown" in lab.view) == (stop.screen, {}, False)
        assert stop.words in said(app)
        assert len(figures(app)) == 1, "one picture"
        assert app.query_params["story"] == str(position)
        assert app.query_params["epsilon"] == link["epsilon"], "the user's own"
        if position == 4:
            assert "action:new draw" not in [button.key for button in app.button]
            app.select_slider(key=key(app, "slider:epsilon")).set_value(10.0).run()
            assert stop.words not in said(app), "it follows"
            for panel in titles(app):
                assert all(number in said(app) for number in re.findall(r"\d+(?: %)?", panel))
        if position < len(STOPS):
            walk(app, "Next")
    app.button(key="story:end").click().run()
    lab = lab_of(app)
    assert ((lab.edition, lab.history), lab.pins, lab.view["shown"]) == (before, pinned, ["naive"])
    assert "story" not in app.query_params


def test_a_link_resumes_the_tour_elsewhere_and_ends_with_its_scenario() -> None:
    app = opened(story="2", epsilon="0.3")
    assert lab_of(app).screen == STOPS[1].screen
    assert lab_of(app).scenario == PRESETS["paper"]
    walk(app, "Back")
    assert lab_of(app).screen == STOPS[0].screen
    app.switch_page("pages/Street.py").run()
    walk(app, "Go to Explore")
    app.button(key="story:end").click().run()
    assert lab_of(app).scenario.epsilon == 0.3
    assert dict(app.query_params) == {"epsilon": "0.3"}
