"""A street that is simulated in pieces, wherever they are, is the same street."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rtp import PRESETS, Scenario
from rtp.scenario import Group
from rtp.simulation import draw_day, simulate, street_spec
from rtp.street.simulate import StreetDay

TWO_GROUPS = (
    Group(name="A", share=0.3, occupied_max=2.0),
    Group(name="B", share=0.7, occupied_max=1.0),
)
PRICED = Scenario(
    households=9000,
    step_minutes=60,
    groups=TWO_GROUPS,
    models=tuple(m.replace(habits=m.habits * 2) for m in PRESETS["paper"].models),
    habit_clip="closed",
)


def same(one: StreetDay, other: StreetDay) -> bool:
    """To the last bit."""
    fields = one.true_moments.__dataclass_fields__
    return (
        np.array_equal(one.demand, other.demand)
        and np.array_equal(one.occupied, other.occupied)
        and all(
            np.array_equal(getattr(one.true_moments, name), getattr(other.true_moments, name))
            for name in fields
        )
        and all(
            np.array_equal(getattr(one.assumed_moments, name), getattr(other.assumed_moments, name))
            for name in fields
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("together", [1, 3, 100])
def test_an_executor_changes_no_byte(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many blocks travel together; also where filter and forecast believe another model."""
    monkeypatch.setattr("rtp.street.simulate.TASK_BLOCKS", together)
    believing = PRICED.replace(
        models=(*PRICED.models, PRICED.models[0].replace(name="Other")), assumed_model="Other"
    )
    progress: list[float] = []
    with ThreadPoolExecutor(2) as pool:
        assert same(draw_day(believing, progress.append, pool), draw_day(believing))
        rates = simulate(PRICED, executor=pool).release["filtered"].rate
    assert np.array_equal(rates, simulate(PRICED).release["filtered"].rate)
    assert progress[-1] == 1.0


def test_some_blocks_are_drawn_as_on_the_whole_street() -> None:
    spec = street_spec(PRICED)
    whole = spec.draw()
    for numbers in (range(1), range(1, 3), range(2, len(spec.blocks))):
        some = spec.draw(numbers)
        houses = slice(spec.blocks[numbers[0]].start, spec.blocks[numbers[-1]].stop)
        for name in ("group", "occupied_bound", "empty_bound", "habit_draws"):
            assert np.array_equal(getattr(some, name), getattr(whole, name)[houses])
