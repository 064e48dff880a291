"""One exercise at a time, and the plan of a lesson for the teacher.

An exercise has a question, a prediction, a way into the lab, and the answer when it is asked for. It is tried
in a tab of its own: a session there is not this one's.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from pages.ui import cache, guide, jobs
from pages.ui.lab import Lab
from pages.ui.screens import SCREENS
from pages.ui.session import button, lab
from pages.ui.share import OPEN_IT
from pages.ui.show import chart, items
from pages.ui.tour import STEP_BACK, STEP_NEXT
from pages.ui.versions import versioned
from pages.ui.widgets import url_segmented, url_toggle
from rtp.core.formatting import kept_together
from rtp.core.language import said_in, spoken
from rtp.figures.meters import home_figure
from rtp.figures.story import answer_figure
from rtp.meters.check import AtHome
from rtp.scenario import Scenario
from rtp.scenario.share import to_link
from rtp.teaching import exercise as home
from rtp.teaching import plan
from rtp.teaching.exercise import Exercise, ExerciseAnswer
from rtp.teaching.exercises import EXERCISES

NUMBERS = range(1, len(EXERCISES) + 1)  # of the exercises, on the screen and in links
_NUMBER, SAID, OWN = "lesson:exercise", "lesson:said", "lesson:own"
COMPUTED = "lesson: computed"  # the numbers of exercises whose answer has been
_QUICK = 5_000  # houses from which any answer takes its time


def of_exercise(exercise: Exercise, scenario: Scenario, preset: str) -> str:
    """The address where it is tried, with that scenario."""
    return address(exercise.screen, to_link(scenario, preset) | dict(exercise.shows))


def address(screen: str, link: Mapping[str, str]) -> str:
    """Beside this screen's address."""
    (path,) = [PurePosixPath(each.path) for each in SCREENS if each.title == screen]
    here = path.stem if path.parent.name == "pages" else "./"
    return f"{here}?{urlencode(link)}" if link else here


def _said() -> plan.Predictions:
    """What was predicted so far, by the number of the exercise."""
    predictions: plan.Predictions = lab().chosen(SAID)
    return predictions


def exercises(scenario: Scenario) -> None:
    core = ", ".join(map(str, plan.CORE))
    some = f"{core} is in the {plan.LESSON_MINUTES}-minute lesson; the others are extra."
    mine = "Each exercise has a street of its own; this asks the same of yours."
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        number = url_segmented("Exercise", NUMBERS, _NUMBER, help=some)
        own = url_toggle("Use my street", OWN, help=mine)
    exercise = EXERCISES[number - 1]
    asked = Asked(number, exercise, scenario if own else exercise.scenario, _said().get(number))
    with st.container(border=True):
        st.header(f"{number}. {exercise.title}", anchor=False)
        st.caption(exercise.street(scenario if own else None))
        st.markdown(exercise.question(asked.scenario))
        if exercise.home:
            home_chart(learned=asked.revealed)
        _prediction(asked)
        _ways_on(asked, lab().preset if own else exercise.preset)
        if asked.said is not None and asked.said.revealed:
            _answer(asked, asked.said.option)
    if not guide.step():  # there a clicker's keys lead to the answer and to the lesson's other steps
        _steps(number)


class Asked(NamedTuple):
    """An exercise that is asked of a street, and what was predicted."""

    number: int
    exercise: Exercise
    scenario: Scenario
    said: plan.Prediction | None

    @property
    def revealed(self) -> bool:
        return self.said is not None and self.said.revealed


def home_chart(*, learned: bool) -> None:
    """The real home on the days that are asked about; what is learned and what was true only when `learned`
    is to be seen."""
    first, found = home_days()
    chart(home_figure(found, 0, first, home.DAYS, learned=learned), "lesson:home", card=False)


@cache.shared()
def home_days() -> tuple[int, AtHome]:
    """The first of the days that are asked about, and what is learned, computed beside the server."""
    return jobs.call(home.first_day), jobs.call(home.home)


def _prediction(asked: Asked) -> None:
    """One of the options, by its number; none at first. Another one closes the answer again."""
    value = None if asked.said is None else asked.said.option
    here = versioned(f"lesson:prediction {asked.number}", value, partial(_predict, asked.number))
    words, options = asked.exercise.options.__getitem__, range(len(asked.exercise.options))
    st.radio("My prediction", options, value, key=here.key, format_func=words, on_change=here.changed)


def _predict(number: int, option: int | None) -> None:
    if option is not None:
        lab().show(SAID, {**_said(), number: plan.Prediction(option)})


def _reveal(number: int) -> None:
    lab().show(SAID, {**_said(), number: _said()[number]._replace(revealed=True)})


def _forget(number: int) -> None:
    lab().show(SAID, {each: told for each, told in _said().items() if each != number})


def _ways_on(asked: Asked, preset: str) -> None:
    exercise, number, street = asked.exercise, asked.number, asked.scenario
    with st.container(horizontal=True, vertical_alignment="center"):
        label, way = f"Try it: {exercise.screen}", of_exercise(exercise, street, preset)
        help = "Opens in a tab of its own; your scenario stays as it is."
        st.link_button(label, way, icon=":material/open_in_new:", help=help)
        if street != lab().scenario and not exercise.home:
            help = "Takes the exercise's street in place of yours; Undo brings yours back."
            label, act = "Make it my scenario", lab().open
            button(label, "lesson:adopt", "input", act, street, preset, help=help)
        if asked.revealed:
            button("Predict again", "lesson:again", "replay", _forget, number)
        else:
            off, label = asked.said is None, "Reveal the answer"
            first, key = "Predict first." if off else None, "lesson:reveal"
            with st.container(key=STEP_NEXT if guide.step() else None, width="content"):
                button(label, key, "visibility", _reveal, number, off=off, type="primary", help=first)
    st.caption(exercise.look)


def _answer(asked: Asked, predicted: int) -> None:
    exercise, found = asked.exercise, _found(asked.exercise, asked.scenario)
    if found is None:
        return
    lab().extras.setdefault(COMPUTED, set()).add(asked.number)
    if found.picture is not None:
        chart(answer_figure(found.picture), "lesson:answer", card=False)
    words = kept_together(f"{found.words}\n\n*Why:* {exercise.why}")
    right = f"**{exercise.options[found.option]}.** You predicted"
    if found.option == predicted:
        st.success(f"{right} it.\n\n{words}", icon=":material/check_circle:")
    else:
        st.info(f"{right}: {exercise.options[predicted]}.\n\n{words}", icon=":material/lightbulb:")


def _found(exercise: Exercise, asked: Scenario) -> ExerciseAnswer | None:
    """The answer at once, or when it was asked for and is computed."""
    if not exercise.long and asked.households * asked.days <= _QUICK:
        return answer_of(exercise, asked)

    def work(report: jobs.Report[ExerciseAnswer]) -> ExerciseAnswer:
        return jobs.call(exercise.answer, asked, progress=report)

    key = cache.key_of(exercise.title, asked)
    job = jobs.run("exercise", key, work, "Compute the answer", "It takes some seconds.")
    return None if job is None or job.running else job.result


@cache.shared(key=lambda exercise, asked: cache.key_of_words(exercise.title, asked))
def answer_of(exercise: Exercise, asked: Scenario) -> ExerciseAnswer:
    """Computed once for everybody who speaks a language, beside the server."""
    found: ExerciseAnswer = jobs.call(said_in, spoken(), exercise.answer, asked)
    return found


def move(here: Lab, by: int) -> None:
    """To the exercise so many further, if there is one: a quick hand may click where the last one is."""
    number = here.setting(_NUMBER, NUMBERS[0]) + by
    here.show(_NUMBER, min(max(number, NUMBERS[0]), NUMBERS[-1]))


def _steps(number: int) -> None:
    computed = lab().extras.get(COMPUTED, ())
    opened = sum(each.revealed and exercise in computed for exercise, each in _said().items())
    with st.container(horizontal=True, vertical_alignment="center"):
        _step("Back", "arrow_back", -1, STEP_BACK, off=number == NUMBERS[0])
        _step("Next", "arrow_forward", 1, STEP_NEXT, off=number == NUMBERS[-1])
        st.caption(f"{opened} of {len(EXERCISES)} answers revealed.", help="The link keeps your answers.")


def _step(label: str, icon: str, by: int, key: str, off: bool) -> None:
    with st.container(key=key, width="content"):
        button(label, f"lesson:{label.lower()}", icon, move, lab(), by, off=off)


def teacher() -> None:
    st.markdown(
        f"**A {plan.LESSON_MINUTES}-minute lesson** in one tab: every step opens ready, and PageDown, a "
        "clicker's key, leads through all of it."
    )
    guide.begin()
    st.markdown(_plan(plan.PLAN))
    titles = ", ".join(f"{number} {EXERCISES[number - 1].title}" for number in plan.MORE)
    st.markdown(f"**Exercises, about five minutes each:** {titles}")
    st.markdown(f"**{plan.HOME_MINUTES} minutes with a real home.** Its meter tells when it is empty.")
    for number, (stop, line) in enumerate(zip(plan.HOME_PLAN, _lines(plan.HOME_PLAN), strict=True)):
        st.markdown(items([line]))
        button(f"Open: {stop.title}", f"home plan:{number}", "arrow_forward", guide.show, stop)
    st.markdown(f"**{plan.PLAY_MINUTES} minutes of Play.** Each student is a house.")
    st.markdown(_plan(plan.PLAY_PLAN))
    st.caption(
        f"`{OPEN_IT}` opens the lab to everyone in the room and shows its address as a QR code. A link keeps "
        "a student's answers: they can be handed in."
    )


def _plan(stops: Sequence[plan.PlanStop]) -> str:
    return items(_lines(stops))


def _lines(stops: Sequence[plan.PlanStop]) -> list[str]:
    """Every stop with its minutes."""
    starts = accumulate((stop.minutes for stop in stops), initial=0)
    return [
        f"**{start}–{start + stop.minutes} min · {stop.title}.** {stop.ask} *{stop.expect}*"
        for start, stop in zip(starts, stops, strict=False)
    ]
