"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address,
field and picture say the same, also where the processor has other work."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Page

from pages.ui.sidebar import EPSILON_GRID
from rtp import Scenario, simulate
from rtp.scenario import edit
from rtp.scenario.share import read_link, to_link
from rtp.scenario.typed import shown
from tests.browser.lab import Lab, button, drawn, field, slider, stays

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
BUSY = 60  # the gap while the processor has other work
SLOW = 100  # a gap in which the app may answer
TIMES = 5
TWO_GROUPS = edit.add_group(Scenario(households=40), 0)
ARRIVE, LEAVE = "cell-0-0-1-0-1", "cell-0-0-1-1-0"  # at noon


def burst(page: Page, act: Callable[[], None], gap: int, times: int) -> None:
    for _ in range(times):
        act()
        page.wait_for_timeout(gap)


def presses(gap: int) -> int:
    """More where they come faster than answers."""
    return TIMES if gap < SLOW else TIMES // 2


def at_every_gap(act: Callable[[int, int], None]) -> None:
    for gap in GAPS:
        act(gap, presses(gap))
    with busy_processor():
        act(BUSY, TIMES)


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


def query(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def addressed(page: Page) -> Scenario:
    return read_link(query(page)).scenario


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
    at_every_gap(lambda gap, _: back_again(lab, page, gap))


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


@pytest.mark.long
def test_two_cells_and_the_houses_of_two_groups(lab: Lab) -> None:
    page = lab.open("/Street", urlencode(to_link(TWO_GROUPS)))
    at_every_gap(partial(cells, lab, page))
    lab.tab(page, "street:tab", 1)
    at_every_gap(partial(houses, lab, page))


def cells(lab: Lab, page: Page, gap: int, times: int) -> None:
    """Noon's probability to arrive, 0.05: up, then down again; the one to leave down and up."""
    type_in(page, ARRIVE, ups := [round(0.05 + k / 100, 2) for k in range(1, times + 1)], gap)
    the_cells_are(lab, page, ups[-1])
    type_in(page, LEAVE, [0.9, 0.8], gap)
    type_in(page, ARRIVE, [*reversed(ups[:-1]), 0.05], gap)
    type_in(page, LEAVE, [0.9, 0.95], gap)
    the_cells_are(lab, page, 0.05)


def the_cells_are(lab: Lab, page: Page, arrive: float) -> None:
    noon = TWO_GROUPS.models[0].habits[0].periods[1]
    wanted = edit.put_period(TWO_GROUPS, 0, 0, 1, edit.set_entry(noon, 0, 1, arrive))
    day = simulate(wanted)
    expected = 100 * day.street_day.true_moments.occupied[0] / (day.street.group == 0).sum()

    def look() -> object:
        typed = [field(page, key).input_value() for key in (ARRIVE, LEAVE)]
        return addressed(page), typed, drawn(page, "Expected", "occupancy")

    stays(lab, page, look, (wanted, [shown(arrive), shown(noon.leave)], expected.tolist()))


def houses(lab: Lab, page: Page, gap: int, times: int) -> None:
    """One group down, the other up; in between they do not add up, and the street waits."""
    type_in(page, "count-0", [20 - k for k in range(1, times + 1)], gap)
    type_in(page, "count-1", [20 + k for k in range(1, times + 1)], gap)
    the_houses_are(lab, page, (20 - times, 20 + times))
    field(page, "count-0").fill("20")
    field(page, "count-1").fill("2e1")
    page.keyboard.press("Enter")
    the_houses_are(lab, page, (20, 20))


def the_houses_are(lab: Lab, page: Page, counts: tuple[int, int]) -> None:
    def look() -> object:
        return addressed(page), [field(page, key).input_value() for key in ("count-0", "count-1")]

    stays(lab, page, look, (edit.set_counts(TWO_GROUPS, counts), [*map(str, counts)]))
