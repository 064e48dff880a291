"""Algorithm 1 line by line: joint states, the step in numbers, what it means; and experiments, which a class
predicts, runs, and sees what came of it."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import clock
from pages.ui.paper.bar import LISTING, advance, bar
from pages.ui.paper.stage import (
    Lesson,
    Position,
    lesson,
    position,
    think,
)
from pages.ui.session import lab
from pages.ui.show import chart, csv, items, lazy_expander, metric
from pages.ui.versions import one_among, versioned
from pages.ui.widgets import slider, toggle, url_tabs
from rtp.figures.algorithm import beliefs_figure, noise_figure, reading_words, states_figure
from rtp.output import algorithm as output
from rtp.scenario import Scenario
from rtp.teaching import lines
from rtp.teaching.experiments import Experiment, experiments, reveal
from rtp.teaching.stage import MAX_STAGE_HOUSES, MIN_STAGE_HOUSES, Stage

NONE_HERE = (
    "No house of this street is ever uncertain, so there is no noise to change. Choose another preset."
)


def _guess(experiment: Experiment) -> str:
    """The name of the setting that holds a prediction."""
    return f"algorithm:guess:{experiment.key}"


def try_this(taught: Lesson) -> None:
    offered = experiments(taught.street)
    if not offered:
        st.info(NONE_HERE)
    with st.grid(2, min_column_width=300):
        for experiment in offered:
            with st.container(border=True, height="stretch"):
                _card(experiment, taught)


def running(experiment: Experiment) -> None:
    """Which experiment the stage shows, and its undo, where the class looks."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":blue-badge[experiment] **{experiment.title}**", width="content")
        _undo(position(), experiment, "stage")


def _card(experiment: Experiment, taught: Lesson) -> None:
    here, runs = position(), taught.running is not None and taught.running.key == experiment.key
    st.markdown(f"**{experiment.title}**" + (" :blue-badge[running]" if runs else ""))
    st.markdown(experiment.question)
    guess: str | None = lab().chosen(_guess(experiment))
    _predict(experiment, guess)
    with st.container(horizontal=True):
        st.button(
            "Run it",
            icon=":material/science:",
            key=f"run:{experiment.key}",
            on_click=here.run,
            args=(experiment,),
            disabled=runs or guess is None,
            help=None if guess else "Predict first.",
        )
        if runs:
            _undo(here, experiment, "card")
    if runs:
        _reveal(experiment, taught, guess)


def _predict(experiment: Experiment, guess: str | None) -> None:
    save, read = partial(lab().show, _guess(experiment)), one_among([None, *experiment.answers])
    here = versioned(f"guess:{experiment.key}", guess, save, read)
    st.segmented_control(
        "You predict",
        experiment.answers,
        default=guess,
        key=here.key,
        on_change=here.changed,
    )


def _reveal(experiment: Experiment, taught: Lesson, guess: str | None) -> None:
    for stage in (taught.street, taught.moved):
        think(stage, experiment.step)
    answer, why = reveal(experiment, taught.street, taught.moved)
    if guess is None:
        verdict = "Answer"
    else:
        verdict = (
            f"You predicted “{guess}”, and that is right" if guess == answer else f"You predicted “{guess}”"
        )
    st.success(f"{verdict}: **{answer}**. {why}", icon=":material/lightbulb:")


def _undo(here: Position, experiment: Experiment, where: str) -> None:
    st.button(
        "Undo the experiment",
        icon=":material/undo:",
        key=f"undo:{where}",
        on_click=partial(_take_back, here, experiment),
    )


def _take_back(here: Position, experiment: Experiment) -> None:
    here.undo()
    lab().show(_guess(experiment), None)


HIDDEN = "…"
# The six numbers, and the line from which each is known.
KNOWN = {
    "Possible states": lines.LineNumber.POSSIBLE,
    "Protected |κ|": lines.LineNumber.PROTECTED,
    "Sensitivity λ": lines.LineNumber.MAXIMUM,
    "Noise λ/ε": lines.LineNumber.NOISE,
    "Optimal rate": lines.LineNumber.OPTIMAL,
    "Published rate": lines.LineNumber.PUBLISHED,
}


def numbers(street: Stage, moved: Stage, here: Position) -> None:
    """The step in six numbers; in an experiment, against the street the stage opened on."""
    now, before = _values(moved, here.step), _values(street, here.step)
    changed = moved.changes != street.changes
    with st.container(key="stage-numbers"), st.grid(len(KNOWN), min_column_width=95, gap="xsmall"):
        for (label, known), value, was in zip(KNOWN.items(), now, before, strict=True):
            executed = here.line >= known
            metric(
                label,
                value if executed else HIDDEN,
                f"was {was}" if changed and executed else None,
            )


def _values(taught: Stage, t: int) -> tuple[str, ...]:
    step = taught.at(t)
    possible, states = lines.count_possible_states(step)
    return (
        f"{possible} of {states}",
        f"{len(lines.protected_by_any_model(step))} of {taught.houses}",
        f"{step.sensitivity:.4g}",
        f"{step.scale:.4g}",
        lines.rate_text(float(taught.release.optimal[t])),
        lines.rate_text(step.published),
    )


def claim(moved: Stage, here: Position) -> None:
    """What the step means for the people on the street, in one line."""
    if here.line < lines.LineNumber.PUBLISHED:
        st.markdown(f":gray[Step to line {lines.LineNumber.PUBLISHED} to see what this step means.]")
    else:
        st.markdown(f"**{output.claim(moved, here.step)}**")


def consequences(street: Stage, moved: Stage, here: Position) -> None:
    """What else it means."""
    if here.line >= lines.LineNumber.PUBLISHED:
        sure = lines.protected_by_any_model(moved.at(here.step))
        show, icon = (st.info, "shield") if sure else (st.warning, "visibility")
        show("  \n".join(output.step_words(street, moved, here.step)), icon=f":material/{icon}:")


HEIGHT = 366  # pixels, as high as the picture beside it
MARKED = "The line just executed is marked; those after it are still to come."


def listing(told: Sequence[output.AlgorithmLine], current: int) -> None:
    """In its own scroller: the line just executed marked, with what the paper says of it; the ones after it
    still silent."""
    text = []
    for number, formula, comment, value in told:
        if number == current:
            note = f" :gray[:small[▷ {comment}]]" if comment else ""
            head, tail = f":blue-badge[{number}]", f":blue-background[**{value}**]{note}"
        else:
            head, tail = f"**{number}**", value if number < current else HIDDEN
        text.append(f"{head} {formula}  \n&emsp;{tail}")
    with st.container(height=HEIGHT, key=LISTING):
        st.markdown("\n\n".join(text), help=MARKED)  # by its button keys reach what scrolls


def table(moved: Stage, here: Position) -> None:
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
    else:
        st.info(f"The table of every state appears when all {lines.LAST} lines of the step are executed.")


def in_words(moved: Stage, model: int, here: Position) -> None:
    """What is promised, definition by definition, and what the listing leaves open."""
    st.markdown(f"**Input:** {output.INPUT}. **Output:** {output.OUTPUT}.")
    for name, words, at_this_step in output.definitions(moved, here.step, model):
        st.markdown(f"**{name}.** {words} *{at_this_step}*")
    st.markdown(f"**About the lines**{items(output.NOTES)}")


def cube(moved: Stage, here: Position) -> int:
    """A tab for every θ; gives the one whose tab is open."""
    names = [model.name for model in moved.scenario.models]
    if len(names) == 1:
        _states(moved, 0, here)
        return 0
    drawn = {name: partial(_states, moved, model, here) for model, name in enumerate(names)}
    return names.index(url_tabs("algorithm:theta", drawn))


def _states(moved: Stage, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    truth = lines.state_index(moved.states[here.step]) if here.truth else None
    several = len(moved.scenario.models) > 1
    chart(states_figure(moved, own, _known(here), truth, under_tabs=several), key=f"states {model}")


def sensitivities(moved: Stage, here: Position) -> None:
    """λ of every θ, the largest marked; nothing where there is only one."""
    step, models = moved.at(here.step), moved.scenario.models
    if len(models) == 1:
        return
    with st.grid(len(models), min_column_width=150):
        for model, own in zip(models, step.models, strict=True):
            largest = own.sensitivity == step.sensitivity
            metric(
                f"λ under {model.name}",
                f"{own.sensitivity:.4g}" if here.line >= lines.LineNumber.SENSITIVITY else HIDDEN,
                "the maximum" if largest and here.line >= lines.LineNumber.MAXIMUM else None,
                colour="primary",
            )


def houses_and_noise(moved: Stage, model: int, here: Position) -> None:
    own = moved.at(here.step).models[model]
    left, right = st.columns(2)
    with left:
        chart(beliefs_figure(moved, own, _known(here)), key=f"beliefs {model}")
    with right:
        chart(noise_figure(moved, here.step, _known(here)), key=f"noise {model}")


def _known(here: Position) -> int:
    """The line up to which the pictures know; the first prior is line 3's."""
    return lines.LineNumber.PRIOR if (here.step, here.line) == (0, lines.LineNumber.PRIOR - 1) else here.line


def controls(scenario: Scenario, here: Position) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        houses = range(MIN_STAGE_HOUSES, MAX_STAGE_HOUSES + 1)
        with st.container(width=260):
            slider(
                "Houses on the stage",
                houses,
                here.chosen_houses(scenario),
                str,
                here.choose_houses,
                key="houses",
            )
        toggle(
            "Show the truth",
            here.truth,
            here.show_truth,
            key="show truth",
            help="Mark the true state of the street. No observer knows it.",
        )


def classroom(scenario: Scenario) -> None:
    here = position()
    clock.run(here, partial(advance, here), partial(_classroom, scenario))


def _classroom(scenario: Scenario) -> None:
    if lab().scenario != scenario:
        st.rerun()  # a change outside this fragment was collected in it: the rest of the page follows
    here = position()
    bar(scenario, here)
    if scenario.has_laws:
        st.caption(output.DISTRIBUTIONS_ASIDE)
    if here.houses is not None and here.houses > MAX_STAGE_HOUSES:
        st.caption(output.fewer_houses_words(here.houses))
    taught = lesson(scenario)
    for stage in (taught.street, taught.moved):
        think(stage, here.step)
    model = _stage(taught)
    controls(scenario, here)
    consequences(taught.street, taught.moved, here)
    houses_and_noise(taught.moved, model, here)
    url_tabs(
        "algorithm:tab",
        {
            "Experiments": partial(try_this, taught),
            "In words": partial(in_words, taught.moved, model, here),
            "Every state": partial(table, taught.moved, here),
        },
    )


def _stage(taught: Lesson) -> int:
    """Listing, states and numbers; gives the model whose states are shown."""
    here, (street, experiment, moved) = position(), taught
    claim(moved, here)
    left, right = st.columns([4, 5])
    with right:
        model = cube(moved, here)
    with left:
        listing(output.lines(moved, here.step, model), here.line)
    numbers(street, moved, here)
    if experiment is not None:
        running(experiment)
    sensitivities(moved, here)
    lazy_expander("How to read the cube", partial(_key, street, moved))
    return model


def _key(street: Stage, moved: Stage) -> None:
    st.markdown(reading_words(moved.scenario))
    if street.changes and moved.changes == street.changes:
        st.markdown(output.opening_words(street))
