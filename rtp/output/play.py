"""What rounds of Play have shown, in sentences: how often who was right, what privacy took, what it cost."""

from collections.abc import Sequence
from itertools import pairwise

from rtp.core.formatting import percent, whole_percent
from rtp.core.stats import Range
from rtp.mechanisms import UNPROTECTED
from rtp.play.scores import RoundResult, less, price_name
from rtp.play.useful import Cost

TOO_FEW = "too few steps to tell"
COIN = 0.5
WIN = "A point for every right guess, and one for every step in which nobody guessed you right."


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
    chance = "a coin" if result.chance == COIN else "habits alone"
    read = f"{result.guesses:,} guesses" if who == "The class" else f"{result.steps:,} steps"
    return f"no better than {chance}, as far as {read} can tell: the noise works"


def reader(who: str, rate: str) -> str:
    """Who reads which rate, where it is known: The observer, optimal rate."""
    named = rate.lower() if rate == price_name(UNPROTECTED) else rate
    return f"{who}, {named}" if named else who


def round_name(result: RoundResult) -> str:
    """Which round it was, and under which price."""
    number = f"Round {result.number}: " if result.number else ""
    return f"{number}{price_name(result.mechanism, result.epsilon)}"


def fall_words(before: Range, after: Range) -> str:
    """By how much a share fell from one round to the next."""
    fell = less(before, after)
    if fell.low <= 0 <= fell.high:
        return f"{TOO_FEW} the rounds apart"
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
