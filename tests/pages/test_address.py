"""The address is the view: what a screen shows is in it, and what is in it is shown."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.ui import compat
from pages.ui.params import ACCEPTED, EVERY_SCREEN, PARAMS, RATE, UrlParam
from pages.ui.sidebar import SCREENS
from rtp import PRESETS, Scenario, ScenarioError
from rtp.leakage.hypothesis import HYPOTHESES
from rtp.scenario.share import LINK_NAMES, MAX_LINK_LENGTH, PIN_NAMES, Named
from rtp.teaching.plan import Prediction
from tests.help.app import QUICK, enter, key, lab_of, link_of, opened, press, scenario_of


def go_through_history(app: AppTest, link: dict[str, str]) -> AppTest:
    """What the browser's Back and Forward do: they ask with another address, and say so."""
    app.query_params.clear()
    for name, value in link.items():
        app.query_params[name] = value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compat, "is_history_navigation", lambda: True)
        app.run()
    assert not app.exception
    return app


ANOTHER = {  # a value that is not the first, for each declared fact
    "presenting": True,
    "shown": ["naive", "filtered"],
    "view": "Error",
    "story:own": True,
    "story:step": 5,
    "story:group": "Households",
    "shown model": 1,
    "shown group": 2,
    "algorithm:houses": 3,
    "algorithm:step": 17,
    "algorithm:line": 5,
    "algorithm:experiment": "giant",
    "algorithm:truth": True,
    "algorithm:theta": "Night owls",
    "algorithm:tab": "In words",
    "paper:tab": "Numbers",
    "paper:part": "Habits",
    "paper:run": 12,
    "paper:view": "Error",
    "paper:choice": "Habits",
    "paper:days": 500,
    "households:tab": "Houses one by one",
    "rate": "naive",
    "shown day": "Weekend",
    "houses:groups": ["A, B. C", "D"],
    "new model": "Office (preset office)",
    "tradeoff:tab": "What-if map",
    "accepted error": 2.5,
    "tradeoff:against": "moment",
    "tradeoff:log": False,
    "money:span": "A month (30 days)",
    "tradeoff:belief": "Night owls",
    "map:first": "alpha",
    "map:second": "beta",
    "map:first:From": 0.25,
    "map:first:To": 4.0,
    "map:first:count": 5,
    "map:second:From": 1.0,
    "map:second:To": 9.0,
    "map:second:count": 3,
    "map:days": 7,
    "map:mechanism": "naive",
    "map:point": 4,
    "map:measure": "rmsre",
    "attacker:tab": "The street",
    "attacker:knows": "others",
    "attacker:horizon": "whole day",
    "attacker:model": "Night owls",
    "attacker:house": 4,
    "attacker:step": 0,
    "attacker:curve": "belief",
    "attacker:days": 7,
    "attacker:published": 80_000,
    "attacker:sort": False,
    "attacker:gain": True,
    "attacker:truth": False,
    "attacker:all": True,
    "overtime:tab": "A holiday",
    "overtime:house": 3,
    "overtime:step": 12,
    "overtime:secret": list(HYPOTHESES)[-1],
    "overtime:knows": "model",
    "overtime:days": 14,
    "overtime:lives": 200,
    "overtime:delta": 1e-9,
    "overtime:total": 2.5,
    "lesson:tab": "For the teacher",
    "lesson:exercise": 3,
    "lesson:said": {1: Prediction(2), 3: Prediction(0, True)},
    "lesson:own": True,
    "play:room": "ABCD",
    "play:host": "a key",
    "play:player": "another",
    "play:view": "beamer",
    "meters:sample": True,
    "meters:tab": "Replay",
    "meters:groups": 3,
    "meters:house": 4,
    "meters:span": "A day",
    "meters:shown": ["naive", "filtered"],
    "meters:watched": 3,
    "meters:knows": "model",
    "meters:use": "uniformly up to the bounds",
    "meters:day": 2,
    "meters:occupied_max": 4.5,
    "meters:empty_max": 0.25,
}


@pytest.mark.parametrize("each", PARAMS, ids=[each.name for each in PARAMS])
def test_every_declared_fact_comes_back_from_its_text(each: UrlParam) -> None:
    value = ANOTHER[each.name]
    assert value != each.default
    assert each.read(each.link, each.text(value)) == value
    if each.default is not None:
        first = each.read(each.link, each.text(each.default))
        assert (list(each.default) if isinstance(each.default, tuple) else each.default) == first


@settings(max_examples=25)  # each is tried on every fact there is, some seventy
@given(
    text=st.text(max_size=30) | st.sampled_from(["-1", "1e9", "[[]]", "[[0,1,[[9,9,9]],null,null]]", "NaN"])
)
def test_no_text_of_a_fact_does_worse_than_be_refused(text: str) -> None:
    for each in PARAMS:
        try:
            value = each.read(each.link, text)
        except ScenarioError as error:
            refused = error.path
        else:
            refused = each.link
            assert each.read(each.link, each.text(value)) == value, each.name
        assert refused == each.link


def test_names_in_a_link_mean_one_thing_on_a_screen() -> None:
    assert len({(each.screen, each.link) for each in PARAMS}) == len(PARAMS)
    assert {each.screen for each in PARAMS} <= {EVERY_SCREEN, *(screen.title for screen in SCREENS)}
    shared = Counter(each.name for each in PARAMS)
    assert {name for name, screens in shared.items() if screens > 1} == {RATE, ACCEPTED}
    for name in (RATE, ACCEPTED):  # what is decided once: one link, one reading on all its screens
        assert len({(each.link, each.default) for each in PARAMS if each.name == name}) == 1
    assert not {each.link for each in PARAMS} & (LINK_NAMES | PIN_NAMES.keys())


@pytest.mark.parametrize("screen", ["Explore", "Algorithm", "Trade-off", "Attacker", "Lesson", "Paper"])
def test_a_link_shows_all_that_it_says_and_stays_as_it_is(screen: str) -> None:
    """The same address on a reload and at a colleague's."""
    facts = {each.name: each for each in PARAMS if each.screen == screen}
    facts.pop("tradeoff:belief", None)  # which there are depends on the scenario
    wanted = {each.link: each.text(ANOTHER[name]) for name, each in facts.items()}
    link = {"preset": "unsure curator", "households": "6"} | wanted
    app = opened(screen, **link)
    assert not app.error
    assert link_of(app) == link
    kept = lab_of(app).view
    assert {name: kept[name] for name in facts} == {name: ANOTHER[name] for name in facts}
    assert link_of(app.run()) == link


def test_what_is_chosen_on_a_screen_is_in_its_address_and_in_no_others() -> None:
    app = opened("Attacker", households="20")
    app.segmented_control(key=key(app, "attacker:knows")).set_value("others").run()
    app.select_slider(key=key(app, "slider:Time")).set_value(40).run()
    app.selectbox(key=key(app, "rate")).select("optimal").run()
    assert link_of(app) == {"households": "20", "knows": "others", "step": "40", "rate": "optimal"}
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link")}
    assert links["Algorithm"] == "households=20"
    assert links["Attacker"] == "households=20&knows=others&step=40&rate=optimal"
    for decided in ("Explore", "Over time", "Trade-off", "Answer", "Households"):  # one rate for all
        assert links[decided] == "households=20&rate=optimal"
    app.selectbox(key=key(app, "rate")).select("blowfish").run()
    assert link_of(app) == {"households": "20", "knows": "others", "step": "40"}, "the first is left out"


def test_back_and_forward_undo_and_redo_and_the_buttons_agree() -> None:
    app = opened(households="20")
    app.segmented_control(key=key(app, "view")).set_value("Error").run()
    before = link_of(app)
    app.selectbox(key=key(app, "choice:preset")).select("tiny street").run()
    after = link_of(app)
    go_through_history(app, before)
    assert scenario_of(app) == Scenario(households=20)
    assert link_of(app) == before
    assert [b.disabled for b in app.button if b.label in ("Undo", "Redo")] == [True, False]
    go_through_history(app, after)
    assert scenario_of(app) == PRESETS["tiny street"]
    assert [b.disabled for b in app.button if b.label in ("Undo", "Redo")] == [False, True]
    press(app, "Undo")
    assert link_of(app) == before
    go_through_history(app, {"households": "20"})
    assert lab_of(app).view.get("view") is None, "the view before that"
    assert link_of(app) == {"households": "20"}


def test_back_over_several_changes_undoes_them_all_and_elsewhere_is_a_change() -> None:
    app = opened(QUICK, households="20")
    for preset in ("mansions", "tiny street", "mixed street"):
        app.selectbox(key=key(app, "choice:preset")).select(preset).run()
    go_through_history(app, {"households": "20"})
    assert (len(lab_of(app).past), len(lab_of(app).future)) == (0, 3)
    go_through_history(app, {"households": "21"})
    assert scenario_of(app).households == 21
    assert (len(lab_of(app).past), len(lab_of(app).future)) == (1, 0)


def test_forward_to_what_was_there_long_ago_too_redoes_the_last_step() -> None:
    app = opened(households="20")
    for seed in ("1", "2", "0", "1"):
        enter(app, "seed", seed)
    go_through_history(app, {"households": "20"})
    assert (len(lab_of(app).past), len(lab_of(app).future)) == (3, 1)
    go_through_history(app, {"households": "20", "seed": "1"})
    assert (len(lab_of(app).past), len(lab_of(app).future)) == (4, 0)


def test_an_address_that_the_browser_asks_with_late_is_not_followed() -> None:
    """Only Back and Forward lead: what the browser has not heard of yet is sent again."""
    app = opened(QUICK, households="20")
    app.selectbox(key=key(app, "choice:preset")).select("mansions").run()
    app.query_params.clear()
    app.query_params["households"] = "20"
    app.run()
    assert lab_of(app).scenario == PRESETS["mansions"]
    assert link_of(app) == {"preset": "mansions"}


def test_unknown_parameters_are_noted_and_stay() -> None:
    link = {"households": "20", "utm_source": "mail", "step": "4"}
    app = opened(**link)
    assert not app.error
    assert "Unknown in this link, and ignored: utm_source, step." in [c.value for c in app.caption]
    assert link_of(app) == link
    app.segmented_control(key=key(app, "view")).set_value("Error").run()
    assert link_of(app) == {"households": "20", "view": "Error"}
    assert not [c for c in app.caption if "ignored" in c.value]


def test_a_damaged_fact_or_pin_is_said_and_the_rest_is_shown() -> None:
    link = {"households": "20", "view": "Upside down", "rates": "naive", "pin1": "A?epsilon=0"}
    app = opened(**link)
    (error,) = app.error
    assert error.value == (
        "2 parts of this link are damaged; all the rest is used. pin1 is damaged: epsilon is 0; it must "
        "be a number from 0.0001 to 10,000. view is 'Upside down'; it must be one of Rates, Error."
    )
    assert lab_of(app).view == {"shown": ["naive"]}
    assert link_of(app) == link


def test_pins_that_do_not_fit_the_link_survive_back_and_are_told_to_others() -> None:
    app = opened(households="20")
    model = PRESETS["mixed street"].models[0]
    digits = random.Random(1)  # of which no two pins have any in common
    long = {
        slot: Named(
            name=f"Long {slot}",
            preset="mixed street",
            scenario=PRESETS["mixed street"].replace(
                models=tuple(
                    model.replace(
                        name=f"M{i}",
                        habits=tuple(h.replace(initial_occupied=digits.random()) for h in model.habits),
                    )
                    for i in range(8)
                )
            ),
        )
        for slot in range(1, 5)
    }
    assert sum(len(each.to_text()) for each in long.values()) > MAX_LINK_LENGTH
    lab_of(app).pins = long
    link = link_of(app.run())
    assert "Long 4" in link.values()
    go_through_history(app, link)
    assert lab_of(app).pins == long
    other = opened(**link)
    assert "was too long for a link, which has its name only." in other.error[0].value
