"""What a teacher takes along: slides, a handout, the numbers to expect, and a round to show without phones.

All of it is computed: the street is one of Play, the price to solve by hand is the first of its day that two
sums of houses fit, the answers are those of the exercises. `scripts/pack.py` makes files of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from rtp.core.formatting import percent, whole_percent
from rtp.core.random import Stream, random_generator
from rtp.figures.static import poster_figure
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.play import WIN, learned_words
from rtp.play import Guess, Round, play_street, replay, reveal
from rtp.play.round import AWAY, HOME
from rtp.play.scores import Cost, costs, price_name
from rtp.scenario import Scenario
from rtp.teaching.exercise import AnswerPicture
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.plan import PLAN
from rtp.teaching.poster import poster

_SUMS, _SEEDS = 2, 100  # that fit the price to solve; that are tried
CLASS = 25  # players of the recorded round
STREET = Round(players=4, per_street=4)
QUESTIONS = (
    "Which of your own data is published as a sum? Who could take it apart, and with what else they know?",
    "A firm promises privacy. About what, against whom, for how long, and who checks it?",
    "More noise, or more houses: which would you choose for your street, and who pays for it?",
)


@dataclass(frozen=True, kw_only=True)
class Slide:
    """A page: some lines, and bars or a picture beneath them."""

    title: str
    lines: tuple[str, ...]
    bars: AnswerPicture | None = None
    svg: str | None = None


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A price, and who may be at home at it."""

    price: float
    used: float  # kW, by all
    fits: tuple[tuple[bool, ...], ...]  # by house: every way in which they can use so much
    truth: tuple[bool, ...]

    def sure(self) -> list[int]:
        """The houses, from 0, of which the price leaves no doubt."""
        return [house for house, states in enumerate(zip(*self.fits, strict=True)) if len(set(states)) == 1]


def solutions(used: float) -> list[tuple[bool, ...]]:
    """Return who can be at home where the street uses so many kW."""
    sizes = np.array(STREET.street_sizes)
    found = []
    for state in product((False, True), repeat=len(sizes)):
        low, high = (np.where(state, HOME[end], AWAY[end]) @ sizes for end in (0, 1))
        if low <= used <= high:
            found.append(state)
    return found


def puzzle() -> Puzzle:
    """Return the first price, seed by seed, that two sums of houses fit, with one house in both."""
    tariff = STREET.scenario
    for seed in range(_SEEDS):
        day = play_street(STREET.replace(scenario=tariff.replace(seed=seed)), 0, UNPROTECTED)
        for price, truth in zip(day.price.tolist(), day.at_home.tolist(), strict=True):
            used = (price - tariff.beta) / tariff.alpha
            found = Puzzle(price=price, used=used, fits=tuple(solutions(used)), truth=tuple(truth))
            if len(found.fits) == _SUMS and any(truth[house] for house in found.sure()):
                return found
    raise LookupError("No price has two solutions.")


def recorded_round() -> Round:
    """Return a round of a class that guesses what the price makes likelier, and else by a coin."""
    played = Round(players=CLASS, per_street=5)
    belief = reveal(played).belief
    coin = random_generator(played.scenario.seed, Stream.PLAY).random(belief.shape)
    guesses = []
    for step in range(played.steps):
        for player in range(played.players):
            house = played.asked_about(player, step)
            at_home = bool(
                belief[step, house] > 0.5 or (belief[step, house] == 0.5 and coin[step, house] > 0.5)
            )
            guesses.append(Guess(step=step, player=player, house=house, at_home=at_home))
    return played.replace(guesses=tuple(guesses))


def slides() -> tuple[Slide, ...]:
    """Return the eight slides of a lesson."""
    solved, paid, drawn = puzzle(), costs(STREET), poster_figure(poster(Scenario()))
    short = paid[0]
    return (
        Slide(title="A price is a message about people", lines=(STREET.price_words(), *_uses(), WIN)),
        Slide(title="Who is at home?", lines=(_asked(solved), *_uses())),
        Slide(title="Two sums fit", lines=_solution(solved)),
        Slide(
            title="What an observer reads",
            lines=("How often somebody who reads one price is right about a house of this street.",),
            bars=_read(short),
        ),
        Slide(title="Noise in the price", lines=_noise(short)),
        Slide(
            title="What the noise costs",
            lines=("The noise is as wide for all streets, so a long one hardly feels it.",),
            bars=_cost(paid),
        ),
        Slide(title="The crowd and the noise", lines=(f"{drawn.words.partition('.')[0]}.",), svg=drawn.svg),
        Slide(title="To take home", lines=QUESTIONS),
    )


def handout() -> Slide:
    """Return the page that everybody gets."""
    solved = puzzle()
    lines = (STREET.price_words(), *_uses(), _asked(solved), "Your answer: …", *QUESTIONS)
    return Slide(title="Who is at home?", lines=lines)


def expected_numbers() -> str:
    """Return what a lesson is to show, and the answers of all exercises, as Markdown."""
    played, solved = recorded_round(), puzzle()
    rounds = (reveal(played), replay(played, FEATURED, played.epsilon))
    lines = [
        "# What to expect",
        "",
        f"*The price to solve.* {' '.join(_solution(solved))}",
        "",
        "## The recorded round",
        "",
    ]
    lines += [f"- {learned_words(scores)}" for scores in rounds]
    lines += ["", "## The lesson", ""]
    lines += [f"- {stop.title}, {stop.minutes} minutes. {stop.ask} *{stop.expect}*" for stop in PLAN]
    lines += ["", "## Answers of the exercises", ""]
    for number, exercise in enumerate(EXERCISES, 1):
        answer = exercise.answer(exercise.scenario, None)
        lines.append(f"{number}. {exercise.title} **{exercise.options[answer.option]}.** {answer.words}")
    return "\n".join(lines) + "\n"


def _uses() -> tuple[str, ...]:
    """What each house uses."""
    return tuple(f"House {house + 1} has {STREET.use(house)} (kW)." for house in range(STREET.houses))


def _asked(solved: Puzzle) -> str:
    return f"The price is {solved.price:.1f}. Which houses add up to it, and of which are you sure?"


def _solution(solved: Puzzle) -> tuple[str, ...]:
    """What fits the price, who is sure, and what was true."""
    sure = [f"{house + 1} is {'' if solved.truth[house] else 'not '}at home" for house in solved.sure()]
    return (
        f"{solved.price:.1f} − {STREET.scenario.beta:g} = {solved.used:.1f} kW.",
        f"At home may be {'; or '.join(map(_houses, solved.fits))}.",
        f"Of these one is sure: {', '.join(sure)}.",
        f"The truth: {_houses(solved.truth)}.",
    )


def _houses(at_home: Sequence[bool]) -> str:
    home = [str(house) for house, is_home in enumerate(at_home, 1) if is_home]
    return f"houses {', '.join(home)}" if home else "nobody"


def _read(cost: Cost) -> AnswerPicture:
    shares = {
        price_name(UNPROTECTED): cost.optimal,
        price_name(FEATURED, STREET.epsilon): cost.private,
        "A coin": 0.5,
    }
    texts = tuple(map(whole_percent, shares.values()))
    return AnswerPicture("Right about a house", shares, texts, 1.0)


def _cost(paid: Sequence[Cost]) -> AnswerPicture:
    values = {f"A street of {cost.houses:,}": cost.missed for cost in paid}
    texts = tuple(percent(value, 2) for value in values.values())
    return AnswerPicture("Off by, on average (RMSRE)", values, texts, max(values.values()))


def _noise(cost: Cost) -> tuple[str, ...]:
    widest = max(STREET.street_sizes)
    return (
        "To every price the curator adds a random number: mostly small, sometimes large, up or down.",
        f"It is {widest:g} kW, the largest house, divided by ε = {STREET.epsilon:g}: "
        f"{widest / STREET.epsilon:g} on average.",
        f"Then whoever reads a price is right about a house {whole_percent(cost.private)} of the time.",
        "Some prices are higher than all houses together could make them. That is the noise at work.",
    )
