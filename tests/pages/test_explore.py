"""The Explore screen, run without a browser."""

import base64
import json
import zlib

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from pages.ui.params import SHOWN_FIRST
from pages.ui.settings import MORE
from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent
from rtp.scenario import BOUNDS
from rtp.scenario.share import to_link
from tests.help.app import (
    FOLDED,
    QUICK,
    enter,
    figures,
    key,
    link_of,
    number,
    opened,
    press,
    said,
    scenario_of,
    shown,
)


def expected(scenario: Scenario) -> dict[str, str]:
    return {
        f"{name.capitalize()} error": percent(release.error)
        for name, release in simulate(scenario).release.items()
        if name != "optimal" and name in SHOWN_FIRST
    }


def test_it_opens_with_the_papers_day() -> None:
    app = opened()
    assert not app.exception
    assert expected(Scenario()).items() <= shown(app).items()
    assert shown(app)["Budget for the day"] == "ε·T = 48"
    assert link_of(app) == {}


def test_every_main_control_changes_the_numbers_and_the_address() -> None:
    app, scenario = opened(), Scenario()
    for field, value in {"epsilon": 0.1, "alpha": 2.0, "beta": 10.0, "households": 50, "seed": 7}.items():
        enter(app, field, value)
        before, scenario = scenario, scenario.replace(**{field: value})
        assert expected(before) != expected(scenario), field
        assert expected(scenario).items() <= shown(app).items(), field
        assert link_of(app) == to_link(scenario), field


def test_the_slider_and_the_typed_epsilon_are_one() -> None:
    app = opened()
    app.select_slider(key=key(app, "slider:epsilon")).set_value(0.1).run()
    assert number(app, "epsilon")["text"] == "0.1"
    enter(app, "epsilon", 0.123)
    assert app.select_slider(key=key(app, "slider:epsilon")).value == 0.123


def places(block: Block, path: tuple[int, ...] = ()) -> dict[str, tuple[int, ...]]:
    """Where each chart, card and button stands."""
    found: dict[str, tuple[int, ...]] = {}
    for index, node in block.children.items():
        here = (*path, index)
        if isinstance(node, Block):
            found |= places(node, here)
        elif node.type in ("plotly_chart", "metric", "button", "button_group", "subheader"):
            found[f"{node.type} {getattr(node, 'label', '') or here[-1]}"] = here
    return found


def test_another_epsilon_or_seed_moves_nothing() -> None:
    """Neither away from the plain address nor where a word about luck comes: what moves is made anew."""
    app = opened()
    before, captions = places(app.main), len(app.main.caption)
    enter(app, "epsilon", 0.4)
    assert places(app.main) == before
    enter(app, "seed", 1)
    assert len(app.main.caption) > captions
    assert places(app.main) == before


def test_what_is_folded_is_drawn_when_it_is_opened_and_stays_open() -> None:
    app = opened()
    assert not app.get("download_button")
    assert not app.latex
    for title in FOLDED:
        app.session_state[f"section:{title}"] = True
    app.run()
    enter(app, "epsilon", 0.4)
    assert len(app.get("download_button")) == 5
    assert len(app.latex) == 1
    assert "?epsilon=0.4" in [code.value for code in app.code]


def test_a_new_draw_takes_the_next_seed_and_after_the_last_the_first() -> None:
    app = opened(QUICK, households="10", seed="6")
    press(app, "New draw")
    assert scenario_of(app).seed == 7
    app = opened(QUICK, households="10", seed=str(int(BOUNDS["seed"].high)))
    press(app, "New draw")
    assert scenario_of(app).seed == 0


def test_a_switch_and_a_choice_of_the_sidebar_change_the_scenario() -> None:
    app = opened(QUICK, households="10", sections=(MORE,))
    app.toggle(key=key(app, "switch:clip_at_zero")).set_value(True).run()
    app.selectbox(key=key(app, "choice:naive_bound")).set_value("realised").run()
    enter(app, "sidebar empty_max:0", 0.75)
    scenario = scenario_of(app)
    assert (scenario.clip_at_zero, scenario.naive_bound, scenario.groups[0].empty_max) == (
        True,
        "realised",
        0.75,
    )


def test_a_preset_replaces_the_scenario_and_undo_redo_reset_travel() -> None:
    app = opened()
    app.selectbox(key=key(app, "choice:preset")).select("mansions").run()
    enter(app, "epsilon", 2.0)
    changed = expected(PRESETS["mansions"].replace(epsilon=2.0))
    assert changed.items() <= shown(app).items()

    press(app, "Undo")
    assert expected(PRESETS["mansions"]).items() <= shown(app).items()
    press(app, "Undo")
    assert expected(Scenario()).items() <= shown(app).items()
    press(app, "Redo")
    press(app, "Redo")
    assert changed.items() <= shown(app).items()
    press(app, "Reset")
    assert expected(PRESETS["mansions"]).items() <= shown(app).items()


def test_a_pinned_run_is_compared_and_forgotten() -> None:
    app = opened()
    press(app, "Pin this run")
    assert next(b for b in app.button if b.label == "Pin this run").disabled, "it is pinned already"
    same = next(m for m in app.metric if m.label == "Naive error")
    assert (same.delta, same.proto.color) == ("the same as pinned", same.proto.GRAY)
    assert "never change here" not in said(app), "with a pin every panel is drawn"
    enter(app, "epsilon", 1.0)
    naive = next(m for m in app.metric if m.label == "Naive error")
    assert naive.delta == "-50.0 % to pinned"
    chart = figures(app)[1]
    (legend,) = (trace for trace in chart["data"] if trace["name"] == "Paper, ε 0.5")
    assert (legend["line"]["dash"], legend["showlegend"]) == ("dot", True)
    assert "Paper, ε 0.5: Naive" in {trace["name"] for trace in chart["data"]}
    press(app, "Unpin")
    assert "pinned" not in next(m for m in app.metric if m.label == "Naive error").delta


def test_the_error_view_draws_the_noise_band() -> None:
    app = opened()
    rates = figures(app)[1]
    app.segmented_control(key=key(app, "view")).set_value("Error").run()
    errors = figures(app)[1]
    assert not any(trace.get("fill") == "toself" for trace in rates["data"])
    assert sum(trace.get("fill") == "toself" for trace in errors["data"]) == 3


def test_cards_are_of_the_rates_that_are_shown() -> None:
    assert [m.label for m in opened(households="10").metric] == [
        "Naive error",
        "Blowfish error",
        "Filtered error",
        "Budget for the day",
    ]
    app = opened(households="10", rates="optimal.forecast")
    assert [m.label for m in app.metric] == ["Forecast error", "Budget for the day"]


@pytest.mark.parametrize(
    ("link", "offered"),
    [({}, False), ({"negligible": "0.01"}, True), ({"rates": "optimal.threshold"}, True)],
)
def test_threshold_is_offered_where_it_differs_or_by_name(link: dict[str, str], offered: bool) -> None:
    app = opened(households="10", **link)
    (pills,) = [group for group in app.get("button_group") if group.proto.label == "Rates"]
    assert ("Threshold" in [option.content for option in pills.proto.options]) == offered


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_by_its_link(name: str) -> None:
    app = opened(**to_link(PRESETS[name].replace(seed=3), name))
    assert not app.exception
    assert expected(PRESETS[name].replace(seed=3)).items() <= shown(app).items()


def packed(value: object) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode().rstrip("=")


HOSTILE_LINKS = {
    "nan": {"epsilon": "NaN"},
    "infinity": {"epsilon": "Infinity"},
    "minus infinity": {"beta": "-Infinity"},
    "huge": {"epsilon": "1e308"},
    "overflow": {"alpha": "1e999"},
    "negative": {"epsilon": "-1"},
    "zero epsilon": {"epsilon": "0"},
    "zero alpha": {"alpha": "0"},
    "negative beta": {"beta": "-0.5"},
    "no houses": {"households": "0"},
    "too many houses": {"households": "10000000000"},
    "half a house": {"households": "2.5"},
    "words": {"households": "many"},
    "two commas": {"epsilon": "0,5,5"},
    "script": {"epsilon": "<script>alert(1)</script>"},
    "script as belief": {"assumed_model": "<script>alert(1)</script>"},
    "formula as belief": {"assumed_model": "=1+1"},
    "unknown preset": {"preset": "../../etc/passwd"},
    "too many days": {"days": "100000"},
    "boolean": {"epsilon": "true"},
    "null": {"households": "null"},
    "list": {"epsilon": "[0.5]"},
    "object": {"groups": "{}"},
    "deep": {"epsilon": "[" * 3000},
    "many digits": {"seed": "9" * 5000},
    "newer version": {"version": "99"},
    "wrong word": {"conversion": "magic"},
    "no root": {"conversion": "root"},
    "not base64": {"street": "%%%"},
    "truncated": {"street": packed({"groups": []})[:10]},
    "not compressed": {"street": base64.urlsafe_b64encode(b"{}").decode()},
    "wrong keys": {"street": packed({"epsilon": 1})},
    "a list packed": {"street": packed([1])},
    "empty groups": {"street": packed({"groups": []})},
    "script group": {"street": packed({"groups": [{"name": "<img src=x onerror=alert(1)>"}]})},
    "bad matrix": {"street": packed({"models": [{"habits": [{"periods": [{"matrix": 5}] * 4}]}]})},
    "bomb": {"street": packed({"groups": "A" * 3_000_000})},
}


def how_every_screen_begins() -> None:
    from pages.ui import session

    session.begin("Explore")
    session.notices()


def check_refused(app: AppTest, link: dict[str, str]) -> None:
    """The rest of the link is in force, and the address stays as it came."""
    assert not app.exception
    assert len(app.error) == 1
    assert app.error[0].value.startswith("A part of this link is damaged; all the rest is used. ")
    assert "Traceback" not in app.error[0].value
    assert scenario_of(app) == PRESETS["paper"].replace(seed=7)
    assert link_of(app) == link


@pytest.mark.parametrize("name", HOSTILE_LINKS)
def test_a_damaged_or_hostile_link_gives_a_sentence_and_keeps_the_rest(name: str) -> None:
    app = AppTest.from_function(how_every_screen_begins, default_timeout=60)
    link = {"seed": "7"} | HOSTILE_LINKS[name]
    for field, value in link.items():
        app.query_params[field] = value
    if "seed" in HOSTILE_LINKS[name]:
        app.query_params["beta"] = "1"
        assert scenario_of(app.run()) == PRESETS["paper"].replace(beta=1.0)
    else:
        check_refused(app.run(), link)
        check_refused(app.run(), link)  # for as long as the address stands


@pytest.mark.parametrize("name", ["nan", "script group"])
def test_a_refused_link_is_said_on_the_screen_above_the_papers_numbers(name: str) -> None:
    link = {"seed": "7"} | HOSTILE_LINKS[name]
    app = opened(**link)
    check_refused(app, link)
    assert expected(Scenario(seed=7)).items() <= shown(app).items()
    app.selectbox(key=key(app, "choice:preset")).select("mansions").run()
    assert not app.error
    assert link_of(app) == {"preset": "mansions"}, "what the user changes is written anew"


HOSTILE_FILES = {
    "empty": b"",
    "not json": b"{",
    "binary": bytes(range(256)),
    "a list": b"[]",
    "nan": b'{"epsilon": NaN}',
    "infinity": b'{"alpha": Infinity}',
    "huge": b'{"beta": 1e308}',
    "twice": b'{"seed": 1, "seed": 2}',
    "unknown key": b'{"surprise": 1}',
    "deep": b"[" * 100_000,
    "one byte too many": b" " * 1_000_001,
    "newer version": b'{"version": 3}',
    "wrong type": b'{"groups": {"name": "x"}}',
    "formula name": json.dumps({"groups": [{"name": "=HYPERLINK(1)"}]}).encode(),
    "script name": json.dumps({"models": [{"name": "<script>"}]}).encode(),
    "rows do not sum": json.dumps(
        {"models": [{"habits": [{"periods": [{"name": "a", "start": 1, "matrix": [[0.5, 0.6], [0, 1]]}]}]}]}
    ).encode(),
}


def where_files_are_brought() -> None:
    from pages.ui import session
    from pages.ui.explore import takeaway
    from rtp import simulate

    takeaway(simulate(session.begin("Explore")))


def upload(app: AppTest, name: str, content: bytes) -> None:
    app.file_uploader(key="upload:scenario").upload(f"{name}.json", content, "application/json").run()
    assert not app.exception, name


def test_hostile_files_are_refused() -> None:
    app = AppTest.from_function(where_files_are_brought, default_timeout=60)
    app.query_params["epsilon"] = "0.25"
    app.session_state[f"section:{FOLDED[1]}"] = True
    app.run()
    for name, content in HOSTILE_FILES.items():
        upload(app, name, content)
        assert len(app.error) == 1, name
        assert app.error[0].value.startswith(f"{name}.json was not loaded: "), name
        assert scenario_of(app) == Scenario(epsilon=0.25), name


def test_a_refused_file_leaves_the_numbers_and_a_good_one_changes_them() -> None:
    app = opened(epsilon="0.25", sections=FOLDED)
    before = shown(app)
    upload(app, "nan", HOSTILE_FILES["nan"])
    assert len(app.error) == 1
    assert shown(app) == before
    good = PRESETS["unsure curator"].replace(epsilon=0.7)
    upload(app, "good", good.to_json().encode())
    assert not app.error
    assert expected(good).items() <= shown(app).items()
