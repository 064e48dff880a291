"""The Explore screen, run without a browser."""

import re
import threading
from itertools import product
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, jobs
from pages.ui.explore.screen import GROUP, UPLOAD
from pages.ui.params import EPSILON_GRID, SHOWN_FIRST
from rtp import PRESETS, Scenario, simulate
from rtp.core.formatting import percent, whole_percent
from rtp.exposure import Exposure, exposure
from rtp.figures.style import short
from rtp.mechanisms import FEATURED, YARDSTICK, private
from rtp.tradeoff import cost
from tests.help.app import (
    FOLDED,
    click,
    enter,
    figures,
    key,
    known_exposure,
    opened,
    scenario_of,
)

SHOWN = [name for name in private() if name in SHOWN_FIRST and name != YARDSTICK]
SMALL = {"households": "20", "step_minutes": "60"}
RATES, BEND, OCCUPANCY = range(3)  # the charts, in the order of the screen


def errors(scenario: Scenario) -> list[str]:
    """Return what the picture is to say of the private and the filtered rate: the naive one may stand in a
    line with the private one."""
    return [percent(own.value, 3) for own in cost(simulate(scenario), SHOWN).values()]


def shown_errors(app: AppTest) -> list[str]:
    """Return what the picture of the trade-off says of them."""
    (legend,) = [note["text"] for note in figures(app)[BEND]["layout"]["annotations"] if "●" in note["text"]]
    return re.findall(r"([\d.,]+ %) \(", legend)[-len(SHOWN) :]


def claimed(app: AppTest) -> str:
    return str(app.title[0].value).replace("\u00a0", " ")


@pytest.mark.parametrize("days", ["1", "9"])  # nine lie over each other
def test_what_stood_there_before_stays_pale_until_the_next_change(days: str) -> None:
    app = opened(**SMALL, days=days)
    assert not pale(app)
    enter(app, "epsilon", 2)
    first = pale(app)
    assert "Private before" in first
    enter(app, "cell:0:0:1:0:1", 0.5)
    assert pale(app) != first
    assert {"Private before", "Simulated before"} <= pale(app).keys()
    click(app, "action:undo")
    assert pale(app)


def pale(app: AppTest) -> dict[str, str]:
    """Return the pale curves, as they are drawn."""
    traces = [trace for figure in figures(app) for trace in figure["data"]]
    return {t["name"]: str(t.get("y")) + str(t["x"]) for t in traces if t["name"].endswith(" before")}


def test_a_budget_moves_the_dot_and_no_axis_and_finds_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(**SMALL)
    axes, curves, dots = still(app), *of_the_bend(app)
    monkeypatch.setattr(cache, "find_exposure", None)
    for epsilon in (0.01, 0.05, 5, 10):
        enter(app, "epsilon", epsilon)
        assert not app.exception
        assert still(app)[-2:] == axes[-2:], "the bend's"
        assert (still(app) == axes) == (epsilon >= 0.5) == ("times as wide" not in titles(app))
        same, moved = of_the_bend(app)
        assert same == curves
        assert moved != dots
        assert shown_errors(app) == errors(scenario_of(app))


def titles(app: AppTest) -> str:
    return str([note["text"] for note in figures(app)[RATES]["layout"]["annotations"]])


def still(app: AppTest) -> list[object]:
    """Return from where to where the axes of rates, error and the trade-off reach."""
    layouts = [figures(app)[number]["layout"] for number in (RATES, BEND)]
    return [layout[axis].get("range") for layout in layouts for axis in sorted(layout) if "axis" in axis]


def of_the_bend(app: AppTest) -> tuple[list[Any], list[Any]]:
    """Return its curves and its dots."""
    traces = figures(app)[BEND]["data"]
    return [t for t in traces if " now, " not in t["name"]], [t["x"] for t in traces if " now, " in t["name"]]


def test_the_claim_and_the_picture_say_what_the_library_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rate has its own curve: the calibrated one, with less noise, is told more."""
    monkeypatch.setattr(cache, "find_exposure", exposure)
    app = opened(households="3", step_minutes="60", epsilon="2", seed="41", rates="blowfish.calibrated")
    street = scenario_of(app)
    told = {who: exposure(street, "moment", who) for who in cache.OBSERVERS}
    assert whole_percent(told["insider"].at(FEATURED, 2.0).value) in claimed(app)
    assert percent(cost(simulate(street))[FEATURED].value, 3) in claimed(app)
    drawn = {t["name"]: t["y"] for t in figures(app)[BEND]["data"]}
    for (who, found), name in product(told.items(), (FEATURED, "calibrated")):
        assert drawn[f"{short(name)} now, {who}"] == pytest.approx([100 * found.at(name, 2.0).value])
        assert drawn[f"{short(name)}, {who}"] == pytest.approx(100 * found.over(name, EPSILON_GRID).value)


def test_until_another_street_is_searched_the_last_answer_stays_pale(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(**SMALL, seed="51")
    before, picture = claimed(app), figures(app)[BEND]
    go_on = threading.Event()

    def slowly(_: Scenario, secret: Any, observer: Any, **__: Any) -> Exposure:
        assert go_on.wait(30)
        return known_exposure(secret, observer)

    monkeypatch.setattr(cache, "find_exposure", slowly)
    monkeypatch.setattr(jobs, "AT_ONCE", 0.0)
    enter(app, "beta", 100)
    assert claimed(app) != before, "no price needs a search"
    before = claimed(app)
    enter(app, "seed", 52)
    assert claimed(app) == f":gray[{before}]"
    old = figures(app)[BEND]
    assert [t["name"] for t in old["data"]] == [t["name"] for t in picture["data"]]
    assert all(trace["opacity"] < 0.5 for trace in old["data"])
    assert figures(app)[RATES]["data"], "what needs no search is new at once"
    go_on.set()
    monkeypatch.setattr(jobs, "AT_ONCE", 30.0)
    app.run()
    assert not claimed(app).startswith(":gray")
    assert any(trace.get("opacity", 1) > 0.5 for trace in figures(app)[BEND]["data"])


def test_a_refused_file_leaves_the_numbers_and_a_good_one_changes_them() -> None:
    app = opened(epsilon="0.25", households="10", sections=FOLDED)
    before, good = shown_errors(app), PRESETS["unsure curator"].replace(epsilon=0.7, households=20)
    hostile = (b"", b"{", bytes(range(256)), b'{"epsilon": NaN}', b"[" * 100_000, b" " * 1_000_001)
    for content in (*hostile, good.to_json().encode()):
        app.file_uploader(key=UPLOAD).upload("scenario.json", content, "application/json").run()
        assert not app.exception
        assert bool(app.error) == (content in hostile)
        assert (shown_errors(app) == before) == (content in hostile)
    assert shown_errors(app) == errors(good)


def test_another_groups_matrices_are_edited_and_its_life_is_drawn() -> None:
    app = opened(preset="mixed street", **SMALL)
    lives = figures(app)[OCCUPANCY]
    app.segmented_control(key=key(app, GROUP)).set_value(1).run()
    assert figures(app)[OCCUPANCY] != lives
    enter(app, "cell:0:1:0:0:1", 0.5)
    assert scenario_of(app).models[0].habits[1].periods[0].matrix[0][1] == 0.5
