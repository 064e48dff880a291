"""Find the cheat: five sealed mechanisms publish the same days of a street, and some break their promise.

A number draws the street, which mechanisms are under the letters A to E, and their noise. Two or three are
honest ones; the others are Blowfish with a fault (`rtp.audit.cheating`). A class sees rates only, and votes.
The audit (`rtp.audit.trial`) then publishes the street many times more and names those that cheat. It is told
no more than the class: neither which mechanism is under a letter, nor how many cheat.

The eye is easily wrong: a calibrated mechanism has half of Blowfish's noise and keeps the same promise; the
one whose noise is rounded looks like an honest one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rtp.audit.cheating import FAULTS, Fault
from rtp.audit.trial import DEFAULT, Verdicts, trial
from rtp.audit.worlds import lived_again
from rtp.core.random import Stream, random_generator
from rtp.core.types import Floats
from rtp.core.workers import Progress
from rtp.mechanisms import FEATURED, REGISTRY, Mechanism, private
from rtp.scenario import Scenario, refusal
from rtp.simulation import draw_day, publish_day

SEALED_LETTERS = "ABCDE"
STREET = Scenario(households=12, step_minutes=30, independent_noise=True)
HONEST = tuple(name for name in private() if REGISTRY[name].reads_demand and not REGISTRY[name].neglects)
CHEATS: tuple[tuple[str, Fault], ...] = tuple(FAULTS.items())
FEWEST_CHEATS, MOST_CHEATS = 2, 3
SHOWN_DAYS = 2  # that are shown: on the second a mechanism may use the noise of the first again
LAST_NUMBER = 9999


@dataclass(frozen=True, kw_only=True)
class Sealed:
    """What is under a letter."""

    mechanism: Mechanism  # named by its letter
    made_from: str  # the honest mechanism that it is, or says it is
    fault: str = ""  # the name of what it does wrong

    @property
    def letter(self) -> str:
        return self.mechanism.name


def sealed(number: int) -> tuple[Sealed, ...]:
    """Return what is under each letter."""
    rng = random_generator(number, Stream.SEALED)
    cheats = int(rng.integers(FEWEST_CHEATS, MOST_CHEATS, endpoint=True))
    faults = rng.choice(len(CHEATS), cheats, replace=False).tolist()
    honest = rng.choice(len(HONEST), len(SEALED_LETTERS) - cheats, replace=False).tolist()
    made = [(CHEATS[i][1](REGISTRY[FEATURED]), FEATURED, CHEATS[i][0]) for i in faults]
    made += [(REGISTRY[HONEST[i]], HONEST[i], "") for i in honest]
    return tuple(
        Sealed(mechanism=replace(made[i][0], name=letter, role=None), made_from=made[i][1], fault=made[i][2])
        for letter, i in zip(SEALED_LETTERS, rng.permutation(len(made)).tolist(), strict=True)
    )


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What is seen of all five over the days; arrays are (SHOWN_DAYS·T,)."""

    hours: Floats  # since the first midnight
    optimal: Floats
    rate: Mapping[str, Floats]  # by letter


def street(number: int) -> Scenario:
    """Return the street of a number: another one for each."""
    return STREET.replace(seed=number)


def prices(number: int) -> Prices:
    """Return the rates of the days on which the class looks."""
    scenario, five = street(number), [each.mechanism for each in sealed(number)]
    first, optimal, rates = draw_day(scenario), [], []
    for day in range(SHOWN_DAYS):
        drawn = replace(first.spec, seed=number + day * (LAST_NUMBER + 1))
        lived = lived_again(first, drawn) if day else first
        published = publish_day(scenario.replace(seed=drawn.seed), lived, five).release
        optimal.append(published[SEALED_LETTERS[0]].optimal)
        rates.append([published[letter].rate for letter in SEALED_LETTERS])
    return Prices(
        hours=np.arange(SHOWN_DAYS * scenario.steps) * scenario.step_minutes / 60,
        optimal=np.concatenate(optimal),
        rate=dict(zip(SEALED_LETTERS, np.concatenate(rates, axis=1), strict=True)),
    )


def audited(number: int, n: int = DEFAULT, progress: Progress | None = None) -> Verdicts:
    """Return what n days, published afresh, prove of each letter."""
    five = [each.mechanism for each in sealed(number)]
    return trial(street(number), n=n, mechanisms=five, progress=progress)


Votes = Mapping[str, bool]  # by letter: whether it is trusted


def votes_text(votes: Votes) -> str:
    """Return votes as the text of a link: a capital is trusted, "Ac" trusts A and doubts C."""
    return "".join(letter if votes[letter] else letter.lower() for letter in sorted(votes))


def votes_of(name: str, text: str) -> Votes:
    """Return the votes of such a text; refuses in one sentence."""
    if len({letter.upper() for letter in text}) < len(text) or not re.fullmatch("[A-Ea-e]*", text):
        raise refusal(name, text, "name mechanisms like AbcdE, a capital for one that is trusted")
    return {letter.upper(): letter.isupper() for letter in sorted(text, key=str.upper)}
