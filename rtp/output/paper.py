"""The paper and its reproduction in tables and sentences, made of the numbers of `rtp.paper`; and its two
theorems, a correction of the proof, and notes, each with the tests that hold it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rtp.core.formatting import percent, unbroken
from rtp.core.stats import LEVEL_WORDS, middle, spread
from rtp.core.time import when
from rtp.core.types import Frame, data_frame
from rtp.mechanisms import REGISTRY
from rtp.metrics import ERROR_MEANS
from rtp.paper import published
from rtp.paper.comparison import (
    MECHANISMS,
    PAPER,
    ComparisonRow,
    PaperDays,
    agreeing,
    as_printed,
    printed_rmsre,
    probability_apart,
    range_text,
    reading_range,
    rmse,
    steps_inside,
)
from rtp.paper.readings import (
    MEAN_STREETS,
    NOISE_QUESTION,
    WINS,
    Headline,
    OpenQuestion,
    open_choices,
    readings,
)
from rtp.simulation import Day

PRINTED_MEANS = "The paper prints it divided by √T, T being the number of steps: (1/T)·√Σ((r̂ − r)/r)²."
VERDICTS = {"agrees": "✓ agrees", "explained": "≈ explained", "open": "? open"}
PUT_IN = {"setting": "= set so", "habits": "= set so", "arithmetic": "= theirs"}  # where the two agree

_AGREES = (
    f"A number agrees if it lies, to half a unit of its last printed digit, in the range of {LEVEL_WORDS} of "
    "our days"
)
JUDGED = {
    "Results": f"{_AGREES}; it is explained if the range of single days, computed, reaches it.",
    "Figures": (
        f"{_AGREES}; it is explained if it lies in the range that our curves have within "
        f"{published.READING_STEPS:g} of a step, the width of a thin line in print."
    ),
    "Habits": (
        "Chances are put in, so none is counted; ours is what becomes of them. It is as set, to half a unit "
        f"of the last printed digit, in the range of {LEVEL_WORDS} of our days; it is explained if our range "
        "holds what the published chance becomes, computed from it alone, once households differ and no "
        "chance falls below 0 or rises above 1."
    ),
    "Settings": "A setting agrees if ours is equal. All are put in, none is computed, so none is counted.",
}
# Why a number is as it is, by what ours is based on; filled in with the row's reason.
WHY_BY_BASIS = {
    "one day": "One day's RMSRE.",
    "average": "Ours is the average over the noise. One day gives anything from {1:.0%} to {2:.0%}.",
    "dropping": (
        "Its noise is smaller at {0:.0f} steps, by {1:.2%}, dropped houses or not: the naive noise covers "
        "the nominal maximum, and the largest bound drawn is {2:.4f} on average. A reading that would make "
        f"it smaller in some steps leaks: see “{NOISE_QUESTION}” under Readings."
    ),
    "reading": (
        f"Read off a picture: within {published.READING_STEPS:g} of a step ours lies between {{1:.4f}} and "
        "{2:.4f}."
    ),
    "habits": (
        "Households differ by ±{0:g} per step, and a chance cannot fall below 0: the published one becomes "
        "{1:.2%} on average."
    ),
    "arithmetic": "Arithmetic on the paper's own numbers.",
    "setting": "Set, not measured.",
}


def why(row: ComparisonRow) -> str:
    """Why ours is as it is."""
    return re.sub(r"(?<=\d)%", " %", WHY_BY_BASIS[row.basis].format(*row.reason))


WHAT_IS_COUNTED = (
    "Always of the paper's own street. Results are what came out of the paper's simulation: two errors, the "
    "difference of the two, the claim about dropped houses, and twelve readings of Figure 2. Its eight "
    "habits and its settings are put in."
)


def verdict_text(row: ComparisonRow) -> str:
    """A number that was put in is not said to agree: it is as set, or what becomes of it is explained."""
    if row.is_result or row.verdict != "agrees":
        return VERDICTS[row.verdict]
    return PUT_IN[row.basis]


def agreement_words(rows: Sequence[ComparisonRow]) -> str:
    """How the paper's results compare, and how surely so many agree."""
    found: list[str] = [row.verdict for row in rows if row.is_result]
    explained, left = map(found.count, ("explained", "open"))
    count = agreeing(rows)
    sure = "" if count.low == count.high else f" ({count.low:.0f} to {count.high:.0f} by the days drawn)"
    return (
        f"We match {count.value:.0f} of the paper's {len(found)} results{sure}; {explained} "
        f"{'difference is' if explained == 1 else 'differences are'} explained, {left} "
        f"{'is' if left == 1 else 'are'} open."
    )


def run_numbers(day: Day) -> list[tuple[str, ...]]:
    """How far one run is from the published curves, and its errors: the name of each and its number; of an
    error also the published one, and what else there is to say of it."""
    _, *curves = published.figure2()
    distances = [
        (f"RMSE to {name}", f"{rmse(ours, theirs):.4f}")
        for name, ours, theirs in zip(("2a", "2b"), (day.occupancy, day.consumption), curves, strict=True)
    ]
    errors = [
        (
            f"{REGISTRY[name].label} RMSRE",
            as_printed(printed_rmsre(release.error, day.scenario.steps), ".3e"),
            f"published {number.text}",
            f"This run: {percent(release.error)} of a typical step. On average: "
            f"{as_printed(printed_rmsre(release.expected_error, day.scenario.steps), '.3e')}, or "
            f"{percent(release.expected_error)}.\n\n{ERROR_MEANS} {PRINTED_MEANS}",
        )
        for name, number in zip(MECHANISMS, (published.NAIVE, published.BLOWFISH), strict=False)
        for release in [day.release[name]]
    ]
    return [*distances, *errors]


def narrow_frame(rows: Sequence[ComparisonRow]) -> Frame:
    """The table in four columns that a phone can hold: numbers stay whole, words wrap."""
    ours = [f"{row.value()} ({row.range()})" if row.range() else row.value() for row in rows]
    return data_frame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [unbroken(row.number.text) for row in rows],
            f"Ours ({LEVEL_WORDS} of days)": [
                unbroken(text).replace("\u00a0to\u00a0", " to ") for text in ours
            ],
            "Verdict": [unbroken(verdict_text(row)) for row in rows],
        }
    )


def comparison_frame(rows: Sequence[ComparisonRow]) -> Frame:
    """The table to take away."""
    return data_frame(
        {
            "Quantity": [row.quantity for row in rows],
            "Published": [row.number.text for row in rows],
            "Ours": [row.value() for row in rows],
            f"{LEVEL_WORDS} of days": [row.range() for row in rows],
            "Verdict": [verdict_text(row) for row in rows],
            "Judged by": [JUDGED[row.section] for row in rows],
            "Why": [why(row) for row in rows],
        }
    )


def reading_error_words(days: PaperDays) -> str:
    """At how many steps the published curves lie in the range of ours, as read and within the error."""
    _, *theirs = published.figure2()
    ours = days.occupancy, days.consumption
    inside = [
        steps_inside(curve, range_of(own))
        for range_of in (middle, reading_range)
        for curve, own in zip(theirs, ours, strict=True)
    ]
    return (
        f"The published curves lie in the {LEVEL_WORDS} range of our {len(days):,} days at {inside[0]} (2a) "
        f"and {inside[1]} (2b) of {PAPER.steps} steps; allowing for the line width of the scanned figure "
        f"(±{published.READING_STEPS:g} step), at {inside[2]} and {inside[3]}."
    )


def finding(days: PaperDays) -> str:
    """What the many days say about the published numbers, and how far one day's difference scatters."""
    naive, blowfish = (range_text(spread(days.errors(name)), ".3e") for name in MECHANISMS[:2])
    apart = probability_apart(days.errors(MECHANISMS[0]), published.NAIVE_EXCESS)
    return (
        f"Over {len(days):,} simulated days, {LEVEL_WORDS} of single days give the naive mechanism an RMSRE "
        f"of {naive} (published {published.NAIVE.text}) and Blowfish one of {blowfish} (published "
        f"{published.BLOWFISH.text}). Algorithm 1 drops houses in {days.dropping.mean():.0f} of "
        f"{PAPER.steps} steps. Two runs of the *same* naive mechanism differ by {published.EXCESS.text} or "
        f"more in {as_printed(apart.value, '.0%')} of all pairs of days ({LEVEL_WORDS} interval "
        f"{range_text(apart, '.0%')}). The published difference is {published.EXCESS.text}, of one run. "
        f"{LEVEL_WORDS} of single days give {range_text(spread(days.excess()), '.0%')}, and the average is "
        f"{as_printed(float(days.expected_excess().mean()), '.2%')}: one run cannot show which mechanism is "
        "better on this street."
    )


def leak_words() -> str:
    """What scaling the noise to the state a house is in gives away."""
    told = readings().state_dependent
    return (
        "Noise that follows the states gives them away. With everybody else empty, "
        f"{as_printed(told.occupied, '.0%')} of the rates while house {told.house + 1} is occupied and "
        f"{as_printed(told.empty, '.0%')} while it is empty tell more than the promised ε = "
        f"{PAPER.epsilon:g} to someone who knows what the others used; with the larger bound "
        f"{as_printed(told.common, '.0%')} do."
    )


def alternatives_frame() -> Frame:
    """What is published, ours once, then a row per other answer; what does not exist has no numbers. Its
    columns: `ALTERNATIVES_WORDS`."""
    labels = [REGISTRY[name].label for name in MECHANISMS]
    found = readings()
    theirs = {
        **dict(zip(labels, (published.NAIVE.text, published.BLOWFISH.text), strict=False)),
        "One day": published.EXCESS.text,
        "Scatter": f"{found.published_scatter:.4f}",
    }
    rows: list[dict[str, object]] = [
        {"Answer": "published", **theirs},
        {"Answer": "as we chose", **_numbers(labels, found.ours)},
    ]
    rows += [
        {
            "Answer": answer.name,
            **_numbers(labels, found.others.get(answer.name)),
            "Left open": choice.name,
            "We chose": choice.ours,
        }
        for choice in open_choices()
        for answer in choice.others
    ]
    columns = ["Answer", *_numbers(labels, found.ours), "Left open", "We chose"]
    return data_frame(rows, columns=columns)


def answers_frame(every: Frame, choice: OpenQuestion) -> Frame:
    """What is published, ours and the other answers to one question, a column each, as narrow as a phone."""
    rows = every.set_index("Answer").drop(columns=["Left open", "We chose"])
    names = [answer.name for answer in choice.others]
    return rows.loc[["published", "as we chose", *names]].fillna("–").T


def _numbers(labels: Sequence[str], given: Headline | None) -> dict[str, object]:
    if given is None:
        return {"One day": "does not exist"}
    return {
        **{label: as_printed(error, ".3e") for label, error in zip(labels, given.errors, strict=True)},
        "On average": as_printed(given.average_excess, ".2%"),
        "One day": range_text(given.excess, ".1%"),
        "Steps dropping": f"{given.dropping:.0f}",
        "Least noise": f"{given.least:.3f}",
        "To 2a": f"{given.occupancy_rmse:.4f}",
        "To 2b": f"{given.consumption_rmse:.4f}",
        "Scatter": f"{given.scatter:.4f}",
    }


ALTERNATIVES_WORDS = (
    f"RMSRE: expected, the mean of the same {MEAN_STREETS} streets for every answer. On average, and on one "
    f"day (for {LEVEL_WORDS} of days): by how much the naive error is above Blowfish's. Steps dropping: in "
    "how many steps Algorithm 1 drops houses. Least noise: Blowfish's smallest scale over the naive one. To "
    "2a and to 2b: the root mean square distance to the published curve. Scatter: of mean consumption from "
    "step to step."
)
CITATION = f"[{published.TITLE}]({published.ADDRESS}) is by {published.AUTHORS}: {published.WHERE}."
# What the authors say themselves, in our words, and in which section.
CAVEATS = (
    "They call the chances to leave, come home, sleep and wake guesses, and the data are synthetic "
    "(Section IV).",
    "The set of models Θ holds a single one, for simplicity (Section IV).",
    "Houses are assumed to consume independently of each other, and the tariff is scaled for simplicity "
    "(Sections II and IV).",
    "They claim noise that is never larger than the alternative's and can be smaller, not that it always is "
    "(Section V).",
    "They call both errors, naive and Blowfish, low beside the range of the rates (Section IV).",
    "Privacy fades in proportion to the number of rates; they leave a slower fading to future work "
    "(Theorem 2 and Section V).",
)


def win_words() -> str:
    """Where Blowfish wins: its error on a street on which dropping houses pays, on average over the noise."""
    found = readings().win
    return (
        "**Where Blowfish wins.** Algorithm 1's idea pays where habits make houses certain. On "
        f"“{WINS.capitalize()}” it drops houses in {found.dropping} of {found.steps} steps, and the same "
        f"promise costs an RMSRE of {percent(found.blowfish)} of a typical step where the naive mechanism's "
        f"is {percent(found.naive)}, {found.naive / found.blowfish:.1f} times as much, on average."
    )


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
    found = readings()
    group = Note(
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
    composition = Note(
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
    return [group, composition]
