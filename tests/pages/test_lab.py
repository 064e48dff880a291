"""The lab of a session without Streamlit: driven at random against a twin that keeps whole copies."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pages.ui.lab import REMOVED, Lab
from pages.ui.params import DEFAULTS, TOUR, of_screen
from rtp import PRESETS, Scenario
from rtp.scenario import edit
from rtp.scenario.share import MAX_PINS
from rtp.teaching.tour import STOPS

SCREENS = ("Explore", "Attacker", "Trade-off")
CHOICES = {
    "view": "Error",
    "shown": ["naive"],
    "presenting": True,
    "attacker:house": 4,
    "map:first:From": 0.25,
}


class LabIsItsTwin(RuleBasedStateMachine):
    """The twin has all editions that were ever in use, in order, which of them is, and what is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.lab = Lab()
        self.lab.arrive(SCREENS[0], {}, by_history=False)
        self.editions, self.at = [("paper", Scenario())], 0
        self.view: dict[str, object] = {}
        self.pins: dict[int, Scenario] = {}
        self.addresses = [(SCREENS[0], dict[str, str]())]

    def put(self, preset: str, scenario: Scenario) -> None:
        if (preset, scenario) != self.editions[self.at]:
            self.editions = [*self.editions[: self.at + 1], (preset, scenario)]
            self.at += 1

    @rule(epsilon=st.sampled_from([0.1, 0.4999999, 2.0, -1.0]))
    def set_epsilon(self, epsilon: float) -> None:
        self.lab.set("epsilon", epsilon)
        assert ("epsilon" in self.lab.pop_message()) == (epsilon < 0)
        preset, scenario = self.editions[self.at]
        self.put(preset, scenario.replace(epsilon=epsilon) if epsilon > 0 else scenario)

    @rule(name=st.sampled_from(["tiny street", "mixed street", "paper"]))
    def open_preset(self, name: str) -> None:
        self.lab.open(PRESETS[name], name)
        self.put(name, PRESETS[name])

    @rule(by=st.sampled_from([-1, 1]))
    def undo_or_redo(self, by: int) -> None:
        self.lab.undo() if by < 0 else self.lab.redo()
        self.at = min(max(self.at + by, 0), len(self.editions) - 1)

    @rule(name=st.sampled_from(sorted(CHOICES)), default=st.booleans())
    def choose(self, name: str, default: bool) -> None:
        self.view[name] = DEFAULTS[name] if default else CHOICES[name]
        self.lab.show(name, self.view[name])

    @rule(slot=st.integers(1, MAX_PINS))
    def pin_in(self, slot: int) -> None:
        """In the first free slot, which is this one where the others are taken."""
        self.lab.named.unpin(slot)
        self.lab.pin()
        self.pins.pop(slot, None)
        _, scenario = self.editions[self.at]
        if scenario not in self.pins.values():
            self.pins[min({1, 2, 3, 4} - self.pins.keys())] = scenario

    @rule(screen=st.sampled_from(SCREENS))
    def go_to_screen(self, screen: str) -> None:
        self.lab.arrive(screen, self.lab.link(screen), by_history=False)
        self.addresses.append((screen, self.lab.link()))

    @rule(data=st.data())
    def go_through_history(self, data: st.DataObject) -> None:
        """To the nearest of its places among the editions, the past first; else it is a change."""
        screen, address = data.draw(st.sampled_from(self.addresses))
        fresh = Lab()
        fresh.arrive(screen, address, by_history=False)
        self.lab.arrive(screen, address, by_history=True)
        places = [place for place, each in enumerate(self.editions) if each == fresh.edition]
        if places:
            self.at = min(places, key=lambda place: (abs(place - self.at), place))
        self.put(*fresh.edition)
        self.pins = {slot: pin.scenario for slot, pin in fresh.pins.items()}
        own = {each.name for each in of_screen(screen)}
        self.view = {name: value for name, value in self.view.items() if name not in own} | fresh.view

    @rule(number=st.integers(1, len(STOPS)))
    def take_the_tour(self, number: int) -> None:
        before = replace(self.lab, view=dict(self.lab.view), named=replace(self.lab.named))
        self.lab.go_to_stop(number)
        self.lab.set("epsilon", 7.0)  # what is changed on the way is nobody's
        self.lab.pin()
        assert self.lab.link()[TOUR] == str(number)
        self.lab.leave_tour()
        assert replace(self.lab, parts=0) == replace(before, parts=0)

    @invariant()
    def is_the_twin(self) -> None:
        assert self.lab.edition == self.editions[self.at]
        assert list(self.lab.past) == self.editions[: self.at]
        assert list(self.lab.future) == self.editions[self.at + 1 :][::-1]
        assert {slot: pin.scenario for slot, pin in self.lab.pins.items()} == self.pins
        for name in CHOICES:
            assert self.lab.chosen(name) == self.view.get(name, DEFAULTS[name])

    @invariant()
    def a_colleague_sees_the_same(self) -> None:
        other = Lab()
        other.arrive(self.lab.screen, self.lab.link(), by_history=False)
        assert (other.edition, other.pins, other.link()) == (self.lab.edition, self.lab.pins, self.lab.link())
        assert other.notes() == ("", "")
        assert other.address_to_send(other.sent) is None


TestLab = LabIsItsTwin.TestCase
TestLab.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_a_control_changes_its_own_group_or_nothing() -> None:
    lab = Lab()
    lab.open(PRESETS["mixed street"], "mixed street")
    drawn = lab.parts
    lab.change_part(drawn, edit.set_group_field, 0, "name", "Neighbours")
    lab.change(edit.add_group, 0)  # behind: what was drawn still works
    lab.change_part(drawn, edit.set_group_field, 0, "occupied_max", 2.0)
    assert (lab.scenario.groups[0].name, lab.scenario.groups[0].occupied_max) == ("Neighbours", 2.0)
    lab.change_parts(drawn, edit.remove_group, 1)
    after = lab.scenario
    lab.change_part(drawn, edit.set_group_field, 1, "occupied_max", 0.123)
    assert (lab.scenario, lab.pop_message()) == (after, REMOVED)
    lab.change_parts(drawn, edit.remove_group, 1)
    assert (lab.scenario, lab.pop_message()) == (after, REMOVED), "nor does a second click remove it"


def test_an_address_that_is_on_its_way_is_not_taken_for_another() -> None:
    lab = Lab()
    lab.arrive("Explore", {}, by_history=False)
    lab.set("epsilon", 2.0)
    for _ in range(2):  # the browser has not heard of it yet
        assert lab.address_to_send({}) == {"epsilon": "2.0"}
    lab.undo()
    assert lab.address_to_send({}) == {}, "the browser would otherwise end on what was sent before"
    assert lab.address_to_send({}) is None
