"""What an observer's numbers say: what she tells of a house, what she believes of it, how exact she is; and
what the numbers of `rtp.leakage` say: a few sentences."""

from collections.abc import Sequence

import numpy as np

from rtp.attack.adversary import AdversaryKind, Inference, Method, Posterior
from rtp.core.formatting import in_markdown, percent, plain, whole_percent
from rtp.core.types import Bools
from rtp.exposure import HIDDEN, Exposure, Observer, Secret, hidden
from rtp.figures.leakage import Found
from rtp.figures.style import short
from rtp.leakage.composition import PrivacyAccount
from rtp.leakage.moment import MomentLeakage, even_guess
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.exposure import ALWAYS, COIN, NOTICED, SECRETS, STATE, share, visibility, where
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


def verdict_words(found: Found, observer: Observer, private: str, scenario: Scenario) -> str:
    """Return what an observer tells of a moment from the optimal rate and from a private one, what that
    amounts to, and what she tells of a week as soon as that, and an insider's beside it, is known."""
    one = found["moment", observer]
    worst = one.worst(private, scenario.epsilon)
    if worst is None:
        words = "Habits settle every moment here: no rate can tell more."
    else:
        bare, noisy = one.at(UNPROTECTED), one.at(private, scenario.epsilon)
        always = " always" if bare.value >= ALWAYS else ""
        house, without = in_markdown(scenario.house(worst.house)), one.worst(UNPROTECTED)
        same = without is not None and without.house == worst.house
        told = f"{share(noisy, one.exact)}{'' if same else f' ({house})'}"
        words = (
            f"From the optimal rate, an {observer} at worst{always} tells whether "
            f"{house if same else 'a house'} "
            f"{STATE[scenario.occupied_means]} ({share(bare, one.exact)}; {COIN}); from the {short(private)} "
            f"one {told}: {_judged(found, 'moment', observer, private, scenario)}."
        )
    known = all(("week", who) in found for who in (observer, "insider"))
    return f"{words} {_week(found, observer, private, scenario)}" if known else words


def _judged(found: Found, secret: Secret, observer: Observer, private: str, scenario: Scenario) -> str:
    """What an area amounts to, or that the noise took nothing. An approximation alone hides nothing."""
    one, insider = found[secret, observer], found[secret, "insider"]
    bare, noisy = one.at(UNPROTECTED), one.at(private, scenario.epsilon)
    beside = insider.at(private, scenario.epsilon).high, insider.at(UNPROTECTED).high
    hides = bool(hidden(noisy.high, *beside, exact=one.exact))
    amounts = visibility(noisy, hides)
    if amounts == "hidden":
        crowd = observer == "outsider" and bare.value <= HIDDEN
        return "crowd and noise hide it" if crowd else "the noise hides it"
    if bare.value - noisy.value < NOTICED:
        return f"{amounts}, with or without noise"
    return amounts if amounts != "visible" else "still visible"


def _week(found: Found, observer: Observer, private: str, scenario: Scenario) -> str:
    one = found["week", observer]
    told = share(one.at(private, scenario.epsilon), one.exact)
    return f"A week away: {told}, {_judged(found, 'week', observer, private, scenario)}."


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
        if at:
            said.append(f"to an {who} {', '.join(places)}")
    return f"The {short(private)} rate shows most {'; '.join(said)}."


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
    scenario, alone = day.scenario, float(pair[0].model_only[step, 0])
    house, state = scenario.house(int(pair[0].houses[0])), "occupied" if occupied[step] else "empty"
    return (
        f"{_at(scenario.when(step))} {house} is {state}. To an {pair[0].adversary} it is "
        f"{whole_percent(optimal)} likely occupied from the optimal rate, {whole_percent(private)} from the "
        f"{short(pair[1].mechanism)} one, {whole_percent(alone)} by habits alone."
    )


def windows_words(
    times: Sequence[str], wrong: Sequence[Bools], observer: AdversaryKind, private: str
) -> list[str]:
    """Return for each moment about how many houses an observer is wrong: `wrong`, (T, n), from the optimal
    rate, from a private one, and by habits alone."""
    count = wrong[0].shape[1]
    optimal, noisy, alone = (each.sum(axis=1).tolist() for each in wrong)
    return [
        f"{_at(time)} an {observer} is wrong (ringed) about {optimal[t]} of {count} houses from the optimal "
        f"rate, {noisy[t]} from the {short(private)}, {alone[t]} by habits."
        for t, time in enumerate(times)
    ]


def _at(time: str) -> str:
    """A time at the beginning of a sentence, with its day where there is one."""
    return f"{'At' if time[0].isdigit() else 'On'} {time}"


def windows_titles(shown: int, households: int, private: str) -> list[str]:
    """Return the titles of the windows' rows, each with a hint how to read it; the first says how its houses
    were chosen, where not all are shown."""
    chosen = f"the {shown} of {households:,} houses that differ most" if shown < households else "all houses"
    return [
        f"Who is in · {chosen}",
        "Believed from the optimal rate · brighter: likelier in",
        f"Believed from the {short(private)} rate · click one for its day",
    ]


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


# What is asked of the promise over time: the formula that answers it, and its letters.
FORMULAS = {
    "A moment": (
        r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}",
        "Each rate's evidence lies within ±e. The rates before a moment, or after it, are evidence about its "
        "neighbour; g carries that over to the moment. a₀ and a₁ are the probabilities that the neighbour is "
        "occupied if the moment is empty, and if it is occupied. Past, own rate and future add up.",
    ),
    "A whole day": (
        r"\begin{aligned}"
        r"\text{Theorem 2:}\; & \varepsilon_t = \tfrac{\varepsilon}{T} \\"
        r"\text{w-event:}\; & \varepsilon_t = \tfrac{\varepsilon}{w} \\"
        r"\text{quilt:}\; & \tfrac{\text{card}}{\varepsilon - e} \\"
        r"\text{Gaussian:}\; & \Phi(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \\"
        r"& {} - e^\varepsilon \Phi(-\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \le \delta"
        r"\end{aligned}",
        "ε is the total of the day, T its steps, w those of the window. A quilt is two moments beyond which "
        "nothing more is revealed; card counts the steps between, e is what the quilt itself reveals. μ is "
        "λ√T over the standard deviation of the noise.",
    ),
}


def assumed_words(any_use: MomentLeakage | None) -> str:
    """Return what the leak of a moment assumes, and what it is without that."""
    within = f"; for any use within the bounds it is {plain(any_use.worst)}" if any_use else ""
    return f"This assumes that houses use as modelled{within}."


def moment_words(day: Day, leakage: MomentLeakage) -> str:
    """Return the moment that can leak most, beside what Theorem 2 allows."""
    label = short(leakage.mechanism)
    if leakage.worst == 0:
        return f"From the {label} rates nobody learns anything about any moment."
    at, house = day.scenario.when(leakage.step), day.scenario.house(int(leakage.house[leakage.step]))
    moved = " Rates move their use, so it holds for this day only." if day.scenario.elasticity else ""
    return (
        f"Most can leak at **{at}** about {house}: after all {label} rates of the day an even guess "
        f"can be at most **{percent(even_guess(leakage.worst), 4)}** sure. In log-odds that is "
        f"{plain(leakage.worst)}; Theorem 2 allows ε·T = {plain(leakage.theorem_2)}.{moved}"
    )


def worst_moment_words(leakage: MomentLeakage, scenario: Scenario) -> str:
    """Return the moment of one house, or of any, that can leak most."""
    whose = "any house" if leakage.houses > 1 else "that house"
    if leakage.worst == 0:
        return f"These rates reveal no moment of {whose}."
    return (
        f"Most can leak at {scenario.when(leakage.step)} about {whose}: all rates of the day can "
        f"shift that moment's log-odds by up to {plain(leakage.worst)}."
    )


def account_words(day: Day, book: PrivacyAccount) -> str:
    """Return what the whole record promises, can lose at worst, and really revealed."""
    whole = plain(day.scenario.epsilon * day.scenario.steps, 6)
    return (
        f"All rates together are allowed **ε·T = {whole}**. By the {REGISTRY[book.mechanism].label} rates "
        f"{day.scenario.house(book.house)}, which can lose most, could have lost {plain(book.at_worst[-1])}; "
        f"they really revealed {plain(book.given_away[-1])} to an insider (below zero they mislead)."
    )


def total_words(day: Day, book: PrivacyAccount) -> str:
    """Return what ε·T means, and what is lost of one moment."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    whole = plain(epsilon * steps, 6)
    return (
        f"{worst_moment_words(book.moment, day.scenario)}\n\n"
        f"**What ε·T = {whole} means.** One rate shifts the odds between occupied and empty by a factor of "
        f"at most $e^{{{plain(epsilon)}}}$. All {steps} rates together may shift the odds between two "
        f"histories that differ at every step by up to $e^{{{whole}}}$."
    )
