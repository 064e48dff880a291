"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address
and field say the same, also where the processor has other work."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from pages.ui.params import EPSILON_GRID
from rtp import Scenario
from rtp.scenario import edit
from rtp.scenario.share import to_link
from rtp.scenario.typed import shown
from tests.browser.lab import Lab, addressed, button, field, slider, stays

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
BUSY = 60  # the gap while the processor has other work
SLOW = 100  # a gap in which the app may answer
TIMES = 5
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


def test_slider_typed_field_cell_and_undo_at_a_hands_pace(lab: Lab) -> None:
    """The bursts below are the long proof; this is the short one."""
    page = lab.open("/Street", urlencode(to_link(TWO_GROUPS)))
    hands(lab, page, TWO_GROUPS, SLOW)


def hands(lab: Lab, page: Page, before: Scenario, gap: int) -> None:
    """In the end ε and a cell are moved, and what is typed is taken back."""
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


def budget(page: Page) -> tuple[Scenario, str, str | None]:
    """The scenario in the address, and ε as the typed field and the slider say it."""
    typed = field(page, "epsilon").input_value()
    return addressed(page), typed, slider(page, "epsilon").get_attribute("aria-valuetext")


def budget_of(scenario: Scenario) -> tuple[Scenario, str, str]:
    return scenario, shown(scenario.epsilon), f"{scenario.epsilon:g}"
