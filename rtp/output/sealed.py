"""Find the cheat in words: the question, what the audit says of each letter, and how it knew."""

from rtp.audit.trial import Untried, Verdict, Verdicts
from rtp.core.formatting import plain
from rtp.mechanisms import REGISTRY
from rtp.output.audit import flaws, noise_found
from rtp.teaching.sealed import SEALED_LETTERS, SHOWN_DAYS, STREET, Sealed, Votes, sealed

QUESTION = (
    f"Five mechanisms publish the same {SHOWN_DAYS} days of one street of {STREET.households} houses. Each "
    f"promises ε = {plain(STREET.epsilon)} per step. **Some cheat: which do you trust?**"
)
TRUSTED, DOUBTED = "Trust", "Cheat"
VOTE = {True: TRUSTED, False: DOUBTED}


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


def letter_words(each: Sealed, verdict: Verdict | Untried, trusted: bool | None) -> list[str]:
    """Return what the audit found under a letter, how it knew, what it really was, and how it was voted."""
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
    was = f"It says it is {name}. {each.does_wrong}" if each.fault else f"It is {name}, and honest."
    told = [says, was]
    if trusted is not None:
        judged = "right" if trusted is not bool(each.fault) else "wrong"
        told.append(f"You voted: {VOTE[trusted].lower()}. **{judged.capitalize()}.**")
    return told


WHY_EYES_ERR = (
    "The eye sees how wide noise is. Less of it is no fault by itself: what counts is what its own promise "
    "needs. And noise that is used again, rounded, or wider while people are in looks like any other."
)
