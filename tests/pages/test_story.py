"""The story on Explore and its tour across the screens."""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from rtp import PRESETS, Scenario, simulate
from rtp.teaching.threat import stake
from rtp.teaching.tour import STOPS
from tests.help.app import enter, figures, key, lab_of, opened, press, said


def walk(app: AppTest, label: str) -> None:
    """Follow a link of the tour, as a browser does."""
    (link,) = [element.proto for element in app.get("page_link") if element.proto.label == label]
    app.query_params.clear()
    app.query_params.update(dict(parse_qsl(link.query_string)))
    app.switch_page(f"pages/{link.page}.py" if link.page else "app.py").run()


@pytest.mark.slow
def test_the_tour_leads_through_all_stops_and_leaves_no_trace() -> None:
    app = opened(households="40", epsilon="0.3", rates="naive")
    press(app, "New draw")
    press(app, "Pin this run")
    lab = lab_of(app)
    before, pinned, link = (lab.edition, lab.past), dict(lab.pins), dict(app.query_params)
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
            enter(app, "epsilon", 7)  # what is changed on the way is nobody's
        if position < len(STOPS):
            walk(app, "Next")
    app.button(key="story:end").click().run()
    lab = lab_of(app)
    assert ((lab.edition, lab.past), lab.pins, lab.view["shown"]) == (before, pinned, ["naive"])
    assert "story" not in app.query_params


def test_a_link_resumes_the_tour_elsewhere_and_ends_with_its_scenario() -> None:
    app = opened(story="2", epsilon="0.3")
    assert lab_of(app).screen == STOPS[1].screen
    assert lab_of(app).scenario == PRESETS["paper"]
    walk(app, "Back")
    assert lab_of(app).screen == STOPS[0].screen
    app.switch_page("pages/Households.py").run()
    walk(app, "Go to Explore")
    app.button(key="story:end").click().run()
    assert lab_of(app).scenario.epsilon == 0.3
    assert dict(app.query_params) == {"epsilon": "0.3"}


def test_the_whole_screen_of_a_stop_comes_on_request() -> None:
    app = opened(story="1", households="40")
    assert not app.metric
    app.button(key="story:whole").click().run()
    assert app.metric
    walk(app, "Next")
    assert app.button(key="story:whole")


def test_one_switch_leads_from_two_houses_to_all() -> None:
    app = opened(households="40")
    app.segmented_control(key=key(app, "story:own")).set_value(True).run()
    house = stake(simulate(Scenario(households=40))).house
    assert f"house {house + 1} is" in said(app)
    assert app.query_params["here"] == "true"
    for houses in ("2", "6000"):  # it is the same, or takes too long
        assert "story:own" not in opened(households=houses, here="true").session_state["widget versions"]


def test_a_house_of_any_group_can_be_watched() -> None:
    app = opened(preset="mansions", households="40")
    mansion = figures(app)[0]["data"][0]["y"]
    app.selectbox(key=key(app, "story:group")).set_value("Houses").run()
    assert app.query_params["of"] in ("Houses", ["Houses"])
    assert figures(app)[0]["data"][0]["y"] != mansion
