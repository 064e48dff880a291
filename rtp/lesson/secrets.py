"""Four exercises on what is hidden: from whom, and for how long."""

from functools import partial

from rtp.attack.adversary import AdversaryKind
from rtp.attack.success import attack
from rtp.core.formatting import percent, plain
from rtp.core.time import hhmm
from rtp.leakage.detection import WEEK, detect
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import visibility_word
from rtp.lesson.exercise import Answer, Exercise, among
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario import Scenario
from rtp.simulation import simulate
from rtp.street.simulate import Progress

ALGORITHM = REGISTRY[FEATURED].label
THREE = 3.0  # hours
DAYS = 3  # attacked
TAKEN = (0.25, 0.75)  # shares of an insider's gain
LIVES = 300
WORDS = ("hidden", "blurred", "visible")


def who_is_protected(scenario: Scenario, progress: Progress | None = None) -> Answer:
    step = round(THREE * 60 / scenario.step_minutes)
    count = int(simulate(scenario).release[FEATURED].protected[step])
    option = 0 if count == 0 else 2 if count == scenario.households else 1
    noise = "the exact rate is published" if count == 0 else "noise is made for the largest of them"
    return Answer(
        option, f"At {hhmm(THREE)}, {count:,} of {scenario.households:,} houses are protected: {noise}."
    )


def what_noise_takes(scenario: Scenario, progress: Progress | None = None) -> Answer:
    """Of what an insider gains over the habits alone."""
    found = attack(scenario, DAYS, mechanisms=[UNPROTECTED, FEATURED], adversary="insider", progress=progress)
    bare, private = (float(found.scores[name].accuracy.value) for name in (UNPROTECTED, FEATURED))
    alone = float(found.model.accuracy.value)
    taken = 1 - (private - alone) / (bare - alone) if bare > alone else 0.0
    return Answer(
        among(taken, TAKEN),
        f"By the habits alone she is right at {percent(alone)} of all moments, with the unprotected rate at "
        f"{percent(bare)}, with the {ALGORITHM} rate at {percent(private)} (over {DAYS} days).",
    )


def what_a_moment_loses(scenario: Scenario, progress: Progress | None = None) -> Answer:
    worst, whole = moment_leakage(simulate(scenario), FEATURED).worst, scenario.epsilon * scenario.steps
    option = 0 if worst <= scenario.epsilon else 1 if worst < whole / 3 else 2 if worst <= whole else 3
    return Answer(
        option,
        f"All {scenario.steps} rates together can shift the log-odds of the worst moment by {plain(worst)}; "
        f"ε is {plain(scenario.epsilon)}, ε·T is {plain(whole)}.",
    )


def is_a_holiday_hidden(scenario: Scenario, progress: Progress | None = None) -> Answer:
    inside = _area(scenario, "insider", partial(_half, progress, 0.0))
    outside = _area(scenario, "outsider", partial(_half, progress, 0.5))
    return Answer(
        WORDS.index(visibility_word(inside)),
        f"After a week an insider tells a house on holiday from one that is lived in {percent(inside, 2)} of "
        f"the time, an outsider, who knows the habits only, {percent(outside, 2)}; 50 % is guessing.",
    )


def _area(scenario: Scenario, adversary: AdversaryKind, progress: Progress) -> float:
    found = detect(scenario, FEATURED, "holiday", WEEK, adversary, repetitions=LIVES, progress=progress)
    return float(found.area.value[-1])


def _half(progress: Progress | None, before: float, done: float) -> None:
    if progress is not None:
        progress(before + done / 2)


def _night_asked(scenario: Scenario) -> str:
    return (
        f"It is three in the night, and everybody can know that night's habits. How many of the "
        f"{scenario.households:,} houses does Algorithm 1 protect then?"
    )


def _insider_asked(scenario: Scenario) -> str:
    return (
        "An insider knows the habits and what everyone else used. From the unprotected rate she learns who "
        f"is at home. How much of that does the noise of the {ALGORITHM} rate at ε = "
        f"{plain(scenario.epsilon)} take away?"
    )


def _moment_asked(scenario: Scenario) -> str:
    return (
        f"A rate may shift the log-odds of “at home at 14:00?” by ε = {plain(scenario.epsilon)}. Theorem 2 "
        f"adds the {scenario.steps} rates up to ε·T = {plain(scenario.epsilon * scenario.steps)}. How far "
        "can all of them really shift the odds of one moment, in the worst case?"
    )


def _holiday_asked(scenario: Scenario) -> str:
    return (
        f"A family is away for a week. An insider watches the {ALGORITHM} rates at ε = "
        f"{plain(scenario.epsilon)}. Is the holiday hidden from her?"
    )


NIGHT = Exercise(
    title="Who is protected at night?",
    question=_night_asked,
    options=("None", "Some", "All of them"),
    answer=who_is_protected,
    why="A house is protected while both its states are possible under some model; one of which everybody "
    "knows that it sleeps has nothing to hide.",
    screen="Households",
    look="See the night's chances; then what becomes of the noise on Explore.",
    preset="quiet night",
)
INSIDER = Exercise(
    title="What does the noise take from an insider?",
    question=_insider_asked,
    options=("Hardly anything", "About half", "Nearly all of it"),
    answer=what_noise_takes,
    why="Noise as wide as a house's use divided by ε hides that use the better the smaller ε; the habits, "
    "which are public, no noise can hide.",
    screen="Attacker",
    shows={"tab": "One house", "knows": "others"},
    look="Switch the rate between unprotected and private.",
    changes={"households": 200},
)
MOMENT = Exercise(
    title="What do all rates tell about one moment?",
    question=_moment_asked,
    options=(
        "No further than one rate may: ε",
        "Further, but less than a third of ε·T",
        "A third of ε·T or more",
        "Beyond ε·T",
    ),
    answer=what_a_moment_loses,
    why="It depends on how long houses stay as they are: a rate of the morning says something about the "
    "afternoon only where people seldom come and go.",
    screen="Over time",
    shows={"tab": "A moment"},
    look="Click a time: which rates give it away?",
)
HOLIDAY = Exercise(
    title="Is a holiday hidden?",
    question=_holiday_asked,
    options=(
        "Hidden: hardly better than guessing",
        "Blurred",
        "Visible: she is nearly always right",
    ),
    answer=is_a_holiday_hidden,
    why="The promise is about one rate; what lasts is told again by every rate, and adds up.",
    screen="Over time",
    shows={"tab": "A holiday"},
    look="Watch for 7 days; then find the ε that hides a week.",
    long=True,
)
