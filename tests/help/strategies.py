"""Random streets for the property tests; every range is read from `rtp.scenario.BOUNDS`."""

from functools import cache
from itertools import product
from typing import Literal, get_args

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from rtp.core.time import STEPS_PER_HOUR
from rtp.scenario import BOUNDS, Group, Habits, OccupancyModel, Period, Scenario, period
from rtp.scenario.habits import HOME, UP

SLOT = 1 / STEPS_PER_HOUR
Basis = Literal["period", "step"]
BASES: tuple[Basis, ...] = get_args(Basis)
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


# Probabilities; one in six is exactly 0 or 1, which makes states impossible.
HUNDREDTHS = [min(max(i / 100, 0.0), 1.0) for i in range(-10, 111)]


@cache
def chances() -> SearchStrategy[float]:
    return st.sampled_from(HUNDREDTHS)


@cache
def _moves() -> SearchStrategy[tuple[float, float, Basis]]:
    """Leaving, arriving and what they are given for, as one draw: three take hypothesis thrice as long, and
    that was half of many tests' time."""
    return st.sampled_from(list(product(HUNDREDTHS, HUNDREDTHS, BASES)))


@cache
def _starts(latest: int) -> SearchStrategy[list[int]]:
    """Four different ones up to the latest, in order, as two draws."""
    slots = latest - 2
    pair = st.integers(0, slots**2 - 1).map(lambda both: divmod(both, slots))
    return st.tuples(pair, pair).map(
        lambda pairs: [slot + i for i, slot in enumerate(sorted((*pairs[0], *pairs[1])))]
    )


@cache
@st.composite
def periods(draw: DrawFn, *, last_start: float | None = None) -> tuple[Period, ...]:
    """Four periods, the shortest one step long; starts up to `last_start`."""
    latest = BOUNDS["start"].high if last_start is None else last_start
    found = []
    for i, slot in enumerate(draw(_starts(int(latest * STEPS_PER_HOUR)))):
        leave, arrive, basis = draw(_moves())
        found.append(period(f"Period {i}", slot * SLOT, leave=leave, arrive=arrive, basis=basis))
    return tuple(found)


@cache
@st.composite
def habits(draw: DrawFn, *, last_start: float | None = None) -> Habits:
    return Habits(initial_occupied=draw(chances()), periods=draw(periods(last_start=last_start)))


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
    max_models: int = 3,
    last_start: float | None = None,
) -> Scenario:
    """A small street with several groups and models, known and unknown starts, all options."""
    count = draw(st.integers(1, 3))
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
                habits=tuple(draw(habits(last_start=last_start)) for _ in range(count)),
            )
            for i in range(models)
        ),
        habit_spread=draw(st.sampled_from([0.0, 0.01, 0.3])),
        seed=draw(whole("seed")),
    )


@st.composite
def detailed_scenarios(draw: DrawFn) -> Scenario:
    """A small street with every setting of a scenario, each number anywhere within its bounds."""
    scenario = draw(scenarios())
    names = [name for name in Scenario.model_fields if name in BOUNDS and not BOUNDS[name].whole]
    numbers = {name: draw(real(name)) for name in draw(st.sets(st.sampled_from(names)))}
    apart = draw(st.none() | periods())
    weekend = scenario.models[0].habits[0].replace(weekend=draw(periods()), sunday=apart)
    first = scenario.models[0].replace(habits=(weekend, *scenario.models[0].habits[1:]))
    return scenario.replace(
        **numbers,
        models=(first, *scenario.models[1:]),
        assumed_model=draw(st.sampled_from([None, *scenario.model_names])),
        days=draw(whole("days")),
        first_weekday=draw(st.sampled_from(["Monday", "Friday"])),
        step_minutes=draw(st.sampled_from([5, 15])),
        naive_bound=draw(st.sampled_from(["nominal", "realised"])),
        independent_noise=draw(st.booleans()),
        clip_at_zero=draw(st.booleans()),
        power_unit=draw(st.sampled_from(["", "kW"])),
        currency=draw(st.sampled_from(["", "EUR"])),
        occupied_means=draw(st.sampled_from([UP, HOME])),
    )
