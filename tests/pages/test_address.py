"""The address is the view: what a screen shows is in it, to the last digit; and it is shared."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pages.ui import share
from pages.ui.params import ACCEPTED, EPSILON_GRID, EVERY_SCREEN, PARAMS, RATE
from pages.ui.screens import SCREENS
from rtp import Scenario, ScenarioError
from rtp.scenario.share import LINK_NAMES, PIN_NAMES, to_link
from tests.help.app import FOLDED, QUICK, click, key, lab_of, link_of, opened, scenario_of, shown
from tests.help.strategies import detailed_scenarios
from tests.pages.test_every_setting import names


@settings(max_examples=3)  # each is tried on every parameter there is, some seventy
@given(st.text(max_size=30) | st.deferred(lambda: st.sampled_from(names())) | st.floats().map(repr))
def test_a_parameter_comes_back_from_its_text_or_is_refused(text: str) -> None:
    for param in PARAMS:
        try:
            value, refused = param.read(param.link, text), param.link
        except ScenarioError as error:
            refused = error.path
        else:
            assert param.read(param.link, param.text(value)) == value
        assert refused == param.link


def test_names_in_a_link_mean_one_thing_on_a_screen() -> None:
    assert len({(each.screen, each.link) for each in PARAMS}) == len(PARAMS)
    assert {each.screen for each in PARAMS} <= {EVERY_SCREEN, *(screen.title for screen in SCREENS)}
    assert {each.link for each in PARAMS}.isdisjoint({*LINK_NAMES, *PIN_NAMES})
    for name in (RATE, ACCEPTED):  # what is decided once: one link, one reading on all its screens
        assert len({(each.link, each.default) for each in PARAMS if each.name == name}) == 1


near_a_stop = st.builds(float.__mul__, st.sampled_from(EPSILON_GRID), st.sampled_from([1 - 2e-7, 1 + 2**-52]))


@pytest.mark.long
@settings(max_examples=10, deadline=None, phases=[Phase.generate])  # a screen takes its time
@given(detailed_scenarios(), near_a_stop)
def test_a_screen_keeps_every_digit_of_its_link(scenario: Scenario, epsilon: float) -> None:
    """The slider's stops are words to the browser: ε beside a stop must not become it."""
    exact = scenario.replace(epsilon=epsilon)
    app = opened(QUICK, **to_link(exact))
    assert scenario_of(app.run()) == lab_of(app).scenario == exact


def test_what_is_unknown_or_damaged_is_said_and_the_rest_shown() -> None:
    link = {"households": "20", "group": "-1", "rates": "naive", "pin1": "A?epsilon=0", "utm": "mail"}
    app = opened(**link)
    assert all(part in app.error[0].value for part in ("2 parts", "pin1", "epsilon", "group"))
    assert any("utm" in caption.value for caption in app.caption)
    assert lab_of(app).view == {"shown": ["naive"]}
    assert link_of(app) == link
    app.pills(key=key(app, "shown")).set_value(["naive", "blowfish"]).run()
    assert link_of(app) == {"households": "20", "rates": "naive.blowfish"}
    assert not app.error


LOCAL = "http://localhost:8501/Attack?epsilon=0.1"


@pytest.mark.parametrize(
    ("url", "told", "wanted"),
    [
        (LOCAL, "localhost", None),
        (LOCAL, "127.0.0.1", None),
        (LOCAL, "192.168.1.7", "http://192.168.1.7:8600/Attack?epsilon=0.1"),
        ("https://lab.example/Paper", "localhost", "https://lab.example/Paper"),
    ],
)
def test_others_are_given_an_address_only_where_it_reaches_them(
    url: str, told: str, wanted: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"browser.serverAddress": told, "browser.serverPort": 8600}
    monkeypatch.setattr("streamlit.get_option", options.__getitem__)
    assert share.for_others(url) == wanted


def test_the_whole_address_is_shown_and_as_a_code_where_phones_can_open_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened("Attack", households="20", knows="others")
    click(app, "action:share")
    (own,) = (code.value for code in app.code)
    assert dict(parse_qsl(urlsplit(own).query)) == {"households": "20", "knows": "others"}
    assert not [html for html in app.get("html") if "QR code" in html.proto.body], "no phone could open it"
    monkeypatch.setattr(share, "for_others", lambda url: url.replace("localhost", "192.168.1.7"))
    click(app, "action:share")
    others, again = (code.value for code in app.code)
    assert (others, again) == (own.replace("localhost", "192.168.1.7"), own)
    assert [html for html in app.get("html") if "QR code" in html.proto.body]


def test_the_menu_leads_to_every_screen_as_it_was_left() -> None:
    app = opened("Attack", households="20", knows="others", pin1="A?epsilon=2")
    menu = {
        each.proto.label: dict(parse_qsl(each.proto.query_string)) for each in app.sidebar.get("page_link")
    }
    assert menu == lab_of(app).links([screen.title for screen in SCREENS])
    assert ("knows" in menu["Attack"], "knows" in menu["Explore"]) == (True, False)


def test_a_changed_stop_is_shared_as_it_is_seen() -> None:
    app = opened(story="4", epsilon="0.3", present="true")
    assert lab_of(app).shared_link() == link_of(app), "as it was set"
    lab_of(app).set("epsilon", 2.0)
    assert lab_of(app).shared_link() == {"epsilon": "2.0", "present": "true"}
    assert lab_of(app).link()["story"] == "4", "the visitor's own tour goes on"


# Presenter view: one switch, in the link


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
