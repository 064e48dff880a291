"""One exercise at a time: question, prediction, a way into the lab, and the answer when it is asked for."""

from functools import partial

import streamlit as st

from pages.ui import cached, jobs, state, view
from pages.ui.bound import bind
from pages.ui.lesson.links import of_exercise
from pages.ui.remembered import on_off, one_of
from rtp.scenario import Scenario
from rtp.teaching.exercises import EXERCISES, Exercise, ExerciseAnswer
from rtp.teaching.plan import Prediction, Predictions

NUMBER, SAID, OWN = "lesson:exercise", "lesson:said", "lesson:own"
NOTHING: Predictions = {}
QUICK = 5_000  # houses from which any answer takes its time


def exercises(scenario: Scenario) -> None:
    number = one_of("Exercise", range(1, len(EXERCISES) + 1), NUMBER)
    exercise = EXERCISES[number - 1]
    own = on_off(
        "Ask it of my own scenario",
        OWN,
        help="Each exercise has a street of its own; this asks the same of the scenario at the side.",
    )
    asked = scenario if own else exercise.scenario
    preset = state.preset() if own else exercise.preset
    with st.container(border=True):
        st.subheader(f"{number}. {exercise.title}", anchor=False)
        st.markdown(exercise.question(asked))
        said = view.fact(SAID, NOTHING).value
        mine = said.get(number)
        _prediction(exercise, number, mine)
        _ways_on(exercise, asked, preset, number, mine)
        if mine is not None and mine.revealed:
            _answer(exercise, asked, mine)
    _steps(number, said)


def _prediction(exercise: Exercise, number: int, mine: Prediction | None) -> None:
    """One of the options, by its number; none at first. Another one closes the answer again."""
    value: int | None = None if mine is None else mine.option
    here = bind(f"lesson:prediction {number}", value, partial(_predict, number))
    st.radio(
        "My prediction",
        range(len(exercise.options)),
        value,
        key=here.key,
        format_func=exercise.options.__getitem__,
        on_change=here.changed,
    )


def _predict(number: int, option: int | None) -> None:
    if option is None:
        return
    view.put(SAID, {**view.fact(SAID, NOTHING).value, number: Prediction(option)})


def _reveal(number: int) -> None:
    said = view.fact(SAID, NOTHING).value
    view.put(SAID, {**said, number: said[number]._replace(revealed=True)})


def _forget(number: int) -> None:
    said = view.fact(SAID, NOTHING).value
    view.put(SAID, {each: told for each, told in said.items() if each != number})


def _ways_on(exercise: Exercise, asked: Scenario, preset: str, number: int, mine: Prediction | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button(
            f"Try it: {exercise.screen}",
            of_exercise(exercise, asked, preset),
            icon=":material/open_in_new:",
            help=f"{exercise.look} Opens in a tab of its own; your scenario stays as it is.",
        )
        if asked != state.current():
            st.button(
                "Make it my scenario",
                icon=":material/input:",
                on_click=partial(state.replace, asked, preset),
                help="Takes the exercise's street in place of yours; Undo brings yours back.",
            )
        if mine is not None and mine.revealed:
            st.button("Predict again", icon=":material/replay:", on_click=partial(_forget, number))
        else:
            st.button(
                "Reveal the answer",
                icon=":material/visibility:",
                type="primary",
                on_click=partial(_reveal, number),
                disabled=mine is None,
                help="Predict first." if mine is None else None,
            )
    st.caption(f"In the lab: {exercise.look}")


def _answer(exercise: Exercise, asked: Scenario, mine: Prediction) -> None:
    found = _found(exercise, asked)
    if found is None:
        return
    right = exercise.options[found.option]
    verdict = f"**{right}.** You predicted it." if mine.option == found.option else f"**{right}.**"
    if mine.option != found.option:
        verdict += f" You predicted: {exercise.options[mine.option]}."
    show = st.success if mine.option == found.option else st.info
    show(
        f"{verdict}\n\n{found.words}\n\n*Why:* {exercise.why}",
        icon=":material/check_circle:" if mine.option == found.option else ":material/lightbulb:",
    )


def _found(exercise: Exercise, asked: Scenario) -> ExerciseAnswer | None:
    key = f"{exercise.title} {asked.to_json(None)}"
    if not exercise.long and asked.households * asked.days <= QUICK:
        return cached.kept("exercise", key, partial(exercise.answer, asked, None), "Computing …")
    job = jobs.run(
        "exercise", key, partial(_work, exercise, asked), "Compute the answer", "It takes some seconds."
    )
    return None if job is None or job.running else job.result


def _work(exercise: Exercise, asked: Scenario, report: jobs.Report[ExerciseAnswer | None]) -> ExerciseAnswer:
    return exercise.answer(asked, partial(_told, report))


def _told(report: jobs.Report[ExerciseAnswer | None], done: float) -> None:
    report(done, None)


def _steps(number: int, said: Predictions) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back",
            icon=":material/arrow_back:",
            on_click=partial(view.put, NUMBER, number - 1),
            disabled=number == 1,
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            on_click=partial(view.put, NUMBER, number + 1),
            disabled=number == len(EXERCISES),
        )
        opened = sum(each.revealed for each in said.values())
        st.caption(f"{opened} of {len(EXERCISES)} answers revealed. Predictions stand in the address.")
