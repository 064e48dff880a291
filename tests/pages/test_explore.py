"""The Explore screen, run without a browser."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from pages.ui.explore.below import UPLOAD
from pages.ui.params import SHOWN_FIRST
from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent
from rtp.mechanisms import UNPROTECTED
from rtp.scenario import BOUNDS
from rtp.scenario.share import to_link
from tests.help.app import FOLDED, QUICK, click, enter, link_of, opened, scenario_of, shown


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


def test_a_new_draw_takes_the_next_seed_and_after_the_last_the_first() -> None:
    for seed, following in ((6, 7), (int(BOUNDS["seed"].high), 0)):
        app = click(opened(QUICK, households="10", seed=str(seed)), "action:new draw")
        assert scenario_of(app).seed == following


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
