"""Three secrets, two observers, one scale: how often she is right when shown one life with each answer.

Each secret is a question with two answers, each answer a chain (`secret`): a *moment*, the chain given that
the house was occupied or empty at that step; a *holiday* of a week against an ordinary one; a *history*,
a day always occupied against one always empty. What she can tell is the area under her curve, between a half
(guessing) and one; see `stretch`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rtp.attacker.choice import largest_gap
from rtp.attacker.observer import Knowledge
from rtp.mechanisms import REGISTRY
from rtp.overtime.hiding import WEEK
from rtp.overtime.observer import Observer
from rtp.overtime.secret import SECRETS, HouseChain
from rtp.overtime.stretch import Shared, judge, watched_house, width
from rtp.overtime.watched import House
from rtp.scenario import Scenario, must_be_house, must_be_one_of
from rtp.simulation import Market, live, market
from rtp.statistics import Range
from rtp.street.life import Life

QUICK = 120  # lives with each answer
HIDDEN, VISIBLE = 0.6, 0.9  # areas up to which, and from which, the words change
OBSERVERS: tuple[Knowledge, ...] = ("others", "model")


@dataclass(frozen=True, kw_only=True)
class Overview:
    house: int
    step: int  # of the moment
    repetitions: int
    found: Mapping[tuple[str, Knowledge], Range]  # areas by secret and observer


def word(area: float) -> str:
    """What an area amounts to."""
    if area <= HIDDEN:
        return "hidden"
    return "visible" if area >= VISIBLE else "blurred"


def overview(
    scenario: Scenario,
    mechanism: str,
    step: int,
    *,
    house: int | None = None,
    week: Life | None = None,
    repetitions: int = QUICK,
) -> Overview:
    """`step`, on the first day, is the moment asked about; `week` may be given where it is lived."""
    must_be_one_of("mechanism", mechanism, REGISTRY)
    must_be_house("house", house, scenario.households)
    longer = scenario.replace(days=WEEK)
    known = market(longer, week or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    holiday = watched_house(known, number, SECRETS["holiday"])
    day = first_day(holiday)
    houses = {
        "moment": replace(
            day, ordinary=given(day.ordinary, step, False), secret=given(day.ordinary, step, True)
        ),
        "holiday": holiday,
        "history": replace(day, ordinary=always(day.ordinary, False), secret=always(day.ordinary, True)),
    }
    found = {
        (name, knows): _area(known, mechanism, which, knows, scenario, repetitions)
        for name, which in houses.items()
        for knows in OBSERVERS
    }
    return Overview(house=number, step=step, repetitions=repetitions, found=found)


def _area(
    known: Market, mechanism: str, house: House, knows: Knowledge, scenario: Scenario, repetitions: int
) -> Range:
    b = width(known, REGISTRY[mechanism], scenario.epsilon)[: house.steps]
    observer, first = Observer(house, b, knows, repetitions), 0
    for seen in Shared(house, scenario.seed, repetitions).days():
        score = observer.watch(seen, first)
        first += len(seen.used)
    area = judge(score)[0]
    return Range(float(area.value), float(area.low), float(area.high))


def first_day(house: House) -> House:
    """The same house, watched for a day."""
    steps = house.steps // WEEK
    cut = {name: getattr(house.others, name)[:, :steps] for name in house.others.__dataclass_fields__}
    return replace(
        house,
        ordinary=_until(house.ordinary, steps),
        secret=_until(house.secret, steps),
        others=replace(house.others, **cut),
    )


def _until(chain: HouseChain, steps: int) -> HouseChain:
    return HouseChain(initial=chain.initial, leave=chain.leave[: steps - 1], arrive=chain.arrive[: steps - 1])


def always(chain: HouseChain, occupied: bool) -> HouseChain:
    """A house that never changes."""
    none = np.zeros_like(chain.leave)
    return HouseChain(initial=float(occupied), leave=none, arrive=none)


def given(chain: HouseChain, step: int, occupied: bool) -> HouseChain:
    """The chain given its state at one step: a chain again, each move weighed with what it makes likelier."""
    ahead = np.array([not occupied, occupied], dtype=float)  # Pr[that state at `step` | state now]
    leave, arrive = chain.leave.copy(), chain.arrive.copy()
    for t in range(step - 1, -1, -1):
        out, back = chain.leave[t], chain.arrive[t]
        before = np.array([(1 - back) * ahead[0] + back * ahead[1], out * ahead[0] + (1 - out) * ahead[1]])
        arrive[t] = back * ahead[1] / before[0] if before[0] > 0 else 0.0
        leave[t] = out * ahead[0] / before[1] if before[1] > 0 else 0.0
        ahead = before
    one, other = chain.initial * ahead[1], (1 - chain.initial) * ahead[0]
    initial = one / (one + other) if one + other > 0 else float(occupied)
    return HouseChain(initial=float(initial), leave=leave, arrive=arrive)
