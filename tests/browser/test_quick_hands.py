"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address,
field and picture say the same."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page

from pages.ui.sidebar import EPSILON_GRID
from rtp import Scenario, simulate
from rtp.attacker.observer import posterior
from rtp.classroom.lesson import lesson, small_street
from rtp.classroom.lines import LAST
from rtp.clock import when
from rtp.scenario import BOUNDS, edits
from rtp.scenario.link import from_link
from rtp.scenario.typed import shown, steps
from tests.browser.lab import Lab, drawn, metrics

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
TIMES = 5
PATIENCE = 20.0  # seconds
SMALL = Scenario(households=40)


def burst(page: Page, act: Callable[[], None], gap: int, times: int = TIMES) -> None:
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


def settles_on(lab: Lab, page: Page, look: Callable[[], object], wanted: object, gap: int) -> None:
    """It comes to be so, and stays so. A busy machine may be still for a while between two answers."""
    deadline = time.monotonic() + PATIENCE
    lab.settle(page)
    while look() != wanted and time.monotonic() < deadline:
        lab.settle(page)
    lab.settle(page)
    assert look() == wanted, f"{gap} ms apart"


def addressed(page: Page) -> Scenario:
    return from_link(dict(parse_qsl(urlsplit(page.url).query)))[1]


def field(page: Page, label: str, nth: int = 0) -> Locator:
    return page.get_by_test_id("stMain").get_by_label(label, exact=True).nth(nth)


def test_epsilon_by_slider_keys_and_by_plus_and_minus(lab: Lab) -> None:
    page = lab.open(query="households=40")
    for gap in GAPS:
        slide_and_step(lab, page, gap)
    with busy_processor():
        slide_and_step(lab, page, 60)


def slide_and_step(lab: Lab, page: Page, gap: int) -> None:
    """There by the keys of the slider, back by clicks beside the typed field."""
    page.get_by_role("slider", name="ε — privacy budget per step").focus()
    burst(page, lambda: page.keyboard.press("ArrowRight"), gap)
    check_epsilon(lab, page, EPSILON_GRID[EPSILON_GRID.index(0.5) + TIMES], gap)
    burst(page, page.get_by_role("button", name="Less: ε, typed").click, gap)
    check_epsilon(lab, page, float(steps(1.6, BOUNDS["epsilon"], False, TIMES)[-1]), gap)
    lab.fill(page, "ε, typed", "0,5")


def check_epsilon(lab: Lab, page: Page, epsilon: float, gap: int) -> None:
    wanted = SMALL.replace(epsilon=epsilon)

    def look() -> object:
        typed = page.get_by_label("ε, typed", exact=True).input_value()
        slider = page.get_by_role("slider", name="ε — privacy budget per step")
        return addressed(page), typed, slider.get_attribute("aria-valuetext"), drawn(page, "Blowfish", "day")

    rates = simulate(wanted).release["blowfish"].rate.tolist()
    settles_on(lab, page, look, (wanted, shown(epsilon), f"{epsilon:g}", rates), gap)


def test_a_cell_its_complement_and_a_share(lab: Lab) -> None:
    page = lab.open("/Households", "households=40")
    for gap in GAPS:
        a_cell_and_its_complement(lab, page, gap)
    with busy_processor():
        a_cell_and_its_complement(lab, page, 60)
    lab.press(page, "Add a group")
    for gap in GAPS[::2]:
        two_shares(lab, page, gap)


def a_cell_and_its_complement(lab: Lab, page: Page, gap: int) -> None:
    """Noon's chance to arrive, 0.05: up with the keys; then its complement, up again."""
    field(page, "Arrive", 1).focus()
    burst(page, lambda: page.keyboard.press("ArrowUp"), gap)
    there = steps(0.05, BOUNDS["matrix"], True, TIMES)[-1]
    check_cell(lab, page, float(there), gap)
    field(page, "Stay empty", 1).focus()
    burst(page, lambda: page.keyboard.press("ArrowUp"), gap)
    rest = steps(1 - float(there), BOUNDS["matrix"], True, TIMES)[-1]
    check_cell(lab, page, round(1 - float(rest), 12), gap)
    field(page, "Arrive", 1).fill("5 %")
    page.keyboard.press("Enter")
    lab.settle(page)


def check_cell(lab: Lab, page: Page, arrive: float, gap: int) -> None:
    periods = SMALL.models[0].habits[0].periods
    wanted = edits.put_period(SMALL, 0, 0, 1, edits.set_entry(periods[1], 0, 1, arrive))

    def look() -> object:
        cells = [field(page, label, 1).input_value() for label in ("Arrive", "Stay empty")]
        return addressed(page), cells, drawn(page, "Expected")

    cells = [shown(arrive), shown(round(1 - arrive, 12))]
    settles_on(lab, page, look, (wanted, cells, simulate(wanted).expected_occupancy.tolist()), gap)


def two_shares(lab: Lab, page: Page, gap: int) -> None:
    """One down, the other up: in between they do not add up, and the street waits."""
    label = "Houses"
    for nth, key in ((0, "ArrowDown"), (1, "ArrowUp")):
        field(page, label, nth).focus()
        burst(page, partial(page.keyboard.press, key), gap, 2)

    def look() -> object:
        shares = [group.share for group in addressed(page).groups]
        return shares, [field(page, label, nth).input_value() for nth in (0, 1)]

    settles_on(lab, page, look, ([0.45, 0.55], ["18", "22"]), gap)
    field(page, label, 0).fill("20")
    field(page, label, 1).fill("2e1")
    page.keyboard.press("Enter")
    settles_on(lab, page, look, ([0.5, 0.5], ["20", "20"]), gap)


def test_the_stage_of_the_algorithm(lab: Lab) -> None:
    """Steps and lines, by keys and by buttons."""
    page = lab.open("/Algorithm", f"line={LAST}&moves=[]")
    taught = lesson(small_street(Scenario(), 4), {})
    place = page.locator(".lab-stage output")
    place.wait_for()
    step = 0

    def look() -> object:
        return place.inner_text(), metrics(page)[5], dict(parse_qsl(urlsplit(page.url).query))["step"]

    for gap in (GAPS[0], GAPS[3]):
        burst(page, lambda: page.keyboard.press("ArrowRight"), gap)
        burst(page, page.get_by_role("button", name="Step forward", exact=True).click, gap, times=2)
        burst(page, lambda: page.keyboard.press("ArrowUp"), gap, times=3)
        burst(page, page.get_by_role("button", name="Line forward", exact=True).click, gap, times=3)
        step += TIMES + 2
        where = f"Step {step + 1} of 96 · {when(step)} · line {LAST} of {LAST}"
        settles_on(lab, page, look, (where, f"{taught.at(step).published:,.4f}", str(step)), gap)


def test_the_house_of_the_attacker(lab: Lab) -> None:
    page = lab.open("/Attacker", "households=40")
    seen = posterior(simulate(SMALL), "blowfish")
    house = field(page, "House")
    house.fill("0")
    house.press("Enter")

    def look() -> object:
        return house.input_value(), drawn(page, "Her belief, blowfish", "belief")

    for turn, gap in enumerate(GAPS):
        burst(page, lambda: page.keyboard.press("ArrowUp"), gap)
        here = (turn + 1) * TIMES
        settles_on(lab, page, look, (str(here), seen.belief[:, here].tolist()), gap)
    house.fill("")
    house.press("Enter")
    most_exposed = seen.belief[:, int(seen.exposure.argmax())].tolist()
    settles_on(lab, page, look, ("", most_exposed), 0)
