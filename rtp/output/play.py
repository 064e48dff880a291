"""What a class is told. Of rounds of Play: how often who was right, what privacy took, what it cost. Of
sealed mechanisms: the question, what the audit says of each letter, and how it knew."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rtp.audit.cheating import (
    half_the_noise,
    name_of,
    no_noise_in_one_rate_of_twenty,
    noise_repeated_every_other_day,
    noise_rounded_to_a_tenth,
    noise_that_follows_who_is_in,
)
from rtp.audit.trial import Untried, Verdict, Verdicts
from rtp.core.formatting import percent, plain, whole_percent
from rtp.core.language import noted, say
from rtp.core.stats import Range
from rtp.mechanisms import UNPROTECTED, short
from rtp.output.audit import flaws, noise_found
from rtp.play.scores import COIN, Cost, RoundResult, Scores, less, price_name
from rtp.teaching.sealed import SEALED_LETTERS, SHOWN_DAYS, STREET, Prices, Sealed, Votes, sealed

CLEARLY = 0.1  # more right guesses than a coin's, from which a price gives people away
WIN = noted(
    "A point for every right guess, and one when the guess about you is wrong. Only who guesses wins."
)
OBSERVER, CLASS = noted("The observer"), noted("The class")


def share_words(share: Range) -> str:
    """A share with its interval: 71 % (62–79)."""
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return f"{whole_percent(share.value)} ({low}–{high})"


def chance_words(share: Range, guesses: int, mechanism: str) -> str:
    """Whether a share of so many guesses about a rate can be told from a coin's. That it cannot is what noise
    is for; without noise more are needed."""
    if share.low > COIN:
        return say("more than a coin")
    if share.high < COIN:
        return say("less than a coin")
    if mechanism == UNPROTECTED:
        return say("more guesses are needed to tell from a coin")
    return say("no better than a coin, as far as {n} guesses can tell: the noise works", n=guesses)


def learned_words(scores: Scores) -> str:
    """What a round taught: a price gives people away where the observer is clearly more often right than a
    coin. Where she hardly is from the optimal one either, it is the crowd that hides."""
    own, observer = scores.round, scores.observer
    gives_away = observer.value - COIN >= CLEARLY and observer.low > COIN
    crowded = scores.unprotected_right - COIN < CLEARLY and own.per_street > len(own.sizes)
    right, exact = percent(observer.value, 2), percent(scores.unprotected_right, 2)
    if own.mechanism == UNPROTECTED:
        lead = say("More steps are needed to tell whether the optimal rate gives people away")
        if gives_away:
            lead = say("The optimal rate gives people away")
        elif crowded:
            lead = say("{n} houses hide each other", n=own.per_street)
        return say("{lead}: the observer is right {right} of the time, a coin half.", lead=lead, right=right)
    name = price_name(own.mechanism, own.epsilon)
    if gives_away:
        lead = say("The {name} still gives people away", name=name)
    elif crowded:
        lead = say("The crowd hides people, not the noise of the {name}", name=name)
    elif observer.low <= COIN:
        guesses = own.steps * own.houses
        lead = say("No better than a coin, as far as {n} guesses can tell: the noise works", n=guesses)
        return say(
            "{lead}. The observer is right {right} of the time, from the optimal rate {exact}.",
            lead=lead,
            right=right,
            exact=exact,
        )
    elif observer.high < scores.unprotected_right:
        lead = say("The {name} hides people", name=name)
    else:
        lead = say("More steps are needed to tell whether the {name} hides people", name=name)
    return say(
        "{lead}: the observer is right {right} of the time, from the optimal rate {exact}.",
        lead=lead,
        right=right,
        exact=exact,
    )


def reader(who: str, rate: str) -> str:
    """Who reads which rate, where it is known: The observer, reading the optimal rate."""
    if rate == price_name(UNPROTECTED):
        return say("{who}, reading the optimal rate", who=who)
    return say("{who}, reading the {rate}", who=who, rate=rate) if rate else who


def round_name(result: RoundResult) -> str:
    """Which round it was, and under which price."""
    own = result.scores.round
    rate = price_name(own.mechanism, own.epsilon)
    return say("Round {number}: {rate}", number=result.number, rate=rate) if result.number else rate


def rounds_words(before: RoundResult, after: RoundResult) -> str:
    """What changed from one round to the next."""
    sentences = [_fell(OBSERVER, before.scores.observer, after.scores.observer)]
    if before.class_right and after.class_right:
        sentences.insert(0, _fell(CLASS, before.class_right, after.class_right))
    return " ".join(sentences)


def _fell(who: str, before: Range, after: Range) -> str:
    """By how much a share fell from one round to the next."""
    fell = less(before, after)
    ends = (fell.low, fell.high) if fell.low > 0 else (-fell.high, -fell.low)
    by, low, high = (f"{100 * share:.0f}" for share in (abs(fell.value), *ends))
    if fell.low <= 0 <= fell.high:
        words = say("more guesses are needed to tell the rounds apart")
    elif fell.low > 0:
        words = say("right {n} percentage points less often ({low} to {high})", n=by, low=low, high=high)
    else:
        words = say("right {n} percentage points more often ({low} to {high})", n=by, low=low, high=high)
    return say("{what}: {words}.", what=say(who), words=words)


def useful_words(costs: Sequence[Cost], name: str) -> str:
    """What the same noise costs a short street and a long one."""
    short, long = costs[0], costs[-1]
    falls = all(after.private <= before.private for before, after in pairwise(costs))
    more = f" {say('Nobody is easier to see there.')}" if falls else ""
    misses = say(
        "The {name} misses on a street of {few} by {missed}, on one of {many} by {less}.",
        name=name,
        few=short.houses,
        missed=percent(short.missed, 2),
        many=long.houses,
        less=percent(long.missed, 2),
    )
    return f"{misses}{more}"


def question() -> str:
    """What a class is asked of the five."""
    return say(
        "Five mechanisms publish the same {days} days of one street of {houses} houses. Each promises ε = "
        "{epsilon} per step. **Some cheat: which do you trust?**",
        days=SHOWN_DAYS,
        houses=STREET.households,
        epsilon=plain(STREET.epsilon),
    )


TRUSTED, DOUBTED = noted("Trust"), noted("Cheat")
VOTE = {True: TRUSTED, False: DOUBTED}


def counted_words(trust: int, doubt: int) -> str:
    """Return how a class voted on a letter."""
    return say("trust {trust} · cheat {doubt}", trust=trust, doubt=doubt)


def missing_words(votes: Votes) -> str:
    """Return whose votes are missing."""
    missing = [letter for letter in SEALED_LETTERS if letter not in votes]
    if not missing:
        return ""
    return f"First vote on {', '.join(missing)}. In a class, by show of hands."


def is_blamed(verdict: Verdict | Untried) -> bool:
    """Return whether the audit says that it cheats."""
    return isinstance(verdict, Verdict) and verdict.broken


def result_words(number: int, votes: Votes, verdicts: Verdicts) -> str:
    """Return whom the audit names, and how often the class was right."""
    named = [letter for letter in SEALED_LETTERS if is_blamed(verdicts[letter])]
    five = sealed(number)
    right = sum(is_right(each, votes[each.letter]) for each in five if each.letter in votes)
    told = say("The audit names nobody.")
    if named:
        told = say("The audit names {letters}.", letters=", ".join(named))
    missed = [each.letter for each in five if each.fault and each.letter not in named]
    if missed:
        told += f" {say('It missed {letters}.', letters=', '.join(missed))}"
    if votes:
        told += f" {say('You were right about {n} of {all}.', n=right, all=len(SEALED_LETTERS))}"
    return f"**{told}**"


REASONS = {  # of a fault, for who has never heard of it
    half_the_noise: noted(
        "Half the noise is half the hiding: a rate moves the odds twice as far as promised."
    ),
    noise_repeated_every_other_day: noted(
        "Day 2 has the noise of day 1 again: take one from the other, and only the street is left."
    ),
    no_noise_in_one_rate_of_twenty: noted("One price in twenty has no noise."),
    noise_that_follows_who_is_in: noted(
        "The more people are in, the wider its noise: the width itself tells."
    ),
    noise_rounded_to_a_tenth: noted(
        "Its noise has few values: the last digits of a rate are the street's own."
    ),
}


def reason(each: Sealed, seen: Prices) -> str:
    """Return how a cheat gives people away, and where that can be seen; empty where it is honest."""
    reasons = {name_of(fault): words for fault, words in REASONS.items()}
    if each.fault not in reasons:
        return ""
    words = say(reasons[each.fault])
    exact = np.flatnonzero(seen.rate[each.letter] == seen.optimal)
    return f"{words} {say('Step {n} is exact.', n=int(exact[0]) + 1)}" if len(exact) else words


def letter_words(
    each: Sealed, verdict: Verdict | Untried, trusted: bool | None, seen: Prices
) -> tuple[str, ...]:
    """Return what the audit found under a letter and how it knew, what it really was and why that gives
    people away, and how it was voted."""
    says = ":green-badge[no flaw found]"
    if is_blamed(verdict):
        found = flaws(verdict)
        says = f":red-badge[cheats] {found[0].upper()}{found[1:]}."
    elif isinstance(verdict, Verdict):
        says += f" Its noise is {noise_found(verdict)} of what its promise needs."
    if trusted is None:
        return says, _what_it_was(each, seen)
    right = "Right." if is_right(each, trusted) else "Wrong."
    return says, _what_it_was(each, seen), f"You voted: {'trust' if trusted else 'cheat'}. **{right}**"


def letter_words_in_class(each: Sealed, verdict: Verdict | Untried, seen: Prices) -> str:
    """Return the same for phones and beamer: in few words, and in the language that is spoken."""
    badge = f":red-badge[{say('cheats')}]"
    if not is_blamed(verdict):
        badge = f":green-badge[{say('no flaw found')}]"
    return f"{badge} {_what_it_was(each, seen)}"


def _what_it_was(each: Sealed, seen: Prices) -> str:
    name = short(each.made_from)
    if each.fault:
        return f"{say('It says it is the {name} rate.', name=name)} {reason(each, seen)}"
    return say("It is the {name} rate, and honest.", name=name)


def is_right(each: Sealed, trusted: bool) -> bool:
    """Return whether a vote was."""
    return trusted is not bool(each.fault)


WHY_EYES_ERR = (
    "The eye sees how wide noise is. Less of it is no fault by itself: what counts is what its own promise "
    "needs. And noise that is used again, rounded, or wider while people are in looks like any other."
)
