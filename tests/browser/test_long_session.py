"""A long session in a real browser: actions from a seed over all screens, undo and redo among them, end where
the same actions applied to a plain scenario end."""

import random
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from pages.ui.sidebar import SCREENS
from rtp import PRESETS, simulate
from rtp.attack.adversary import posterior
from rtp.scenario import BOUNDS, edit
from rtp.scenario.typed import parse
from tests.browser.lab import Lab, choose_from, drawn, sees
from tests.browser.session import HOUSEHOLDS, Session
from tests.browser.twin import TYPED

SEED = 1
BREATH = 12  # actions between two looks, on average, where nothing else asks for one
TITLES = [screen.title for screen in SCREENS]


pytestmark = pytest.mark.long


def typed(session: Session) -> None:
    name = session.draw.choice(list(TYPED))
    session.enter(name, session.draw.choice(TYPED[name]))


def pressed(session: Session) -> None:
    session.travel(session.draw.choice(["Undo", "Undo", "Redo", "Reset", "New draw"]))


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
    plain = session.plain
    name = session.draw.choice(["Towers", "<b>", "Flats 2"])
    if session.draw.random() < 0.5:
        session.fill("text-group-0", name, lambda now: now.groups[0].name)
        plain.edit(lambda now: edit.set_group_field(now, 0, "name", name))
    elif len(plain.now.groups) < 3:
        session.act("Add a group")
        plain.edit(lambda now: edit.add_group(now, len(now.groups) - 1))
    else:
        session.act("remove-group-1")
        plain.edit(lambda now: edit.remove_group(now, 1))


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
    choose_from(session.page, "Preset", name.capitalize())
    session.plain.put(PRESETS[name], name)
    session.look()
    session.enter("households", "8")


def menu(session: Session) -> None:
    """To Households, and from there to the others in turn."""
    session.look()
    fewest = min(session.visits[title] for title in TITLES)
    rarest = [title for title in TITLES if session.visits[title] == fewest]
    session.screen = HOUSEHOLDS if session.screen != HOUSEHOLDS else session.draw.choice(rarest)
    session.side.locator("a", has_text=session.screen).first.click()
    session.look()
    session.visits[session.screen] += 1
    pictured(session)


def history(session: Session) -> None:
    """The browser's own Back undoes the last change, and Forward redoes it."""
    session.look()
    session.travel("New draw")
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
        sees(page, lambda: drawn(page, "Blowfish", "day"), day.release["blowfish"].rate.tolist())
    elif session.screen == HOUSEHOLDS:
        sees(page, lambda: drawn(page, "Expected"), day.expected_occupancy.tolist())
    elif session.screen == "Attacker":
        beliefs = posterior(day, "blowfish")
        right = beliefs.belief[:, int(beliefs.exposure.argmax())].tolist()
        sees(page, lambda: drawn(page, "Her belief, blowfish", "belief"), right)


Act = Callable[[Session], None]
ANYWHERE: list[Act] = [typed, pressed, slid, preset, menu, history]
THERE: list[Act] = [cell, group]
RARE: dict[Act, int] = {slid: 8, preset: 8, history: 8, menu: 3}  # each with looks of its own


def chosen(session: Session, last: Act, followed: Counter[tuple[Act, Act]]) -> Act:
    """Of those that are possible one that has followed the last one least often."""
    possible = [*ANYWHERE, *(THERE if session.screen == HOUSEHOLDS else [])]
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
