"""A long session: actions from a seed, undo and redo among them, end where the same actions applied to a
plain scenario end."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui.sidebar import EPSILON_GRID, SCREENS
from rtp import PRESETS
from rtp.scenario import BOUNDS, edits
from rtp.scenario.typed import parse
from tests.help.app import enter, key, number, opened, press
from tests.help.twin import TYPED, Plain

Act = Callable[[AppTest, Plain, random.Random], None]


def typed(app: AppTest, plain: Plain, draw: random.Random) -> None:
    name = draw.choice(list(TYPED))
    text = draw.choice(TYPED[name])
    enter(app, name, text)
    if text:
        plain.edit(lambda now: now.replace(**{name: parse(text, BOUNDS[name])}))


def slid(app: AppTest, plain: Plain, draw: random.Random) -> None:
    epsilon = draw.choice(EPSILON_GRID)
    app.select_slider(key=key(app, "slider:epsilon")).set_value(epsilon).run()
    plain.edit(lambda now: now.replace(epsilon=epsilon))


def button(app: AppTest, plain: Plain, draw: random.Random) -> None:
    label = draw.choice(["Undo", "Undo", "Redo", "Reset", "New draw"])
    if next(each for each in app.button if each.label == label).disabled:
        return
    press(app, label)
    if label == "Undo":
        plain.travel(plain.past, plain.future)
    elif label == "Redo":
        plain.travel(plain.future, plain.past)
    elif label == "Reset":
        plain.put(PRESETS[plain.preset])
    else:
        plain.edit(lambda now: now.replace(seed=now.seed + 1))


def preset(app: AppTest, plain: Plain, draw: random.Random) -> None:
    name = draw.choice(["tiny street", "mixed street"])
    app.selectbox(key=key(app, "choice:preset")).select(name).run()
    if name != plain.preset:
        plain.put(PRESETS[name], name)
    enter(app, "households", "8")
    plain.edit(lambda now: now.replace(households=8))


def cell(app: AppTest, plain: Plain, draw: random.Random) -> None:
    period, row, to = draw.randrange(4), draw.randrange(2), draw.randrange(2)
    text = draw.choice(["0,25", "1/3", "0", "100 %", "1,5"])
    enter(app, f"cell:0:0:{period}:{row}:{to}", text)
    part = plain.now.models[0].habits[0].periods[period]
    plain.edit(
        lambda now: edits.put_period(
            now, 0, 0, period, edits.set_entry(part, row, to, parse(text, BOUNDS["matrix"]))
        )
    )


def group(app: AppTest, plain: Plain, draw: random.Random) -> None:
    name, many = draw.choice(["Towers", "<b>", "Flats 2"]), len(plain.now.groups)
    if draw.random() < 0.5:
        app.text_input(key=key(app, "text:group:0")).set_value(name).run()
        plain.edit(lambda now: edits.put_group(now, 0, now.groups[0].replace(name=name)))
    elif many < 3:
        press(app, "Add a group")
        shown = app.session_state["view"].get("shown group", 0)
        plain.edit(lambda now: edits.add_group(now, shown if shown < many else 0))
    else:
        app.button(key="remove group:1").click().run()
        plain.edit(lambda now: edits.remove_group(now, 1))


def page(app: AppTest, plain: Plain, draw: random.Random) -> None:
    app.switch_page(draw.choice(SCREENS).path).run()


def turned(app: AppTest, plain: Plain, draw: random.Random) -> None:
    """To the other screen of the controls without pictures."""
    app.session_state["title"] = draw.choice(["Explore", "Explore", "Households"])
    app.run()


ANYWHERE: list[Act] = [typed, slid, button, preset]
HOUSEHOLDS: list[Act] = [cell, group]


def every_control_without_its_pictures() -> None:
    """What changes a scenario: the sidebar, and now and then the Households screen."""
    import streamlit as st

    from pages.ui import sidebar
    from pages.ui.households import groups, models, periods, pick, start

    title = st.session_state.get("title", "Explore")
    scenario = sidebar.begin(title, "")
    if title != "Households":
        return
    model, shown = pick.pick(scenario)
    periods.cards(scenario, model, shown, False)
    start.start(scenario, model, shown)
    groups.groups(scenario, shown)
    models.models(scenario, model)


def session(app: AppTest, actions: int, seed: int, *more: Act) -> Counter[tuple[Act, Act]]:
    """So many actions; of those that are possible one that has followed the last one least often. How often
    each followed each."""
    draw, plain = random.Random(seed), Plain()
    followed: Counter[tuple[Act, Act]] = Counter()
    act = ANYWHERE[0]
    for turn in range(actions):
        on_households = any(title.value == "Households" for title in app.title)
        possible = [*ANYWHERE, *more, *(HOUSEHOLDS if on_households else [])]
        last, fewest = act, min(followed[act, each] for each in possible)
        act = draw.choice([each for each in possible if followed[last, each] == fewest])
        followed[last, act] += 1
        act(app, plain, draw)
        assert not app.exception, (turn, act.__name__)
        assert app.session_state["scenario"] == plain.now, (turn, act.__name__)
        assert float(number(app, "epsilon")["text"]) == plain.now.epsilon, (turn, act.__name__)
    assert len(plain.past) > actions / 20, "the session went somewhere"
    return followed


@pytest.mark.slow
def test_300_actions_every_one_after_every_other_end_where_the_plain_scenario_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streamlit, "page_link", lambda *args, **more: None)
    app = AppTest.from_function(every_control_without_its_pictures, default_timeout=60)
    app.query_params["preset"] = "tiny street"
    followed = session(app.run(), 300, 1, turned)
    acts: list[Act] = [*ANYWHERE, *HOUSEHOLDS, turned]
    assert all(followed[one, other] for one in acts for other in acts)


@pytest.mark.slow
def test_so_do_40_on_all_whole_screens_and_from_one_to_the_other() -> None:
    session(opened(preset="tiny street"), 40, 2, page)
