"""What deciding whom to protect costs: protected set and all scales against the rest of the day."""

from collections.abc import Iterator

from benchmarks.measure import Result, best
from rtp import PRESETS, simulate
from rtp.life import live, plans
from rtp.mechanisms import REGISTRY
from rtp.simulation import public_knowledge
from rtp.street import kinds

CASES = (("paper", 1000, 40), ("unsure curator", 1000, 40), ("unsure curator", 1_000_000, 2))


def results() -> Iterator[Result]:
    for preset, households, repeats in CASES:
        scenario = PRESETS[preset].replace(households=households)
        life = live(scenario)
        public = public_knowledge(scenario, life)
        model = plans(scenario)

        def protect() -> None:
            kinds(life.street, model, scenario.habit_spread, scenario.habit_clip, scenario.days)  # noqa: B023
            for mechanism in REGISTRY.values():
                mechanism.noise(public)  # noqa: B023

        part, whole = best(repeats, protect, lambda: simulate(scenario))  # noqa: B023
        yield Result(
            subject=f"protected set and scales ÷ the rest of the day ({preset}, {households:,})",
            value=part / (whole - part),
            target=1.0,
        )
