"""The ledger: what has been promised up to a step, what could be lost at worst, what was really given away.

Three amounts for the house that can lose most over the day, all in the unit of ε. *Promised*: ε·t, Theorem 2.
*At worst*: the losses of the rates so far added up, each the largest that any rate could bring. *Really given
away*: the evidence of the rates that came, for how the house really lived against its exact opposite, seen by
an observer who knows what everyone else used; no rate's is larger than its loss, and it can be negative:
noise also misleads. Beside them the worst moment, by all rates of the day together (`moment`).
"""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from rtp.attack.evidence import evidence_alone
from rtp.attack.observed import observe
from rtp.audit.exact import Account
from rtp.audit.uncertain import uncertain
from rtp.core.formatting import plain
from rtp.core.types import Floats
from rtp.leakage.chain import AT_MOST
from rtp.leakage.moment import Moment, moment, step_losses
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.days import households


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Of one house and one mechanism; arrays are (T,), from the start up to each step."""

    mechanism: str
    house: int
    at_worst: Floats
    given_away: Floats
    moment: Moment  # of every house, or of this one where the street is long


def ledger(day: Day, account: Account) -> Ledger:
    """The ledger of the house that can lose most."""
    house, name = int(account.total.argmax()), account.mechanism
    houses, open_ = np.array([house]), uncertain(day.life)
    at_stake = open_.both[:, open_.alike[house]]
    occupied, used = households(day.life.spec, day.street, [house])
    release = day.release[name]
    seen = observe(REGISTRY[name], day.market.public, release.rate, release.scale)
    evidence = evidence_alone(seen, day.street, day.life.demand, houses, used)[:, 0]
    truly = np.where(occupied[:, 0], evidence, -evidence)
    short = day.scenario.households * day.scenario.steps <= AT_MOST
    return Ledger(
        mechanism=name,
        house=house,
        at_worst=np.cumsum(np.where(at_stake, step_losses(day, name, houses).each()[:, 0], 0.0)),
        given_away=np.cumsum(np.where(at_stake, truly, 0.0)),
        moment=moment(day, name, None if short else house),
    )


def ledger_words(day: Day, book: Ledger, step: int) -> str:
    """ε used so far, and what ε·T means, in plain words."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    whole, told = plain(epsilon * steps, 6), moment_words(book.moment, day.scenario)
    return (
        f"By {day.scenario.when(step)}, after {step + 1} rates, **ε·t = {plain(epsilon * (step + 1), 6)}** "
        f"of ε·T = {whole} is used. From the {REGISTRY[book.mechanism].label} rates, house {book.house}, "
        f"which can lose most over the day, could have lost {plain(book.at_worst[step])} at worst. What this "
        f"day's rates really gave away about how it lived so far, to someone who knows what everyone else "
        f"used, is {plain(book.given_away[step])}"
        f"{': they mislead' if book.given_away[step] < 0 else ''}. {told}\n\n"
        f"**What ε·T = {whole} means.** One rate shifts the odds between occupied and empty by a factor of "
        f"at most $e^ε = {factor(epsilon)}$. All {steps} rates together may shift the odds between two "
        f"histories that differ at every step by up to $e^{{ε·T}} = {factor(epsilon * steps)}$. The promise "
        "is about single rates: a moment is told by its own rate and by those around it, and a habit kept up "
        "all day by all of them."
    )


def moment_words(found: Moment, scenario: Scenario) -> str:
    """The worst moment of one house, or of any, as the whole record can tell it."""
    whose = "any house" if len(found.houses) > 1 else "that house"
    if found.worst == 0:
        return f"No moment of {whose} is told by anything."
    return (
        f"The worst moment of {whose} is {scenario.when(found.step)}: all rates of the day together can "
        f"shift its log-odds by up to {plain(found.worst)}."
    )


def factor(exponent: float) -> str:
    """e to that power, also where it is beyond all floats."""
    power = int(exponent // log(10))
    if power < 4:
        return plain(exp(exponent), 5 if exponent < 0.01 else 3)
    return f"{exp(exponent - power * log(10)):.1f}·10^{{{power}}}"
