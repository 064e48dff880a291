"""What deciding whom to protect costs: protected set and all scales against the rest of the day."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from benchmarks.measure import Result, best
from rtp import PRESETS, Scenario, simulate
from rtp.mechanisms import REGISTRY
from rtp.simulation import draw_day, market
from rtp.street.prior_marginals import support_classes
from rtp.street.simulate import StreetDay

CASES = (("paper", 1000, 40), ("unsure curator", 1000, 40), ("unsure curator", 1_000_000, 2))


def protect(scenario: Scenario, life: StreetDay) -> None:
    """Whom, and with how much noise."""
    spec, street = life.spec, replace(life.street)  # a copy remembers nothing that was worked out before
    sorted_ = support_classes(spec, street)
    public = market(scenario, replace(life, street=street, support_classes=sorted_)).public
    for noise in {mechanism.scale for mechanism in REGISTRY.values()}:
        noise(public)


def results() -> Iterator[Result]:
    for preset, households, repeats in CASES:
        scenario = PRESETS[preset].replace(households=households)
        part, whole = best(
            repeats, partial(protect, scenario, draw_day(scenario)), partial(simulate, scenario)
        )
        yield Result(
            subject=f"protected set and scales ÷ the rest of the day ({preset}, {households:,})",
            value=part / (whole - part),
            target=1.0,
        )
