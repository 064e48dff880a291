"""Algorithm 1 line by line: the listing, joint states, beliefs and noise of a step; and experiments, which a
class predicts, runs, and sees what came of it."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from pages.ui import clock
from pages.ui.cache import key_of, shared
from pages.ui.paper.stage import LINKED, TRUTH, Lesson, Position, bar, lesson, position
from pages.ui.session import button, lab
from pages.ui.show import chart, csv, items, table
from pages.ui.widgets import segmented, url_tabs, url_toggle
from rtp.figures.algorithm import beliefs_figure, reading_words, states_figure, step_noise_figure
from rtp.output import algorithm as output
from rtp.scenario import Scenario
from rtp.teaching import lines
from rtp.teaching.experiments import Experiment, experiments, reveal_experiment
from rtp.teaching.linked import LinkedDay, Noise, linked_days, pair_of
from rtp.teaching.stage import Stage

MOST_LISTED = 4  # houses whose joint states are listed
HEIGHT = 412  # pixels of the listing, as high as the picture beside it
NONE_HERE = (
    "No house of this street is ever uncertain, so there is no noise to change. Choose another preset."
)


def classroom(scenario: Scenario) -> None:
    here = position()
    clock.run(here, here.advance, partial(_classroom, scenario))


def _classroom(scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a change outside this fragment was collected in it: the rest of the page follows
    here = position()
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
        "Every state": partial(_table, moved, here),
        "Linked houses": partial(_links, taught, here),
    }
    if moved.houses > MOST_LISTED:
        del drawn["Every state"]
    url_tabs("algorithm:tab", drawn)


def _claim(taught: Lesson, here: Position) -> None:
    """What the step means for the people on the street, in one line; which experiment runs, and its undo."""
    street, experiment, moved = taught
    if experiment is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":blue-badge[experiment] **{experiment.title}**", width="content")
            button("Undo the experiment", "undo:stage", "undo", _take_back, here, experiment)
    told = [reading_words(moved.scenario)]
    if street.changes and moved.changes == street.changes:
        told.append(output.opening_words(street))
    published = here.line >= lines.LineNumber.PUBLISHED
    later = f":gray[Step to line {lines.LineNumber.PUBLISHED} to see what this step means.]"
    st.markdown(
        f"**{output.protection_claim(moved, here.step)}**" if published else later, help="\n\n".join(told)
    )


def _listing(told: Sequence[output.AlgorithmLine], current: int) -> None:
    """The line just executed as the paper prints it, with what it did; the ones after it in grey."""
    text = []
    for number, name, formula, value in told:
        if number == current:
            printed = f"{formula}  \n" if formula else ""
            text.append(f":blue-badge[{number}] **{name}**  \n{printed}:blue-background[**{value}**]")
        else:
            text.append(f"**{number}** {name}" if number < current else f":gray[**{number}** {name}]")
    with st.container(height=HEIGHT, key="stage-listing"):
        # by the button of its help keys reach what scrolls
        st.markdown("\n\n".join(text), help="All lines as the paper prints them: In words, below.")


def _cube(moved: Stage, here: Position) -> int:
    """A tab for every θ; gives the one whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _states(moved, 0, here)
        return 0
    drawn = {name: partial(_states, moved, model, here) for model, name in enumerate(names)}
    return names.index(url_tabs("algorithm:theta", drawn))


def _states(moved: Stage, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    truth = lines.state_index(moved.states[here.step]) if lab().chosen(TRUTH) else None
    several = len(moved.scenario.models) > 1
    chart(states_figure(moved, own, _known(here), truth, under_tabs=several), key=f"states {model}")


def _known(here: Position) -> int:
    """The line up to which the pictures know; the first prior is line 3's."""
    return lines.LineNumber.PRIOR if (here.step, here.line) == (0, lines.LineNumber.PRIOR - 1) else here.line


def _in_words(taught: Lesson, model: int, here: Position) -> None:
    """What else the step means; what is promised, definition by definition; the listing as it is printed."""
    street, _, moved = taught
    if here.line >= lines.LineNumber.PUBLISHED:
        st.markdown(f"**This step**{items(output.step_words(street, moved, here.step))}")
    for name, words, at_this_step in output.definitions(moved, here.step, model):
        st.markdown(f"**{name}.** {words} *{at_this_step}*")
    printed = [f"**{number}** {formula}" for number, formula in enumerate(output.LINE_FORMULAS, 1)]
    st.markdown(f"**Input:** {output.INPUT}. **Output:** {output.OUTPUT}.{items(printed)}")
    st.markdown(f"**About the lines**{items(output.NOTES)}")


def _table(moved: Stage, here: Position) -> None:
    """The step's table to look at and to take away."""
    csv(
        "This step's table as CSV",
        partial(lines.step_table, moved, here.step),
        f"step_{here.step + 1:02d}.csv",
        disabled=here.line < lines.LAST,
        help="State, prior, Pr[r̂|state] and posterior; available when the whole step is executed.",
    )
    if here.line == lines.LAST:
        st.dataframe(lines.step_table(moved, here.step), hide_index=True, height=360)


def _links(taught: Lesson, here: Position) -> None:
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
        position().run,
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


def _take_back(here: Position, experiment: Experiment) -> None:
    here.undo()
    lab().show(_guess(experiment), None)
