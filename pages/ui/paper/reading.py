"""The paper read closely: what it leaves open, its two theorems, notes, and fairness to its authors."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.ui.cache import cached, picture
from pages.ui.session import lab
from pages.ui.show import chart, items
from pages.ui.widgets import url_select
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.paper import alternatives_figure, state_dependent_figure
from rtp.figures.style import Picture
from rtp.paper.alternatives import STREETS, OptionOutcome, alternatives_frame, reason, study
from rtp.paper.choices import NOISE_QUESTION, OPEN_CHOICES, Choice
from rtp.paper.published import figure2
from rtp.paper.remarks import CAVEATS, CITATION, WINS, notes, win, win_words
from rtp.paper.reproduction import MECHANISMS, PAPER
from rtp.paper.state_dependent import most_exposed
from rtp.scenario import DEFAULT_PRESET, PRESETS
from rtp.simulation import Day, draw_day


class Theorem(NamedTuple):
    title: str
    words: str
    formulas: tuple[str, ...]
    checks: Mapping[str, str]  # what a test of the lab holds, in words: file::function, below tests/


THEOREMS = (
    Theorem(
        "Theorem 1 — each step",
        "Take any two joint states that the model allows at this step and that differ in one house only. "
        "Whatever rate is published, it is at most e^ε times as likely under one as under the other. It "
        "suffices to scale the Laplace noise to the largest bound among the houses whose state is uncertain.",
        (
            r"e^{-\varepsilon} \le \frac{\Pr[\hat r^t \in R \mid S^t = M^l]}"
            r"{\Pr[\hat r^t \in R \mid S^t = M^k]} \le e^{\varepsilon}",
            r"\hat r^t = r^t + \mathrm{Lap}(\lambda^t/\varepsilon)",
            r"\lambda^t = \alpha \max_{\theta \in \Theta}\, \max_{h \in \kappa^{t,\theta}} u_h\;",
        ),
        {
            "Blowfish keeps the promise, whatever a house uses within its bound.": "proofs/test_privacy.py::"
            "test_blowfish_keeps_the_promise_whatever_consumption_is_within_its_bound",
            "A mechanism with too little noise is caught.": "proofs/test_privacy.py::"
            "test_planted_bugs_are_caught",
            "The fast Blowfish publishes what Algorithm 1 does, on a hundred small streets.": "unit/"
            "probability/test_algorithm1.py::test_fast_blowfish_is_algorithm_1_on_a_hundred_small_streets",
        },
    ),
    Theorem(
        "Theorem 2 — a whole day",
        "Two histories that are neighbours at every step are told apart by all T rates together at most by a "
        "factor e^(εT): the budgets of the steps add up. A house that uses its bound or nothing makes it "
        "tight.",
        (
            r"\frac{\Pr[\hat r^1 \in R^1, \dots, \hat r^T \in R^T \mid S]}"
            r"{\Pr[\hat r^1 \in R^1, \dots, \hat r^T \in R^T \mid \hat S]} \le e^{\varepsilon T}",
        ),
        {
            "A whole history costs the sum of its steps, and more with less noise.": "proofs/"
            "test_theorems.py::test_a_whole_history_costs_the_sum_of_its_steps_and_more_with_less_noise",
            "The posterior is the sum over all paths that the states can take.": "unit/probability/"
            "test_algorithm1.py::test_posterior_equals_the_sum_over_all_state_paths",
        },
    ),
)

CORRECTION = (
    "**Two slips in the proof.** Equation (7), “pr3” in the paper's source, has its inequality signs the "
    "wrong way round: it bounds a distance from below by a sum and from above by a difference. With "
    "$g = (\\hat r^t - \\alpha(\\sum_{i\\ge 2} x_i^t + u_1/2) - \\beta)/\\alpha$ the triangle inequality says"
)
CORRECTED = (
    r"|g| - \tfrac{u_1}{2} \;\le\; \bigl|g - (x_1^t - \tfrac{u_1}{2})\bigr| \;\le\; |g| + \tfrac{u_1}{2}"
)
CORRECTION_CHECKS = {
    "Equation (7) holds as corrected here, and not as printed.": "proofs/test_theorems.py::"
    "test_equation_pr3_holds_as_corrected_and_not_as_printed",
    "The integrals after it need the absolute value of g.": "proofs/test_theorems.py::"
    "test_the_integrals_after_equation_pr3_need_the_absolute_value_of_g",
}
STANDS = (
    "The lines after it use the bounds in this order, but print $g$ where $|g|$ belongs, in all four "
    "integrals: where $g < -u_1/2$ their lower bound is larger than what it bounds. With $|g|$ the result "
    "stands: "
    "numerator and denominator lie between the same two integrals, whose quotient is "
    "$e^{\\varepsilon\\alpha u_1/\\lambda}$, and $\\lambda \\ge \\alpha u_1$ suffices."
)


def theorems() -> None:
    st.subheader("The two theorems, and where they are checked", anchor=False)
    for theorem in THEOREMS:
        with st.container(border=True):
            st.markdown(f"**{theorem.title}.** {theorem.words}")
            for formula in theorem.formulas:
                st.latex(formula)
            checked(theorem.checks)
    with st.container(border=True):
        st.markdown(CORRECTION)
        st.latex(CORRECTED)
        st.markdown(STANDS)
        checked(CORRECTION_CHECKS)


def checked(checks: Mapping[str, str]) -> None:
    """What tests of the lab hold; which they are on hover."""
    words = "Checked, each by a test of the lab:\n" + items(list(checks))
    st.markdown(words, help=items([f"`tests/{test}`" for test in checks.values()]))


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


def fairness() -> None:
    """Whose work this is, what its authors say themselves, and a street on which they win."""
    st.subheader("In fairness to the paper", anchor=False)
    with st.container(border=True):
        st.markdown(f"{CITATION} What they say themselves:\n{items(CAVEATS)}")
        st.markdown(win_words(cached("paper", "win", win)))
        if st.button(f"Explore “{WINS.capitalize()}”", icon=":material/open_in_new:", key="open:wins"):
            lab().open(PRESETS[WINS], WINS)
            st.switch_page("app.py")


def all_notes() -> None:
    """What the paper remarks, held against an example that is computed."""
    st.subheader("Notes, each with a computed example", anchor=False)
    for note in cached("paper", "notes", notes):
        with st.container(border=True):
            st.markdown(f"**{note.title}** {note.words}")
            checked(note.checks)
