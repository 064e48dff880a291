"""What the story on Explore says: how often the observer is right, and what ε means for one house."""

from collections.abc import Mapping
from math import isclose

from rtp.core.formatting import percent, unbroken, whole_percent
from rtp.core.stats import Range
from rtp.mechanisms import FEATURED, YARDSTICK
from rtp.metrics import ERROR_DIGITS
from rtp.simulation import Day
from rtp.teaching.exposure import Exposure, Verdict
from rtp.teaching.threat import worst_case

_SAME = 0.01  # of an error: less does not show in its digits
_MUCH = 0.25  # of what habits leave open
OBSERVER_WORDS = (
    "The observer sees only the rates, and knows how people here usually live. She judges every moment at "
    "the end of the day."
)
BELIEVER_WORDS = (
    "Believed by an observer who knows what everyone else used, and held both states for equally likely "
    "before she saw the rate. 50 and 50 would be a coin: the rate tells her nothing. 0 and 100 would be "
    "proof."
)


_HIDES: dict[Verdict, str] = {
    "hidden": "takes that back",
    "mostly hidden": "takes most of that back",
    "partly hidden": "takes a part of that back",
    "hardly hidden": "takes little of that back",
    "not hidden": "takes none of that back",
}


def claim(cost: Mapping[str, Range], exposure: Exposure) -> str:
    """What privacy costs on the scenario's street, and what it hides on one of two such houses."""
    habits, private, optimal = (
        unbroken(whole_percent(own.value)) for own in (exposure.habits, exposure.private, exposure.optimal)
    )
    missed = unbroken(percent(cost[FEATURED].value, ERROR_DIGITS))
    price = f"misses the optimal rate by {missed}."
    if exposure.verdict == "nothing to hide":
        return (
            f"Here even the optimal rate gives nothing away: an observer is right {optimal} of the time, by "
            f"habits alone {habits}. The private rate {price}"
        )
    unknown = 1 - exposure.habits.value
    gives = "gives you away" if exposure.optimal_adds.value >= _MUCH * unknown else "gives a little away"
    return (
        f"The optimal rate {gives}: an observer is right {optimal} of the time. The private rate "
        f"{_HIDES[exposure.verdict]} ({private}; habits alone give {habits}), and {price}"
    )


AS_NAIVE = "Private costs the same as naive: nobody's whereabouts are ever certain here."


def as_naive(day: Day, cost: Mapping[str, Range]) -> bool:
    """Whether the private rate misses as much as the naive one because every house is always protected."""
    never_certain = bool((day.release[FEATURED].protected == day.scenario.households).all())
    return never_certain and isclose(cost[FEATURED].value, cost[YARDSTICK].value, rel_tol=_SAME)


def houses_words(households: int) -> str:
    """How many houses a street has."""
    return "1 house" if households == 1 else f"{households:,} houses"


def worst_case_line(epsilon: float) -> str:
    """What the promise allows, in one line, for the place where ε is chosen."""
    most = worst_case(epsilon)
    return (
        f"Worst case: **{of_100(most.occupied)}** of 100 rates suggest ‘occupied’ when a house is, "
        f"**{of_100(most.empty)}** when it is empty."
    )


def budgets_words(right: Mapping[float, float], habits: float) -> str:
    """How often the observer is right on a day of two houses, by the ε of the private rate; and whether that
    is as much as habits alone tell."""
    (first, share), *others = right.items()
    alone = whole_percent(habits)
    more = "".join(
        f"; at ε = {epsilon:g}, {whole_percent(other)}"
        + (", as much as by habits alone" if whole_percent(other) == alone else "")
        for epsilon, other in others
    )
    said = f"At ε = {first:g} the observer is right {whole_percent(share)} of this day{more}."
    return f"Two houses again, now with noise in the price. {said}"


def of_100(probability: float) -> int:
    """How many of 100."""
    return round(100 * probability)


def exposure_words(found: Exposure) -> str:
    """Of what the exposure is an average, and how sure it is."""
    ranges = "; ".join(
        f"{name} {percent(own.low, 3)} to {percent(own.high, 3)}"
        for name, own in (
            ("habits", found.habits),
            ("private rate", found.private),
            ("optimal rate", found.optimal),
        )
    )
    houses = houses_words(found.street.households)
    return (
        f"{OBSERVER_WORDS} Averages over {found.days} simulated days of {houses} of this street; 95 % "
        f"intervals: {ranges}. RMSRE is of the whole street."
    )
