"""Random rounds for the property tests, and the naive twin of the engine: loops, fractions, nothing shared.

The twin takes from the lab what is drawn on a street by habit, the unit noise and the tariff's three numbers;
use, prices and beliefs it makes itself. Its densities are inclusion–exclusion in fractions: nothing cancels.
"""

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rtp import Scenario
from rtp.core.random import Stream, seed_of
from rtp.core.types import Bools, Floats
from rtp.mechanisms import REGISTRY
from rtp.play import Guess, Round, street_scenario
from rtp.simulation.day import draw_day
from rtp.simulation.publish import unit_noise
from rtp.street.simulate import replay_houses


@st.composite
def rounds(draw: DrawFn, most: int = 12, longest: int = 5, guesses: bool = True) -> Round:
    """A round of up to so many players, with choices for some of its steps and some of its guesses."""
    made = Round(
        scenario=Scenario(seed=draw(st.integers(0, 10_000)), epsilon=draw(st.sampled_from([0.1, 0.5, 2.0]))),
        players=draw(st.integers(1, most)),
        per_street=draw(st.integers(3, longest)),
        steps=draw(st.integers(1, 8)),
        first_hour=draw(st.integers(0, 23)),
        mechanism=draw(st.sampled_from(list(REGISTRY))),
        habits=draw(st.sampled_from(["coin", "scenario"])),
    )
    row = st.tuples(*[st.integers(-1, 1)] * made.houses)
    choices = tuple(draw(st.lists(row, max_size=made.steps)))
    asked = [(t, player) for t in range(made.steps) for player in range(made.players)]
    answered = draw(st.lists(st.sampled_from(asked), unique=True, max_size=20)) if guesses else []
    return made.replace(
        choices=choices,
        guesses=tuple(
            Guess(step=t, player=player, house=made.asked_about(player, t), at_home=draw(st.booleans()))
            for t, player in answered
        ),
    )


def used_at_home_or_away(size: float, at_home: bool) -> tuple[Fraction, Fraction]:
    """The least and the most that a house uses."""
    exact = Fraction(size)
    return (exact * Fraction(0.6), exact) if at_home else (Fraction(0), exact * Fraction(0.1))


def by_habit(played: Round, street: int) -> tuple[Bools, Floats]:
    """(24, n): what the houses would have done and used; on a street of the lab smaller houses come first."""
    drawn, sizes = draw_day(street_scenario(played, street)), played.street_sizes
    in_the_lab = sorted(range(len(sizes)), key=lambda i: (sizes[i], i))
    return replay_houses(drawn.spec, drawn.street, [in_the_lab.index(i) for i in range(len(sizes))])


def twin_states(played: Round, street: int) -> Bools:
    """(steps, n): who is at home, house by house."""
    states, _ = by_habit(played, street)
    result = states[: played.steps].copy()
    for t, row in enumerate(played.choices):
        for i, house in enumerate(played.streets[street]):
            if row[house] != -1:
                result[t, i] = row[house] == 1
    return result


def twin_used(played: Round, street: int) -> Floats:
    """(steps, n): each house uses the same part of its range as it would have by habit."""
    states, used = by_habit(played, street)
    chosen = twin_states(played, street)
    result = used[: played.steps].copy()
    for t, row in enumerate(result):
        for i, house in enumerate(played.streets[street]):
            low, high = map(float, used_at_home_or_away(played.size(house), bool(states[t, i])))
            part = (used[t, i] - low) / (high - low)
            low, high = map(float, used_at_home_or_away(played.size(house), bool(chosen[t, i])))
            row[i] = low + part * (high - low)
    return result


def twin_prices(played: Round, street: int) -> tuple[list[float], list[float]]:
    """The exact price of every step and the one with the noise of the largest house."""
    scenario = street_scenario(played, street)
    noise = unit_noise(seed_of(scenario.seed, Stream.NOISE), 24, False)["blowfish"]
    exact = [scenario.alpha * float(sum(row)) + scenario.beta for row in twin_used(played, street)]
    scale = scenario.alpha * max(played.street_sizes) / scenario.epsilon
    return exact, [rate + scale * float(unit) for rate, unit in zip(exact, noise, strict=False)]
