"""The paper's two theorems in words and formula, and the tests that hold them."""

from typing import NamedTuple

import streamlit as st

from pages.ui.show import items


class Theorem(NamedTuple):
    title: str
    words: str
    formulas: tuple[str, ...]
    tests: tuple[str, ...]  # file::function, below tests/


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
        (
            "proofs/test_privacy.py::test_blowfish_keeps_the_promise_whatever_consumption_is_within_its_bound",
            "proofs/test_privacy.py::test_planted_bugs_are_caught",
            "unit/probability/test_algorithm1.py::test_fast_blowfish_is_algorithm_1_on_a_hundred_small_streets",
        ),
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
        (
            "proofs/test_theorems.py::test_a_whole_history_costs_the_sum_of_its_steps_and_more_with_less_noise",
            "unit/probability/test_algorithm1.py::test_posterior_equals_the_sum_over_all_state_paths",
        ),
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
CORRECTION_TESTS = (
    "proofs/test_theorems.py::test_equation_pr3_holds_as_corrected_and_not_as_printed",
    "proofs/test_theorems.py::test_the_integrals_after_equation_pr3_need_the_absolute_value_of_g",
)
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
            checked(theorem.tests)
    with st.container(border=True):
        st.markdown(CORRECTION)
        st.latex(CORRECTED)
        st.markdown(STANDS)
        checked(CORRECTION_TESTS)


def checked(tests: tuple[str, ...]) -> None:
    """What the tests hold, in their own words; which they are on hover."""
    words = "Checked, each by a test of the lab:\n" + items([f"{_sentence(test)}." for test in tests])
    st.markdown(words, help=items([f"`tests/{test}`" for test in tests]))


def _sentence(test: str) -> str:
    words = test.rpartition("::test_")[2].replace("_", " ")
    return words[0].upper() + words[1:]
