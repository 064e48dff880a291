"""All mechanisms on the paper's day against drawing its uniforms; many budgets at once against one."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.measure import Result, processor_ratio, uniforms
from rtp import PRESETS, Scenario
from rtp.simulation import draw_day, publish_day
from rtp.tradeoff import curve

REPEATS = 40


def results() -> Iterator[Result]:
    scenario = Scenario()
    publish = partial(publish_day, scenario, draw_day(scenario))
    yield Result(
        subject="all mechanisms on the paper's day ÷ drawing its uniforms",
        value=processor_ratio(publish, uniforms(scenario.households), REPEATS),
        target=6.0,
    )
    for preset in ("paper", "mixed street"):
        street = draw_day(PRESETS[preset])
        many = partial(curve, PRESETS[preset], np.geomspace(0.01, 10, 20), 10, street_day=street)
        one = partial(curve, PRESETS[preset], [0.5], 10, street_day=street)
        yield Result(
            subject=f"errors at twenty budgets ÷ at one ({preset})",
            value=processor_ratio(many, one, REPEATS // 4),
            target=3.0,
        )
