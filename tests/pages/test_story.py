"""The story: how it is offered, its stops, the guess at its first one, its end."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import tour
from pages.ui.explore.screen import COMPARE
from rtp import PRESETS
from rtp.teaching.home import DAYS, home
from rtp.teaching.plan import STOPS
from tests.help.app import click, figures, key, lab_of, opened, said

START, LATER = "story:start", "story:later"


def offered(app: AppTest) -> bool:
    return START in [button.key for button in app.button]


def titles(app: AppTest) -> list[str]:
    """What stands above the panels of the picture."""
    notes = figures(app)[0]["layout"]["annotations"]
    return [note["text"] for note in notes if "right" in note["text"]]


def percents(words: str) -> list[str]:
    return re.findall(r"\d+ %", words)


def test_it_is_offered_once_and_to_nobody_who_came_for_something() -> None:
    app = opened()
    assert offered(app)
    app.select_slider(key=key(app, "slider:epsilon")).set_value(1.0).run()
    assert offered(app), "nothing moves while a knob is turned"
    click(app, LATER)
    assert not offered(app)
    click(app, "story:open")
    assert lab_of(app).tour
    click(app, "story:end")
    assert not offered(app)
    assert lab_of(app).scenario.epsilon == 1.0
    assert not offered(opened(epsilon="0.3"))
    assert not offered(click(click(opened(), START), "story:end"))


@pytest.mark.slow
def test_the_tour_leads_through_all_stops_and_leaves_no_trace() -> None:
    app = opened(households="40", epsilon="0.3", rates="naive", sections=[COMPARE])
    click(app, "action:new draw")
    click(app, "pin:now")
    lab = lab_of(app)
    before, pinned, link = (lab.edition, lab.history), dict(lab.pins), dict(app.query_params)
    click(app, "story:open")
    for position, stop in enumerate(STOPS, 1):
        assert not app.exception
        assert not app.error
        lab = lab_of(app)
        assert (lab.screen, lab.pins, "shown" in lab.view) == ("Explore", {}, False)
        assert stop.title in app.title[0].value
        assert len(figures(app)) == 1, "one picture"
        assert app.query_params["story"] == str(position)
        assert app.query_params["epsilon"] == link["epsilon"], "the user's own"
        assert {*map(tuple, map(percents, titles(app)))} <= {(each,) for each in percents(said(app))}
        if stop.moves_epsilon:
            assert "action:new draw" not in [button.key for button in app.button]
            words = said(app)
            app.select_slider(key=key(app, "slider:epsilon")).set_value(10.0).run()
            assert said(app) != words, "it follows"
            assert len(titles(app)) == 2
            for panel in titles(app):
                assert all(number in said(app) for number in re.findall(r"\d+(?: %)?", panel))
        if position < len(STOPS):
            click(app, "step-next")
    click(app, "story:end")
    lab = lab_of(app)
    assert ((lab.edition, lab.history), lab.pins, lab.view["shown"]) == (before, pinned, ["naive"])
    assert "story" not in app.query_params


def test_a_link_resumes_the_tour_elsewhere_and_ends_with_its_scenario() -> None:
    app = opened(story="2", epsilon="0.3")
    assert lab_of(app).scenario == PRESETS["paper"]
    click(app, "step-back")
    assert STOPS[0].title in app.title[0].value
    app.switch_page("pages/Street.py").run()
    follow(app, "Go to Explore")
    assert STOPS[0].title in app.title[0].value
    assert len(figures(app)) == 1
    click(app, "story:end")
    assert lab_of(app).scenario.epsilon == 0.3
    assert dict(app.query_params) == {"epsilon": "0.3"}


def follow(app: AppTest, label: str) -> None:
    """Follow a link, as a browser does."""
    (link,) = [element.proto for element in app.get("page_link") if element.proto.label == label]
    app.query_params.clear()
    app.query_params.update(dict(parse_qsl(link.query_string)))
    app.switch_page(f"pages/{link.page}.py" if link.page != "." else "app.py").run()


def test_a_drag_marks_what_the_slider_marks_and_is_scored_alike() -> None:
    """Saturday from 11 to 18 o'clock; a drag that is none, and one beyond the days, mark no more."""
    by_hand, dragged = opened(story="1"), opened(story="1")
    by_hand.select_slider(key=key(by_hand, "slider:story")).set_range(24 + 11, 24 + 18).run()
    click(by_hand, "story:mark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tour, "lab", lambda: lab_of(dragged))
        for ends in (
            ("2012-06-02 18:04:31.2", "2012-06-02 10:58"),
            (),
            ("nonsense", "2012-06-03"),
            ("2012-07-01", "2012-07-02"),
        ):
            tour.select({"range": {"x": ends}})
    dragged.run()
    hours = (slice((24 + 11) * 4, (24 + 18) * 4),)
    said_in = np.ones(len(home().power), dtype=bool)
    said_in[hours] = False
    for app in (by_hand, dragged):
        (mark,) = figures(app)[0]["layout"]["shapes"][DAYS:]
        assert (mark["x0"], mark["x1"]) == ("2012-06-02T11:00", "2012-06-02T18:00")
        click(app, "story:answer")
        assert f"you {100 * home().right(said_in):.0f} %" in said(app)
    click(dragged, "story:guess")
    assert len(figures(dragged)[0]["layout"]["shapes"]) == DAYS, "the nights alone"
    click(dragged, "story:answer")
    assert "you " not in said(dragged), "who has said nothing is not judged"
