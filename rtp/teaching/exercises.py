"""The exercises: a question, a prediction, an answer computed from the scenario, and a reason.

The answer is a function of a scenario, so any street can be asked the same question. The first are on what
privacy costs and compare errors of the street's day on average over the noise, as Explore's cards do; others
are on what is hidden: from whom, and for how long. The last is about a real home, whatever the street. Every
answer has its numbers as bars.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import log, sqrt

from rtp.core.formatting import percent, plain, whole_percent
from rtp.core.language import figure, noted, say
from rtp.core.time import hhmm
from rtp.core.workers import Progress, partial_progress
from rtp.exposure import HIDDEN, VISIBLE, Observer, exposure
from rtp.mechanisms import FEATURED, MOST_ACCURATE, NO_DATA, REGISTRY, UNPROTECTED, YARDSTICK, private, title
from rtp.scenario import Scenario
from rtp.simulation import simulate
from rtp.teaching.exercise import (
    AnswerPicture,
    Exercise,
    ExerciseAnswer,
    emptiness,
    rate_names,
    tenth_of_budget,
)
from rtp.teaching.linked import NOISE_NAMES, SURE_BELIEF, after_linking
from rtp.tradeoff import cost

# What separates the options of an answer; a limit belongs to the option above it.
TIMES = (1.0, sqrt(10), 10.0, 100.0)  # as large as before
SMALLER = (0.05, 1 / 3, 2 / 3)  # shares by which an error is smaller
PARTS = (1.0, 2 / 3, 1 / 2, 1 / 5)  # of an error
EQUAL = (0.9, 1.1)  # ratios that count as alike
ASKED_HOUR = 3.0
OBSERVERS: tuple[Observer, ...] = ("insider", "outsider")
TAKEN = (0.25, 0.75)  # shares of what an insider has beyond a coin
READINGS_TAB, LEARNED_TAB = "From readings", "What is learned"  # of the Street screen
LINKED_STAGE = 2  # houses


ERROR = noted("Off by, on average (RMSRE)")
TELLS = noted("How often she names the right one of two (a coin: 50 %)")


def _errors(values: Mapping[str, float]) -> AnswerPicture:
    """Errors beside each other."""
    return AnswerPicture(
        say(ERROR), values, tuple(map(percent, values.values())), max(*values.values(), 1e-12)
    )


def _shares(title: str, values: Mapping[str, float]) -> AnswerPicture:
    """Shares beside each other, of the whole."""
    return AnswerPicture(say(title), values, tuple(map(whole_percent, values.values())), 1.0)


def nearest_mark(value: float, marks: Sequence[float]) -> int:
    """Which of the marks a factor is nearest to, on a scale of factors."""
    if value <= 0:
        return min(range(len(marks)), key=marks.__getitem__)
    return min(range(len(marks)), key=lambda i: abs(log(value / marks[i])))


def ratio_of(ours: float, theirs: float) -> float:
    """How many times as large; 1 where both are nothing."""
    return ours / theirs if theirs else 1.0


def expected_errors(scenario: Scenario) -> dict[str, float]:
    """By private mechanism: the share of the rate that it is off in a typical step of the day, on average
    over the noise, as Explore's card says it."""
    return {name: error.value for name, error in cost(simulate(scenario), private()).items()}


def what_epsilon_does(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """How much larger the error is at a tenth of the budget."""
    smaller = scenario.replace(epsilon=tenth_of_budget(scenario))
    before, after = (simulate(each).release[FEATURED] for each in (scenario, smaller))
    times = ratio_of(after.expected_error, before.expected_error)
    return ExerciseAnswer(
        nearest_mark(times, TIMES),
        say(
            "On average RMSRE goes from {before} to {after}: {times} times as large.",
            before=percent(before.expected_error),
            after=percent(after.expected_error),
            times=plain(times),
        ),
        _errors(
            {
                f"ε = {plain(each.epsilon)}": found.expected_error
                for each, found in ((scenario, before), (smaller, after))
            }
        ),
    )


def who_is_dropped(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """How much smaller Algorithm 1's error is than the naive one's."""
    release = simulate(scenario).release
    naive, private = release[YARDSTICK], release[FEATURED]
    smaller = 1 - ratio_of(private.expected_error, naive.expected_error)
    return ExerciseAnswer(
        bisect_right(SMALLER, smaller),
        say(
            "On average {yardstick} noise costs {naive} of the rate, {featured} noise {private}: {less} "
            "less.",
            naive=percent(naive.expected_error),
            private=percent(private.expected_error),
            less=percent(max(smaller, 0.0), 2),
            **rate_names(),
        ),
        _errors({title(FEATURED): private.expected_error, title(YARDSTICK): naive.expected_error}),
    )


def less_noise(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """The smallest error of any mechanism with the same promise, beside Algorithm 1's."""
    errors = expected_errors(scenario)
    able = [name for name in private() if REGISTRY[name].reads_demand and not REGISTRY[name].neglects]
    best = min(able, key=errors.__getitem__)
    part = ratio_of(errors[best], errors[FEATURED])
    return ExerciseAnswer(
        nearest_mark(part, PARTS),
        say(
            "The smallest error, {name}, is on average {best} of the rate, beside {private}: {part} of it.",
            name=say(REGISTRY[best].label),
            best=percent(errors[best]),
            private=percent(errors[FEATURED]),
            part=percent(part, 2),
        ),
        _errors({title(name): errors[name] for name in able}),
    )


def what_data_is_worth(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """Whether the private rate or a forecast without data is closer."""
    errors = expected_errors(scenario)
    ratio = ratio_of(errors[FEATURED], errors[NO_DATA])
    return ExerciseAnswer(
        bisect_right(EQUAL, ratio),
        say(
            "On average the private rate is off by {private}, the forecast by {forecast}.",
            private=percent(errors[FEATURED]),
            forecast=percent(errors[NO_DATA]),
        ),
        _errors({title(name): errors[name] for name in (FEATURED, NO_DATA)}),
    )


WHAT_EPSILON_DOES = Exercise(
    title="What does ε do?",
    asks="ε, the budget of one step, falls from {epsilon} to {tenth}. How much larger is the typical error "
    "of the {featured} rate (RMSRE)?",
    options=(
        "It stays as it is",
        "About 3 times as large",
        "About 10 times as large",
        "About 100 times as large",
    ),
    answer=what_epsilon_does,
    why="The noise is as wide as what one house can use at most, divided by ε.",
    screen="Explore",
    look="Move ε to a tenth: the bend's dot moves to how far the rate is off (RMSRE).",
)
WHO_IS_DROPPED = Exercise(
    title="Does Algorithm 1 help?",
    asks="{yardstick} noise is made for the largest house there could be. Algorithm 1 ({featured}) makes it "
    "for the largest of those whose state is still uncertain. How much smaller is its error on this street "
    "of {households} houses?",
    options=(
        "Less than 5 %: about the same",
        "5 % to a third smaller",
        "A third to two thirds smaller",
        "More than two thirds smaller",
    ),
    answer=who_is_dropped,
    why="Only a house whose state is certain can be dropped, and the noise shrinks only with the largest.",
    screen="Explore",
    look="Compare the two RMSRE; then take the preset Mansions.",
)
LESS_NOISE = Exercise(
    title="The same promise with less noise?",
    asks="At the same ε = {epsilon} other mechanisms make the same promise. How small can the error "
    "be, compared with the {featured} rate's?",
    options=("No smaller", "About two thirds", "About half", "A fifth or less"),
    answer=less_noise,
    why="Noise made for how houses really differ is enough, and smoothing what is already public costs no "
    "privacy; both lean on the model being right.",
    screen="Explore",
    shows={"rates": ".".join((UNPROTECTED, FEATURED, MOST_ACCURATE))},
    look="Compare how far off the two are.",
)
WHAT_DATA_IS_WORTH = Exercise(
    title="What is the data worth?",
    asks="At ε = {epsilon} a utility could also look at no meter at all and publish what the habits let it "
    "expect. Which is closer to the optimal rate, the {featured} one or that forecast?",
    options=("The private rate", "Both alike, within 10 %", "The forecast"),
    answer=what_data_is_worth,
    why="At little budget the noise drowns what the meters say, and the habits alone say more.",
    screen="Explore",
    shows={"rates": ".".join((UNPROTECTED, FEATURED, NO_DATA))},
    look="Compare how far off the two are; then move ε until they are alike.",
    changes={"epsilon": 0.1},
)


def who_is_protected(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """How many houses are protected at 3 a.m."""
    protected = simulate(scenario).release[FEATURED].protected
    hours = [(ASKED_HOUR + later) % 24 for later in range(0, 24, 6)]
    counts = [int(protected[round(hour * 60 / scenario.step_minutes)]) for hour in hours]
    count = counts[0]
    option = 0 if count == 0 else 2 if count == scenario.households else 1
    noise = say("noise is made for the largest of them") if count else say("the optimal rate is published")
    shown = dict(zip(map(hhmm, hours), map(float, counts), strict=True))
    texts = tuple(figure(f"{each:,}") for each in counts)
    return ExerciseAnswer(
        option,
        say(
            "At {hour}, {n} of {all} houses are protected: {noise}.",
            hour=hhmm(ASKED_HOUR),
            n=count,
            all=scenario.households,
            noise=noise,
        ),
        AnswerPicture(say("Houses that Algorithm 1 protects"), shown, texts, float(scenario.households)),
    )


def what_noise_takes(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """The share of what an insider has beyond a coin that the noise takes away."""
    found = exposure(scenario, "moment", "insider", progress=progress)
    bare, private = (found.at(name, scenario.epsilon).value for name in (UNPROTECTED, FEATURED))
    taken = 1 - (private - 0.5) / (bare - 0.5) if bare > 0.5 else 0.0
    return ExerciseAnswer(
        bisect_right(TAKEN, taken),
        say(
            "Of two moments of a house, one empty and one occupied, an insider names the right one: {bare} "
            "from the optimal rate, {private} from the private one; a coin 50 %.",
            bare=whole_percent(bare),
            private=whole_percent(private),
        ),
        _shares(TELLS, {say("Optimal rate"): bare, say("Private rate"): private}),
    )


def is_a_holiday_hidden(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """How often a week away is told from an ordinary week."""
    inside, outside = (
        exposure(scenario, "week", observer, progress=partial_progress(progress, half / 2, (half + 1) / 2))
        for half, observer in enumerate(OBSERVERS)
    )
    told, rates_alone = (each.at(FEATURED, scenario.epsilon).value for each in (inside, outside))
    often, who = whole_percent(rates_alone), say("An outsider")
    if not outside.exact:
        often, who = say("at least {often}", often=often), say("An outsider, at least")
    return ExerciseAnswer(
        int(told > HIDDEN) + int(told >= VISIBLE),
        say(
            "After a week an insider tells a house on holiday from an ordinary one {insider} of the time, an "
            "outsider, who knows the rates alone, {outsider}; a coin 50 %.",
            insider=whole_percent(told),
            outsider=often,
        ),
        _shares(TELLS, {say("An insider"): told, who: rates_alone}),
    )


def whom_a_link_leaves(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """How many of two linked houses Algorithm 1 still protects, once it is told of the link."""
    protected, words, steps, sure = after_linking(scenario, LINKED_STAGE)
    shown = {say(NOISE_NAMES[noise]): many for noise, many in sure.items()}
    texts = tuple(say("{n} of {all}", n=round(many), all=steps) for many in shown.values())
    title = say("Steps at which an observer is at least {belief} sure of both", belief=percent(SURE_BELIEF))
    picture = AnswerPicture(title, shown, texts, float(steps))
    return ExerciseAnswer(LINKED_STAGE - protected, words, picture if sure else None)


WHO_IS_PROTECTED = Exercise(
    title="Who is protected at night?",
    asks="At 3 a.m., how many of the {households} houses does Algorithm 1 protect?",
    options=("None", "Some", "All of them"),
    answer=who_is_protected,
    why="A house is protected while both its states are possible under some model. While everybody knows "
    "that it sleeps, there is nothing to hide.",
    screen="Street",
    look="See the night's chances; then what becomes of the noise on Explore.",
    preset="quiet night",
)
WHAT_NOISE_TAKES = Exercise(
    title="What does the noise take from an insider?",
    asks="An insider knows the habits and what everyone else used. From the optimal rate she tells whether a "
    "house is occupied. How much of that does the noise of the {featured} rate at ε = {epsilon} take away?",
    options=("Hardly anything", "About half", "Nearly all of it"),
    answer=what_noise_takes,
    why="The smaller ε, the wider the noise, and the better it hides a house's use. Habits are public: no "
    "noise can hide them.",
    screen="Attack",
    shows={"knows": "others"},
    look="Compare the rows that are believed from the optimal rate and from the private one.",
    changes={"households": 200},
)
IS_A_HOLIDAY_HIDDEN = Exercise(
    title="Is a holiday hidden?",
    asks="A family is away for a week. An insider watches the {featured} rates at ε = {epsilon}. Is the "
    "holiday hidden from her?",
    options=(
        "Hidden: hardly better than a coin",
        "Blurred: often right, not always",
        "Visible: she is nearly always right",
    ),
    answer=is_a_holiday_hidden,
    why="The promise is about one rate. What lasts shows in every rate, and adds up.",
    screen="Attack",
    look="The last row of the bars: a week away, for an insider.",
    long=True,
)

LINKED_HOUSES = Exercise(
    title="Two who come and go together",
    asks="On a street of two houses everybody knows that both are always in, or both out. Algorithm 1 is "
    "told so, at ε = {epsilon}. Whom does it protect?",
    options=("Both, as before", "Only the larger one", "Neither"),
    answer=whom_a_link_leaves,
    why="Algorithm 1 looks for possible states that differ in one house. Of two who come and go together "
    "there are none. To hide both, the noise must be made for the sum of their bounds.",
    screen="Paper",
    shows={"houses": str(LINKED_STAGE), "linked": "true", "below": "Linked houses"},
    look="Look at line 7, and at the table below.",
    houses=LINKED_STAGE,
)


def when_nobody_is_in(scenario: Scenario, progress: Progress | None = None) -> ExerciseAnswer:
    """When the real home was empty, by what its family said, and how often its readings tell."""
    found = emptiness()
    nights, first, last = (percent(share, 2) for share in found[:3])
    spans = (say("The nights"), say("Wednesday to Friday, by day"), say("Saturday to Monday, by day"))
    return ExerciseAnswer(
        found.index(max(found[:3])),
        say(
            "By what the family said, nobody was in for {nights} of the nights, {first} of Wednesday to "
            "Friday by day and {last} of Saturday to Monday by day. From the readings alone the learner is "
            "right at {right} of all moments of these days; “always at home” at {always}.",
            nights=nights,
            first=first,
            last=last,
            right=percent(found.right, 2),
            always=percent(found.right_always_home, 2),
        ),
        _shares(noted("How much of the time nobody was in"), dict(zip(spans, found[:3], strict=True))),
    )


WHEN_NOBODY_IS_IN = Exercise(
    title="When is nobody in?",
    asks="These are the meter readings of a real home, from a Wednesday to a Monday. When was nobody there?",
    options=(
        "In the nights",
        "Wednesday to Friday, by day",
        "Saturday to Monday, by day",
    ),
    answer=when_nobody_is_in,
    why="Little use means that nobody is up: by day an empty home, at night people asleep. Whoever knows "
    "that people sleep at home reads from a meter when a home is empty.",
    screen="Street",
    shows={"tab": READINGS_TAB, "readings": LEARNED_TAB, "sample": "true", "home": "true"},
    look="Learn from the readings, and look at other weeks.",
    home=True,
)

EXERCISES: tuple[Exercise, ...] = (
    WHAT_EPSILON_DOES,
    WHO_IS_DROPPED,
    WHO_IS_PROTECTED,
    LESS_NOISE,
    WHAT_DATA_IS_WORTH,
    WHAT_NOISE_TAKES,
    IS_A_HOLIDAY_HIDDEN,
    LINKED_HOUSES,
    WHEN_NOBODY_IS_IN,
)
