"""Four exercises on what privacy costs: each compares expected errors, so luck plays no part."""

from math import sqrt

from rtp.core.formatting import percent, plain
from rtp.lesson.exercise import Answer, Exercise, among, compared, nearest
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, YARDSTICK, private
from rtp.scenario import BOUNDS, Scenario
from rtp.simulation import simulate
from rtp.street.simulate import Progress

ALGORITHM, NAIVE = REGISTRY[FEATURED].label, REGISTRY[YARDSTICK].label
TIMES = (1.0, sqrt(10), 10.0, 100.0)
SMALLER = (0.05, 1 / 3, 2 / 3)
PARTS = (1.0, 2 / 3, 1 / 2, 1 / 5)
EQUAL = (0.9, 1.1)


def tenth(scenario: Scenario) -> float:
    """A tenth of the budget, or the smallest allowed."""
    return max(scenario.epsilon / 10, BOUNDS["epsilon"].low)


def errors(scenario: Scenario) -> dict[str, float]:
    """By mechanism: the share of the rate that it is off in a typical step, luck removed."""
    return {name: release.expected_error for name, release in simulate(scenario).release.items()}


def what_epsilon_does(scenario: Scenario, progress: Progress | None = None) -> Answer:
    before = errors(scenario)[FEATURED]
    after = errors(scenario.replace(epsilon=tenth(scenario)))[FEATURED]
    times = compared(after, before)
    return Answer(
        nearest(times, TIMES),
        f"The error goes from {percent(before)} to {percent(after)} of the rate: {plain(times)} times as "
        "large.",
    )


def who_is_dropped(scenario: Scenario, progress: Progress | None = None) -> Answer:
    found = errors(scenario)
    smaller = 1 - compared(found[FEATURED], found[YARDSTICK])
    return Answer(
        among(smaller, SMALLER),
        f"{NAIVE} noise costs {percent(found[YARDSTICK])} of the rate, {ALGORITHM} noise "
        f"{percent(found[FEATURED])}: {percent(max(smaller, 0.0), 2)} less.",
    )


def less_noise(scenario: Scenario, progress: Progress | None = None) -> Answer:
    found = errors(scenario)
    able = [name for name in private() if REGISTRY[name].reads_demand and not REGISTRY[name].neglects]
    best = min(able, key=found.__getitem__)
    part = compared(found[best], found[FEATURED])
    return Answer(
        nearest(part, PARTS),
        f"The smallest error is {REGISTRY[best].label}'s, {percent(found[best])} of the rate, beside "
        f"{percent(found[FEATURED])}: {percent(part, 2)} of it.",
    )


def what_data_is_worth(scenario: Scenario, progress: Progress | None = None) -> Answer:
    found = errors(scenario)
    ratio = compared(found[FEATURED], found[NO_DATA])
    return Answer(
        among(ratio, EQUAL),
        f"The private rate is off by {percent(found[FEATURED])}, the forecast by {percent(found[NO_DATA])}.",
    )


def _epsilon_asked(scenario: Scenario) -> str:
    return (
        f"ε, the budget of one rate, falls from {plain(scenario.epsilon)} to {plain(tenth(scenario))}: more "
        f"privacy. What becomes of the {ALGORITHM} rate's error?"
    )


def _drop_asked(scenario: Scenario) -> str:
    return (
        f"{NAIVE} noise is made for the largest house there could be. Algorithm 1 ({ALGORITHM}) makes it for "
        f"the largest of those whose state is still uncertain. How much smaller is its error on this street "
        f"of {scenario.households:,} houses?"
    )


def _less_asked(scenario: Scenario) -> str:
    return (
        f"At the same ε = {plain(scenario.epsilon)} other mechanisms make the same promise. How large is the "
        f"smallest error among them, beside {ALGORITHM}'s?"
    )


def _data_asked(scenario: Scenario) -> str:
    return (
        f"At ε = {plain(scenario.epsilon)} a utility could also look at no meter at all and publish what the "
        f"habits let it expect. Which is closer to the optimal rate, {ALGORITHM}'s or that forecast?"
    )


EPSILON = Exercise(
    title="What does ε do?",
    question=_epsilon_asked,
    options=(
        "It stays as it is",
        "About 3 times as large",
        "About 10 times as large",
        "About 100 times as large",
    ),
    answer=what_epsilon_does,
    why="The noise is as wide as what one house can use at most, divided by ε.",
    screen="Explore",
    shows={"view": "Error"},
    look="Move ε to a tenth and watch the errors in the cards.",
)
WHO_IS_DROPPED = Exercise(
    title="Does Algorithm 1 help?",
    question=_drop_asked,
    options=(
        "Less than 5 %: about the same",
        "Up to a third smaller",
        "A third to two thirds smaller",
        "More than two thirds smaller",
    ),
    answer=who_is_dropped,
    why="Only a house whose state is certain can be dropped, and the noise shrinks only with the largest.",
    screen="Explore",
    look="Compare the two cards; then take the preset Mansions.",
)
LESS_NOISE = Exercise(
    title="The same promise with less noise?",
    question=_less_asked,
    options=("No smaller", "About two thirds", "About half", "A fifth or less"),
    answer=less_noise,
    why="Noise made for how houses really differ is enough, and smoothing what is already public costs no "
    "privacy; both lean on the model being right.",
    screen="Trade-off",
    look="Read the curves at this ε.",
)
DATA = Exercise(
    title="What is the data worth?",
    question=_data_asked,
    options=(f"The {ALGORITHM} rate", "Both alike, within 10 %", "The forecast"),
    answer=what_data_is_worth,
    why="At little budget the noise drowns what the meters say, and the habits alone say more.",
    screen="Trade-off",
    look="Find where the curves cross the forecast's line.",
    changes={"epsilon": 0.1},
)
