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
from rtp.core.stats import Range
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.output.audit import flaws, noise_found
from rtp.play.asked import SealedResult
from rtp.play.scores import Cost, RoundResult, Scores, less, price_name
from rtp.teaching.sealed import SEALED_LETTERS, SHOWN_DAYS, STREET, Prices, Sealed, Votes, sealed

CLEARLY = 0.1  # more right guesses than by habits alone, from which a price gives people away
_COIN = 0.5
WIN = "A point for every right guess, and one when the guess about you is wrong. Only who guesses wins."


def share_words(share: Range) -> str:
    """A share with its interval: 71 % (62–79)."""
    low, high = (f"{100 * end:.0f}" for end in (share.low, share.high))
    return f"{whole_percent(share.value)} ({low}–{high})"


def chance_words(share: Range, result: RoundResult, who: str) -> str:
    """Whether a share can be told from that of habits alone. That it cannot is what noise is for; without
    noise more guesses are needed."""
    if share.low > result.chance:
        return "more than by habits alone"
    if share.high < result.chance:
        return "less than by habits alone"
    if result.mechanism == UNPROTECTED:
        return f"more {'guesses' if who == 'The class' else 'steps'} are needed to tell from habits alone"
    read = f"{result.guesses:,} guesses" if who == "The class" else f"{result.steps:,} steps"
    return f"no better than {_chance_name(result.chance)}, as far as {read} can tell: the noise works"


def _chance_name(chance: float) -> str:
    return "a coin" if chance == _COIN else "habits alone"


def learned_words(scores: Scores) -> str:
    """What a round taught: a price gives people away where the observer is clearly more often right than by
    habits alone. Where she hardly is from the optimal one either, it is the crowd that hides."""
    own, observer, chance = scores.round, scores.observer, scores.habits_right
    gives_away = observer.value - chance >= CLEARLY and observer.low > chance
    crowded = scores.unprotected_right - chance < CLEARLY and own.per_street > len(own.sizes)
    shares = (observer.value, scores.unprotected_right, chance)
    right, exact, habits = (percent(share, 2) for share in shares)
    if own.mechanism == UNPROTECTED:
        lead = "More steps are needed to tell whether the optimal rate gives people away"
        if gives_away:
            lead = "The optimal rate gives people away"
        elif crowded:
            lead = f"{own.per_street} houses hide each other"
        return f"{lead}: the observer is right {right} of the time, habits alone {habits}."
    name = price_name(own.mechanism, own.epsilon)
    if gives_away:
        lead = f"The {name} still gives people away"
    elif crowded:
        lead = f"The crowd hides people, not the noise of the {name}"
    elif observer.low <= chance:
        guesses = own.steps * own.houses
        lead = (
            f"No better than {_chance_name(chance)}, as far as {guesses:,} guesses can tell: the noise works"
        )
        return f"{lead}. The observer is right {right} of the time, from the optimal rate {exact}."
    elif observer.high < scores.unprotected_right:
        lead = f"The {name} hides people"
    else:
        lead = f"More steps are needed to tell whether the {name} hides people"
    return f"{lead}: the observer is right {right} of the time, from the optimal rate {exact}."


def reader(who: str, rate: str) -> str:
    """Who reads which rate, where it is known: The observer, reading the optimal rate."""
    named = rate.lower() if rate == price_name(UNPROTECTED) else rate
    return f"{who}, reading the {named}" if named else who


def round_name(result: RoundResult) -> str:
    """Which round it was, and under which price."""
    number = f"Round {result.number}: " if result.number else ""
    return f"{number}{price_name(result.mechanism, result.epsilon)}"


def fall_words(before: Range, after: Range) -> str:
    """By how much a share fell from one round to the next."""
    fell = less(before, after)
    if fell.low <= 0 <= fell.high:
        return "more guesses are needed to tell the rounds apart"
    how, ends = ("less", (fell.low, fell.high)) if fell.low > 0 else ("more", (-fell.high, -fell.low))
    low, high = (f"{100 * end:.0f}" for end in ends)
    return f"right {100 * abs(fell.value):.0f} percentage points {how} often ({low} to {high})"


def rounds_words(results: Sequence[RoundResult]) -> str:
    """What changed from one round to the next."""
    before, after = results
    sentences = [f"The observer: {fall_words(before.observer_right, after.observer_right)}."]
    if before.class_right and after.class_right:
        sentences.insert(0, f"The class: {fall_words(before.class_right, after.class_right)}.")
    return " ".join(sentences)


def useful_words(costs: Sequence[Cost], name: str) -> str:
    """What the same noise costs a short street and a long one."""
    short, long = costs[0], costs[-1]
    misses = [f"{each.houses:,} by {percent(each.missed, 2)}" for each in (short, long)]
    falls = all(after.private <= before.private for before, after in pairwise(costs))
    more = " Nobody is easier to see there." if falls else ""
    return f"The {name} misses on a street of {misses[0]}, on one of {misses[1]}.{more}"


QUESTION = (
    f"Five mechanisms publish the same {SHOWN_DAYS} days of one street of {STREET.households} houses. Each "
    f"promises ε = {plain(STREET.epsilon)} per step. **Some cheat: which do you trust?**"
)
TRUSTED, DOUBTED = "Trust", "Cheat"
VOTE = {True: TRUSTED, False: DOUBTED}


def counted_words(trust: int, doubt: int) -> str:
    """Return how a class voted on a letter."""
    return f"{TRUSTED.lower()} {trust} · {DOUBTED.lower()} {doubt}"


def missing_words(votes: Votes) -> str:
    """Return whose votes are missing."""
    missing = [letter for letter in SEALED_LETTERS if letter not in votes]
    return f"First vote on {', '.join(missing)}. In a class, by show of hands." if missing else ""


def is_blamed(verdict: Verdict | Untried) -> bool:
    """Return whether the audit says that it cheats."""
    return isinstance(verdict, Verdict) and verdict.broken


def result_words(number: int, votes: Votes, verdicts: Verdicts) -> str:
    """Return whom the audit names, and how often the class was right."""
    named = [letter for letter in SEALED_LETTERS if is_blamed(verdicts[letter])]
    honest = {each.letter: not each.fault for each in sealed(number)}
    right = sum(honest[letter] == trusted for letter, trusted in votes.items())
    told = f"The audit names {', '.join(named)}." if named else "The audit names nobody."
    missed = [letter for letter in SEALED_LETTERS if not honest[letter] and letter not in named]
    told += f" It missed {', '.join(missed)}." if missed else ""
    return f"**{told} You were right about {right} of {len(SEALED_LETTERS)}.**"


REASONS = {  # of a fault, for who has never heard of it
    half_the_noise: "Half the noise is half the hiding: a rate moves the odds twice as far as promised.",
    noise_repeated_every_other_day: "Day 2 has the noise of day 1 again: take one from the other, and only "
    "the street is left.",
    no_noise_in_one_rate_of_twenty: "One price in twenty has no noise.",
    noise_that_follows_who_is_in: "The more people are in, the wider its noise: the width itself tells.",
    noise_rounded_to_a_tenth: "Its noise has few values: the last digits of a rate are the street's own.",
}


def reason(each: Sealed, seen: Prices) -> str:
    """Return how a cheat gives people away, and where that can be seen; empty where it is honest."""
    reasons = {name_of(fault): words for fault, words in REASONS.items()}
    words = reasons.get(each.fault, "")
    exact = np.flatnonzero(seen.rate[each.letter] == seen.optimal)
    return f"{words} Step {exact[0] + 1} is exact." if words and len(exact) else words


def letter_words(
    each: Sealed, verdict: Verdict | Untried, trusted: bool | None, seen: Prices
) -> tuple[str, ...]:
    """Return what the audit found under a letter, how it knew, what it really was and why that gives people
    away, and how it was voted."""
    found = flaws(verdict)
    noise = (
        f" Its noise is {noise_found(verdict)} of what its promise needs."
        if isinstance(verdict, Verdict)
        else ""
    )
    says = (
        f":red-badge[cheats] {found[0].upper()}{found[1:]}."
        if is_blamed(verdict)
        else f":green-badge[no flaw found]{noise}"
    )
    name = REGISTRY[each.made_from].label
    was = f"It says it is {name}. {reason(each, seen)}" if each.fault else f"It is {name}, and honest."
    told = [says, was]
    if trusted is not None:
        judged = "right" if trusted is not bool(each.fault) else "wrong"
        told.append(f"You voted: {VOTE[trusted].lower()}. **{judged.capitalize()}.**")
    return tuple(told)


def sealed_result(number: int, votes: Votes, verdicts: Verdicts, seen: Prices) -> SealedResult:
    """Return all that the audit tells a class of the five."""
    letters = {}
    for each in sealed(number):
        verdict, trusted = verdicts[each.letter], votes.get(each.letter)
        _, was, *voted = letter_words(each, verdict, trusted, seen)
        badge = ":red-badge[cheats]" if is_blamed(verdict) else ":green-badge[no flaw found]"
        letters[each.letter] = (f"{badge} {was}", *voted)
    return SealedResult(result_words(number, votes, verdicts), letters)


WHY_EYES_ERR = (
    "The eye sees how wide noise is. Less of it is no fault by itself: what counts is what its own promise "
    "needs. And noise that is used again, rounded, or wider while people are in looks like any other."
)
