"""The lab of a session without Streamlit; `test_walk.py` drives it at random."""

import pytest

from pages.ui.lab import REMOVED, Lab
from rtp import PRESETS
from rtp.scenario import edit
from rtp.simulation.prices import typical_prices, with_prices


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


def test_typed_prices_outlive_an_edit_and_its_undoing() -> None:
    lab = Lab()
    lab.open(with_prices(PRESETS["feeder"], 0.2, 0.42), "feeder")
    typed = lab.scenario
    lab.change(edit.set_group_field, 0, "occupied_max", 4.0)
    assert lab.scenario.alpha != typed.alpha
    assert typical_prices(lab.scenario) == pytest.approx((0.2, 0.42), rel=1e-5)
    lab.undo()
    assert lab.scenario == typed
    lab.set("alpha", 0.01)
    assert lab.scenario.price_range is None
    lab.restore("feeder", typed)
    lab.change(edit.set_group_field, 0, "empty_max", 3.0)
    assert "price" in lab.pop_message(), "a street that cannot have them is refused"
    assert lab.scenario == typed


def test_an_address_that_is_on_its_way_is_not_taken_for_another() -> None:
    lab = Lab()
    lab.arrive("Explore", {}, by_history=False)
    lab.set("epsilon", 2.0)
    for _ in range(2):  # the browser has not heard of it yet
        assert lab.address_to_send({}) == {"epsilon": "2.0"}
    lab.undo()
    assert lab.address_to_send({}) == {}, "the browser would otherwise end on what was sent before"
    assert lab.address_to_send({}) is None


def test_an_address_that_crosses_the_browsers_back_does_not_stand() -> None:
    """Back is on its way while another address is: the browser puts that one up, and is told again."""
    lab = Lab()
    lab.arrive("Explore", {}, by_history=False)
    lab.set("epsilon", 2.0)
    lab.address_to_send({})
    lab.arrive("Explore", {"beta": "70.0"}, by_history=True)
    assert lab.address_to_send({"beta": "70.0"}) == {"beta": "70.0"}
    assert lab.address_to_send({"beta": "70.0"}) is None
