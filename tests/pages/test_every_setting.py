"""Every setting of the address, with its own and with foreign values, on every screen, tab and preset: the
screen opens, what is refused is said, no two options of a list look the same, and there is a way back."""

import json
import re
from functools import cache
from random import Random

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.params import PARAMS, of_screen
from pages.ui.screens import SCREENS
from rtp import PRESETS, ScenarioError
from rtp.sweep.whatif import varied
from tests.help.app import lab_of, link_of, lists, opened
from tests.help.few import few

PAGES = {screen.title: screen.path.removeprefix("pages/").removesuffix(".py") for screen in SCREENS}
SMALL = {"households": "4", "step_minutes": "60", "days": "1"}  # a street that opens at once
NUMBERS = ("-1", "0", "1", "2", "3", "7", "9", "30", "0.5", "0.01", "100", "999999", "1e12", "1e308", "NaN")
NO_SUCH = "no such thing"
STRANGE = ("", "true", "false", "null", "[]", "{}", NO_SUCH, "<b>", "x" * 10_000)
OTHER = "tiny street"  # to which a control must lead, whatever the address says
LISTS_MODELS = ("Explore", "Street")  # the others with the long tests
FOREIGN = 0.15  # of the settings have a value that is refused


@cache
def names() -> tuple[str, ...]:
    """Return what a setting of any screen may hold: names of every preset, tabs, numbers, nonsense."""
    streets = PRESETS.values()
    own = [each.text(each.default) for each in PARAMS if each.default is not None]
    groups = [group.name for street in streets for group in street.groups]
    models = [name for street in streets for name in street.model_names]
    addresses = [address for street in streets for address in list(varied(street))[::7]]
    titles = [tab for screen in PAGES for tab in tabs(screen)]
    return (*groups, json.dumps(groups[:2]), *models, *addresses, *titles, *own, *NUMBERS, *STRANGE)


@cache
def tabs(screen: str) -> tuple[str, ...]:
    return tuple(tab.label for tab in look(screen, {}).tabs) or ("",)


@cache
def texts(screen: str, link: str) -> tuple[list[str], list[str]]:
    """Return the texts that a setting reads, and those that it refuses. A refusal says what is accepted, so
    that the options and the limits are known from it."""
    (param,) = (each for each in of_screen(screen) if each.link == link)
    read, refused, told = [], [], ""
    for text in dict.fromkeys(names()):
        try:
            param.read(link, text)
            read.append(text)
        except ScenarioError as error:
            refused.append(text)
            told = str(error).partition(" must ")[2].rstrip(".") if text == NO_SUCH else told
    offered = [
        part.replace(",", "").strip() for part in re.split(r", |(?: or|one of|from|to|like) ", told) if part
    ]
    for text in [*offered, *(str(int(part) + 1) for part in offered if part.isdigit())]:
        try:
            param.read(link, text)
            read.append(text)
        except ScenarioError:
            refused.append(text)
    return read, refused


def look(screen: str, link: dict[str, str]) -> AppTest:
    return opened("Explore" if screen == "Explore" else PAGES[screen], **SMALL | link)


def check(app: AppTest) -> None:
    """Nothing failed, and no two options of a list look the same: to the browser they would be one."""
    assert not app.exception
    for each in lists(app):
        assert len({*each.options}) == len(each.options), (each.key, each.options)


def drawn(screen: str, tab: str, preset: str, turn: int) -> tuple[dict[str, str], list[str]]:
    """Return an address with a value for every setting of a screen, and the settings whose value is none."""
    rng = Random(f"{screen} {tab} {preset} {turn}")
    link, refused = {"preset": preset}, []
    for param in of_screen(screen):
        read, foreign = texts(screen, param.link)
        none = rng.random() < FOREIGN or not read
        link[param.link] = rng.choice(foreign if none else read)
        refused += [param.name] if none and param.link != "tab" else []
    return link | ({"tab": tab} if tab else {}), refused


def check_settings(screen: str, tab: str, preset: str, turn: int) -> None:
    link, refused = drawn(screen, tab, preset, turn)
    try:
        app = look(screen, link)
        check(app)
        assert app.error or not refused, "what is refused is said"
        assert not {*refused} & lab_of(app).view.keys()
        for param in of_screen(screen):
            if param.link in link and param.name not in refused:
                assert lab_of(app).chosen(param.name) == param.read(param.link, link[param.link])
        assert link_of(app.run()) == SMALL | link, "the same on a reload and at a colleague's"
        assert [each for each in (*app.button, *app.selectbox) if not each.disabled], "there is a way back"
        presets = [each for each in app.selectbox if each.key and each.key.startswith("choice:preset")]
        if not turn and presets:
            presets[0].set_value(OTHER).run()
            check(app)
    except AssertionError as error:
        raise AssertionError(f"{screen}: {link}") from error


@pytest.mark.slow
@pytest.mark.parametrize("screen", few(PAGES, "Street", "Class"))
def test_any_settings_open_and_leave_a_way_back(screen: str) -> None:
    """With the preset of the most periods, and where models are listed with that of several."""
    for tab in tabs(screen):
        check_settings(screen, tab, "real habits", 0)
        if screen in LISTS_MODELS:
            check_settings(screen, tab, "unsure curator", 1)


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("screen", PAGES)
def test_any_settings_open_and_leave_a_way_back_with_every_preset(screen: str, preset: str) -> None:
    for tab in tabs(screen):
        for turn in range(3):
            check_settings(screen, tab, preset, turn)


def equal_labels() -> None:
    from functools import partial

    from pages.ui.session import lab
    from pages.ui.widgets import segmented, select, url_pills

    names = ["Breakfast", "Noon", "Breakfast", "Breakfast (2)"]
    for draw, name in ((select, "select"), (segmented, "segmented")):
        chosen = lab().extras.get(name, 0)
        draw("During", range(4), chosen, names.__getitem__, partial(lab().extras.__setitem__, name), key=name)
    url_pills("During", range(4), "pills", names.__getitem__)


@pytest.mark.parametrize("index", range(4))
def test_of_two_equal_labels_the_one_that_is_clicked_is_chosen(index: int) -> None:
    app = AppTest.from_function(equal_labels, default_timeout=60).run()
    check(app)
    app.selectbox(key="select:0").select_index(index)
    app.segmented_control(key="segmented:0").set_value(index)
    app.pills(key="pills:0").set_value([index])
    app.run()
    check(app)
    extras, view = lab_of(app).extras, lab_of(app).view
    assert (extras.get("select", 0), extras.get("segmented", 0), view["pills"]) == (index, index, [index])
