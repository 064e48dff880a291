"""Three secrets, two observers, one scale: how often she is right when shown one life with each answer.

Each secret is a question with two answers, each answer a chain (`secret`): a *moment*, the chain given that
the house was occupied or empty at that step; a *holiday* of a week against an ordinary one; a *history*,
a day always occupied against one always empty. What she can tell is the area under her curve, between a half
(guessing) and one; see `stretch`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from rtp.attack.adversary import AdversaryKind, largest_gap
from rtp.core.stats import Range
from rtp.core.types import Floats
from rtp.leakage.detection import WEEK, judge
from rtp.leakage.hypothesis import HYPOTHESES, House, HouseChain, Readings, Shared, watched_house, width
from rtp.leakage.observer import Observer
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario, must_be_house, must_be_one_of
from rtp.simulation import Market, live, market
from rtp.street.simulate import StreetDay

QUICK = 120  # lives with each answer
HIDDEN, VISIBLE = 0.6, 0.9  # areas up to which, and from which, the words change
QUESTIONS = ("moment", "holiday", "history")
OBSERVERS: tuple[AdversaryKind, ...] = ("insider", "outsider")


@dataclass(frozen=True, kw_only=True)
class Overview:
    house: int
    step: int  # of the moment
    repetitions: int
    found: Mapping[tuple[str, AdversaryKind], Range]  # areas by secret and observer


def word(area: float) -> str:
    """What an area amounts to."""
    if area <= HIDDEN:
        return "hidden"
    return "visible" if area >= VISIBLE else "blurred"


class Question(NamedTuple):
    """A house with two ways to live, and what it shows, day by day, at any noise."""

    house: House
    days: Sequence[Readings]


Keep = Callable[[str, Callable[[], Question]], Question]  # what to ask under that key: made, or as kept


def make(key: str, question: Callable[[], Question]) -> Question:
    return question()


def overview(
    scenario: Scenario,
    mechanism: str,
    step: int,
    *,
    house: int | None = None,
    week: StreetDay | None = None,
    repetitions: int = QUICK,
    keep: Keep = make,
) -> Overview:
    """`step`, on the first day, is the moment asked about; `week` may be given where it is lived; what does
    not depend on the budget is asked of `keep`."""
    must_be_one_of("mechanism", mechanism, REGISTRY)
    must_be_house("house", house, scenario.households)
    longer = scenario.replace(days=WEEK)
    known = market(longer, week or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    b = width(known, REGISTRY[mechanism], scenario.epsilon)
    found = {}
    for name in QUESTIONS:
        asked = partial(_question, known, name, number, step, scenario.seed, repetitions)
        at = f" {step}" if name == "moment" else ""
        question = keep(f"{number} {repetitions} {name}{at}", asked)
        for adversary in OBSERVERS:
            found[name, adversary] = _area(question, b, adversary, repetitions)
    return Overview(house=number, step=step, repetitions=repetitions, found=found)


def _question(known: Market, name: str, number: int, step: int, seed: int, repetitions: int) -> Question:
    house = watched_house(known, number, HYPOTHESES["holiday"])
    if name != "holiday":
        day = first_day(house)
        ways = (always(day.ordinary, False), always(day.ordinary, True))
        if name == "moment":
            ways = (given(day.ordinary, step, False), given(day.ordinary, step, True))
        house = replace(day, ordinary=ways[0], secret=ways[1])
    return Question(house, list(Shared(house, seed, repetitions).days()))


def _area(question: Question, b: Floats, adversary: AdversaryKind, repetitions: int) -> Range:
    observer, first = Observer(question.house, b[: question.house.steps], adversary, repetitions), 0
    for seen in question.days:
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
