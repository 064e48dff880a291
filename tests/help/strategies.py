"""Random streets for the property tests; every range is read from `rtp.scenario.BOUNDS`."""

from functools import cache
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from rtp.clock import STEPS_PER_HOUR
from rtp.scenario import BOUNDS, Group, Habits, OccupancyModel, Period, Scenario, period

SLOT = 1 / STEPS_PER_HOUR
BASES: SearchStrategy[Literal["period", "step"]] = st.sampled_from(["period", "step"])
# A strategy that is made anew for every draw is checked anew, which took half of many tests' time: those
# below are made once.


@cache
def real(name: str, low: float | None = None, high: float | None = None) -> SearchStrategy[float]:
    """A number within its bounds, or within a narrower range inside them."""
    bounds = BOUNDS[name]
    low, high = bounds.low if low is None else low, bounds.high if high is None else high
    assert bounds.low <= low <= high <= bounds.high
    return st.floats(low, high)


@cache
def whole(name: str, high: int | None = None) -> SearchStrategy[int]:
    bounds = BOUNDS[name]
    return st.integers(int(bounds.low), int(bounds.high) if high is None else high)


@cache
def chances(*, structural: bool = True) -> SearchStrategy[float]:
    """A probability in hundredths; one in six is exactly 0 or 1, which makes states impossible."""
    low, high, _ = BOUNDS["matrix"]
    beyond = 10 if structural else -1  # cut back to the ends, or staying inside them
    hundredths = st.integers(int(100 * low) - beyond, int(100 * high) + beyond)
    return hundredths.map(lambda i: min(max(i / 100, low), high))


@cache
def _starts(latest: int) -> SearchStrategy[set[int]]:
    return st.sets(st.integers(0, latest), min_size=4, max_size=4)


@cache
@st.composite
def periods(draw: DrawFn, *, last_start: float | None = None, structural: bool = True) -> tuple[Period, ...]:
    """Four periods, the shortest one step long; starts up to `last_start`."""
    latest = BOUNDS["start"].high if last_start is None else last_start
    starts = sorted(draw(_starts(int(latest * STEPS_PER_HOUR))))
    return tuple(
        period(
            f"Period {i}",
            slot * SLOT,
            leave=draw(chances(structural=structural)),
            arrive=draw(chances(structural=structural)),
            basis=draw(BASES),
        )
        for i, slot in enumerate(starts)
    )


@cache
@st.composite
def habits(draw: DrawFn, *, last_start: float | None = None, structural: bool = True) -> Habits:
    return Habits(
        initial_occupied=draw(chances(structural=structural)),
        periods=draw(periods(last_start=last_start, structural=structural)),
    )


@cache
@st.composite
def groups(draw: DrawFn, count: int) -> tuple[Group, ...]:
    weights = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    return tuple(
        Group(
            name=f"Group {i}",
            share=weight / sum(weights),
            occupied_max=draw(real("occupied_max", 0.1, 5.0)),
            empty_max=draw(real("empty_max", 0.0, 5.0)),
        )
        for i, weight in enumerate(weights)
    )


@st.composite
def scenarios(
    draw: DrawFn,
    *,
    max_households: int = 4,
    max_groups: int = 3,
    max_models: int = 3,
    last_start: float | None = None,
    structural: bool = True,
) -> Scenario:
    """A small street with several groups and models, known and unknown starts, all options."""
    count = draw(st.integers(1, max_groups))
    models = draw(st.integers(1, max_models))
    return Scenario(
        households=draw(whole("households", max_households)),
        epsilon=draw(real("epsilon", 0.05, 20.0)),
        alpha=draw(real("alpha", 0.1, 10.0)),
        beta=draw(real("beta", 0.5, 100.0)),
        groups=draw(groups(count)),
        models=tuple(
            OccupancyModel(
                name=f"Model {i}",
                habits=tuple(
                    draw(habits(last_start=last_start, structural=structural)) for _ in range(count)
                ),
            )
            for i in range(models)
        ),
        habit_spread=draw(st.sampled_from([0.0, 0.01, 0.3])),
        habit_clip=draw(st.sampled_from(["interior", "closed"])),
        seed=draw(whole("seed")),
    )
