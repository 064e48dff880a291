"""A large street, compiled, lives as it does in whole arrays: every state the same, sums to rounding."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings

from rtp import PRESETS, Scenario
from rtp.simulation import live
from rtp.street import compiled
from rtp.street.life import Life
from rtp.street.outlook import Outlook
from tests.help.strategies import scenarios

# Of sums of n numbers that are all positive, in double precision, in whatever order: at most n·2⁻⁵³ each, and
# n is at most 10,000 here. The moments by powers are off by as much again for each of up to 192 of them.
ROUNDING = 1e-9
PEOPLE = PRESETS["unsure curator"].replace(households=9_000, days=2)  # two batches, several models
BELIEVING = PEOPLE.replace(assumed_model=PEOPLE.models[1].name)


def both(scenario: Scenario, patch: pytest.MonkeyPatch) -> tuple[Life, Life]:
    """In whole arrays, and as a large street."""
    small = live(scenario)
    with patch.context() as now:
        now.setattr(compiled, "LARGE", 1)
        return small, live(scenario)


def agree(one: Life, other: Life) -> None:
    assert np.array_equal(one.occupied, other.occupied)
    np.testing.assert_allclose(other.demand, one.demand, rtol=ROUNDING)
    for outlook, again in ((one.truth, other.truth), (one.assumed, other.assumed)):
        for field in fields(Outlook):
            expected, found = getattr(outlook, field.name), getattr(again, field.name)
            np.testing.assert_allclose(found, expected, rtol=ROUNDING, atol=1e-12, err_msg=field.name)


@settings(max_examples=15)
@given(scenario=scenarios(max_households=6))
def test_the_loops_do_what_whole_arrays_do(scenario: Scenario) -> None:
    """As they are written, which is what is compiled: also chances of exactly 0 and 1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "jit", lambda loop: loop)
        agree(*both(scenario, patch))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [PEOPLE, BELIEVING], ids=["its own model", "another model believed"])
def test_compiled_they_do_it_too_on_any_number_of_threads(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = both(scenario, monkeypatch)
    agree(small, large)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    _, alone = both(scenario, monkeypatch)
    assert np.array_equal(large.demand, alone.demand)
    assert np.array_equal(large.truth.presence, alone.truth.presence)


@pytest.mark.slow
def test_who_is_certain_adds_exactly_nothing_to_what_is_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = PRESETS["mixed street"].replace(households=300)
    small, large = both(scenario, monkeypatch)
    certain = small.truth.presence == 0
    assert certain.any()
    assert np.array_equal(large.truth.presence == 0, certain)


def test_only_a_large_street_is_compiled_and_only_where_there_is_a_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled.worth(compiled.LARGE)
    assert not compiled.worth(compiled.LARGE - 1)
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    assert not compiled.worth(compiled.LARGE)


def test_it_compiles_also_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwritable(loop: object) -> object:
        raise RuntimeError("cannot cache function: no locator available")

    asked: list[bool] = []

    def njit(cache: bool = False, **options: object) -> object:
        asked.append(cache)
        return unwritable if cache else lambda loop: loop

    monkeypatch.setattr("numba.njit", njit)
    assert compiled.jit.__wrapped__(compiled.live_steps) is compiled.live_steps
    assert asked == [True, False]
