"""Notes on what the paper says beside its theorems: a sentence from the computed example, and its test."""

from typing import NamedTuple

import numpy as np

from rtp.classroom.lines import POSTERIOR
from rtp.core.formatting import percent
from rtp.core.time import when
from rtp.paper.remarks import Pair, as_one_group, moments, together
from rtp.paper.reproduction import PAPER, say

PRINTED_POSTERIOR = 14  # the line of the printed listing that derives the posterior


class Note(NamedTuple):
    title: str
    words: str
    tests: tuple[str, ...]  # file::function, below tests/


def notes() -> list[Note]:
    return [_group(), _composition(), _together(), _numbering()]


def _group() -> Note:
    found = as_one_group()
    return Note(
        "Is the naive mechanism group differential privacy?",
        "The paper remarks that without a model its notion becomes group differential privacy, with all time "
        "steps fully correlated. For one rate the noise is what that asks: every state is possible, every "
        "house protected. For a day it is not. A house that is in one state all day and uses "
        f"{found.bound:g} or nothing can lose {found.each:g} to each naive rate and {found.total:g} to all "
        f"{PAPER.steps}. To promise ε = {PAPER.epsilon:g} for the steps as one group takes noise of scale "
        f"{found.group_scale:g} instead of {found.scale:g}: an error of {percent(found.group_error)} of the "
        f"rate in a typical step instead of {percent(found.error)}.",
        ("paper/test_remarks.py::test_steps_taken_as_one_group_need_so_many_times_the_noise",),
    )


def _composition() -> Note:
    found = moments()
    return Note(
        "Why independent composition does not apply to moments.",
        "The paper is right not to call on the composition theorem: every rate is about another data set. "
        "Nor may one take the data sets as independent and say that only the rate of 14:00 tells about "
        "14:00, for neighbouring steps resemble each other. If every rate spends its "
        f"ε = {PAPER.epsilon:g}, all {PAPER.steps} together can shift the log-odds of one moment by "
        f"{found.independent:g} if each step forgot the one before, by {found.lived:.2f} with the paper's "
        f"habits ({when(found.step)}), and by {found.still:g}, which is Theorem 2's sum, if nobody ever "
        "moved. The screen Over time computes it for any street.",
        ("paper/test_remarks.py::test_a_moment_loses_more_than_its_own_rate_and_less_than_all",),
    )


def _together() -> Note:
    pair, apart = together(np.array([0.5, 0.0, 0.0, 0.5])), together(np.full(4, 0.25))
    return Note(
        "Houses that come and go together.",
        "Algorithm 1 accepts any joint law Π. Take two houses that are surely both empty or both occupied, "
        f"Π(00) = Π(11) = ½. No two possible states differ in one house alone, so it protects "
        f"{_houses(pair)}, λ = 0, and **the exact rate is published although both states are secret**: who "
        f"sees that one rate is right in {say(pair.right, '.0%')} of cases instead of 50 %, and if both are "
        f"occupied it proves so in {say(pair.proof, '.0%')} of them. Were the two independent, "
        f"{_houses(apart)} would be protected, with noise of scale {apart.scale:g}. The lab assumes "
        "independent houses, as the paper's simulation does, and promises nothing beyond.",
        ("paper/test_remarks.py::test_two_houses_that_share_one_state_are_not_protected_at_all",),
    )


def _houses(pair: Pair) -> str:
    return {0: "nobody", 2: "both"}.get(pair.protected, f"{pair.protected} of them")


def _numbering() -> Note:
    ours = (
        f"the Algorithm screen gives it a number of its own and calls the posterior line {POSTERIOR}"
        if POSTERIOR != PRINTED_POSTERIOR
        else "the Algorithm screen counts likewise"
    )
    return Note(
        "The numbers of the listing's lines.",
        "In the paper's source “return” opens no numbered line: as printed it stands beneath line 13 without "
        f"a number, and the posterior is line {PRINTED_POSTERIOR}; {ours}.",
        ("paper/test_remarks.py::test_the_printed_listing_numbers_no_return",),
    )
