"""What the numbers of `rtp.leakage` mean, in sentences built from them."""

from math import exp, isinf, log
from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.leakage.composition import PrivacyAccount
from rtp.leakage.crowd import NoiseBySize, scale_text
from rtp.leakage.moment import MomentLeakage
from rtp.leakage.overview import HIDDEN, VISIBLE, Overview, visibility_word
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd


WHO: dict[AdversaryKind, str] = {
    "insider": "an insider, who knows what everyone else used",
    "outsider": "an outsider, who knows the habits only",
}
TITLES: dict[AdversaryKind, str] = {"insider": "Insider", "outsider": "Outsider"}
SECRET_WORDS = {
    "moment": "One moment: at home at {when}?",
    "holiday": "A holiday of a week",
    "history": "A whole day: always at home, or never?",
}


def surest(leak: float) -> str:
    """What an even guess can become."""
    if isinf(leak):
        return "a certainty"
    return f"at most {percent(1 / (1 + exp(-leak)), 6 if leak > 4 else 4)}"


def moment_words(day: Day, leakage: MomentLeakage, any_use: MomentLeakage | None = None) -> str:
    """The worst moment beside what the promise of single rates adds up to, and what that assumes."""
    label = REGISTRY[leakage.mechanism].label
    if leakage.worst == 0:
        return f"From the {label} rates nobody learns anything about any moment."
    at, house = day.scenario.when(leakage.step), day.scenario.house(int(leakage.house[leakage.step]))
    of_all = " of all houses" if leakage.houses > 1 else ""
    return (
        f"The most exposed moment{of_all} is **{at}** of {house}. All {label} rates together can "
        f"shift its log-odds by **{plain(leakage.worst)}**: an even guess becomes "
        f"{surest(leakage.worst)}. The rates up to any moment shift it by at most "
        f"{plain(float(leakage.so_far.max()))}. Theorem 2 allows ε·T = {plain(leakage.theorem_2)}. "
        f"{assumption_words(day, any_use)}"
    )


def assumption_words(day: Day, any_use: MomentLeakage | None = None) -> str:
    """What the leak of a moment assumes: how houses use, and that prices do not move them."""
    within = f"; for any use within the bounds it is {plain(any_use.worst)}" if any_use else ""
    uses = "as their distributions say" if day.street.distributions else "uniformly up to their bounds"
    words = f"This assumes that houses use {uses}{within}."
    if day.scenario.elasticity:
        words += " Prices move their use here, so it is this day's own and no bound for others."
    return words


def crowd_words(noise: NoiseBySize) -> str:
    """Who is hidden by whom, and from whom not."""
    promise = f"(ε, δ) = ({plain(noise.epsilon)}, {plain(noise.delta)})"
    enough = (
        f"Among {noise.enough:,} houses the crowd alone gives {promise}."
        if noise.enough is not None
        else f"No street of up to {int(noise.sizes[-1]):,} houses gives {promise} without noise."
    )
    return (
        f"{enough} That holds for one rate, against outsiders. Whoever knows what the others used sees no "
        f"crowd: against her the noise needs the scale {scale_text(noise.insider)} at any size."
    )


def overview_frame(scenario: Scenario, overview: Overview) -> "pd.DataFrame":
    """A row for each secret, a column for each observer: how often she is right, and the word for it."""
    import pandas as pd

    rows = {
        words.format(when=scenario.when(overview.step)): {
            title: _area_words(overview, name, who) for who, title in TITLES.items()
        }
        for name, words in SECRET_WORDS.items()
    }
    return pd.DataFrame(rows).T


def overview_words(scenario: Scenario, overview: Overview, mechanism: str, *, chosen: bool) -> str:
    """Whose secrets the table is about, why that house where nobody has `chosen` one, and how to read it."""
    house = scenario.house(overview.house, capital=True)
    whose = house if chosen else f"{house}, whose use differs most between its states"
    return (
        f"{whose}, from the {REGISTRY[mechanism].label} rates at ε = {scenario.epsilon:g}. "
        "How often she is right about two houses, one of each answer: 50 % is guessing. Hidden up to "
        f"{HIDDEN:.0%}, visible from {VISIBLE:.0%}, blurred between. The insider knows what everyone "
        f"else used, the outsider the habits only. Average of {overview.repetitions} simulations of each "
        "answer."
    )


def _area_words(overview: Overview, name: str, who: AdversaryKind) -> str:
    if (name, who) not in overview.areas:
        return "no secret: the habits say it"
    area = overview.areas[name, who].value
    return f"{percent(area, 2)}, {visibility_word(area)}"


def account_words(day: Day, book: PrivacyAccount, step: int) -> str:
    """ε used so far, and what ε·T means, in plain words."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    house = day.scenario.house(book.house)
    whole, moment = plain(epsilon * steps, 6), worst_moment_words(book.moment, day.scenario)
    rates = "1 rate" if step == 0 else f"{step + 1} rates"
    return (
        f"By {day.scenario.when(step)}, after {rates}, **ε·t = {plain(epsilon * (step + 1), 6)}** "
        f"of ε·T = {whole} is used. From the {REGISTRY[book.mechanism].label} rates, {house}, "
        f"which can lose most over the day, could have lost {plain(book.at_worst[step])} at worst. What this "
        f"day's rates really revealed about it so far, to an insider, is {plain(book.given_away[step])}"
        f"{': they mislead' if book.given_away[step] < 0 else ''}. {moment}\n\n"
        f"**What ε·T = {whole} means.** One rate shifts the odds between occupied and empty by a factor of "
        f"at most $e^ε = {factor(epsilon)}$. All {steps} rates together may shift the odds between two "
        f"histories that differ at every step by up to $e^{{ε·T}} = {factor(epsilon * steps)}$. The promise "
        "is about single rates. A moment is revealed by its own rate and by those around it; what lasts all "
        "day is revealed by all of them."
    )


def worst_moment_words(leakage: MomentLeakage, scenario: Scenario) -> str:
    """The worst moment of one house, or of any, as the whole record can reveal it."""
    whose = "any house" if leakage.houses > 1 else "that house"
    if leakage.worst == 0:
        return f"These rates reveal no moment of {whose}."
    return (
        f"The most exposed moment of {whose} is {scenario.when(leakage.step)}: all rates of the day can "
        f"shift its log-odds by up to {plain(leakage.worst)}."
    )


def factor(exponent: float) -> str:
    """e to that power, also where it is beyond all floats."""
    power = int(exponent // log(10))
    if power < 4:
        return plain(exp(exponent), 5 if exponent < 0.01 else 3)
    return f"{exp(exponent - power * log(10)):.1f}·10^{{{power}}}"
