"""Pins: up to four scenarios, named and coloured, compared on three screens."""

import pytest
from streamlit.testing.v1 import AppTest

from rtp import PRESETS, Scenario, simulate
from rtp.figures import style
from rtp.output.comparison import insider_result, insider_words, side_by_side
from rtp.scenario import edit
from rtp.scenario.share import MAX_PINS, Named, pins_to_link
from tests.help.app import enter, figures, key, lab_of, opened, press, said, scenario_of

SMALL = Scenario(households=20)
PINS = {
    1: Named(name="Tight", scenario=SMALL.replace(epsilon=0.1)),
    2: Named(name="Loose", scenario=SMALL.replace(epsilon=2.0)),
    4: Named(name="Tiny", preset="tiny street", scenario=PRESETS["tiny street"]),
}
LINK = {"households": "20"} | pins_to_link(PINS, {})


def dotted(app: AppTest) -> dict[str, str]:
    """The colours of the dotted curves, by name of the pin."""
    return {
        trace["legendgroup"].removeprefix("pin "): trace["line"]["color"]
        for figure in figures(app)
        for trace in figure["data"]
        if str(trace.get("legendgroup", "")).startswith("pin ")
    }


@pytest.mark.parametrize(
    ("screen", "tab", "drawn"),
    [
        ("Explore", "", {1, 2, 4}),
        ("Trade-off", "", {1, 2, 4}),
        ("Attacker", "One house", {1, 2}),  # a tiny street lives another day
        ("Attacker", "How well does she do?", {1, 2, 4}),
    ],
)
def test_pins_are_drawn_in_their_colours_and_told_apart_in_a_table(
    screen: str, tab: str, drawn: set[int]
) -> None:
    app = opened(screen, tab=tab, **LINK)
    assert not app.error
    assert dotted(app) == {PINS[slot].name: style.PIN_COLOURS[slot - 1] for slot in drawn}
    days = [simulate(SMALL), *(simulate(pin.scenario) for pin in PINS.values())]
    (table,) = (t for t in app.table if "Tight" in t.value.columns)
    wanted = side_by_side(["Now", "Tight", "Loose", "Tiny"], days)
    assert table.value.astype(str).equals(wanted.astype(str))
    told = [c.value for c in app.caption if c.value.startswith("Not drawn")]
    assert told == (["Not drawn, because their day is another one: Tiny."] if drawn == {1, 2} else [])


def test_without_pins_there_is_no_table() -> None:
    assert not opened(households="20").table


def test_four_are_pinned_and_no_fifth_and_an_unpinned_slot_is_free_again() -> None:
    app = opened(households="20")
    for epsilon in (0.1, 0.2, 0.3, 0.4, 0.6):
        enter(app, "epsilon", epsilon)
        if not next(b for b in app.button if b.label == "Pin this run").disabled:
            press(app, "Pin this run")
    held = lab_of(app).pins
    assert [held[slot].name for slot in sorted(held)] == [f"20 houses, ε {e:g}" for e in (0.1, 0.2, 0.3, 0.4)]
    assert len(held) == MAX_PINS
    app.button(key="pin:drop:2").click().run()
    assert list(dotted(app).values()) == [style.PIN_COLOURS[i] for i in (0, 2, 3)], "the others keep theirs"
    press(app, "Pin this run")
    assert lab_of(app).pins[2].scenario.epsilon == 0.6


def test_a_pin_is_renamed_and_a_bad_or_taken_name_refused() -> None:
    app = opened(**LINK)
    app.text_input(key=key(app, "text:pin 1")).set_value("Very tight").run()
    assert lab_of(app).pins[1].name == "Very tight"
    assert app.query_params["pin1"] == "Very tight?households=20&epsilon=0.1"
    for bad, sentence in (("Loose", "is taken"), ("<b>", "name is '<b>'; it must start")):
        app.text_input(key=key(app, "text:pin 1")).set_value(bad).run()
        assert any(sentence in caption.value for caption in app.caption)
        assert lab_of(app).pins[1].name == "Very tight"


def test_a_pin_can_be_made_the_scenario_in_use() -> None:
    app = opened(**LINK)
    app.button(key="pin:load:4").click().run()
    assert scenario_of(app) == PRESETS["tiny street"]
    assert lab_of(app).preset == "tiny street"
    assert app.button(key="pin:load:4").disabled


def test_another_price_interval_is_compared_by_one_click() -> None:
    app = opened("Explore", households="20")
    app.button(key="pin:interval").click().run()
    (pinned,) = lab_of(app).pins.values()
    assert pinned.scenario == edit.set_step_minutes(SMALL, 30)
    assert pinned.name == "20 houses, 30 min, ε 0.5"
    assert lab_of(app).scenario == SMALL
    assert app.button(key="pin:interval").disabled
    assert "A price every … minutes" in app.table[0].value.index


def test_the_insider_of_the_table_sees_the_rate_that_was_decided_for() -> None:
    app = opened("Explore", **LINK, rate="naive")
    assert insider_words("naive") in said(app)
    moved, right = insider_result(simulate(SMALL), "naive")
    shown = app.table[0].value.iloc[:, 0]
    assert shown["Insider: belief moves by"] == moved
    assert shown["Insider: right guesses"] == right
