"""The Explore screen, run without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.explore.screen import GROUP, UPLOAD
from pages.ui.params import SHOWN_FIRST
from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent
from rtp.mechanisms import private
from rtp.tradeoff import cost
from tests.help.app import FOLDED, click, enter, figures, key, opened, scenario_of


def errors(scenario: Scenario) -> list[str]:
    """Return what the dots of the first rates are to say."""
    names = [name for name in private() if name in SHOWN_FIRST]
    return [percent(own.value, 3) for own in cost(simulate(scenario), names).values()]


def dots(app: AppTest) -> list[str]:
    """Return what the dots of the first picture say."""
    return [trace["text"][0].strip() for trace in figures(app)[0]["data"] if "text" in trace]


@pytest.mark.parametrize("days", ["1", "9"])  # nine lie over each other
def test_what_stood_there_before_stays_pale_until_the_next_change(days: str) -> None:
    app = opened(households="20", step_minutes="60", days=days)
    assert not pale(app)
    enter(app, "epsilon", 2)
    first = pale(app)
    assert "private before" in first
    enter(app, "cell:0:0:1:0:1", 0.5)
    assert pale(app) != first
    assert {"private before", "Simulated before"} <= pale(app).keys()
    click(app, "action:reset")
    assert pale(app)


def pale(app: AppTest) -> dict[str, str]:
    """Return the pale curves and dots, as they are drawn."""
    traces = [trace for figure in figures(app) for trace in figure["data"]]
    return {t["name"]: str(t.get("y")) + str(t["x"]) for t in traces if t["name"].endswith(" before")}


def test_axes_stand_still_while_epsilon_moves() -> None:
    app = opened(households="20")
    before = ranges(app)
    for epsilon in (0.01, 0.05, 5, 10):
        enter(app, "epsilon", epsilon)
        assert ranges(app) == before
    marked = [t["name"] for f in figures(opened(epsilon="0.01")) for t in f["data"]]
    assert "Naive beyond" in marked, "what lies outside is marked"


def ranges(app: AppTest) -> list[object]:
    """Return from where to where the axes of cost, exposure, rates and error reach."""
    layouts = [figure["layout"] for figure in figures(app)[:3]]
    return [layout[axis].get("range") for layout in layouts for axis in sorted(layout) if "axis" in axis]


def test_a_refused_file_leaves_the_numbers_and_a_good_one_changes_them() -> None:
    app = opened(epsilon="0.25", households="10", sections=FOLDED)
    before, good = dots(app), PRESETS["unsure curator"].replace(epsilon=0.7, households=20)
    hostile = (b"", b"{", bytes(range(256)), b'{"epsilon": NaN}', b"[" * 100_000, b" " * 1_000_001)
    for content in (*hostile, good.to_json().encode()):
        app.file_uploader(key=UPLOAD).upload("scenario.json", content, "application/json").run()
        assert not app.exception
        assert bool(app.error) == (content in hostile)
        assert (dots(app) == before) == (content in hostile)
    assert dots(app) == errors(good)


def test_another_groups_matrices_are_edited_and_its_life_is_drawn() -> None:
    app = opened(preset="mixed street", households="20", step_minutes="60")
    lives = figures(app)[3]
    app.segmented_control(key=key(app, GROUP)).set_value(1).run()
    assert figures(app)[3] != lives
    enter(app, "cell:0:1:0:0:1", 0.5)
    assert scenario_of(app).models[0].habits[1].periods[0].matrix[0][1] == 0.5
