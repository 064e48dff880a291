"""What deciding whom to protect costs: protected set and all scales against the rest of the day."""

from collections.abc import Iterator
from functools import partial

from rtp.life import plans

from benchmarks.measure import Result, best
from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.simulation import live, public_knowledge
from rtp.street.kinds import kinds
from rtp.street.life import Life

CASES = (("paper", 1000, 40), ("unsure curator", 1000, 40), ("unsure curator", 1_000_000, 2))


def protect(scenario: Scenario, life: Life) -> None:
    """Whom, and with how much noise."""
    kinds(life.street, plans(scenario), scenario.habit_spread, scenario.habit_clip, scenario.days)
    public = public_knowledge(scenario, life)
    for noise in {mechanism.noise for mechanism in REGISTRY.values()}:
        noise(public)


def results() -> Iterator[Result]:
    for preset, households, repeats in CASES:
        scenario = PRESETS[preset].replace(households=households)
        part, whole = best(repeats, partial(protect, scenario, live(scenario)), partial(simulate, scenario))
        yield Result(
            subject=f"protected set and scales ÷ the rest of the day ({preset}, {households:,})",
            value=part / (whole - part),
            target=1.0,
        )
