"""The paper's two theorems, a correction of the proof, and notes, each with the tests that hold it."""

from collections.abc import Mapping
from typing import NamedTuple

from rtp.core.formatting import percent
from rtp.core.time import when
from rtp.paper.readings import readings
from rtp.paper.reproduction import PAPER


class Note(NamedTuple):
    """A remark on the paper, possibly with formulas and words after them, and the tests that hold it."""

    title: str
    words: str
    checks: Mapping[str, str]  # what a test of the lab holds, in words: file::function, below tests/
    formulas: tuple[str, ...] = ()
    after: str = ""


THEOREMS = (
    Note(
        "Theorem 1 — each step",
        "Take any two joint states that the model allows at this step and that differ in one house only. "
        "Whatever rate is published, it is at most e^ε times as likely under one as under the other. It "
        "suffices to scale the Laplace noise to the largest bound among the houses whose state is uncertain.",
        {
            "Blowfish keeps the promise, whatever a house uses within its bound.": "proofs/test_privacy.py::"
            "test_blowfish_keeps_the_promise_whatever_consumption_is_within_its_bound",
            "A mechanism with too little noise is caught.": "proofs/test_privacy.py::"
            "test_planted_bugs_are_caught",
            "The fast Blowfish publishes what Algorithm 1 does, on a hundred small streets.": "unit/"
            "probability/test_algorithm1.py::test_fast_blowfish_is_algorithm_1_on_a_hundred_small_streets",
        },
        (
            r"e^{-\varepsilon} \le \frac{\Pr[\hat r^t \in R \mid S^t = M^l]}"
            r"{\Pr[\hat r^t \in R \mid S^t = M^k]} \le e^{\varepsilon}",
            r"\hat r^t = r^t + \mathrm{Lap}(\lambda^t/\varepsilon)",
            r"\lambda^t = \alpha \max_{\theta \in \Theta}\, \max_{h \in \kappa^{t,\theta}} u_h\;",
        ),
    ),
    Note(
        "Theorem 2 — a whole day",
        "Take two histories that are neighbours at every step. All T rates together are at most e^(εT) "
        "times as likely under one as under the other: the budgets of the steps add up. A house that uses "
        "its bound or nothing reaches that limit.",
        {
            "A whole history costs the sum of its steps, and more with less noise.": "proofs/"
            "test_theorems.py::test_a_whole_history_costs_the_sum_of_its_steps_and_more_with_less_noise",
            "The posterior is the sum over all paths that the states can take.": "unit/probability/"
            "test_algorithm1.py::test_posterior_equals_the_sum_over_all_state_paths",
        },
        (
            r"\frac{\Pr[\hat r^1 \in R^1, \dots, \hat r^T \in R^T \mid S]}"
            r"{\Pr[\hat r^1 \in R^1, \dots, \hat r^T \in R^T \mid \hat S]} \le e^{\varepsilon T}",
        ),
    ),
)
PROOF = Note(
    "Two slips in the proof",
    "Equation (7), “pr3” in the paper's source, has its inequality signs the wrong way round: it bounds a "
    "distance from below by a sum and from above by a difference. With "
    "$g = (\\hat r^t - \\alpha(\\sum_{i\\ge 2} x_i^t + u_1/2) - \\beta)/\\alpha$ the triangle "
    "inequality says",
    {
        "Equation (7) holds as corrected here, and not as printed.": "proofs/test_theorems.py::"
        "test_equation_pr3_holds_as_corrected_and_not_as_printed",
        "The integrals after it need the absolute value of g.": "proofs/test_theorems.py::"
        "test_the_integrals_after_equation_pr3_need_the_absolute_value_of_g",
    },
    (r"|g| - \tfrac{u_1}{2} \;\le\; \bigl|g - (x_1^t - \tfrac{u_1}{2})\bigr| \;\le\; |g| + \tfrac{u_1}{2}",),
    "The lines after it use the bounds in this order, but print $g$ where $|g|$ belongs, in all four "
    "integrals: where $g < -u_1/2$ their lower bound is larger than what it bounds. With $|g|$ the result "
    "stands: numerator and denominator lie between the same two integrals, whose quotient is "
    "$e^{\\varepsilon\\alpha u_1/\\lambda}$, and $\\lambda \\ge \\alpha u_1$ suffices.",
)


def notes() -> list[Note]:
    """All notes, in the order of the page."""
    return [_group(), _composition()]


def _group() -> Note:
    found = readings()
    return Note(
        "Is the naive mechanism group differential privacy?",
        "The paper remarks that without a model its notion becomes group differential privacy, with all "
        "time steps fully correlated. That holds for one rate, not for a day. A house that is in one state "
        f"all day can lose {PAPER.epsilon:g} to each naive rate and {PAPER.epsilon * PAPER.steps:g} to all "
        f"{PAPER.steps}. To promise ε = {PAPER.epsilon:g} for the steps as one group takes {PAPER.steps} "
        f"times the noise: an RMSRE of {percent(found.group_error)} of a typical step instead of "
        f"{percent(found.each_error)}.",
        {
            "All steps as one group need T times the noise of one step.": "unit/paper/test_readings.py::"
            "test_steps_as_one_group_need_t_times_the_noise"
        },
    )


def _composition() -> Note:
    found = readings()
    return Note(
        "Why independent composition does not apply to moments.",
        "The paper is right not to use the composition theorem: every rate is about another data set, and "
        f"neighbouring steps resemble each other. If every rate spends its ε = {PAPER.epsilon:g}, all "
        f"{PAPER.steps} together can shift the log-odds of one moment by {PAPER.epsilon:g} if each step "
        f"forgot the one before, by {found.moment_loss:.2f} with the paper's habits "
        f"({when(found.moment_step)}), and by {PAPER.epsilon * PAPER.steps:g}, which is Theorem 2's sum, if "
        "nobody ever moved. Attack computes it for any street, under *The promise over time*.",
        {
            "A moment loses more than one rate reveals, and less than all rates add up to.": "unit/paper/"
            "test_readings.py::test_a_moment_loses_more_than_one_rate_less_than_all"
        },
    )
