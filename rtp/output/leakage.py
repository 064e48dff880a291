"""What the numbers of `rtp.leakage` say: a few sentences."""

from rtp.core.formatting import percent, plain
from rtp.figures.style import short
from rtp.leakage.composition import PrivacyAccount
from rtp.leakage.moment import MomentLeakage, even_guess
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day

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
