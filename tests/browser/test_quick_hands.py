"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address
and field say the same, also where the processor has other work."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from pages.ui.params import EPSILON_GRID
from pages.ui.screens import SCREENS
from rtp import PRESETS, Scenario
from rtp.scenario import BOUNDS, ScenarioError, edit
from rtp.scenario.share import to_link
from rtp.scenario.typed import parse, shown
from tests.browser.lab import Lab, addressed, button, field, sees, slider, stays
from tests.pages.test_walk import Model

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
BUSY = 60  # the gap while the processor has other work
SLOW = 100  # a gap in which the app may answer
TIMES = 5
# Back so soon after the next key; says where it was pressed.
BACK = """(gap) => {
    window.left = null;
    const back = () => { window.left = location.search; history.back(); };
    addEventListener('keydown', () => setTimeout(back, gap), {once: true, capture: true});
}"""
TWO_GROUPS = edit.add_group(Scenario(households=40), 0)
ARRIVE = "cell-0-0-1-0-1"  # at noon


def burst(page: Page, act: Callable[[], None], gap: int, times: int) -> None:
    for _ in range(times):
        act()
        page.wait_for_timeout(gap)


@contextmanager
def busy_processor() -> Iterator[None]:
    """Two processes that never rest."""
    rivals = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()


def type_in(page: Page, key: str, texts: Sequence[object], gap: int) -> None:
    """One after the other, each entered."""
    for text in texts:
        field(page, key).fill(str(text))
        page.keyboard.press("Enter")
        page.wait_for_timeout(gap)


def hands(lab: Lab, page: Page, before: Scenario, gap: int) -> None:
    """In the end ε and a cell are moved, and what is typed is taken back. The walk over Street has it at a
    hand's pace."""
    slider(page, "epsilon").focus()
    burst(page, lambda: page.keyboard.press("ArrowRight"), gap, TIMES)
    arrives = [round(before.models[0].habits[0].periods[1].arrive + k / 100, 2) for k in range(1, TIMES + 1)]
    type_in(page, ARRIVE, arrives, gap)
    there = EPSILON_GRID[EPSILON_GRID.index(before.epsilon) + TIMES]
    noon = before.models[0].habits[0].periods[1]
    moved = edit.put_period(before, 0, 0, 1, edit.set_entry(noon, 0, 1, arrives[-1])).replace(epsilon=there)
    stays(lab, page, lambda: budget(page), budget_of(moved))
    lab.fill(page, "epsilon", "0,7")
    type_in(page, "seed", [12], gap)
    stays(lab, page, lambda: budget(page), budget_of(moved.replace(epsilon=0.7, seed=12)))
    burst(page, button(page, "action:undo").click, gap, 2)
    stays(lab, page, lambda: budget(page), budget_of(moved))


@pytest.mark.long
def test_slider_typed_field_cell_and_undo_at_every_pace(lab: Lab) -> None:
    page = lab.open("/Street", urlencode(to_link(TWO_GROUPS)))
    for gap in GAPS:
        back_again(lab, page, gap)
    with busy_processor():
        back_again(lab, page, BUSY)


def back_again(lab: Lab, page: Page, gap: int) -> None:
    hands(lab, page, TWO_GROUPS, gap)
    type_in(page, "epsilon", [TWO_GROUPS.epsilon], gap)
    type_in(page, ARRIVE, [TWO_GROUPS.models[0].habits[0].periods[1].arrive], gap)
    stays(lab, page, lambda: budget(page), budget_of(TWO_GROUPS))


@pytest.mark.long
def test_back_right_after_an_arrow_key_wins(lab: Lab) -> None:
    """The slider tells of the key while Back is on its way to the app, or after it. Only an app that has not
    begun with Back by then, as it is busy, is told of both at once, and not which was first."""
    page = lab.open(query=urlencode(to_link(SMALL)))
    for gap in (0, 30, 60, 90, 130):
        assert any(back_wins(lab, page, gap) for _ in range(3)), gap


def back_wins(lab: Lab, page: Page, gap: int) -> bool:
    """Whichever does, address and field say the same."""
    lab.fill(page, "epsilon", "0.7")
    lab.fill(page, "epsilon", "2")
    page.evaluate(BACK, gap)
    slider(page, "epsilon").press("ArrowRight")
    page.wait_for_function("window.left")
    lab.settle(page)
    sees(page, lambda: budget(page) == budget_of(addressed(page)))
    answered = "epsilon=2.0" not in page.evaluate("left")  # then Back leads there
    return addressed(page).epsilon == (2.0 if answered else 0.7)


BREATHS, SMALL = 70, Scenario(households=8)
TYPED = {
    "epsilon": ["0,1", "1/2", "50 %", "2", "0.35", "abc", "-1", "1e-9"],
    "alpha": ["0.0004", "1,5", "2", "0"],
    "beta": ["62,5", "0", "1/0", "7"],
    "households": ["5", "12", "1e1", "3/2"],
    "seed": ["3", "1 000", "-1"],
}
PLACES = [screen.title for screen in SCREENS if screen.title != "Class"]  # which has no fields beside it


@pytest.mark.long
def test_a_random_hand_ends_where_the_plain_model_ends(lab: Lab) -> None:
    """Some five actions a breath, without a look at the page in between. Texts that reach a busy app together
    come in no order: no undo asks which was the last. They count before a click, so a click
    is a breath's last; what is refused stands in its field and is taken out again."""
    draw, model, been = Random(1), Model(SMALL), set[str]()
    page = lab.open(query=urlencode(to_link(SMALL)))
    for _ in range(BREATHS):
        names = draw.sample(list(TYPED), draw.randint(1, len(TYPED)))
        before = model.at
        acts = [act for name in names for act in typed(model, name, draw.choice(TYPED[name]))]
        if model.at > before + 1:
            model.editions, model.at = [model.edition], 0
        lab.breath(page, *acts, *clicked(model, draw.choice(["undo", "undo", "new draw"])))
        for key, _ in clicked(model, draw.choice(["redo", "reset"])) if draw.random() < 0.5 else ():
            lab.press_in_menu(page, key)
        stays(lab, page, lambda: standing(page), said_of(model.edition[1]))
        if draw.random() < 0.3:
            lab.go(page, draw.choice(PLACES))
        elif draw.random() < 0.3:
            lab.breath(page, *clicked(model, "new draw"))
            lab.travel(page, "back")
            model.move(-1)
            stays(lab, page, lambda: standing(page), said_of(model.edition[1]))
        been.add(model.edition[1].to_json())
    assert len(been) > BREATHS / 2, "it went somewhere"


def typed(model: Model, name: str, text: str) -> list[tuple[str, str | None]]:
    """To type what stands there is no action."""
    (preset, before), key = model.edition, f"number:{name}"
    try:
        model.put(preset, before.replace(**{name: parse(text, BOUNDS[name])}))
    except ScenarioError:
        return [(key, text), (key, "")]
    return [(key, text)] if model.edition[1] != before else []


def clicked(model: Model, action: str) -> list[tuple[str, str | None]]:
    """What would do nothing cannot be pressed."""
    before, (preset, now) = model.at, model.edition
    if action in ("undo", "redo"):
        model.move(-1 if action == "undo" else 1)
    else:
        model.put(preset, PRESETS[preset] if action == "reset" else now.replace(seed=now.seed + 1))
    if (model.at, model.edition[1]) == (before, now):
        return []
    return [(f"action:{action}", None)]


def standing(page: Page) -> tuple[Scenario, list[str]]:
    """The scenario in the address, and what stands in the fields."""
    return addressed(page), [field(page, name).input_value() for name in TYPED]


def said_of(scenario: Scenario) -> tuple[Scenario, list[str]]:
    return scenario, [shown(getattr(scenario, name)) for name in TYPED]


def budget(page: Page) -> tuple[Scenario, str, str | None]:
    """The scenario in the address, and ε as the typed field and the slider say it."""
    typed = field(page, "epsilon").input_value()
    return addressed(page), typed, slider(page, "epsilon").get_attribute("aria-valuetext")


def budget_of(scenario: Scenario) -> tuple[Scenario, str, str]:
    return scenario, shown(scenario.epsilon), f"{scenario.epsilon:g}"
