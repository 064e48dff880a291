"""The field for a number: what it hears, what it refuses, and what it passes over."""

import pytest
from streamlit.testing.v1 import AppTest

from rtp.scenario import Scenario
from tests.help.app import QUICK, enter, key, number, opened, part, press, scenario_of


def a_field() -> None:
    import streamlit as st

    from pages.ui import number
    from pages.ui.session import collect, lab
    from rtp.scenario import Bounds

    collect()
    heard = lab().memo.setdefault("heard", [])
    number.begin()
    value = heard[-1] if heard else 0.5
    number.number_field("Size", value, heard.append, Bounds(0.0, 10.0, "Size"), key="number:size")
    st.text(heard)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(a_field, default_timeout=60).run()


@pytest.fixture(scope="module")
def sidebar() -> AppTest:
    """For what is refused, and so changes nothing."""
    return opened(QUICK)


def say(app: AppTest, said: object) -> None:
    """Whatever a browser might send."""
    app.session_state["number:size"] = {"said": said}
    app.run()


def test_each_action_is_heard_once_and_an_echo_never(app: AppTest) -> None:
    say(app, {"number": 7, "text": "2"})
    say(app, {"number": 9, "text": "3"})
    say(app, {"number": 9, "text": "4"})
    say(app, {"number": 8, "text": "5"})
    assert app.text[0].value == "[2.0, 3.0]"
    assert (number(app, "size")["number"], number(app, "size")["text"]) == (9, "3")


@pytest.mark.parametrize(
    "said", [5, None, "text", {"number": "1", "text": "2"}, {"number": 1, "text": 2}, {}]
)
def test_nonsense_is_passed_over(app: AppTest, said: object) -> None:
    say(app, said)
    assert not app.exception
    assert app.text[0].value == "[]"


def test_a_refusal_stands_beneath_the_field_until_the_next_good_number(app: AppTest) -> None:
    enter(app, "size", "11")
    assert number(app, "size")["refused"] == "Size is 11.0; it must be a number from 0 to 10."
    assert number(app, "size")["text"] == "0.5"
    enter(app, "size", "")
    assert (number(app, "size")["refused"], number(app, "size")["text"]) == ("", "0.5")
    enter(app, "size", "1,500")
    assert "“1,500” could mean thousands" in number(app, "size")["refused"]
    enter(app, "size", "1,5")
    assert (number(app, "size")["refused"], number(app, "size")["text"]) == ("", "1.5")
    assert app.text[0].value == "[1.5]"


@pytest.mark.parametrize(
    ("name", "bad", "why"),
    [
        ("epsilon", "-1", "it must be a number from 0.0001 to 10,000"),
        ("epsilon", "1e308", "it must be a number from 0.0001 to 10,000"),
        ("alpha", "0", "it must be a number from 1e-06"),
        ("beta", "-5", "it must be a number from 0"),
        ("households", "99999999999", "it must be a whole number from 1 to 10,000,000"),
        ("households", "10.000", "“10.000” has a point or comma"),
        ("seed", "-1", "it must be a whole number from 0"),
    ],
)
def test_every_field_of_the_sidebar_refuses_in_its_own_words(
    sidebar: AppTest, name: str, bad: str, why: str
) -> None:
    before = number(sidebar, name)["text"]
    enter(sidebar, name, bad)
    assert why in number(sidebar, name)["refused"]
    assert number(sidebar, name)["text"] == before
    assert scenario_of(sidebar) == Scenario()
    enter(sidebar, name, "")
    assert (number(sidebar, name)["refused"], number(sidebar, name)["text"]) == ("", before)


def test_a_refusal_goes_when_the_number_changes_from_elsewhere() -> None:
    app = opened(QUICK, preset="tiny street")
    enter(app, "epsilon", "0,7")
    enter(app, "epsilon", "-1")
    assert "it must be a number from 0.0001" in number(app, "epsilon")["refused"]
    press(app, "Undo")
    assert (number(app, "epsilon")["refused"], number(app, "epsilon")["text"]) == ("", "0.5")


def test_counts_are_what_was_typed_and_asked_about_until_they_add_up() -> None:
    app = opened("Households", preset="mixed street")
    before = scenario_of(app)
    enter(app, "count:0", "700")
    assert number(app, "count:0")["text"] == "700"
    assert scenario_of(app) == before
    assert (
        "The groups add up to 1,200 houses, and the street has 1,000: it still has 500, 300, 200."
        in app.warning[0].value
    )
    enter(app, "count:2", "0")
    assert [group.share for group in scenario_of(app).groups] == [0.7, 0.3, 0.0]
    assert not app.warning
    for count, group in ((60, 0), (90, 1), (30, 2)):
        enter(app, f"count:{group}", str(count))
    press(app, "Share out 1,000 in these proportions: 333, 500, 167")
    assert [group.share for group in scenario_of(app).groups] == [0.333, 0.5, 0.167]
    for count, group in ((60, 0), (90, 1), (30, 2)):
        enter(app, f"count:{group}", str(count))
    press(app, "Make it a street of 180")
    scenario = scenario_of(app)
    assert (scenario.households, scenario.groups[2].share) == (180, 30 / 180)
    enter(app, "count:0", "1")
    press(app, "Keep the street's")
    assert number(app, "count:0")["text"] == "60"
    enter(app, "count:0", "1")
    press(app, "Undo")
    assert not app.warning, "other counts end the draft"


def test_a_new_group_takes_half_of_a_share_and_a_removed_one_leaves_it_to_its_neighbour() -> None:
    app = opened("Households", preset="mixed street")
    press(app, "Add a group")
    assert [group.share for group in scenario_of(app).groups] == [0.5, 0.3, 0.1, 0.1]
    app.button(key=part(app, "remove group:1")).click().run()
    assert [group.share for group in scenario_of(app).groups] == [0.8, 0.1, 0.1]
    assert Scenario().groups[0].share == 1.0


def test_a_name_is_refused_beside_its_field() -> None:
    app = opened("Households", preset="mixed street")
    app.text_input(key=key(app, "text:group:0")).set_value("<b>").run()
    assert any("must start with a letter or digit" in caption.value for caption in app.caption)
    assert not app.toast
    assert app.text_input(key=key(app, "text:group:0")).value == "Office"
