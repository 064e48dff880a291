"""The app without a browser: how a test opens a screen, reads it and acts on it."""

import importlib.metadata
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from pages.ui import cache as kept
from pages.ui import chart, jobs
from pages.ui.decide import answer
from pages.ui.lab import Lab
from pages.ui.params import PARAMS, of_screen
from pages.ui.street.habits import PERIOD
from pages.ui.street.houses import TABLE
from rtp import PRESETS, Scenario
from rtp.decision import Answer, Question, Wish, completed, decide
from rtp.exposure import Exposure, Observer, Secret, exposure
from rtp.scenario.share import PIN_NAMES, read_link
from rtp.scenario.typed import shown as written

FOLDED = ("Download or upload", TABLE, PERIOD)  # that are looked at open
APP = str(Path(__file__).parents[2] / "app.py")
jobs.AT_ONCE = jobs.PATIENCE = 60.0  # a test reads what a busy page would show a moment later
QUICK = "Paper"  # the screen with the least on it, for what the sidebar and the address do on all of them


def opened(page: str = "Explore", *, tab: str = "", sections: Iterable[str] = (), **link: str) -> AppTest:
    """A fresh visitor who follows a link to a screen, and there to a tab, and finds these sections open."""
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = value
    if page != "Explore":
        app.switch_page(f"pages/{page}.py")
    if tab:
        app.query_params["tab"] = tab
    for section in sections:
        app.session_state[f"section:{section}"] = True
    app.run()
    assert not app.exception
    return app


@contextmanager
def in_one_process() -> Iterator[None]:
    """What screens leave to workers and threads is done here and waited for: it would come at any time, and
    to start a worker takes longer than most tests."""

    with pytest.MonkeyPatch.context() as patch:
        # Streamlit looks through all installed packages for components whenever a test opens the app: five
        # times the work of the screen itself, and none has one that the lab uses.
        patch.setattr(importlib.metadata, "distributions", lambda **_: [])
        patch.setattr(kept, "find_exposure", some_exposure)
        for name, made in ANSWERED.items():
            patch.setattr(answer, name, made)
        patch.setattr(jobs, "call", called_here)
        patch.setattr(jobs, "read", called_here)
        yield


@cache
def known_answer() -> Answer:
    asked = Wish(secret="moment", observer="insider")
    return completed(decide(PRESETS["tiny street"], asked, among=(60,)))


def some_answer(*_: Any, **__: Any) -> Answer:
    """What Decide finds takes seconds, street by street: for tests of all but what it finds."""
    return known_answer()


def no_questions(*_: Any) -> list[Question]:
    return []


ANSWERED: dict[str, Callable[..., Any]] = {
    "questions": no_questions,
    "further_questions": no_questions,
    "decide": some_answer,
    "completed": some_answer,
}


@cache
def known_exposure(secret: Secret, observer: Observer) -> Exposure:
    return exposure(PRESETS["tiny street"].replace(step_minutes=60), secret, observer)


def some_exposure(_: Scenario, secret: Secret, observer: Observer, **__: Any) -> Exposure:
    """What an observer tells of a street takes seconds, too: for tests of all but its numbers."""
    return known_exposure(secret, observer)


def leave_all() -> None:
    """Nobody waits any longer for what the pages of a test have begun."""
    for job in (*jobs.LINE.jobs, *jobs.BY_ITSELF.jobs):
        job.stop()


def called_here(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """What a worker is asked for, done in this process: for tests of all but workers."""
    return function(*args, **options)


def link_of(app: AppTest) -> dict[str, str]:
    """What the address says."""
    return {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}


def shown(app: AppTest) -> dict[str, str]:
    """The numbers in cards, by label."""
    return {metric.label: metric.value.partition("  \n")[0] for metric in app.metric}


def said(app: AppTest) -> str:
    """All running text, line breaks and hyphens as typed."""
    text = "\n".join(element.value for element in [*app.header, *app.markdown, *app.caption])
    return text.replace("\u00a0", " ").replace("\u2011", "-")


def figures(app: AppTest) -> list[Any]:
    """The figures, in the order of the screen, as the browser is sent them."""
    return [figure_of(element.proto) for element in app.get("bidi_component") if is_chart(element.proto)]


def is_chart(proto: Any) -> bool:
    """Whether what an element was made of is a chart, and no other component."""
    return str(getattr(proto, "component_name", "")) == chart.NAME


def figure_of(proto: Any) -> Any:
    """The figure of a chart: data, layout, frames."""
    return json.loads(json.loads(proto.json)["figure"])


def lab_of(app: AppTest) -> Lab:
    """The session's lab, for what stands in no address."""
    lab: Lab = app.session_state["lab"]
    return lab


def scenario_of(app: AppTest) -> Scenario:
    """The scenario in use, as the address says it."""
    own = {each.link for each in of_screen(lab_of(app).screen)} | PIN_NAMES.keys()
    reading = read_link({name: text for name, text in link_of(app).items() if name not in own})
    return reading.scenario


def key(app: AppTest, name: str) -> str:
    """Of a widget that shows a value of the lab, in its present version."""
    versions = app.session_state["widget versions"]
    return str(versions[part(app, name) if part(app, name) in versions else name].key)


def setting(app: AppTest, name: str) -> Any:
    """What the screen shows, as the address says it; where that says nothing the default."""
    (each,) = (param for param in PARAMS if param.name == name)
    link = link_of(app)
    return each.read(each.link, link[each.link]) if each.link in link else each.default


def open_tab(app: AppTest, name: str, tab: str) -> AppTest:
    """Open a tab of those that are kept under that name."""
    app.session_state[key(app, name)] = tab
    app.run()
    assert setting(app, name) == tab
    assert not app.exception
    return app


def part(app: AppTest, name: str) -> str:
    """The key of a control of a group, model or period: of those that there are now."""
    return lab_of(app).part_key(name)


def number(app: AppTest, name: str) -> dict[str, str]:
    """What a field for a number shows: its text, and what it refused."""
    box = key(app, f"number:{name}")
    return {"text": str(app.text_input(key=box).value), "refused": refused(app, box)}


def refused(app: AppTest, key: str) -> str:
    """What is said beside the field of that key."""
    box = app.text_input(key=key)
    (field,) = [block for block in _blocks(app.main, app.sidebar) if box in block.children.values()]
    return " ".join(error.value for error in field.error)


def _blocks(*blocks: Block) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _blocks(*(child for child in block.children.values() if isinstance(child, Block)))


def enter(app: AppTest, name: str, text: object) -> AppTest:
    """Type a number; a number is typed as it is shown."""
    typed = text if isinstance(text, str) else written(float(str(text)))
    return app.text_input(key=key(app, f"number:{name}")).set_value(typed).run()


def click(app: AppTest, name: str) -> AppTest:
    """Click the button of that key."""
    return app.button(key=name).click().run()


def lists(app: AppTest) -> list[Any]:
    """All that offers options."""
    kinds = ("selectbox", "radio", "multiselect", "button_group", "select_slider")
    return [element for kind in kinds for element in app.get(kind)]


def finish(app: AppTest, job: str) -> AppTest:
    """Start a piece of work, unless it began by itself, and wait until it has ended."""
    if any(button.key == f"start:{job}" for button in app.button):
        app.button(key=f"start:{job}").click().run()
    deadline = time.monotonic() + 60
    while lab_of(app).extras[f"job:{job}"].state == "running":
        assert time.monotonic() < deadline
        lab_of(app).extras[f"job:{job}"].watched = time.monotonic()
        time.sleep(0.02)
    app.run()
    assert not app.exception
    return app


@cache
def glance(
    page: str,
    tab: str = "",
    preset: str = "paper",
    households: str = "",
    more: tuple[tuple[str, str], ...] = (),
) -> AppTest:
    """A screen only to be looked at, opened once for all tests; what acts on a screen opens its own."""
    link = {"households": households} if households else {}
    return opened(page, tab=tab, sections=FOLDED, preset=preset, **link | dict(more))
