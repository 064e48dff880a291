"""What the numbers of `rtp.leakage` say: a few sentences, and the table of secrets and observers."""

from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.leakage.composition import PrivacyAccount
from rtp.leakage.crowd import NoiseBySize, scale_text
from rtp.leakage.moment import MomentLeakage, even_guess
from rtp.leakage.overview import HIDDEN, OBSERVERS, VISIBLE, Overview, visibility_word
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day

if TYPE_CHECKING:
    import pandas as pd

SECRETS = {
    "moment": "One moment: at home at {when}?",
    "holiday": "A holiday of a week",
    "history": "A whole day: always at home, or never?",
}


def moment_words(day: Day, leakage: MomentLeakage, any_use: MomentLeakage | None = None) -> str:
    """Return the most exposed moment, beside what Theorem 2 allows, and what that assumes."""
    label = REGISTRY[leakage.mechanism].label
    if leakage.worst == 0:
        return f"From the {label} rates nobody learns anything about any moment."
    at, house = day.scenario.when(leakage.step), day.scenario.house(int(leakage.house[leakage.step]))
    within = f"; for any use within the bounds it is {plain(any_use.worst)}" if any_use else ""
    moved = " Prices move their use, so it holds for this day only." if day.scenario.elasticity else ""
    return (
        f"The most exposed moment is **{at}** of {house}. All {label} rates together can shift its log-odds "
        f"by **{plain(leakage.worst)}**: an even guess becomes at most "
        f"{percent(even_guess(leakage.worst), 4)}. Theorem 2 allows ε·T = {plain(leakage.theorem_2)}. "
        f"This assumes that houses use as modelled{within}.{moved}"
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


def account_words(day: Day, book: PrivacyAccount, step: int) -> str:
    """Return what is promised, at worst lost and really revealed by a step, and what ε·T means."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    whole = plain(epsilon * steps, 6)
    return (
        f"By {day.scenario.when(step)} **ε·t = {plain(epsilon * (step + 1), 6)}** of ε·T = {whole} is used. "
        f"From the {REGISTRY[book.mechanism].label} rates {day.scenario.house(book.house)}, which can lose "
        f"most over the day, could have lost {plain(book.at_worst[step])}. What these rates really revealed "
        f"about it, to an insider, is {plain(book.given_away[step])}; below zero they mislead. "
        f"{worst_moment_words(book.moment, day.scenario)}\n\n"
        f"**What ε·T = {whole} means.** One rate shifts the odds between occupied and empty by a factor of "
        f"at most $e^{{{plain(epsilon)}}}$. All {steps} rates together may shift the odds between two "
        f"histories that differ at every step by up to $e^{{{whole}}}$."
    )


def crowd_words(noise: NoiseBySize) -> str:
    """Return which crowd hides a house by itself, and from whom none does."""
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
    """Return a row for each secret, a column for each observer: how often she is right."""
    import pandas as pd

    return pd.DataFrame(
        {
            words.format(when=scenario.when(overview.step)): {
                who.capitalize(): area_words(overview, secret, who) for who in OBSERVERS
            }
            for secret, words in SECRETS.items()
        }
    ).T


def area_words(overview: Overview, secret: str, who: AdversaryKind) -> str:
    """Return how often an observer is right about a secret, and the word for it."""
    if (secret, who) not in overview.areas:
        return "no secret"
    area = overview.areas[secret, who].value
    return f"{percent(area, 2)}, {visibility_word(area)}"


def overview_words(scenario: Scenario, overview: Overview, mechanism: str, *, chosen: bool) -> str:
    """Return whose secrets the table is about, why that house unless `chosen`, and its scale."""
    house = scenario.house(overview.house, capital=True)
    whose = house if chosen else f"{house}, whose use differs most between its states"
    return (
        f"{whose}, from the {REGISTRY[mechanism].label} rates at ε = {scenario.epsilon:g}. "
        "How often she is right about two houses, one of each answer: 50 % is guessing. Hidden up to "
        f"{HIDDEN:.0%}, visible from {VISIBLE:.0%}, blurred between. The insider knows what everyone "
        f"else used, the outsider the habits only. Average of {overview.repetitions} simulations of each "
        "answer."
    )
