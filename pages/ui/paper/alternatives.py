"""What the paper leaves open, what we chose, and what every other answer would have given."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui.cache import cached, picture
from pages.ui.session import lab
from pages.ui.show import chart
from pages.ui.widgets import url_select
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.paper import alternatives_figure, state_dependent_figure
from rtp.figures.style import Picture
from rtp.paper.alternatives import STREETS, OptionOutcome, alternatives_frame, reason, study
from rtp.paper.choices import NOISE_QUESTION, OPEN_CHOICES, Choice
from rtp.paper.published import figure2
from rtp.paper.reproduction import MECHANISMS, PAPER
from rtp.paper.state_dependent import most_exposed
from rtp.scenario import DEFAULT_PRESET
from rtp.simulation import Day, draw_day


def alternatives(day: Day) -> None:
    st.subheader("What the paper leaves open, and what we chose", anchor=False)
    outcomes = cached("alternatives", "", _study)
    st.write(
        f"Expected RMSRE, on average over the noise, over the same {STREETS} streets for every answer; by "
        f"how much one day's naive error is above Blowfish's ({LEVEL_WORDS} of days); in how many steps "
        "Algorithm 1 is dropping houses; the root mean square distances to Figures 2a and 2b."
    )
    _table(outcomes)
    names = [choice.name for choice in OPEN_CHOICES]
    chosen = url_select("Look closer at", names, "paper:choice")
    _look_closer(OPEN_CHOICES[names.index(chosen)], outcomes, day)


def _study() -> list[OptionOutcome]:
    """Computed once for all visitors, with progress."""
    words = "Computing every alternative …"
    bar = st.progress(0.0, words)
    outcomes = study(lambda done: bar.progress(done, words))
    bar.empty()
    return outcomes


def _table(outcomes: Sequence[OptionOutcome]) -> None:
    numbers = st.column_config.NumberColumn
    st.dataframe(
        cached("paper", "alternatives", partial(alternatives_frame, outcomes)),
        hide_index=True,
        height="content",
        placeholder="—",
        alt="Expected RMSRE, and what else every other answer to an open question gives, one row each.",
        column_config={
            "Answer": st.column_config.TextColumn(pinned=True, width=170),
            **{style.label(name): numbers(format="%.3e") for name in MECHANISMS},
            "Steps dropping": numbers(format="%.0f"),
            "To 2a": numbers(format="%.4f"),
            "To 2b": numbers(format="%.4f"),
        },
    )


def _look_closer(choice: Choice, outcomes: Sequence[OptionOutcome], day: Day) -> None:
    """One open question: what the paper says, what the numbers say, and the curves."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    why = partial(reason, choice, outcomes)
    st.markdown(f"**What is open.** {choice.silence}")
    st.markdown(f"**What the numbers say.** {cached('paper', choice.name, why)}")
    for outcome in mine:
        if outcome.problem:
            st.warning(f"{outcome.option.name}: {outcome.problem}", icon=":material/block:")
    chart(
        picture(partial(_picture, choice, mine, day), "rivals", choice.name, day.scenario.seed), key="rivals"
    )
    with st.container(horizontal=True):
        for outcome in mine:
            _explore(outcome)


def _picture(choice: Choice, mine: Sequence[OptionOutcome], day: Day) -> Picture:
    """What one rate tells where the noise is in question; else expected occupancy by every answer."""
    if choice.name == NOISE_QUESTION:
        return state_dependent_figure(most_exposed(draw_day(PAPER).street), PAPER.epsilon, PAPER.alpha)
    curves = {
        (f"{o.option.name} (ours)" if o.ours else o.option.name): o.headline.occupancy
        for o in mine
        if o.headline
    }
    _, theirs, _ = figure2()
    return alternatives_figure(curves, theirs, day)


def _explore(outcome: OptionOutcome) -> None:
    """A button that makes the answer the scenario in use, where the scenario can say it."""
    option = outcome.option
    if not outcome.headline or outcome.ours or not option.is_scenario:
        return
    if st.button(f"Explore “{option.name}”", icon=":material/open_in_new:", key=f"open:{option.name}"):
        lab().open(option.make(), DEFAULT_PRESET)
        st.switch_page("app.py")
