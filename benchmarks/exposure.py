"""How long exposure takes, in processor time: a screen waits for it after every change of the street."""

from collections.abc import Iterator
from functools import partial

import rtp
from benchmarks.measure import Result, processor_best
from rtp import PRESETS, Scenario
from rtp.exposure import Observer, Secret

TINY, PAPER, FEEDER = PRESETS["tiny street"], PRESETS["paper"], PRESETS["feeder"]


def results() -> Iterator[Result]:
    yield of(f"a moment on a street of {TINY.households}, an outsider", TINY, "moment", ["outsider"], 0.1)
    yield of(f"a moment on a street of {TINY.households}, an insider", TINY, "moment", ["insider"], 0.1)
    yield of(f"a moment among {PAPER.households:,}, both", PAPER, "moment", ["outsider", "insider"], 2.0)
    yield of(
        f"a week among {FEEDER.households} in three groups, both",
        FEEDER,
        "week",
        ["outsider", "insider"],
        8.0,
    )


def of(subject: str, scenario: Scenario, secret: Secret, observers: list[Observer], limit: float) -> Result:
    """The seconds until it can be read at an ε, by each of these observers."""

    def work() -> None:
        for observer in observers:
            rtp.exposure(scenario, secret, observer).at("blowfish")

    work()  # once, so that what is imported late is there
    (spent,) = processor_best(2, partial(work))
    return Result(subject=f"exposure: {subject}, processor time", value=spent, unit=" s", target=limit)
