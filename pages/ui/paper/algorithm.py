"""Algorithm 1 line by line: where the class stands on its stage, and the bar that moves it, by hand or by
keys; the listing, joint states, beliefs and noise of a step; and experiments, which a class predicts, runs,
and sees what came of it. Nothing here changes the scenario."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui import cache, guide
from pages.ui.cache import key_of, shared
from pages.ui.session import button, fragment, lab, send
from pages.ui.show import chart, csv, items, table
from pages.ui.widgets import segmented, slider, url_tabs, url_toggle
from rtp.figures.algorithm import beliefs_figure, reading_words, states_figure, step_noise_figure
from rtp.output import algorithm as output
from rtp.scenario import Scenario
from rtp.teaching import stage
from rtp.teaching.experiments import Experiment, experiments, reveal_experiment
from rtp.teaching.linked import LinkedDay, Noise, linked_days, pair_of, with_link
from rtp.teaching.stage import LAST, MAX_STAGE_HOUSES, MIN_STAGE_HOUSES, Stage

_HEIGHT = 412  # pixels of the listing, as high as the picture beside it
NONE_HERE = (
    "No house of this street is ever uncertain, so there is no noise to change. Choose another preset."
)
_HOUSES, _STEP, _LINE, _TRUTH = "algorithm:houses", "algorithm:step", "algorithm:line", "algorithm:truth"
EXPERIMENT = "algorithm:experiment"  # the one that was run last
LINKED = "algorithm:linked"  # whether two houses come and go together


class Place(NamedTuple):
    """Where the class stands; it is in the address."""

    step: int
    line: int
    last: int  # step of the day


def place() -> Place:
    """The one that was asked for, or the last step where the day has fewer by now."""
    last = lab().scenario.steps_per_day - 1
    return Place(min(lab().setting(_STEP, 0), last), lab().setting(_LINE, LAST), last)


def go(step: int, line: int) -> None:
    lab().show(_STEP, step)
    lab().show(_LINE, line)


def move(by: int) -> None:
    """Line by line through the day: after the last line comes the next step's first."""
    here = place()
    end = (here.last + 1) * LAST - 1
    step, line = divmod(min(max(here.step * LAST + here.line - 1 + by, 0), end), LAST)
    go(step, line + 1)


def turn(by: int) -> None:
    """Step by step, at the same line."""
    here = place()
    lab().show(_STEP, min(max(here.step + by, 0), here.last))


def chosen_houses(scenario: Scenario) -> int:
    """As many as a link asks for and the stage holds; until then the street's own, where they are few."""
    few = MIN_STAGE_HOUSES <= scenario.households <= MAX_STAGE_HOUSES
    first = scenario.households if few else stage.DEFAULT_STAGE_HOUSES
    return lab().setting(_HOUSES, first)


def bar(scenario: Scenario, here: Place) -> None:
    """Of the scenario's first day."""
    step, line, last = here
    first, end, whole = step == 0, step == last, line == LAST
    buttons = (
        ("First line", "first-line", "Home", partial(lab().show, _LINE, 1), line == 1),
        ("‹ Line", "line-back", "Up", partial(move, -1), first and line == 1),
        ("Line ›", "line-next", "Down", partial(move, 1), whole and (end or guide.step() > 0)),
        ("Whole step", "whole-step", "End", partial(lab().show, _LINE, LAST), whole),
        ("‹ Step", "stage-back", "Left", partial(turn, -1), first),
        ("Step ›", "stage-next", "Right", partial(turn, 1), end),
    )
    with st.container(key="stage-bar", border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            for label, key, shortcut, act, off in buttons:
                button(label, key, "", act, shortcut=shortcut, off=off)
            with st.popover("Stage", icon=":material/tune:"):
                _settings(scenario)
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            with st.container(key="stage-place", width="content"):
                st.markdown(f"**Step {step + 1}**", width="content")
            when = scenario.replace(days=1).when
            slider("Step of the day", range(last + 1), step, when, partial(lab().show, _STEP), key="stage")


def _settings(scenario: Scenario) -> None:
    houses, choose = range(MIN_STAGE_HOUSES, MAX_STAGE_HOUSES + 1), partial(lab().show, _HOUSES)
    slider("Houses on the stage", houses, chosen_houses(scenario), str, choose, key="houses")
    url_toggle("Show the truth", _TRUTH, help="Mark the true state of the street. No observer knows it.")


class Lesson(NamedTuple):
    """The street the stage opens on, the experiment that runs, and the street as it is then."""

    street: Stage
    running: Experiment | None
    moved: Stage


def lesson(scenario: Scenario) -> Lesson:
    """The lesson at hand; an experiment that this street does not offer does not run, nor one with a link."""
    small = stage.small_street(scenario, chosen_houses(scenario))
    street = _stage(small, "", stage.opening(small))
    if lab().chosen(LINKED) and (linked := _linked(street)) is not None:
        return Lesson(street, None, linked)
    for experiment in experiments(street):
        if experiment.key == lab().chosen(EXPERIMENT):
            same = experiment.changes == street.changes
            moved = street if same else _stage(small, experiment.key, experiment.changes)
            return Lesson(street, experiment, moved)
    return Lesson(street, None, street)


@cache.shared(key=lambda small, experiment, changes: cache.key_of(small, experiment))
def _stage(small: Scenario, experiment: str, changes: stage.Changes) -> Stage:
    """Kept, so that going to another step computes no step twice."""
    return stage.open_stage(small, changes)


@cache.shared(key=lambda street: cache.key_of(street.scenario))
def _linked(street: Stage) -> Stage | None:
    return with_link(street)


# What is drawn


def classroom(scenario: Scenario) -> None:
    """A change of the place is a change of this part alone."""
    fragment(partial(_classroom, scenario))


def _classroom(scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a change outside this fragment was collected in it: the rest of the page follows
    send()
    here = place()
    bar(scenario, here)
    if scenario.has_laws:
        st.caption(output.DISTRIBUTIONS_ASIDE)
    taught = lesson(scenario)
    moved = taught.moved
    _claim(taught, here)
    left, right = st.columns([4, 5])
    with right:
        model = _cube(moved, here)
    with left:
        _listing(output.lines(moved, here.step, model), here.line)
    own, known = moved.at(here.step).models[model], _known(here)
    with st.grid(2, min_column_width=300):
        chart(beliefs_figure(moved, own, known), key=f"beliefs {model}")
        chart(step_noise_figure(moved, here.step, known), key=f"noise {model}")
    drawn = {
        "Experiments": partial(_experiments, taught),
        "In words": partial(_in_words, taught, model, here),
        "Every state": partial(_table, moved, model, here),
        "Linked houses": partial(_links, taught, here),
    }
    url_tabs("algorithm:tab", drawn)


def _claim(taught: Lesson, here: Place) -> None:
    """What the step means for the people on the street, in one line; which experiment runs, and its undo."""
    street, experiment, moved = taught
    if experiment is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":blue-badge[experiment] **{experiment.title}**", width="content")
            button("Undo the experiment", "undo:stage", "undo", _take_back, experiment)
    told = [reading_words(moved.scenario)]
    if street.changes and moved.changes == street.changes:
        told.append(output.opening_words(street))
    published = here.line >= stage.LineNumber.PUBLISHED
    later = f":gray[Step to line {stage.LineNumber.PUBLISHED} to see what this step means.]"
    st.markdown(
        f"**{output.protection_claim(moved, here.step)}**" if published else later, help="\n\n".join(told)
    )


def _listing(told: Sequence[output.AlgorithmLine], current: int) -> None:
    """The line just executed as the paper prints it, with what it did; the ones after it in grey."""
    text = []
    for number, name, formula, value in told:
        if number == current:
            printed = f"  \n{formula}  \n" if formula else " "
            text.append(f":blue-badge[{number}] **{name}**{printed}:blue-background[**{value}**]")
        else:
            text.append(f"**{number}** {name}" if number < current else f":gray[**{number}** {name}]")
    with st.container(height=_HEIGHT, key="stage-listing"):
        # by the button of its help keys reach what scrolls
        st.markdown("\n\n".join(text), help="All lines as the paper prints them: In words, below.")


def _cube(moved: Stage, here: Place) -> int:
    """A tab for every θ; gives the one whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _states(moved, 0, here)
        return 0
    drawn = {name: partial(_states, moved, model, here) for model, name in enumerate(names)}
    return names.index(url_tabs("algorithm:theta", drawn))


def _states(moved: Stage, model: int, here: Place) -> None:
    own = moved.at(here.step).models[model]
    truth = stage.state_index(moved.states[here.step]) if lab().chosen(_TRUTH) else None
    several = len(moved.scenario.models) > 1
    chart(states_figure(moved, own, _known(here), truth, under_tabs=several), key=f"states {model}")


def _known(here: Place) -> int:
    """The line up to which the pictures know; the first prior is line 3's."""
    return stage.LineNumber.PRIOR if (here.step, here.line) == (0, stage.LineNumber.PRIOR - 1) else here.line


def _in_words(taught: Lesson, model: int, here: Place) -> None:
    """What else the step means; what is promised, definition by definition; the listing as it is printed."""
    street, _, moved = taught
    if here.line >= stage.LineNumber.PUBLISHED:
        st.markdown(f"**This step**{items(output.step_words(street, moved, here.step))}")
    st.markdown("\n\n".join(output.definitions(moved, here.step, model)))
    printed = [f"**{number}** {formula}" for number, formula in enumerate(output.LINE_FORMULAS, 1)]
    st.markdown(f"**Input:** {output.INPUT}. **Output:** {output.OUTPUT}.{items(printed)}")
    st.markdown(f"**About the lines**{items(output.NOTES)}")


def _table(moved: Stage, model: int, here: Place) -> None:
    """The step's table, to look at under the model that is open, and to take away under all."""
    csv(
        "This step's table as CSV",
        partial(stage.step_table, moved, here.step),
        f"step_{here.step + 1:02d}.csv",
        disabled=here.line < stage.LAST,
        help="State, prior, Pr[r̂|state] and posterior; available when the whole step is executed.",
    )
    if here.line == stage.LAST:
        st.dataframe(stage.step_table(moved, here.step, model), hide_index=True, height="content")


def _links(taught: Lesson, here: Place) -> None:
    """The switch, and what three ways to add noise then do."""
    street, _, moved = taught
    if pair_of(street) is None:
        st.info(output.NOBODY)
        return
    st.markdown(output.question(street))
    url_toggle("Come and go together", LINKED, help="Known to everybody; Algorithm 1 is told of it, too.")
    if moved.linked is not None:
        days = _linked_days(moved)
        table(output.linked_frame(days, here.step))
        st.markdown(output.linked_words(moved, days, here.step))


@shared(key=lambda moved: key_of(moved.scenario))
def _linked_days(moved: Stage) -> Mapping[Noise, LinkedDay]:
    return linked_days(moved)


def _experiments(taught: Lesson) -> None:
    if taught.moved.linked is not None:
        st.info(output.EXPERIMENTS_OFF)
        return
    offered = experiments(taught.street)
    if not offered:
        st.info(NONE_HERE)
    with st.grid(2, min_column_width=300):
        for experiment in offered:
            with st.container(border=True, height="stretch"):
                _card(experiment, taught)


def _card(experiment: Experiment, taught: Lesson) -> None:
    runs = taught.running is not None and taught.running.key == experiment.key
    state = " :blue-badge[running]" if runs else ""
    st.markdown(f"**{experiment.title}**{state}\n\n{experiment.question}")
    name = _guess(experiment)
    guess: str | None = lab().chosen(name)
    answers: list[str | None] = [*experiment.answers]
    save = partial(lab().show, name)
    segmented("You predict", answers, guess, str, save, key=f"guess:{experiment.key}")
    button(
        "Run it",
        f"run:{experiment.key}",
        "science",
        _run,
        experiment,
        off=runs or guess is None,
        help=None if guess else "Predict first.",
    )
    if runs:
        answer, why = reveal_experiment(experiment, taught.street, taught.moved)
        judged = "" if guess is None else "Right: " if guess == answer else "No: "
        st.success(f"{judged}**{answer}**. {why}", icon=":material/lightbulb:")


def _guess(experiment: Experiment) -> str:
    """The name of the setting that holds a prediction."""
    return f"algorithm:guess:{experiment.key}"


def _run(experiment: Experiment) -> None:
    lab().show(EXPERIMENT, experiment.key)
    go(experiment.step, LAST)


def _take_back(experiment: Experiment) -> None:
    lab().show(EXPERIMENT, None)
    lab().show(_guess(experiment), None)
