"""What the algorithm promises, in words: secrets, discriminative pairs, the constraint Qᵗ, Definitions 1 to
3.

Each comes with what it means at the step and under the model at hand, counted.
"""

from typing import NamedTuple

from rtp.classroom.consequences import factor
from rtp.classroom.lesson import Lesson
from rtp.classroom.lines import house_list


class Definition(NamedTuple):
    name: str
    words: str  # what the paper says, in plain English
    here: str  # on this street, at this step


def definitions(lesson: Lesson, t: int, model: int) -> list[Definition]:
    own, houses, epsilon = lesson.at(t).models[model], lesson.houses, lesson.scenario.epsilon
    possible, states, pairs = int(own.possible.sum()), len(own.possible), len(own.neighbours)
    single = houses * states // 2
    return [
        Definition(
            "Secrets and secret pairs",
            "A secret is whether one house is occupied now. A secret pair (the paper: discriminative pair) "
            "is “house i is empty” and “house i is occupied”: an observer shall not tell which of the two is "
            "true.",
            f"Here: {houses} houses, so {houses} secrets and {houses} secret pairs.",
        ),
        Definition(
            "The constraint Qᵗ",
            "What everybody knows already. A joint state satisfies Qᵗ if its prior probability at this step "
            "is not zero. Line 5 collects these states as μ; nothing needs to be hidden about the others.",
            f"Here: {possible} of {states} joint states satisfy it.",
        ),
        Definition(
            "Definition 1, differential privacy",
            "For any two joint states that differ in one house, no set of rates is more than e^ε times as "
            "likely under one as under the other. It knows nothing of Qᵗ.",
            f"Here: {single} pairs of the {states} states differ in one house; e^ε = {factor(epsilon)}.",
        ),
        Definition(
            "Definition 2, Blowfish neighbours",
            "Two joint states are Blowfish neighbours if both satisfy Qᵗ and they differ in one house, that "
            "is in one secret pair. Line 6 collects these as ν, line 7 the houses they differ in as κ.",
            f"Here: {pairs} of those {single} pairs are neighbours; κ holds {house_list(own.protected)}.",
        ),
        Definition(
            "Definition 3, Blowfish privacy",
            "The inequality of Definition 1, asked only of Blowfish neighbours. Fewer pairs may need less "
            "noise: only the houses in κ count, and the largest of them sets it.",
            f"Here: it spares {single - pairs} of {single} pairs under this model, and λ = "
            f"{own.sensitivity:.4g}.",
        ),
    ]
