"""Quick hands: bursts of keys and clicks, faster than the app answers. The last action wins, and address,
field and picture say the same, also where the processor has other work."""

import subprocess
import sys
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
from rtp.scenario.link import read_link
from rtp.scenario.typed import shown, steps
from tests.browser.lab import Lab, drawn, metrics, stays

GAPS = (0, 30, 60, 100, 150, 200)  # milliseconds
BUSY = 60  # the gap while the processor has other work
SLOW = 100  # a gap in which the app may answer
TIMES = 5
SMALL = Scenario(households=40)
ARRIVE, STAY_EMPTY = "cell-0-0-1-0-1", "cell-0-0-1-0-0"  # at noon


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


def field(page: Page, key: str) -> Locator:
    """By its key: the second field of a name is the first while another is being drawn."""
    return page.locator(f".st-key-number-{key} input")


def test_epsilon_by_slider_keys_and_by_plus_and_minus(lab: Lab) -> None:
    page = lab.open("/Attacker", "households=40&house=7")
    for gap in GAPS:
        slide_and_step(lab, page, beliefs, gap, presses(gap))
    lab.go(page, "Explore")
    with busy_processor():
        slide_and_step(lab, page, rates, BUSY, TIMES)


Picture = Callable[[Page, Scenario], tuple[list[float], list[float]]]


def beliefs(page: Page, scenario: Scenario) -> tuple[list[float], list[float]]:
    """Those drawn, and those that are right."""
    right = posterior(simulate(scenario), "blowfish").belief[:, 7].tolist()
    return drawn(page, "Her belief, blowfish", "belief"), right


def rates(page: Page, scenario: Scenario) -> tuple[list[float], list[float]]:
    return drawn(page, "Blowfish", "day"), simulate(scenario).release["blowfish"].rate.tolist()


def slide_and_step(lab: Lab, page: Page, picture: Picture, gap: int, times: int) -> None:
    """There by the keys of the slider, back by clicks beside the typed field."""
    page.get_by_role("slider", name="ε — privacy budget per step").focus()
    burst(page, lambda: page.keyboard.press("ArrowRight"), gap, times)
    there = EPSILON_GRID[EPSILON_GRID.index(0.5) + times]
    check_epsilon(lab, page, picture, there)
    burst(page, page.get_by_role("button", name="Less: ε, typed").click, gap, times)
    check_epsilon(lab, page, picture, float(steps(there, BOUNDS["epsilon"], False, times)[-1]))
    lab.fill(page, "ε, typed", "0,5")


def check_epsilon(lab: Lab, page: Page, picture: Picture, epsilon: float) -> None:
    wanted = SMALL.replace(epsilon=epsilon)
    slider = page.get_by_role("slider", name="ε — privacy budget per step")

    def look() -> object:
        typed = page.get_by_label("ε, typed", exact=True).input_value()
        seen, right = picture(page, wanted)
        return addressed(page), typed, slider.get_attribute("aria-valuetext"), seen == right

    stays(lab, page, look, (wanted, shown(epsilon), f"{epsilon:g}", True))


def test_a_cell_its_complement_and_a_share(lab: Lab) -> None:
    page = lab.open("/Households", "households=40")
    at_every_gap(partial(a_cell_and_its_complement, lab, page))
    lab.press(page, "Add a group")
    at_every_gap(partial(two_shares, lab, page))


def a_cell_and_its_complement(lab: Lab, page: Page, gap: int, times: int) -> None:
    """Noon's chance to arrive, 0.05: up with the keys; then its complement, up again."""
    field(page, ARRIVE).focus()
    burst(page, lambda: page.keyboard.press("ArrowUp"), gap, times)
    there = steps(0.05, BOUNDS["matrix"], True, times)[-1]
    check_cell(lab, page, float(there))
    field(page, STAY_EMPTY).focus()
    burst(page, lambda: page.keyboard.press("ArrowUp"), gap, times)
    rest = steps(1 - float(there), BOUNDS["matrix"], True, times)[-1]
    check_cell(lab, page, round(1 - float(rest), 12))
    field(page, ARRIVE).fill("5 %")
    page.keyboard.press("Enter")
    lab.settle(page)


def check_cell(lab: Lab, page: Page, arrive: float) -> None:
    periods = SMALL.models[0].habits[0].periods
    wanted = edits.put_period(SMALL, 0, 0, 1, edits.set_entry(periods[1], 0, 1, arrive))

    def look() -> object:
        cells = [field(page, key).input_value() for key in (ARRIVE, STAY_EMPTY)]
        return addressed(page), cells, drawn(page, "Expected")

    cells = [shown(arrive), shown(round(1 - arrive, 12))]
    stays(lab, page, look, (wanted, cells, simulate(wanted).expected_occupancy.tolist()))


def two_shares(lab: Lab, page: Page, gap: int, times: int) -> None:
    """One down, the other up: in between they do not add up, and the street waits."""
    first, second = (field(page, f"count-{group}") for group in (0, 1))
    for houses, key in ((first, "ArrowDown"), (second, "ArrowUp")):
        houses.focus()
        burst(page, partial(page.keyboard.press, key), gap, times)

    def look() -> object:
        shares = [group.share for group in addressed(page).groups]
        return shares, [first.input_value(), second.input_value()]

    fewer, more = 20 - times, 20 + times
    stays(lab, page, look, ([fewer / 40, more / 40], [str(fewer), str(more)]))
    first.fill("20")
    second.fill("2e1")
    page.keyboard.press("Enter")
    stays(lab, page, look, ([0.5, 0.5], ["20", "20"]))


def test_the_stage_of_the_algorithm(lab: Lab) -> None:
    """Steps and lines, by keys and by buttons."""
    page = lab.open("/Algorithm", f"line={LAST}&moves=[]")
    taught = lesson(small_street(Scenario(), 4), {})
    place = page.locator(".lab-stage output")
    place.wait_for()

    def look() -> object:
        return place.inner_text(), metrics(page)[5], query(page).get("step", "0")

    def forward(gap: int, times: int) -> None:
        step = int(query(page).get("step", "0")) + times + 2
        burst(page, lambda: page.keyboard.press("ArrowRight"), gap, times)
        burst(page, page.get_by_role("button", name="Step forward", exact=True).click, gap, 2)
        burst(page, lambda: page.keyboard.press("ArrowUp"), gap, 1)
        burst(page, page.get_by_role("button", name="Line forward", exact=True).click, gap, 1)
        where = f"Step {step + 1} of 96 · {when(step)} · line {LAST} of {LAST}"
        stays(lab, page, look, (where, f"{taught.at(step).published:,.4f}", str(step)))

    at_every_gap(forward)


def test_the_house_of_the_attacker(lab: Lab) -> None:
    page = lab.open("/Attacker", "households=40&house=0")
    seen = posterior(simulate(SMALL), "blowfish")
    house = page.get_by_test_id("stMain").get_by_label("House", exact=True)

    def look() -> object:
        return query(page).get("house"), house.input_value(), drawn(page, "Her belief, blowfish", "belief")

    def forward(gap: int, times: int) -> None:
        here = int(house.input_value()) + times
        house.focus()
        burst(page, lambda: page.keyboard.press("ArrowUp"), gap, times)
        stays(lab, page, look, (str(here), str(here), seen.belief[:, here].tolist()))

    at_every_gap(forward)
    house.fill("")
    house.press("Enter")
    most_exposed = seen.belief[:, int(seen.exposure.argmax())].tolist()
    stays(lab, page, look, (None, "", most_exposed))
