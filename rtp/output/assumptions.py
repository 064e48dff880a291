"""What an answer rests on, in plain sentences."""

from rtp.core.formatting import percent, plain
from rtp.decision import Answer
from rtp.exposure import HIDDEN, VISIBLE
from rtp.mechanisms import REGISTRY
from rtp.output.decision import BY_THE_CROWD
from rtp.output.roster import doubt_words
from rtp.output.tradeoff import money_basis
from rtp.output.words import promise_words
from rtp.scenario import Scenario
from rtp.scenario.describe import moved_words
from rtp.scenario.units import with_unit

MANY = "The promise is for each rate. Many rates together reveal more: the table by group shows it."


def promise_of(answer: Answer) -> list[str]:
    """Return what is promised, and of which rate where none is to be published."""
    closest = "Nothing is to be published: numbers and promise are those of the timetable, the closest."
    if answer.choice is not None and not answer.choice.promises:
        return [BY_THE_CROWD]
    return [closest] * (answer.chosen.verdict == "nothing") + [promise_words(REGISTRY[answer.rate])]


def assumptions(answer: Answer) -> list[str]:
    """Return what the answer rests on."""
    lines = [
        *promise_of(answer),
        *([MANY] if answer.choice is not None and answer.choice.promises else ()),
        "The street is as described, whatever the seed: houses are spread evenly over their group's bounds, "
        f"come and go independently, and use {_use(answer.scenario)}.",
        *doubt_words(answer.scenario, answer.load),
        *_cap(answer.scenario),
        money_basis(answer.money, answer.scenario),
        "What can be told is about each group's worst house, moment and kind of day, found by search: of "
        "two records, one of each answer, how often an observer names the right one. 50 % is a coin; hidden "
        f"up to {percent(HIDDEN)}, visible from {percent(VISIBLE)}.",
        _moments(answer.wish.rarest),
        _observers(answer),
    ]
    lines += [
        f"With a price every {minutes} minutes: {line}"
        for minutes, moved in answer.moved.items()
        for line in moved_words(moved)
    ]
    lines += [
        f"A price every {minutes} minutes was not looked at: {why}" for minutes, why in answer.refused.items()
    ]
    return lines


def _cap(scenario: Scenario) -> list[str]:
    if scenario.price_cap is None:
        return []
    cap = with_unit(plain(scenario.price_cap), scenario, "rate")
    return [
        f"Rates above {cap} are published as {cap}: post-processing, so the promise stands. That a rate is "
        "capped counts as evidence."
    ]


def _moments(rarest: float) -> str:
    if not rarest:
        return "Moments are those at which habits leave either answer possible."
    return (
        f"Moments are those at which habits leave either answer at least {percent(rarest)} likely; however "
        "rare: all at which either is possible."
    )


def _observers(answer: Answer) -> str:
    if all(each.exact for each in answer.seen):
        return "Both observers are exact: nobody who knows as much tells more."
    return (
        "The insider is exact, and no outsider tells more. The outsider of so many houses is approximate: "
        "she is right at least so often, and a secret is called hidden from her only where the noise takes "
        "at least a quarter of what an insider gains over a coin."
    )


def _use(scenario: Scenario) -> str:
    if not scenario.has_laws:
        return "anything up to their bounds, uniformly"
    return "what their group's distribution says, cut at their bounds"
