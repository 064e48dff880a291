"""What the numbers of `rtp.leakage` say: a few sentences."""

from collections.abc import Mapping

from rtp.attack.adversary import AdversaryKind
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.leakage.approximation import Approximation
from rtp.leakage.composition import PrivacyAccount
from rtp.leakage.moment import MomentLeakage, even_guess
from rtp.leakage.overview import HIDDEN, SECRETS, VISIBLE, Overview, visibility_word
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.scenario import Scenario
from rtp.simulation import Day

EDGE = "on the edge of"  # where an interval crosses a limit

# What is asked of the promise over time: the formula that answers it, and its letters.
FORMULAS = {
    "A moment": (
        r"g(x) = \ln\frac{a_1 e^x + 1 - a_1}{a_0 e^x + 1 - a_0}",
        "Each rate's evidence lies within ±e. The rates before a moment, or after it, are evidence about its "
        "neighbour; g carries that over to the moment. a₀ and a₁ are the probabilities that the neighbour is "
        "occupied if the moment is empty, and if it is occupied. Past, own rate and future add up.",
    ),
    "A whole day": (
        r"\text{Theorem 2: } \varepsilon_t = \tfrac{\varepsilon}{T} \qquad "
        r"\text{w-event: } \varepsilon_t = \tfrac{\varepsilon}{w} \qquad "
        r"\text{quilt: } \tfrac{\text{card}}{\varepsilon - e} \qquad "
        r"\text{Gaussian: } \Phi(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) "
        r"- e^\varepsilon \Phi(-\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}) \le \delta",
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
    """Return the most exposed moment, beside what Theorem 2 allows."""
    label = REGISTRY[leakage.mechanism].label
    if leakage.worst == 0:
        return f"From the {label} rates nobody learns anything about any moment."
    at, house = day.scenario.when(leakage.step), day.scenario.house(int(leakage.house[leakage.step]))
    moved = " Rates move their use, so it holds for this day only." if day.scenario.elasticity else ""
    return (
        f"The most exposed moment is **{at}** of {house}: after all {label} rates of the day an even guess "
        f"can be at most **{percent(even_guess(leakage.worst), 4)}** sure. In log-odds that is "
        f"{plain(leakage.worst)}; Theorem 2 allows ε·T = {plain(leakage.theorem_2)}.{moved}"
    )


def worst_moment_words(leakage: MomentLeakage, scenario: Scenario) -> str:
    """Return the most exposed moment of one house, or of any."""
    whose = "any house" if leakage.houses > 1 else "that house"
    if leakage.worst == 0:
        return f"These rates reveal no moment of {whose}."
    return (
        f"The most exposed moment of {whose} is {scenario.when(leakage.step)}: all rates of the day can "
        f"shift its log-odds by up to {plain(leakage.worst)}."
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


def interval_words(area: Range) -> str:
    """Return a 95 % interval."""
    return f"{percent(area.low, 2)} to {percent(area.high, 2)}"


def visibility(area: Range) -> str:
    """Return what an area amounts to; one whose interval crosses a limit is on its edge."""
    for limit, word in ((HIDDEN, "hidden"), (VISIBLE, "visible")):
        if area.low < limit < area.high:
            return f"{EDGE} {word}"
    return visibility_word(area.value)


def on_edge(area: Range) -> str:
    """Return the same in brackets, behind a number, where it is on an edge."""
    word = visibility(area)
    return f" ({word})" if word.startswith(EDGE) else ""


def crowd_hides(found: Mapping[str, Overview]) -> bool:
    """Return whether an outsider surely tells hardly more about a moment than a guess, even without noise."""
    seen = found[UNPROTECTED].areas.get(("moment", "outsider"))
    return seen is not None and seen.high <= HIDDEN


def verdict_words(scenario: Scenario, found: Mapping[str, Overview], who: AdversaryKind) -> str:
    """Return what an observer can tell from the optimal rate and from the other one: of a moment, or of a day
    where no moment is a secret, and of a week away; first of all, where it does, that the crowd hides all."""
    optimal, (name, private) = (
        found[UNPROTECTED].areas,
        next(each for each in found.items() if each[0] != UNPROTECTED),
    )
    secret = "moment" if ("moment", who) in optimal else "history"
    if who == "outsider" and crowd_hides(found):
        seen = optimal["moment", who]
        return (
            f"A crowd of {scenario.households:,} hides a moment, even under the optimal rate: an outsider "
            f"is right {margin(seen)} of the time."
        )
    if (secret, who) not in optimal:
        return "Habits settle every moment here: only a week away is a secret."
    return (
        f"By the optimal rate an {who} knows {SECRETS[secret].lower()} {margin(optimal[secret, who])} of the "
        f"time, by {REGISTRY[name].label} {margin(private.areas[secret, who])}"
        f"{on_edge(private.areas[secret, who])}. "
        f"{_week(private.areas['holiday', who])}"
    )


def _week(area: Range) -> str:
    if area.low >= VISIBLE:
        return f"A week away still shows: {margin(area)}."
    if area.high <= HIDDEN:
        return f"Even a week away is hidden: {margin(area)}."
    return f"Of a week away she is right {margin(area)}{on_edge(area)}."


def margin(area: Range) -> str:
    """Return a share in whole percents, with half the width of its interval where that is one or more."""
    half = round(50 * (area.high - area.low))
    return f"{100 * area.value:.0f} ± {half} %" if half else f"{100 * area.value:.0f} %"


def verdict_help(scenario: Scenario, overview: Overview, *, chosen: bool) -> str:
    """Return whose secrets the bars are about, why that house unless `chosen`, and how they were counted."""
    house = scenario.house(overview.house, capital=True)
    whose = house if chosen else f"{house}, which shows best"
    return (
        f"{whose}; the moment is its most exposed one, {scenario.when(overview.step)}. Shown two houses, one "
        "with the secret, how often does she pick it? 50 % is guessing, and all that habits alone give. "
        f"Average of {overview.repetitions} simulations of each answer; whiskers and ±: {LEVEL_WORDS} "
        f"intervals. {outsider_words(scenario)}"
    )


def outsider_words(scenario: Scenario, measured: Approximation | None = None) -> str:
    """Return how exact an outsider is over time and, where that was measured, how far she is off."""
    if scenario.households <= MAX_JOINT_HOUSES:
        return "The outsider is exact: she follows all joint states of the street."
    words = "The outsider is approximate: she takes the sum of the others as normal."
    if measured is None:
        return words
    return (
        f"{words} On {measured.houses} houses of this kind she is right about a day away "
        f"{margin(measured.normal)} of the time, the exact one {margin(measured.exact)}; on more houses the "
        "two are closer."
    )
