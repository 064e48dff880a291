"""The unit Laplace draws of a scenario's own day."""

from rtp.core.random import Stream, seed_of
from rtp.core.types import Floats
from rtp.scenario import Scenario
from rtp.simulation import unit_noise


def unit_draws(scenario: Scenario) -> dict[str, Floats]:
    """By mechanism, (T,) each."""
    return unit_noise(seed_of(scenario.seed, Stream.NOISE), scenario.steps, scenario.independent_noise)
