"""Do two rounds teach? What a plain guesser and the observer find out, on average over many lessons.

`python -m tests.help.played_lessons` prints the table of `docs/maths.md`: streets of 3 to 20 houses with
simulated players, and for each the share of right guesses by habits alone, in a first round under the optimal
rate, and in a second one, with other choices, under a private rate; and in how many lessons the screens say
so.

The *plain guesser* is a student with a pencil. She takes the price for what the street uses, and finds the
houses that together come nearest to it: a house at home counts with the middle of its range, 0.8 of its size,
one that is away with 0.05. She knows no probability and forgets earlier prices. Of houses of one size that
she cannot tell apart she guesses each to be what most of them are, and where sums are equally near, what most
of these say.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from rtp.core.stats import Range, right_guesses, student_width
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.play.round import AWAY, HOME, Round
from rtp.play.scores import belief_share, less
from rtp.play.street import PlayedStreet, record_street

STREET_SIZES = (3, 4, 5, 8, 20)
SEEDS = 200
EQUALLY_NEAR = 1e-9  # kW


class Lesson(NamedTuple):
    """Two rounds of one kind: the mean over seeds and its interval."""

    per_street: int
    habits: Range
    plain: Range  # right guesses of a plain guesser under the optimal rate
    observer: Range
    plain_private: Range  # under the private one
    observer_private: Range
    away: Range  # lessons in which the observer is surely better than habits alone under the optimal rate,
    away_private: Range  # under the private one,
    apart: Range  # and surely worse under the private one than under the optimal one


def plain_guess(street: PlayedStreet) -> Floats:
    """Return what a plain guesser reads from each price: 1 at home, 0 away, between where she cannot tell."""
    tariff, groups = street.day.market.tariff, street.day.scenario.groups
    demand = tariff.demand(street.price)
    size = np.array([group.occupied_max for group in groups])
    members = np.bincount(street.day.street.group)
    counts = product(*(range(n + 1) for n in members.tolist()))
    at_home = np.array(list(counts))  # (C, G) how many of each size
    total = np.mean(HOME) * at_home @ size + np.mean(AWAY) * (members - at_home) @ size
    distance = np.abs(demand[:, None] - total)
    nearest = distance <= distance.min(axis=1, keepdims=True) + EQUALLY_NEAR
    share = nearest @ (at_home / members) / nearest.sum(axis=1, keepdims=True)
    return np.asarray(np.repeat(share, members, axis=1)[:, street.place])


def measure_round(played: Round) -> tuple[list[float], Range]:
    """Return the shares of right guesses by habits, of the plain guesser and of the observer in a round, and
    the observer's interval."""
    streets = [record_street(played, street).under(played.mechanism) for street in range(len(played.streets))]
    at_home = np.hstack([street.at_home for street in streets])
    habits, plain, belief = (
        np.hstack(readings)
        for readings in zip(
            *((street.habits, plain_guess(street), street.belief) for street in streets), strict=True
        )
    )
    shares = [float(right_guesses(reading, at_home).mean()) for reading in (habits, plain, belief)]
    return shares, belief_share(at_home, belief, played.per_street)


def measure_lesson(played: Round, seed: int) -> list[float]:
    """Return what two rounds with other choices show, in the order of the fields of `Lesson`."""
    rounds = [
        played.replace(scenario=played.scenario.replace(seed=2 * seed + second), mechanism=rate)
        for second, rate in enumerate((UNPROTECTED, FEATURED))
    ]
    (first, optimal), (second, private) = map(measure_round, rounds)
    told = (optimal.low > first[0], private.low > second[0], less(optimal, private).low > 0)
    return [*first, *second[1:], *map(float, told)]


def lesson(played: Round, seeds: Iterable[int]) -> Lesson:
    """Return what lessons of such rounds teach, on average over seeds."""
    shares = np.array([measure_lesson(played, seed) for seed in seeds])
    reach = student_width(len(shares)) * shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
    mean = shares.mean(axis=0)
    ranges = [Range(*each) for each in np.stack([mean, mean - reach, mean + reach], axis=1).tolist()]
    return Lesson(played.per_street, *ranges)


def lessons_table(lessons: Sequence[Lesson]) -> str:
    """Return the lessons as a table in Markdown, in percent."""
    head = (
        "| houses per street | habits alone | plain guesser, optimal rate | observer, optimal rate | "
        "plain guesser, private rate | observer, private rate | told from habits, optimal | private | "
        f"told apart |\n|{' --- |' * 9}\n"
    )
    rows = []
    for per_street, *shares in lessons:
        cells = (f"{100 * each.value:.1f} ± {100 * (each.high - each.value):.1f}" for each in shares)
        rows.append(f"| {per_street} | {' | '.join(cells)} |")
    return head + "\n".join(rows)


def main(seeds: int = SEEDS) -> None:
    """Print the table of the default round."""
    print(lessons_table([lesson(Round(per_street=houses), range(seeds)) for houses in STREET_SIZES]))


if __name__ == "__main__":
    main()
