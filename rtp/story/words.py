"""The story in sentences, built from its own numbers."""

from rtp.core.formatting import percent
from rtp.mechanisms import FEATURED
from rtp.simulation import Day
from rtp.story.chances import Chances, worst
from rtp.story.threat import Threat, right

TELLS = 0.05  # more often right than by habits alone, from which the unprotected price counts as telling
WHO = "An **observer** sees only the public price, and knows how people here usually live."

WHOSE = (
    "Believed by an observer who knows what everyone else used, and held both states for equally likely "
    "before she saw the price. 50 and 50 would be a coin: the price tells her nothing. 0 and 100 would be "
    "proof."
)


def question(found: Threat, day: Day, own: bool) -> str:
    """Who looks, at whom, and on which street."""
    street = f"{'The street at hand' if own else 'Your scenario on'} {_houses(day.scenario.households, own)}"
    betrays = right(found, found.stake.unprotected) - right(found, found.stake.guess) >= TELLS
    if not betrays:
        says = ": here even the unprotected price tells little."
    elif own:
        says = ": the unprotected price betrays it."
    else:
        says = ", so few that the unprotected price betrays them."
    return f"{WHO} **Is house {found.stake.house} occupied?** {street}{says}"


def _houses(n: int, own: bool) -> str:
    words = "1 house" if n == 1 else f"{n:,} houses"
    return f"({words})" if own else words


def headline(found: Threat, day: Day) -> str:
    """How often she is right, and what protection costs."""
    stake = found.stake
    unprotected, private, guess = (
        whole_percent(right(found, belief)) for belief in (stake.unprotected, found.private, stake.guess)
    )
    missed = percent(day.release[FEATURED].error, 2)
    luck = ", by this day's luck" if right(found, found.private) > right(found, stake.unprotected) else ""
    return (
        f"Unprotected, she is right **{unprotected}** of the day; with the private price "
        f"**{private}**{luck}; guessing **{guess}**. The private price misses by **{missed}**."
    )


def whole_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def in_chances(found: Threat, day: Day, step: int, here: Chances | None) -> str:
    """ε as chances: of this house at this step, and the worst that the promise allows."""
    house, at = found.stake.house, day.scenario.when(step)
    if here is None:
        known = "occupied" if found.stake.guess[step] else "empty"
        own = f"At {at} habits alone settle that house {house} is {known}: there is nothing to hide."
    else:
        own = (
            f"At {at}, of 100 possible prices **{of_100(here.empty)}** would make an observer believe house "
            f"{house} is occupied while it is empty, **{of_100(here.occupied)}** while it is occupied."
        )
    return f"{own} {worst_case(day.scenario.epsilon)}"


def worst_case(epsilon: float) -> str:
    """What the promise allows."""
    most = worst(epsilon)
    return f"The worst that ε = {epsilon:g} allows: **{of_100(most.empty)}** and **{of_100(most.occupied)}**."


def worst_line(epsilon: float) -> str:
    """The same in one line, for the place where ε is chosen."""
    most = worst(epsilon)
    return (
        f"At worst, of 100 prices **{of_100(most.empty)}** say “occupied” while a house is empty, "
        f"**{of_100(most.occupied)}** while it is occupied."
    )


def of_100(chance: float) -> int:
    return round(100 * chance)
