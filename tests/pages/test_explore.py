"""The Explore screen, run without a browser."""

from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from pages.ui.explore import UPLOAD
from pages.ui.params import SHOWN_FIRST
from pages.ui.settings import MORE
from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent
from rtp.mechanisms import UNPROTECTED
from rtp.scenario import BOUNDS
from rtp.scenario.share import to_link
from tests.help.app import (
    FOLDED,
    QUICK,
    beside,
    click,
    enter,
    key,
    link_of,
    number,
    opened,
    scenario_of,
    shown,
)


def errors(scenario: Scenario) -> list[str]:
    """Return what the cards of the first rates are to show."""
    releases = simulate(scenario).release.items()
    return [percent(release.error) for name, release in releases if name in {*SHOWN_FIRST} - {UNPROTECTED}]


def cards(app: AppTest) -> list[str]:
    """Return the errors in the cards; the last card is the budget."""
    return [*shown(app).values()][:-1]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_by_its_link(name: str) -> None:
    scenario = PRESETS[name].replace(seed=3)
    app = opened(**to_link(scenario, name))
    assert cards(app) == errors(scenario)
    assert link_of(app) == to_link(scenario, name)


def test_every_main_control_changes_the_numbers_and_the_address() -> None:
    app, scenario = opened(), Scenario()
    for field, value in {"epsilon": 0.1, "alpha": 2.0, "beta": 10.0, "households": 50, "seed": 7}.items():
        before, scenario = scenario, scenario.replace(**{field: value})
        enter(app, field, value)
        assert errors(before) != cards(app) == errors(scenario), field
        assert link_of(app) == to_link(scenario), field


def test_the_slider_and_the_typed_epsilon_are_one() -> None:
    app = opened(QUICK)
    app.select_slider(key=key(app, "slider:epsilon")).set_value(0.1).run()
    assert number(app, "epsilon")["text"] == "0.1"
    enter(app, "epsilon", 0.123)
    assert app.select_slider(key=key(app, "slider:epsilon")).value == 0.123


def places(block: Block, path: tuple[int, ...] = ()) -> dict[str, tuple[int, ...]]:
    """Return where each chart, card and button stands."""
    found: dict[str, tuple[int, ...]] = {}
    for index, node in block.children.items():
        here = (*path, index)
        if isinstance(node, Block):
            found |= places(node, here)
        elif node.type in ("plotly_chart", "metric", "button", "button_group", "subheader"):
            found[f"{node.type} {getattr(node, 'label', '') or here[-1]}"] = here
    return found


def test_another_epsilon_or_seed_moves_nothing() -> None:
    """Not even where a word about luck comes: what moves is made anew."""
    app = opened()
    before, captions = places(app.main), len(app.main.caption)
    for field, value in (("epsilon", 0.4), ("seed", 1)):
        enter(app, field, value)
        assert places(app.main) == before
    assert len(app.main.caption) > captions


def test_what_is_folded_is_drawn_when_it_is_opened_and_stays_open() -> None:
    app = opened(households="10")
    assert not app.get("download_button")
    for title in FOLDED:
        app.session_state[f"section:{title}"] = True
    enter(app.run(), "epsilon", 0.4)
    assert len(app.get("download_button")) == 5
    assert f"?{urlencode(link_of(app))}" in [code.value for code in app.code]


def test_a_new_draw_takes_the_next_seed_and_after_the_last_the_first() -> None:
    for seed, following in ((6, 7), (int(BOUNDS["seed"].high), 0)):
        app = click(opened(QUICK, households="10", seed=str(seed)), "action:new draw")
        assert scenario_of(app).seed == following


def test_a_switch_and_a_choice_of_the_sidebar_change_the_scenario() -> None:
    app = opened(QUICK, households="10", sections=(MORE,))
    app.toggle(key=key(app, "switch:clip_at_zero")).set_value(True).run()
    app.selectbox(key=key(app, "choice:naive_bound")).set_value("realised").run()
    app.segmented_control(key=key(app, "choice:step_minutes")).set_value(60).run()
    changed = Scenario(households=10, clip_at_zero=True, naive_bound="realised", step_minutes=60)
    assert scenario_of(app) == changed


def test_a_pinned_run_is_compared_and_forgotten() -> None:
    app = opened(households="10")
    alone = beside(app)
    click(app, "pin:now")
    assert app.button(key="pin:now").disabled, "it is pinned already"
    enter(app, "epsilon", 1.0)
    assert any("-50.0 %" in words for words in beside(app).values())
    click(app, "unpin:pin:#1")
    enter(app, "epsilon", 0.5)
    assert beside(app) == alone


@pytest.mark.parametrize(
    ("link", "offered"),
    [({}, False), ({"negligible": "0.01"}, True), ({"rates": "optimal.threshold"}, True)],
)
def test_threshold_is_offered_where_it_differs_or_by_name(link: dict[str, str], offered: bool) -> None:
    app = opened(households="10", **link)
    pills = app.pills(key=key(app, "shown"))
    assert ("Threshold" in pills.options) == offered
    private = [index for index in pills.indices if pills.options[index] != "Optimal"]
    assert len(app.metric) == len(private) + 1, "a card for each, and the budget"


def test_a_damaged_link_is_said_above_the_numbers_of_the_rest() -> None:
    """And stays as it came until something is changed."""
    link = {"seed": "7", "households": "10", "epsilon": "<script>alert(1)</script>"}
    app = opened(**link)
    for _ in range(2):
        assert len(app.error) == 1
        assert cards(app) == errors(Scenario(seed=7, households=10))
        assert link_of(app) == link
        app.run()
    enter(app, "seed", 8)
    assert not app.error
    assert link_of(app) == {"seed": "8", "households": "10"}


def test_a_refused_file_leaves_the_numbers_and_a_good_one_changes_them() -> None:
    app = opened(epsilon="0.25", households="10", sections=FOLDED)
    before, good = shown(app), PRESETS["unsure curator"].replace(epsilon=0.7, households=20)
    hostile = (b"", b"{", bytes(range(256)), b'{"epsilon": NaN}', b"[" * 100_000, b" " * 1_000_001)
    for content in (*hostile, good.to_json().encode()):
        app.file_uploader(key=UPLOAD).upload("scenario.json", content, "application/json").run()
        assert not app.exception
        assert bool(app.error) == (content in hostile)
        assert (shown(app) == before) == (content in hostile)
    assert cards(app) == errors(good)
