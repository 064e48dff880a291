"""Random walks that end where a plain model ends: through the lab's own methods, and through the screens."""

from random import Random
from urllib.parse import parse_qsl

import pytest

from pages.ui.lab import MAX_HISTORY, Edition, Lab, Link
from pages.ui.params import DEFAULTS, TOUR, of_screen
from pages.ui.screens import SCREENS
from pages.ui.versions import VERSIONS
from rtp import PRESETS, Scenario
from rtp.scenario.share import MAX_PINS
from rtp.teaching.tour import STOPS
from tests.help.app import QUICK, click, enter, key, lab_of, link_of, opened
from tests.help.few import few

SMALL = {"households": "4", "step_minutes": "60"}
NUMBERS = {"epsilon": (0.1, 0.5, 0.4999999, 2.0), "households": (3, 4, 5), "alpha": (1.0, 1 / 3)}
SETTINGS: dict[str, object] = {
    "presenting": True,
    "paper:view": "Error",
    "shown": ["naive"],
    "attacker:house": 4,
    "accepted error": 0.1 + 0.2,
    "map:first:From": 1 / 3,
}
PAGES = {screen.title: screen.path for screen in SCREENS}


class Model:
    """All scenarios that were ever in use, in order, which of them is, and which are pinned."""

    def __init__(self, scenario: Scenario) -> None:
        self.editions, self.at = [("paper", scenario)], 0
        self.pins: dict[int, Scenario] = {}
        self.view: dict[str, object] = {}

    @property
    def edition(self) -> Edition:
        return self.editions[self.at]

    def put(self, preset: str, scenario: Scenario) -> None:
        if (preset, scenario) != self.edition:
            self.editions = [*self.editions[: self.at + 1], (preset, scenario)]
            self.editions = self.editions[-MAX_HISTORY - 1 :]
            self.at = len(self.editions) - 1

    def move(self, steps: int) -> None:
        self.at = min(max(self.at + steps, 0), len(self.editions) - 1)

    def restore(self, edition: Edition) -> None:
        """To the nearest place where it was in use, the past first; else it is a change."""
        places = [place for place, each in enumerate(self.editions) if each == edition]
        if places:
            self.at = min(places, key=lambda place: (abs(place - self.at), place))
        else:
            self.put(*edition)

    def pin(self) -> None:
        free = [slot for slot in range(1, MAX_PINS + 1) if slot not in self.pins]
        if free and self.edition[1] not in self.pins.values():
            self.pins[free[0]] = self.edition[1]

    def check(self, lab: Lab) -> None:
        """The lab is where the model is, and so is a colleague who is sent its address."""
        assert lab.edition == self.edition
        assert ([*lab.history], lab.at) == (self.editions, self.at)
        assert {slot: pin.scenario for slot, pin in lab.pins.items()} == self.pins
        for name, value in self.view.items():
            assert lab.chosen(name) == value
        other = Lab()
        other.arrive(lab.screen, lab.link(), by_history=False)
        assert (other.edition, other.pins, other.link()) == (lab.edition, lab.pins, lab.link())
        assert other.notes() == ("", "")


class Methods:
    """The lab's own methods."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.lab, self.model = rng, Lab(), Model(Scenario())
        self.seen: list[tuple[str, Link, Edition, dict[int, Scenario], dict[str, object]]] = []
        self.lab.arrive("Explore", {}, by_history=False)

    def type(self) -> None:
        name = self.rng.choice([*NUMBERS])
        value = self.rng.choice(NUMBERS[name])
        self.lab.set(name, value)
        preset, scenario = self.model.edition
        self.model.put(preset, scenario.replace(**{name: value}))

    def type_nonsense(self) -> None:
        self.lab.set("epsilon", -1.0)
        assert "epsilon" in self.lab.pop_message()

    def choose_preset(self) -> None:
        name = self.rng.choice([*PRESETS])
        self.lab.open(PRESETS[name], name)
        self.model.put(name, PRESETS[name])

    def undo(self) -> None:
        self.lab.undo()
        self.model.move(-1)

    def redo(self) -> None:
        self.lab.redo()
        self.model.move(1)

    def reset(self) -> None:
        self.lab.reset()
        preset, _ = self.model.edition
        self.model.put(preset, PRESETS[preset])

    def pin(self) -> None:
        self.lab.pin()
        self.model.pin()

    def unpin(self) -> None:
        slot = self.rng.randint(1, MAX_PINS)
        self.lab.named.unpin(slot)
        self.model.pins.pop(slot, None)

    def go_to_screen(self) -> None:
        screen = self.rng.choice([*PAGES])
        self.lab.arrive(screen, self.lab.link(screen), by_history=False)

    def choose_setting(self) -> None:
        name = self.rng.choice([*SETTINGS])
        value = self.rng.choice([SETTINGS[name], DEFAULTS[name]])
        self.lab.show(name, value)
        self.model.view[name] = value

    def remember(self) -> None:
        own = {param.name for param in of_screen(self.lab.screen)} & {*SETTINGS}
        view = {name: self.model.view.get(name, DEFAULTS[name]) for name in own}
        self.seen.append((self.lab.screen, self.lab.link(), self.model.edition, {**self.model.pins}, view))

    def go_back(self) -> None:
        """By the browser's history."""
        if self.seen:
            screen, link, edition, pins, view = self.rng.choice(self.seen)
            self.lab.arrive(screen, link, by_history=True)
            self.model.restore(edition)
            self.model.pins = {**pins}
            self.model.view |= view
            assert self.lab.link() == link

    def take_the_tour(self) -> None:
        """What is changed on the way is nobody's."""
        for number in self.rng.sample(range(1, len(STOPS) + 1), 2):
            self.lab.go_to_stop(number)
            self.lab.set("epsilon", 7.0)
            self.lab.pin()
            assert self.lab.link()[TOUR] == str(number)
        self.lab.leave_tour()


def walk(world: "Methods | Screens", steps: int) -> None:
    acts = [name for name, each in vars(type(world)).items() if callable(each) and not name.startswith("_")]
    taken = []
    for _ in range(steps):
        taken.append(world.rng.choice(acts))
        try:
            getattr(world, taken[-1])()
            world.model.check(world.lab)
        except AssertionError as error:
            raise AssertionError(f"after {taken}") from error


@pytest.mark.parametrize("seed", few(range(3), 0))
def test_three_hundred_actions_end_where_the_model_ends(seed: int) -> None:
    walk(Methods(Random(seed)), 300)


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo that forgets what it undid."""
    monkeypatch.setattr(Lab, "redo", lambda lab: None)
    with pytest.raises(AssertionError):
        walk(Methods(Random(0)), 300)


class Screens:
    """The controls of all screens, on a street of few houses."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.app = rng, opened(QUICK, **SMALL)
        self.model = Model(lab_of(self.app).scenario)

    def type(self) -> None:
        name = self.rng.choice([*NUMBERS])
        self._type(name, self.rng.choice(NUMBERS[name]))

    def _to_the_fields(self) -> None:
        """Where the scenario is not used there are none."""
        if not self.app.sidebar.text_input:
            self._go("Street")
        if not self.app.sidebar.text_input:  # its readings
            self._go("Explore")

    def _type(self, name: str, value: float) -> None:
        self._to_the_fields()
        enter(self.app, name, value)
        preset, scenario = self.model.edition
        self.model.put(preset, scenario.replace(**{name: value}))

    def type_nonsense(self) -> None:
        self._to_the_fields()
        enter(self.app, "households", "2,5,")

    def choose_preset(self) -> None:
        """Where a large street costs little, and then a small one."""
        name = self.rng.choice([each for each in PRESETS if each != self.lab.preset])
        self._go("Paper")
        self._to_the_fields()
        self.app.selectbox(key=key(self.app, "choice:preset")).set_value(name).run()
        self.model.put(name, PRESETS[name])
        self.model.check(self.lab)
        self._type("households", 4)

    def undo(self) -> None:
        self._travel("undo", -1)

    def redo(self) -> None:
        self._travel("redo", 1)

    def _travel(self, action: str, steps: int) -> None:
        """Only to small streets."""
        self.model.move(steps)
        if self.model.edition[1].households > 5:
            self.model.move(-steps)
        elif self.model.edition != self.lab.edition:
            click(self.app, f"action:{action}")

    def go_to_screen(self) -> None:
        self._go(self.rng.choice([*PAGES]))

    def _go(self, screen: str) -> None:
        """By the menu, as a browser does."""
        (link,) = (each.proto for each in self.app.sidebar.get("page_link") if each.proto.label == screen)
        self.app.query_params.clear()
        self.app.query_params.update(dict(parse_qsl(link.query_string, keep_blank_values=True)))
        self.app.switch_page(PAGES[screen]).run()

    def choose_in_a_list(self) -> None:
        """One that is a setting of the screen."""
        names = [param.name for param in of_screen(self.lab.screen)]
        keys = [key(self.app, name) for name in names if name in self.app.session_state[VERSIONS]]
        offered = [each for each in self.app.selectbox if each.key in keys]
        if offered:
            chosen = self.rng.choice(offered)
            chosen.select_index(self.rng.randrange(len(chosen.options))).run()

    def open_a_tab(self) -> None:
        tabs = [param.name for param in of_screen(self.lab.screen) if param.link == "tab"]
        if tabs:
            self.app.session_state[key(self.app, tabs[0])] = self.rng.choice(self.app.tabs).label
            self.app.run()

    def reload(self) -> None:
        """Nothing is left to undo."""
        page = PAGES[self.lab.screen].removeprefix("pages/").removesuffix(".py")
        self.app = opened("Explore" if page == "app" else page, **link_of(self.app))
        self.model.editions, self.model.at = [self.model.edition], 0

    def take_the_tour(self) -> None:
        self._go("Explore")
        click(self.app, "story:start")
        assert link_of(self.app)[TOUR] == "1"
        click(self.app, "story:end")

    @property
    def lab(self) -> Lab:
        assert not self.app.exception
        return lab_of(self.app)


@pytest.mark.slow
def test_twenty_actions_on_all_screens_end_where_the_model_ends() -> None:
    walk(Screens(Random(1)), 20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_three_hundred_actions_on_all_screens_end_where_the_model_ends(seed: int) -> None:
    walk(Screens(Random(seed)), 300)
