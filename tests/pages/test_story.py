"""The story on Explore, its tour across the screens, and words that stay true when things are edited."""

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, explore
from pages.ui.params import DEFAULTS, PARAMS, of_screen
from pages.ui.sidebar import SCREENS
from rtp import PRESETS, Scenario, simulate
from rtp.scenario import LIBRARY
from rtp.simulation import Day
from rtp.teaching import headline as headline_room
from rtp.teaching.threat import stake
from rtp.teaching.tour import STOPS
from tests.help.app import beneath, enter, figures, glance, key, lab_of, number, opened, press, said


def place(app: AppTest) -> tuple[str, str, Scenario, int, dict[str, str]]:
    lab, link = lab_of(app), dict(app.query_params)
    return lab.screen, lab.preset, lab.scenario, len(lab.past), link


def walk(app: AppTest, label: str) -> None:
    """Follow a link of the tour, as a browser does."""
    (link,) = [element.proto for element in app.get("page_link") if element.proto.label == label]
    app.query_params.clear()
    app.query_params.update(dict(parse_qsl(link.query_string)))
    app.switch_page(f"pages/{link.page}.py" if link.page else "app.py").run()


def first_words(app: AppTest) -> tuple[str, str]:
    """The headline and how sure it is."""
    return app.main.markdown[0].value, app.main.caption[1].value


FEW_DAYS = 3


@pytest.fixture
def few_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """An average of fewer days, which are not kept."""
    monkeypatch.setattr(headline_room, "DAYS", FEW_DAYS)
    monkeypatch.setattr(headline_room, "LONG_STREET_DAYS", FEW_DAYS)
    monkeypatch.setattr(headline_room, "_watched", headline_room._watched.__wrapped__)


def test_a_typical_day_that_becomes_known_while_the_screen_is_drawn_is_shown(
    monkeypatch: pytest.MonkeyPatch, few_days: None
) -> None:
    made, draw_last_part = cache.beside, explore.takeaway
    known = False

    def beside(
        kind: str, key: str, make: Callable[[], object], patience: float = 0.0
    ) -> cache.Beside[object]:
        return made(kind, key, make) if known else cache.Beside(False, None)

    def meanwhile(day: Day) -> None:
        nonlocal known
        draw_last_part(day)
        known = True

    monkeypatch.setattr(cache, "beside", beside)
    monkeypatch.setattr(explore, "takeaway", meanwhile)
    app = opened(households="40")
    titles = [note["text"] for note in figures(app)[0]["layout"]["annotations"]]
    assert any("A typical day of 2 houses" in title for title in titles)


def test_one_switch_leads_from_two_houses_to_all() -> None:
    app = opened(households="40")
    assert app.segmented_control(key=key(app, "story:own")).options == ["2 houses", "all 40"]
    app.segmented_control(key=key(app, "story:own")).set_value(True).run()
    day = simulate(Scenario(households=40))
    assert "What ε means**, on 40 houses" in said(app)
    assert "simulated days of 40 houses" in said(app)
    assert f"believe house {stake(day).house} is" in said(app)
    assert app.query_params["here"] == "true"


@pytest.mark.parametrize("houses", ["2", "6000"])
def test_no_switch_where_it_is_the_same_or_takes_too_long(houses: str) -> None:
    app = opened(households=houses, here="true")
    assert "story:own" not in app.session_state["widget versions"]
    assert "What ε means**, on 2 houses" in said(app)


def test_a_house_of_any_group_can_be_watched() -> None:
    app = opened(preset="mansions", households="40")
    chooser = app.selectbox(key=key(app, "story:group"))
    assert (chooser.options, chooser.value) == (["Mansions", "Houses"], "Mansions")
    mansion = figures(app)[0]["data"][0]["y"]
    chooser.set_value("Houses").run()
    assert app.query_params["of"] in ("Houses", ["Houses"])
    assert figures(app)[0]["data"][0]["y"] != mansion
    assert not [box for box in opened(households="40").selectbox if box.label == "A house of"]


def test_every_card_says_which_street_it_is_about() -> None:
    app = opened(households="40")
    assert {*beneath(app).values()} == {"all 40 houses"}
    assert len(beneath(app)) == len(app.metric) == 4
    assert {*beneath(opened(households="2")).values()} == {"2 houses"}


def ways(app: AppTest) -> list[tuple[str, bool]]:
    """The links of the tour's bar in their order, and whether they lead nowhere."""
    links = [element.proto for element in app.main.get("page_link")]
    return [(link.label, link.disabled) for link in links]


@pytest.mark.slow
def test_the_tour_leads_through_all_stops_and_leaves_no_trace() -> None:
    app = opened(households="40", epsilon="0.3", rates="naive")
    press(app, "New draw")
    press(app, "Pin this run")
    pinned = dict(lab_of(app).pins)
    assert pinned
    before = place(app)
    press(app, "Tell me the story")
    for position, stop in enumerate(STOPS, 1):
        assert not app.exception
        assert not app.error
        assert lab_of(app).screen == stop.screen
        assert lab_of(app).pins == {}
        assert "shown" not in lab_of(app).view
        assert f"**{position} of 9 · {stop.title}**" in said(app)
        assert f"### {stop.words}" in said(app)
        assert len(figures(app)) == 1, "one picture"
        assert ways(app) == [("Back", position == 1), ("Next", position == len(STOPS))]
        assert dict(app.query_params) == {k: v for k, v in before[-1].items() if k != "rates"} | {
            "story": str(position)
        }
        facts = {
            each.link: each.text(view_fact(app, each.name))
            for each in PARAMS
            if each.screen == stop.screen and each.link in stop.view
        }
        assert facts == dict(stop.view)
        if position == 4:
            enter(app, "epsilon", 7)  # what is changed on the way is nobody's
        if position < len(STOPS):
            walk(app, "Next")
    press(app, "End the story")
    assert place(app)[1:4] == before[1:4]
    assert lab_of(app).view["shown"] == ["naive"]
    assert lab_of(app).pins == pinned
    assert "story" not in app.query_params


def view_fact(app: AppTest, name: str) -> object:
    return lab_of(app).view.get(name, DEFAULTS.get(name))


def test_the_whole_screen_of_a_stop_comes_on_request() -> None:
    app = opened(story="1", households="40")
    assert not app.metric
    press(app, "Show the whole screen")
    assert len(app.metric) == 4
    walk(app, "Next")
    assert "Show the whole screen" in [button.label for button in app.button]


def test_the_picture_of_a_stop_follows_epsilon() -> None:
    app = opened(story="4")
    assert "right 68 % of this day" in str(figures(app)[0]["layout"]["annotations"])
    enter(app, "epsilon", 5)
    assert str(figures(app)[0]["layout"]["annotations"]).count("right 97 % of this day") == 2


def test_every_stop_is_on_a_screen_of_the_menu_and_its_view_is_understood() -> None:
    pages = {screen.title: screen.path for screen in SCREENS}
    assert all(one.page != other.page for one, other in pairwise(STOPS)), "a link leads to another page"
    for stop in STOPS:
        assert pages[stop.screen] == stop.page
        assert set(stop.view) <= {each.link for each in of_screen(stop.screen)}


def test_every_stop_opens_by_its_link() -> None:
    for place, stop in enumerate(STOPS, 1):
        app = opened(story=str(place), epsilon="0.3")
        assert lab_of(app).screen == stop.screen
        assert dict(app.query_params) == {"story": str(place), "epsilon": "0.3"}


def test_a_link_resumes_the_tour_elsewhere_and_ends_with_its_scenario() -> None:
    app = opened(story="2", epsilon="0.3")
    assert lab_of(app).screen == "Households"
    assert lab_of(app).scenario == PRESETS["paper"]
    walk(app, "Back")
    assert lab_of(app).screen == "Explore"
    press(app, "End the story")
    assert lab_of(app).scenario.epsilon == 0.3
    assert dict(app.query_params) == {"epsilon": "0.3"}


def test_wandering_off_by_the_menu_is_free_and_there_is_a_way_back() -> None:
    app = opened(story="1")
    app.switch_page("pages/Households.py").run()
    assert lab_of(app).screen == "Households"
    walk(app, "Go to Explore")
    assert lab_of(app).screen == "Explore"


def test_a_stop_that_there_is_not_is_refused_in_a_sentence() -> None:
    app = opened(story="10")
    assert [e.value for e in app.error] == [
        "A part of this link is damaged; all the rest is used. story is 10; it must be a whole number "
        "from 1 to 9."
    ]


def test_a_preset_is_called_edited_once_it_is() -> None:
    app = opened(households="40")
    assert any(c.value == "**Edited from Paper:** Households 1,000 → 40." for c in app.sidebar.caption)
    press(app, "Reset")
    assert any(c.value == LIBRARY["paper"].look_at for c in app.sidebar.caption)


def test_an_unlucky_draw_is_called_so() -> None:
    """A day's error scatters by 11 % around what is expected, so that more than 1.25 of it is beyond 95 %."""
    unlucky = simulate(Scenario(households=40, seed=1)).release["blowfish"]
    assert unlucky.error > 1.25 * unlucky.expected_error
    (told,) = re.findall(r"\*\*An unlucky draw:\*\* (.*?) — above", said(opened(households="40", seed="1")))
    assert {"Naive", "Blowfish"} <= set(told.split(", "))
    assert "Forecast" not in told
    assert "lucky draw" not in said(opened(households="40"))


def test_the_unsure_curators_models_are_seen_on_explore() -> None:
    titles = [
        figure["layout"].get("yaxis", {}).get("title", {}).get("text")
        for figure in figures(glance("Explore", preset="unsure curator"))
    ]
    assert "Sensitivity λ" in titles


@pytest.mark.parametrize(
    ("link", "published"), [({}, True), ({"seed": "3", "epsilon": "2"}, True), ({"households": "999"}, False)]
)
def test_the_published_curve_is_drawn_on_the_papers_street_only(
    link: dict[str, str], published: bool
) -> None:
    names = {trace.get("name") for trace in figures(opened("Households", **link))[0]["data"]}
    assert ("Published, Figure 2a" in names) == published


def test_periods_follow_the_group_at_hand_and_the_table_tells_them_apart() -> None:
    app = opened("Households", preset="mixed street", group="2")
    names = {note["text"] for note in figures(app)[0]["layout"]["annotations"]}
    assert {"Return", "Sleep", "Afternoon", "Night shift"} <= names
    frame = simulate(PRESETS["mixed street"].replace(households=9)).frame()
    assert "period" not in frame
    assert frame["period_Shift"][40] == "Sleep"
    assert frame["period_Office"][40] == "Work"
    assert "period" in simulate(Scenario(households=9)).frame()


def test_what_occupied_means_is_said_once() -> None:
    assert said(glance("Households", preset="mansions")).count("Occupied means at home and awake") == 1


@pytest.mark.slow
def test_thirty_days_are_not_called_a_day() -> None:
    app = opened(households="40", days="30", step_minutes="60")
    titles = [m.label for m in app.metric] + [s.value for s in app.subheader]
    assert "Budget for 30 days" in titles
    assert "What these 30 days say" in titles
    assert not [title for title in titles if "for the day" in title or "this day" in title]
    assert np.isclose(len(figures(app)[1]["layout"]["xaxis"]["range"]), 2)


def test_the_accepted_error_stays_where_it_is_while_the_scenario_is_edited() -> None:
    app = opened("Trade-off", households="40")
    first = number(app, "accepted error")["text"]
    enter(app, "epsilon", 0.1)
    assert number(app, "accepted error")["text"] == first
    assert "target" not in app.query_params
