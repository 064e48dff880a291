"""A long session in a real browser beside its plain twin: actions from a seed over all screens, undo and redo
among them, end where the same actions applied to a plain scenario end. The hand is quick: the actions of a
breath are made without a look at the page; then all that is said of the scenario must come to be right.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from operator import attrgetter
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, TimeoutError

from pages.ui.screens import SCREENS
from rtp import PRESETS, Scenario, simulate
from rtp.scenario import BOUNDS, ScenarioError, edit
from rtp.scenario.share import LINK_NAMES, to_link
from rtp.scenario.typed import parse, shown
from scripts.browser import settle
from tests.browser.lab import ACTS, LONGEST, Lab, choose_from, drawn, sees

pytestmark = pytest.mark.long

STREET, TABS = "Street", ("Habits", "Groups")
TYPED = {
    "epsilon": ["0,1", "1/2", "50 %", "2", "0.35", "abc", "-1", "", "1e-9"],
    "alpha": ["0.0004", "1,5", "2", "0"],
    "beta": ["62,5", "0", "1/0", "7"],
    "households": ["5", "12", "10.000", "1e1", "3/2"],
    "seed": ["3", "1 000", "-1"],
}

# The screen, the scenario's part of the address, the fields, whether one of the sidebar's has refused what
# was typed, and which of the buttons that travel through the history cannot be pressed.
SEEN = """([names, fields, refusing]) => {
    const side = document.querySelector('[data-testid=stSidebar]');
    const button = (action) => side.querySelector(`.st-key-action-${action} button`);
    const alert = (name) => side.querySelector(`.st-key-number-${name} [role=alert]`);
    const said = [...new URLSearchParams(location.search)].filter(([name]) => names.includes(name));
    return {
        screen: document.title.split(' · ')[0],
        address: said.sort(([one], [other]) => one < other ? -1 : 1),
        fields: fields.map((parts) => [...document.querySelectorAll(parts)].map((each) => each.value).join()),
        refused: refusing.filter((name) => alert(name)),
        idle: ['undo', 'redo', 'reset'].filter((action) => button(action)?.disabled ?? true),
    };
}"""
SAYS = f"([asked, wanted]) => JSON.stringify(({SEEN})(asked)) === wanted"


@dataclass
class Plain:
    """The scenario and its history, without an app."""

    preset: str = "tiny street"
    now: Scenario = PRESETS["tiny street"]
    past: list[tuple[str, Scenario]] = field(default_factory=list)
    future: list[tuple[str, Scenario]] = field(default_factory=list)

    def put(self, scenario: Scenario, preset: str | None = None) -> None:
        after = (preset or self.preset, scenario)
        if after != (self.preset, self.now):
            self.past, self.future = [*self.past, (self.preset, self.now)], []
            self.preset, self.now = after

    def edit(self, change: Callable[[Scenario], Scenario]) -> bool:
        with suppress(ScenarioError):
            self.put(change(self.now))
            return True
        return False

    def travel(self, back: list[tuple[str, Scenario]], ahead: list[tuple[str, Scenario]]) -> None:
        if back:
            ahead.append((self.preset, self.now))
            self.preset, self.now = back.pop()


@dataclass
class Session:
    """A page, and beside it what it should say; actions wait for the end of their breath."""

    page: Page
    draw: random.Random
    plain: Plain = field(default_factory=Plain)
    screen: str = "Explore"
    tab: str = TABS[0]  # of Street
    visits: Counter[str] = field(default_factory=Counter)
    looked: Scenario = PRESETS["tiny street"]  # what the page said last
    refused: tuple[str, str] | None = None  # the field of the last action and its text, if it was refused
    breath: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def side(self) -> Locator:
        return self.page.get_by_test_id("stSidebar")

    def wanted(self) -> dict[str, object]:
        plain, now = self.plain, self.plain.now
        idle = {"undo": not plain.past, "redo": not plain.future, "reset": now == PRESETS[plain.preset]}
        return {
            "screen": self.screen,
            "address": sorted([list(item) for item in to_link(now, plain.preset).items()]),
            "fields": list(self.fields().values()),
            "refused": self.refusing,
            "idle": [action for action, is_idle in idle.items() if is_idle],
        }

    @property
    def refusing(self) -> list[str]:
        """The name of the sidebar's field that says why it has refused."""
        name = self.refused[0].removeprefix("number-") if self.refused else ""
        return [name] if name in TYPED else []

    def fields(self) -> dict[str, str]:
        """What stands in those of the sidebar, and in those of Street that are typed into: the numbers,
        or what was refused."""
        now = self.plain.now
        said = {f".st-key-number-{name} input": shown(getattr(now, name)) for name in TYPED}
        if self.screen == STREET and self.tab == TABS[1]:
            said["[class*='st-key-text-group-0-'] input"] = now.groups[0].name
        elif self.screen == STREET:
            for p, period in enumerate(now.models[0].habits[0].periods):
                for r, t in ((0, 1), (1, 0)):  # arrive and leave
                    said[f"[class*='st-key-number-cell-0-0-{p}-{r}-{t}'] input"] = shown(period.matrix[r][t])
        if self.refused:
            key, text = self.refused
            said |= {parts: text for parts in said if f"st-key-{key}" in parts}
        return said

    def fill(self, key: str, text: str, value: Callable[[Scenario], object]) -> None:
        """The hand looks first where it has used that field in this breath, or the field has yet to show what
        it did elsewhere: to type what stands there is no action."""
        if value(self.plain.now) != value(self.looked) or key in [used for used, _ in self.breath]:
            self.look()
        self.act(key, text)

    def act(self, key: str, text: str | None = None) -> None:
        """What was refused is taken out of its field first."""
        if self.refused and key != self.refused[0]:
            self.breath.append((self.refused[0], ""))
        self.breath.append((key, text))
        self.refused = None

    def look_after_click(self) -> None:
        """Streamlit merges requests that reach a busy app together, and then says no more which came first.
        What is typed counts before a click, so a click is the last thing that a hand may do unseen. And where
        it has removed or moved a group, what stands there from before is refused: the new is waited for."""
        if self.breath and self.breath[-1][1] is None:
            self.look()
            settle(self.page)

    def look(self) -> None:
        """The end of a breath: everything that is said of the scenario comes to be right."""
        self.page.evaluate(ACTS, [self.breath, 1000 * LONGEST])
        done, self.breath = self.breath, []
        self.looked = self.plain.now
        asked, wanted = [list(LINK_NAMES), list(self.fields()), self.refusing], self.wanted()
        text = json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))
        try:
            self.page.wait_for_function(SAYS, arg=[asked, text], polling=30, timeout=1000 * LONGEST)
        except TimeoutError:
            seen = self.page.evaluate(SEEN, asked)
            differ = {part: (said, wanted[part]) for part, said in seen.items() if said != wanted[part]}
            raise AssertionError(f"after {done}, seen and wanted: {differ}") from None
        if self.refused:
            self.breath, self.refused = [(self.refused[0], "")], None
            self.look()

    def turn(self, tab: str) -> None:
        """To another tab of Street."""
        self.look()
        self.page.get_by_role("tab", name=tab).click()
        self.tab = tab
        self.look()

    def enter(self, name: str, text: str) -> None:
        self.fill(f"number-{name}", text, attrgetter(name))
        before = shown(getattr(self.plain.now, name))
        taken = self.plain.edit(lambda now: now.replace(**{name: parse(text, BOUNDS[name])}))
        self.refused = None if taken or text in ("", before) else (f"number-{name}", text)

    def travel(self, action: str) -> None:
        """What would do nothing cannot be pressed."""
        plain, before = self.plain, deepcopy(self.plain)
        if action == "undo":
            plain.travel(plain.past, plain.future)
        elif action == "redo":
            plain.travel(plain.future, plain.past)
        elif action == "reset":
            plain.put(PRESETS[plain.preset])
        else:
            plain.edit(lambda now: now.replace(seed=now.seed + 1))
        if plain != before:
            self.act(f"action-{action}")


SEED = 1
BREATH = 12  # actions between two looks, on average, where nothing else asks for one
TITLES = [screen.title for screen in SCREENS if screen.title != "Class"]  # which has no fields beside it


def typed(session: Session) -> None:
    name = session.draw.choice(list(TYPED))
    session.enter(name, session.draw.choice(TYPED[name]))


def pressed(session: Session) -> None:
    session.travel(session.draw.choice(["undo", "undo", "redo", "reset", "new-draw"]))


def cell(session: Session) -> None:
    draw, plain = session.draw, session.plain
    period, (row, to) = draw.randrange(4), draw.choice([(0, 1), (1, 0)])  # arrive or leave
    text = draw.choice(["0,25", "3/8", "0", "100 %", "1,5"])
    key = f"number-cell-0-0-{period}-{row}-{to}"
    session.fill(key, text, lambda now: now.models[0].habits[0].periods[period].matrix[row][to])
    part = plain.now.models[0].habits[0].periods[period]
    taken = plain.edit(
        lambda now: edit.put_period(
            now, 0, 0, period, edit.set_entry(part, row, to, parse(text, BOUNDS["matrix"]))
        )
    )
    session.refused = None if taken else (key, text)


def group(session: Session) -> None:
    """On the tab of its own, and back."""
    session.turn(TABS[1])
    plain = session.plain
    name = session.draw.choice(["Towers", "<b>", "Flats 2"])
    if session.draw.random() < 0.5:
        session.fill("text-group-0", name, lambda now: now.groups[0].name)
        plain.edit(lambda now: edit.set_group_field(now, 0, "name", name))
    elif len(plain.now.groups) < 3:
        session.act("add-group")
        plain.edit(lambda now: edit.add_group(now, len(now.groups) - 1))
    else:
        session.act("remove-group-1")
        plain.edit(lambda now: edit.remove_group(now, 1))
    session.turn(TABS[0])


def slid(session: Session) -> None:
    """By a key, from where the slider is to where it then says it is; it tells the app a little later."""
    session.look()
    slider = session.side.locator("input[type=range]").first
    slider.press(session.draw.choice(["ArrowLeft", "ArrowRight", "PageDown", "PageUp"]))
    epsilon = float(slider.get_attribute("aria-valuetext") or "")
    session.plain.edit(lambda now: now.replace(epsilon=epsilon))
    session.look()


def preset(session: Session) -> None:
    """The other one of two, with few houses."""
    session.look()
    name = "mixed street" if session.plain.preset == "tiny street" else "tiny street"
    choose_from(session.page, "choice:preset", name.capitalize())
    session.plain.put(PRESETS[name], name)
    session.look()
    session.enter("households", "8")


def menu(session: Session) -> None:
    """To Street, and from there to the others in turn."""
    session.look()
    fewest = min(session.visits[title] for title in TITLES)
    rarest = [title for title in TITLES if session.visits[title] == fewest]
    session.screen = STREET if session.screen != STREET else session.draw.choice(rarest)
    session.side.locator("a", has_text=session.screen).first.click()
    session.look()
    session.visits[session.screen] += 1
    pictured(session)


def history(session: Session) -> None:
    """The browser's own Back undoes the last change, and Forward redoes it."""
    session.look()
    session.travel("new-draw")
    session.look()
    session.page.evaluate("history.back()")
    session.plain.travel(session.plain.past, session.plain.future)
    session.look()
    if session.draw.random() < 0.3:
        session.page.evaluate("history.forward()")
        session.plain.travel(session.plain.future, session.plain.past)
        session.look()


def pictured(session: Session) -> None:
    page, day = session.page, simulate(session.plain.now)
    if session.screen == "Explore":
        sees(page, lambda: drawn(page, "Blowfish", "rates"), day.release["blowfish"].rate.tolist())
    elif session.screen == STREET:
        expected = day.street_day.true_moments.occupied[0] / (day.street.group == 0).sum()
        sees(page, lambda: drawn(page, "Expected", "habits-and-rates"), pytest.approx(expected.tolist()))


Act = Callable[[Session], None]
ANYWHERE: list[Act] = [typed, pressed, slid, preset, menu, history]
THERE: list[Act] = [cell, group]
RARE: dict[Act, int] = {slid: 8, preset: 8, history: 8, group: 3, menu: 3}  # each with looks of its own


def chosen(session: Session, last: Act, followed: Counter[tuple[Act, Act]]) -> Act:
    """Of those that are possible one that has followed the last one least often."""
    possible = [*ANYWHERE, *(THERE if session.screen == STREET else [])]
    often = {act: followed[last, act] * RARE.get(act, 1) for act in possible}
    return session.draw.choice([act for act in possible if often[act] == min(often.values())])


def test_300_actions_every_one_after_every_other_end_where_the_plain_scenario_ends(lab: Lab) -> None:
    session = Session(lab.open("/", urlencode({"preset": "tiny street"})), random.Random(SEED))
    followed: Counter[tuple[Act, Act]] = Counter()
    act: Act = typed
    for _ in range(300):
        last, act = act, chosen(session, act, followed)
        followed[last, act] += 1
        session.look_after_click()
        act(session)
        if session.draw.randrange(BREATH) == 0:
            session.look()
    session.look()
    lab.settle(session.page)
    session.look()
    pictured(session)
    acts = [*ANYWHERE, *THERE]
    assert all(followed[one, other] for one in acts for other in acts)
    assert all(session.visits[title] for title in TITLES)
    assert len(session.plain.past) > 15, "the session went somewhere"
