"""What an observer's numbers say: what she tells of a house, what she believes of it, how exact she is."""

from collections.abc import Sequence

import numpy as np

from rtp.attack.adversary import AdversaryKind, Inference, Method, Posterior
from rtp.core.formatting import in_markdown, plain, whole_percent
from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats
from rtp.exposure import HIDDEN, VISIBLE, Exposure, Secret
from rtp.figures.leakage import SECRETS, Found
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.exposure import COIN, share, where
from rtp.scenario import Scenario
from rtp.simulation import Day

KNOWS: dict[AdversaryKind, str] = {
    "outsider": "the habits",
    "insider": "others' use, too",
}
USES: dict[Inference, str] = {"filtering": "past rates", "smoothing": "the full day"}
METHODS: dict[Method, str] = {
    "insider": "Her belief is exact: knowing what everyone else used, each house is a chain of its own.",
    "joint": "Her belief is exact: it follows from the joint distribution of all states of the street.",
    "gaussian": "Her belief is approximate: a joint Gaussian of all houses.",
}
MEASURE = (
    "Shown two records, one with the secret and one without it, she picks the right one so often; "
    f"{COIN}, whatever the habits.",
    "Of all houses, moments and kinds of days the worst was looked for, under each rate's noise; moments "
    "count at which habits leave either answer at least 5 % likely.",
    "An outsider knows habits, bounds and tariff, an insider also what everyone else used: more than she "
    "tells nobody can. Where the outsider is not the strongest there is, it is at least so much.",
)


def verdict_words(found: Found, private: str, scenario: Scenario) -> str:
    """Return what both observers tell of a moment from the optimal rate and from a private one; and of a week
    from that, as soon as it is known."""
    label = REGISTRY[private].label
    if found["moment", "insider"].worst(private, scenario.epsilon) is None:
        words = "Habits settle every moment here: no rate can tell more."
    else:
        optimal, noisy = (_both(found, "moment", rate, scenario) for rate in (UNPROTECTED, private))
        words = (
            f"From the optimal rate an outsider tells a moment {optimal[0]} of the time, an insider "
            f"{optimal[1]}; from {label} {noisy[0]} and {noisy[1]} ({COIN})."
        )
    return f"{words} {_week(found, private, scenario)}" if ("week", "insider") in found else words


def _both(found: Found, secret: Secret, rate: str, scenario: Scenario) -> list[str]:
    seen = (found[secret, "outsider"], found[secret, "insider"])
    return [share(one.at(rate, scenario.epsilon), one.exact) for one in seen]


def _week(found: Found, private: str, scenario: Scenario) -> str:
    both = " and ".join(_both(found, "week", private, scenario))
    outside, inside = (found["week", who].at(private, scenario.epsilon) for who in ("outsider", "insider"))
    if inside.high <= HIDDEN:  # she tells the most that anybody can
        return f"Even a week away stays hidden: {both}."
    if min(outside.low, inside.low) >= VISIBLE:
        return f"A week away still shows: {both}."
    return f"Of a week away they tell {both}."


def places_words(found: Found, private: str, scenario: Scenario) -> str:
    """Return which house shows most in the private rate, and when, to either observer."""
    said = []
    for who in ("outsider", "insider"):
        at: dict[str, list[str]] = {}
        for (secret, whose), one in found.items():
            if whose == who:
                place = where(one.worst(private, scenario.epsilon), scenario, secret)
                at.setdefault(in_markdown(place), []).append(SECRETS[secret].lower())
        places = (f"{place} ({', '.join(secrets)})" for place, secrets in at.items())
        said.append(f"to an {who} {', '.join(places)}")
    return f"{REGISTRY[private].label} shows most {'; '.join(said)}."


def limit_words(method: Method, largest_evidence: float, promised: float) -> str:
    """Return by how much one rate went beyond the promise, read together with earlier ones; empty where it
    cannot."""
    if method == "insider" or not 0 < promised < np.inf:
        return ""
    words = "Read together with the earlier rates, one rate can reveal more than ε about a house."
    if method != "joint":
        return words
    times = plain(largest_evidence / promised)
    return f"{words} Here the most was {plain(largest_evidence)}, {times} times what is promised."


def belief_words(day: Day, pair: tuple[Posterior, Posterior], occupied: Bools, step: int) -> str:
    """Return the truth of one house at a step, and what she believes by the optimal rate, by a private one
    and by habits alone. `pair` has that one house alone."""
    optimal, private = (float(seen.belief[step, 0]) for seen in pair)
    alone = pair[0].model_only[: step + 1, 0]
    right = float(right_guesses(alone, occupied[: step + 1]).mean())
    house = day.scenario.house(int(pair[0].houses[0]))
    return (
        f"At {day.scenario.when(step)} {house} is **{'occupied' if occupied[step] else 'empty'}**. Her "
        f"belief that it is occupied: **{whole_percent(optimal)}** by the optimal rate, "
        f"**{whole_percent(private)}** by {REGISTRY[pair[1].mechanism].label}, "
        f"{whole_percent(alone[step])} by habits alone, which are right "
        f"{whole_percent(right)} of the time so far."
    )


def windows_words(occupied: Bools, believed: Sequence[Floats], private: str, households: int) -> str:
    """Return of how many houses, (T, n), each belief is on the right side in a mean step: that by the optimal
    rate, that by a private one, and habits alone."""
    optimal, noisy, alone = (float(right_guesses(each, occupied).sum(axis=1).mean()) for each in believed)
    shown = occupied.shape[1]
    chosen = ""
    if shown < households:
        chosen = f" They are those of {households:,} about which the optimal rate moves her most."
    return (
        f"On average over this day she is right about **{optimal:.1f}** of these {shown} houses from the "
        f"optimal rate, **{noisy:.1f}** from {REGISTRY[private].label}, **{alone:.1f}** from habits alone."
        f"{chosen}"
    )


def map_words(found: Exposure, houses: int, scenario: Scenario) -> str:
    """Return what a map of all houses and moments is about, and where it shows most."""
    some, worst = houses < scenario.households, in_markdown(where(found.worst(UNPROTECTED), scenario))
    return (
        f"How often an {found.observer} tells a moment from the optimal rate; {COIN}. Most of **{worst}**. "
        f"{f'{houses:,} of {scenario.households:,} houses stand for all. ' if some else ''}"
        "Where habits settle a moment there is nothing to tell."
    )


def house_words(day: Day, seen: Posterior) -> str:
    """Return what a house uses, and which model she believes."""
    scenario, house = day.scenario, int(seen.houses[0])
    group = in_markdown(scenario.groups[day.street.group[house]].name)
    believed = f" She believes the model **{in_markdown(seen.model)}**." if len(scenario.models) > 1 else ""
    (empty, occupied), _ = day.street.moments(slice(house, house + 1))
    return (
        f"**{scenario.house(house, capital=True)}** ({group}) uses {occupied[0]:.3g} on average when "
        f"occupied and {empty[0]:.3g} when empty.{believed}"
    )
