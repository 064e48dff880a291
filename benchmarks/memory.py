"""Peak memory of a day above what the imports take."""

from collections.abc import Iterator

from benchmarks.measure import Result, peak_memory

HOUSEHOLDS = 1_000_000


def results() -> Iterator[Result]:
    yield Result(
        subject=f"peak memory per household, {HOUSEHOLDS:,} of them",
        value=peak_memory("import rtp", f"rtp.simulate(rtp.Scenario(households={HOUSEHOLDS}))") / HOUSEHOLDS,
        unit=" bytes",
        target=150.0,
    )
