"""The lab of a session without Streamlit: driven at random against a twin that keeps whole copies."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

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
    "attacker:knows": "others",
    "accepted error": 2.5,
    "map:first:From": 0.25,
}
ENTRIES = st.sampled_from(["tiny street", "mixed street", "paper", "mansions"])


class Twin:
    """All editions that were ever in use, in order, and which of them is; views as they are."""

    def __init__(self) -> None:
        self.editions, self.at = [("paper", Scenario())], 0
        self.view: dict[str, object] = {}
        self.pins: dict[int, Scenario] = {}

    @property
    def edition(self) -> tuple[str, Scenario]:
        return self.editions[self.at]

    def put(self, edition: tuple[str, Scenario]) -> None:
        if edition != self.edition:
            self.editions = [*self.editions[: self.at + 1], edition]
            self.at += 1

    def restore(self, edition: tuple[str, Scenario]) -> None:
        """To the nearest of its places, the past first; else it is a change."""
        places = [i for i, each in enumerate(self.editions) if each == edition]
        if places:
            self.at = min(places, key=lambda i: (abs(i - self.at), i))
        else:
            self.put(edition)


class LabIsItsTwin(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.lab, self.twin = Lab(), Twin()
        self.addresses: list[tuple[str, dict[str, str]]] = []
        self.aside: Twin | None = None
        self.lab.arrive(SCREENS[0], {}, by_history=False)

    @rule(epsilon=st.sampled_from([0.1, 0.5, 2.0]))
    def set_epsilon(self, epsilon: float) -> None:
        self.lab.set("epsilon", epsilon)
        self.twin.put((self.twin.edition[0], self.twin.edition[1].replace(epsilon=epsilon)))

    @rule(name=ENTRIES)
    def open_preset(self, name: str) -> None:
        self.lab.open(PRESETS[name], name)
        self.twin.put((name, PRESETS[name]))

    @rule()
    def undo(self) -> None:
        self.lab.undo()
        self.twin.at = max(self.twin.at - 1, 0)

    @rule()
    def redo(self) -> None:
        self.lab.redo()
        self.twin.at = min(self.twin.at + 1, len(self.twin.editions) - 1)

    @rule()
    def reset(self) -> None:
        self.lab.reset()
        self.twin.put((self.twin.edition[0], PRESETS[self.twin.edition[0]]))

    @rule()
    def refused(self) -> None:
        self.lab.set("epsilon", -1.0)
        assert "must be" in self.lab.pop_message()
        assert self.lab.pop_message() == ""

    @rule(group=st.integers(0, 3))
    def remove_a_group(self, group: int) -> None:
        """Then a control that was drawn before changes nothing."""
        parts, before = self.lab.parts, self.lab.scenario
        self.lab.change_parts(parts, edit.remove_group, group)
        self.lab.pop_message()
        if self.lab.scenario != before:
            self.twin.put((self.twin.edition[0], edit.remove_group(before, group)))
            self.lab.change_part(parts, edit.set_group_field, 0, "name", "Neighbour")
            assert self.lab.pop_message() == REMOVED

    @rule(name=st.sampled_from(sorted(CHOICES)))
    def choose(self, name: str) -> None:
        self.lab.show(name, CHOICES[name])
        self.twin.view[name] = CHOICES[name]

    @rule(name=st.sampled_from(sorted(CHOICES)))
    def choose_the_default(self, name: str) -> None:
        self.lab.show(name, DEFAULTS[name])
        self.twin.view.pop(name, None)

    @rule()
    def pin(self) -> None:
        self.lab.pin()
        scenario = self.twin.edition[1]
        free = [slot for slot in range(1, MAX_PINS + 1) if slot not in self.twin.pins]
        if free and scenario not in self.twin.pins.values():
            self.twin.pins[free[0]] = scenario

    @rule(slot=st.integers(1, MAX_PINS))
    def unpin(self, slot: int) -> None:
        self.lab.unpin(slot)
        self.twin.pins.pop(slot, None)

    @rule(screen=st.sampled_from(SCREENS))
    def go_to_screen(self, screen: str) -> None:
        self.lab.arrive(screen, self.lab.link(screen), by_history=False)

    @rule()
    def remember_the_address(self) -> None:
        self.addresses.append((self.lab.screen, self.lab.link()))

    @precondition(lambda self: self.addresses and self.aside is None)
    @rule(data=st.data())
    def go_through_history(self, data: st.DataObject) -> None:
        screen, address = data.draw(st.sampled_from(self.addresses))
        if TOUR in address:
            return
        fresh = Lab()
        fresh.arrive(screen, address, by_history=False)
        self.lab.arrive(screen, address, by_history=True)
        self.twin.restore(fresh.edition)
        self.twin.pins = {slot: pin.scenario for slot, pin in fresh.pins.items()}
        own = {each.name for each in of_screen(screen)}
        self.twin.view = {n: v for n, v in self.twin.view.items() if n not in own} | fresh.view
        assert self.lab.link() == address

    @precondition(lambda self: self.aside is None)
    @rule(number=st.integers(1, len(STOPS)))
    def take_the_tour(self, number: int) -> None:
        before = replace(self.lab, view=dict(self.lab.view))
        self.lab.go_to_stop(number)
        self.lab.set("epsilon", 7.0)  # what is changed on the way is nobody's
        self.lab.show("view", "Error")
        assert self.lab.link()[TOUR] == str(number)
        self.lab.leave_tour()
        assert replace(self.lab, parts=0, refused="") == replace(before, parts=0, refused="")

    @invariant()
    def is_the_twin(self) -> None:
        assert self.lab.edition == self.twin.edition
        assert list(self.lab.past) == self.twin.editions[: self.twin.at]
        assert list(self.lab.future) == self.twin.editions[self.twin.at + 1 :][::-1]
        assert {slot: pin.scenario for slot, pin in self.lab.pins.items()} == self.twin.pins
        for name in CHOICES:
            assert self.lab.chosen(name) == self.twin.view.get(name, DEFAULTS[name])

    @invariant()
    def a_colleague_sees_the_same(self) -> None:
        other = Lab()
        other.arrive(self.lab.screen, self.lab.link(), by_history=False)
        assert (other.edition, other.pins, other.link()) == (self.lab.edition, self.lab.pins, self.lab.link())
        assert other.notes() == ("", "")
        assert other.address_to_send(other.sent) is None


TestLab = LabIsItsTwin.TestCase
TestLab.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo that forgets what it undid."""
    monkeypatch.setattr(Lab, "redo", lambda lab: None)
    machine = LabIsItsTwin()
    machine.set_epsilon(2.0)
    machine.undo()
    machine.is_the_twin()
    machine.redo()
    with pytest.raises(AssertionError):
        machine.is_the_twin()


def test_a_removed_groups_control_leaves_its_neighbour_as_it_is() -> None:
    lab = Lab()
    lab.open(PRESETS["mixed street"], "mixed street")
    drawn = lab.parts
    lab.change_parts(drawn, edit.remove_group, 1)
    after = lab.scenario
    lab.change_part(drawn, edit.set_group_field, 1, "occupied_max", 0.123)
    assert (lab.scenario, lab.pop_message()) == (after, REMOVED)
    lab.change_parts(drawn, edit.remove_group, 1)
    assert (lab.scenario, lab.pop_message()) == (after, REMOVED), "nor does a second click remove it"
    lab.change_part(lab.parts, edit.set_group_field, 1, "occupied_max", 0.123)
    assert lab.scenario.groups[1].occupied_max == 0.123


def test_a_renamed_groups_other_controls_still_work() -> None:
    lab = Lab()
    drawn = lab.parts
    lab.change_part(drawn, edit.set_group_field, 0, "name", "Neighbours")
    lab.change_part(drawn, edit.set_group_field, 0, "occupied_max", 2.0)
    assert (lab.scenario.groups[0].name, lab.scenario.groups[0].occupied_max) == ("Neighbours", 2.0)


def test_what_is_added_behind_leaves_drawn_controls_working() -> None:
    """A name is typed, and a click adds a model or a group before the page is drawn again."""
    lab = Lab()
    drawn = lab.parts
    lab.change(edit.add_model, lab.scenario.models[0])
    lab.change(edit.add_group, 0)
    lab.change_part(drawn, edit.set_group_field, 0, "name", "Neighbours")
    assert (lab.scenario.groups[0].name, lab.pop_message()) == ("Neighbours", "")
    lab.undo()
    lab.undo()
    lab.change_part(drawn, edit.set_group_field, 0, "name", "Others")
    assert lab.pop_message() == REMOVED, "a group has gone with Undo"


def test_an_address_that_is_on_its_way_is_not_taken_for_another() -> None:
    lab = Lab()
    lab.arrive("Explore", {}, by_history=False)
    lab.set("epsilon", 2.0)
    assert lab.address_to_send({}) == {"epsilon": "2.0"}
    assert lab.address_to_send({}) == {"epsilon": "2.0"}, "the browser has not heard of it yet"
    lab.undo()
    assert lab.address_to_send({}) == {}, "the browser would otherwise end on what was sent before"
    assert lab.address_to_send({}) is None
