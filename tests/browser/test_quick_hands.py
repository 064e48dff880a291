"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address,
field and picture say the same, also where the processor has other work."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from pages.ui.sidebar import EPSILON_GRID
from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.core.time import when
from rtp.scenario import BOUNDS, edit
from rtp.scenario.share import read_link, to_link
from rtp.scenario.typed import shown
from rtp.teaching.lines import LAST
from rtp.teaching.stage import open_stage, opening, small_street
from tests.browser.lab import Lab, drawn, metrics, stays

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
BUSY = 60  # the gap while the processor has other work
SLOW = 100  # a gap in which the app may answer
TIMES = 5
SMALL = Scenario(households=40)
TWO_GROUPS = edit.add_group(SMALL, 0)
ARRIVE, LEAVE = "cell-0-0-1-0-1", "cell-0-0-1-1-0"  # at noon
HOUSE = "attacker-house"


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


def field(page: Page, key: str) -> Locator:
    """By its key: the second field of a name is the first while another is being drawn."""
    return page.locator(f"[class*='st-key-number-{key}'] input")


def test_slider_typed_field_cell_and_undo_at_a_hands_pace(lab: Lab) -> None:
    """The bursts below are the long proof; this is the short one."""
    page = lab.open("/Households", urlencode(to_link(TWO_GROUPS)))
    now = TWO_GROUPS
    for gap in (60, 150):
        now = hands(lab, page, now, gap)


def hands(lab: Lab, page: Page, before: Scenario, gap: int) -> Scenario:
    """Gives the scenario in the end: ε and a cell are moved, and what is typed is taken back."""
    page.get_by_role("slider", name=BOUNDS["epsilon"].words).focus()
    burst(page, lambda: page.keyboard.press("ArrowRight"), gap, TIMES)
    arrives = [round(before.models[0].habits[0].periods[1].arrive + k / 100, 2) for k in range(1, TIMES + 1)]
    type_in(page, ARRIVE, arrives, gap)
    there = EPSILON_GRID[EPSILON_GRID.index(before.epsilon) + TIMES]
    noon = before.models[0].habits[0].periods[1]
    moved = edit.put_period(before, 0, 0, 1, edit.set_entry(noon, 0, 1, arrives[-1])).replace(epsilon=there)
    stays(lab, page, lambda: budget(page), budget_of(moved))
    lab.fill(page, "ε", "0,7")
    page.get_by_label("Seed", exact=True).fill("12")
    page.get_by_label("Seed", exact=True).press("Enter")
    stays(lab, page, lambda: budget(page), budget_of(moved.replace(epsilon=0.7, seed=12)))
    burst(page, page.get_by_role("button", name="Undo", exact=True).click, gap, 2)
    stays(lab, page, lambda: budget(page), budget_of(moved))
    return moved


@pytest.mark.long
def test_epsilon_by_slider_and_typed_and_the_house_of_the_attacker(lab: Lab) -> None:
    page = lab.open("/Attacker", "households=40&house=7")
    at_every_gap(partial(epsilon_and_house, lab, page))
    house = field(page, HOUSE)
    house.fill("")
    house.press("Enter")
    seen = posterior(simulate(SMALL), "blowfish")
    most_exposed = seen.belief[:, int(seen.exposure.argmax())].tolist()

    def look() -> object:
        return query(page).get("house"), house.input_value(), drawn(page, "Her belief, blowfish", "belief")

    stays(lab, page, look, (None, "", most_exposed))
    lab.go(page, "Explore")
    with busy_processor():
        page.get_by_role("slider", name=BOUNDS["epsilon"].words).focus()
        burst(page, lambda: page.keyboard.press("ArrowRight"), BUSY, TIMES)
        rates_are_those_of(lab, page, EPSILON_GRID[EPSILON_GRID.index(0.5) + TIMES])


def epsilon_and_house(lab: Lab, page: Page, gap: int, times: int) -> None:
    """Up by the keys of the slider, down by typing; the house by typing, in one breath with one or the other:
    the echo of one control must not count as a change of the other."""
    house = field(page, HOUSE)
    before, with_slider = int(house.input_value()), gap in GAPS[::2]

    def next_houses() -> None:
        type_in(page, HOUSE, range(before + 1, before + times + 1), gap)

    page.get_by_role("slider", name=BOUNDS["epsilon"].words).focus()
    burst(page, lambda: page.keyboard.press("ArrowRight"), gap, times)
    if with_slider:
        next_houses()
    there = EPSILON_GRID[EPSILON_GRID.index(0.5) + times]
    beliefs_are_those_of(lab, page, there, before + times * with_slider)
    below = [round(there - k / 100, 4) for k in range(1, times + 1)]
    type_in(page, "epsilon", below, gap)
    if not with_slider:
        next_houses()
    beliefs_are_those_of(lab, page, below[-1], before + times)
    lab.fill(page, "ε", "0,5")


def beliefs_are_those_of(lab: Lab, page: Page, epsilon: float, house: int) -> None:
    wanted = SMALL.replace(epsilon=epsilon)
    right = posterior(simulate(wanted), "blowfish").belief[:, house].tolist()

    def look() -> object:
        belief = drawn(page, "Her belief, blowfish", "belief")
        return query(page)["house"], field(page, HOUSE).input_value(), belief, budget(page)

    stays(lab, page, look, (str(house), str(house), right, budget_of(wanted)))


def rates_are_those_of(lab: Lab, page: Page, epsilon: float) -> None:
    wanted = SMALL.replace(epsilon=epsilon)
    right = simulate(wanted).release["blowfish"].rate.tolist()
    stays(lab, page, lambda: (drawn(page, "Blowfish", "day"), budget(page)), (right, budget_of(wanted)))


def budget(page: Page) -> tuple[Scenario, str, str | None]:
    """The scenario in the address, and ε as the typed field and the slider say it."""
    slider = page.get_by_role("slider", name=BOUNDS["epsilon"].words)
    typed = page.get_by_label("ε", exact=True).input_value()
    return addressed(page), typed, slider.get_attribute("aria-valuetext")


def budget_of(scenario: Scenario) -> tuple[Scenario, str, str]:
    return scenario, shown(scenario.epsilon), f"{scenario.epsilon:g}"


@pytest.mark.long
def test_two_cells_and_the_houses_of_two_groups(lab: Lab) -> None:
    page = lab.open("/Households", urlencode(to_link(TWO_GROUPS)))
    at_every_gap(partial(cells_and_houses, lab, page))


def cells_and_houses(lab: Lab, page: Page, gap: int, times: int) -> None:
    """Noon's probability to arrive, 0.05: up, then down again; the one to leave down and up. Houses: one
    group down, the other up; in between they do not add up, and the street waits."""
    counts = range(1, times + 1)
    type_in(page, ARRIVE, ups := [round(0.05 + k / 100, 2) for k in counts], gap)
    type_in(page, "count-0", [20 - k for k in counts], gap)
    type_in(page, "count-1", [20 + k for k in counts], gap)
    the_street_is(lab, page, ups[-1], (20 - times, 20 + times))
    type_in(page, LEAVE, [0.9, 0.8], gap)
    type_in(page, ARRIVE, [*reversed(ups[:-1]), 0.05], gap)
    type_in(page, LEAVE, [0.9, 0.95], gap)
    field(page, "count-0").fill("20")
    field(page, "count-1").fill("2e1")
    page.keyboard.press("Enter")
    the_street_is(lab, page, 0.05, (20, 20))


def the_street_is(lab: Lab, page: Page, arrive: float, houses: tuple[int, int]) -> None:
    noon = TWO_GROUPS.models[0].habits[0].periods[1]
    moved = edit.put_period(TWO_GROUPS, 0, 0, 1, edit.set_entry(noon, 0, 1, arrive))
    wanted = edit.set_counts(moved, houses)

    def look() -> object:
        keys = (ARRIVE, LEAVE, "count-0", "count-1")
        return addressed(page), [field(page, key).input_value() for key in keys], drawn(page, "Expected")

    fields = [shown(arrive), shown(noon.leave), *map(str, houses)]
    stays(lab, page, look, (wanted, fields, simulate(wanted).expected_occupancy.tolist()))


@pytest.mark.long
def test_the_stage_of_the_algorithm(lab: Lab) -> None:
    """Steps and lines, by keys and by buttons. Presses that arrive together are one: a hand is slower."""
    page = lab.open("/Algorithm", f"line={LAST}")
    small = small_street(Scenario(), 4)
    taught = open_stage(small, opening(small))
    place = page.locator(".st-key-stage-place")
    place.wait_for()

    def look() -> object:
        return place.inner_text(), metrics(page)[5], query(page).get("step", "0")

    def forward(gap: int, times: int) -> None:
        step = int(query(page).get("step", "0")) + times + 2
        burst(page, lambda: page.keyboard.press("ArrowRight"), gap, times)
        burst(page, page.locator(".st-key-stage-next button").click, gap, 2)
        burst(page, lambda: page.keyboard.press("ArrowUp"), gap, 1)
        burst(page, page.locator(".st-key-line-next button").click, gap, 1)
        where = f"Step {step + 1} of 96 · {when(step)} · line {LAST} of {LAST}"
        stays(lab, page, look, (where, f"{taught.at(step).published:,.4f}", str(step)))

    for gap in (SLOW, 2 * SLOW):
        forward(gap, presses(gap))
