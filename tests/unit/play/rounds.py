"""Random rounds for the property tests."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rtp import Scenario
from rtp.mechanisms import REGISTRY
from rtp.play import Guess, Round


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
