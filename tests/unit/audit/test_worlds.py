"""The audit's worlds: all that is secret differs, nothing that is public does."""

import pickle
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from numpy.random import default_rng

from rtp import PRESETS, Scenario
from rtp.audit.worlds import DAYS_LIVED, WORLDS, NeighbouringWorlds, neighbouring_worlds
from rtp.mechanisms import REGISTRY, Public
from rtp.simulation import draw_day, market
from rtp.street.draw import StreetSpec
from rtp.street.simulate import StreetDay
from tests.help.few import few
from tests.help.hourly import HOURLY
from tests.help.streets import MANSION


def near(scenario: Scenario) -> NeighbouringWorlds:
    return neighbouring_worlds(scenario, draw_day(scenario), REGISTRY, default_rng(1))


@pytest.mark.parametrize("preset", few(HOURLY, *list(HOURLY)[::3]))
def test_every_sum_of_a_world_is_that_of_its_houses(preset: str) -> None:
    scenario = HOURLY[preset].replace(households=min(HOURLY[preset].households, 30))
    around, rng, everyone = near(scenario), default_rng(2), np.arange(min(scenario.households, 30))
    for lived, (shape, occupied) in ((d, w) for d in range(DAYS_LIVED) for w in WORLDS):
        world = around.world(lived, shape, occupied, rng)
        states, used = world.states_of(everyone), world.use_of(everyone)
        assert states is not None
        np.testing.assert_allclose(used.sum(axis=1), world.demand, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(states.sum(axis=1), world.occupied, atol=1e-9)
        assert world.demand_by_group is not None
        np.testing.assert_allclose(world.demand_by_group.sum(axis=0), world.demand, rtol=1e-9, atol=1e-9)
        open_ = around.house[shape] >= 0
        at = np.flatnonzero(open_), around.house[shape][open_]
        assert (states[at] == occupied).all()
        np.testing.assert_array_equal(used[at], world.used_now[open_])


@pytest.mark.parametrize(
    "scenario", [MANSION, PRESETS["mixed street"].replace(households=30, negligible=0.05)]
)
def test_worlds_differ_in_secrets_and_in_nothing_that_is_public(scenario: Scenario) -> None:
    around, rng = near(scenario), default_rng(2)
    worlds = [around.world(d, *w, rng) for d in range(DAYS_LIVED) for w in WORLDS]
    assert len({pickle.dumps(market(scenario, world).public) for world in worlds}) == 1
    assert len({world.demand.tobytes() for world in worlds}) == len(worlds)
    assert len({world.occupied.tobytes() for world in worlds}) >= 2 * DAYS_LIVED
    everyone_in, nobody_in = worlds[2 * len(WORLDS)], worlds[3 * len(WORLDS) + 1]
    assert (everyone_in.occupied >= nobody_in.occupied).all()
    if scenario is MANSION:  # where nothing is certain
        assert (everyone_in.occupied > 0.99 * scenario.households).all()
        assert (nobody_in.occupied < 0.01 * scenario.households).all()


def test_a_world_of_recorded_use_has_the_houses_use_in_its_record() -> None:
    drawn = draw_day(MANSION)
    everyone = np.arange(MANSION.households)
    recorded = replace(drawn, recorded=drawn.use_of(everyone))
    around = neighbouring_worlds(MANSION, recorded, REGISTRY, default_rng(1))
    world = around.world(0, "point", True, default_rng(2))
    assert world.recorded is not None
    assert world.states_of(everyone) is None
    np.testing.assert_allclose(world.recorded.sum(axis=1), world.demand, rtol=1e-9)
    np.testing.assert_array_equal(world.use_of(everyone), world.recorded)


def classes_within(kind: Any) -> set[type]:
    """All classes that an object of this type may hold, arrays and numbers included."""
    if get_args(kind) and not isinstance(kind, type):
        return set().union(*map(classes_within, get_args(kind)))
    if not is_dataclass(kind) and not hasattr(kind, "_fields"):
        return {kind} if isinstance(kind, type) else {type(kind)}
    return {kind}.union(*map(classes_within, get_type_hints(kind).values()))


def test_public_knowledge_holds_nothing_that_a_day_can_be_drawn_from() -> None:
    held = classes_within(Public)
    assert not {
        kind for kind in held if issubclass(kind, StreetSpec | StreetDay | Scenario | np.random.Generator)
    }
    for kind in filter(is_dataclass, held):
        assert not {field.name for field in fields(kind)} & {"seed", "spec", "demand_by_group", "recorded"}
    assert {StreetSpec, int} <= classes_within(StreetDay), "they are found where there are any"
