"""Random walks through the lab's own methods that end where a plain model ends."""

from random import Random

import pytest

from pages.ui.lab import MAX_HISTORY, Edition, Lab, Link
from pages.ui.params import DEFAULTS, TOUR, of_screen
from pages.ui.screens import SCREENS
from rtp import PRESETS, Scenario
from rtp.scenario.share import MAX_PINS
from rtp.teaching.plan import STOPS
from tests.help.few import few

NUMBERS = {"epsilon": (0.1, 0.5, 0.4999999, 2.0), "households": (3, 4, 5), "alpha": (1.0, 1 / 3)}
SETTINGS: dict[str, object] = {
    "presenting": True,
    "paper:view": "Error",
    "shown": ["naive"],
    "attacker:house": 4,
    "accepted error": 0.1 + 0.2,
    "map:first:From": 1 / 3,
}


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
        screen = self.rng.choice(SCREENS).title
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


def walk(world: Methods, steps: int) -> None:
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
