"""Three secrets, two observers, one scale: how often she is right when shown one house with each answer.

Each secret is a question with two answers, each answer a chain (`hypothesis`): a *moment*, the chain given
that the house was occupied or empty at that step; a *holiday* of a week against an ordinary one; a *history*,
a day always occupied against one always empty. What she can tell is the area under her ROC curve, between a
half (guessing) and one; see `detection`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rtp.attack.adversary import AdversaryKind
from rtp.core.stats import Range
from rtp.core.types import Bools
from rtp.core.workers import Progress, partial_progress
from rtp.leakage.area import final_areas, followed
from rtp.leakage.budget import noise_scale
from rtp.leakage.detection import WEEK, watch_street
from rtp.leakage.hypothesis import WatchedHouse, draw_readings, given_moment, never_changes
from rtp.mechanisms import REGISTRY
from rtp.probability.markov import marginals
from rtp.scenario import Scenario, must_be_house, must_be_one_of
from rtp.street.simulate import StreetDay

OVERVIEW_REPETITIONS = 120  # with each answer
SECRETS = {"moment": "A moment", "history": "A day", "holiday": "A week away"}
HIDDEN, VISIBLE = 0.6, 0.9  # areas up to which a secret is hidden, and from which it is visible
OBSERVERS: dict[AdversaryKind, str] = {
    "insider": "an insider, who knows what everyone else used",
    "outsider": "an outsider, who knows the habits only",
}


@dataclass(frozen=True, kw_only=True)
class Overview:
    house: int
    step: int  # of the moment
    repetitions: int
    areas: Mapping[tuple[str, AdversaryKind], Range]  # by secret and observer; none where there is no secret


def visibility_word(area: float) -> str:
    """Return what an area amounts to."""
    if area <= HIDDEN:
        return "hidden"
    return "visible" if area >= VISIBLE else "blurred"


def overview(
    scenario: Scenario,
    mechanism: str,
    step: int,
    *,
    house: int | None = None,
    week: StreetDay | None = None,
    repetitions: int = OVERVIEW_REPETITIONS,
    progress: Progress | None = None,
) -> Overview:
    """Return what each observer can tell of each secret; `step`, on the first day, is the moment asked about,
    and `week` may be given where it has been simulated. `progress` is given the fraction done and may raise
    to stop."""
    must_be_one_of("mechanism", mechanism, REGISTRY)
    must_be_house("house", house, scenario.households)
    context, number, holiday = watch_street(scenario, "holiday", WEEK, house, week)
    repetitions = followed(holiday, list(OBSERVERS), repetitions)
    b = noise_scale(context, REGISTRY[mechanism], scenario.epsilon)
    areas: dict[tuple[str, AdversaryKind], Range] = {}
    questions = _questions(holiday, step)
    share, done = 1 / sum(each.steps for each in questions.values()), 0.0
    for name, watched in questions.items():
        end = done + share * watched.steps
        part = partial_progress(progress, done, end)
        days = draw_readings(watched, scenario.seed, repetitions)
        found = final_areas(watched, b[: watched.steps], list(OBSERVERS), days, repetitions, part)
        done = end
        areas |= {(name, who): area for who, area in zip(OBSERVERS, found, strict=True)}
    return Overview(house=number, step=step, repetitions=repetitions, areas=areas)


def _questions(holiday: WatchedHouse, step: int) -> dict[str, WatchedHouse]:
    """Return the house with both answers to each question that its habits leave open."""
    day, questions = holiday.until(holiday.steps_per_day), {}
    if (moment := moment_question(day, step)) is not None:
        questions["moment"] = moment
    questions["holiday"] = holiday
    if _open_steps(day).any():
        never, always = (never_changes(day.ordinary, state) for state in (False, True))
        questions["history"] = replace(day, ordinary=never, alternative=always)
    return questions


def moment_question(day: WatchedHouse, step: int) -> WatchedHouse | None:
    """Return the house given that it was empty, and that it was occupied, at a step; None where only one of
    them is possible."""
    if not _open_steps(day)[step]:
        return None
    out, at_home = (given_moment(day.ordinary, step, state) for state in (False, True))
    return replace(day, ordinary=out, alternative=at_home)


def _open_steps(day: WatchedHouse) -> Bools:
    """Return the steps at which the habits leave both states open, (T,)."""
    occupied, empty = (each[:, 0] > 0 for each in marginals(day.ordinary))
    return occupied & empty
