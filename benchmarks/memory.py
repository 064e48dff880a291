"""Peak memory of a day above what the imports take; and without what any large street takes: its compiler."""

from collections.abc import Iterator

from benchmarks.measure import Result, peak_memory
from rtp.street.compiled import LARGE

HOUSEHOLDS = 1_000_000


def results() -> Iterator[Result]:
    few, many = (f"rtp.simulate(rtp.Scenario(households={houses}))" for houses in (LARGE, HOUSEHOLDS))
    yield Result(
        subject=f"peak memory per household, {HOUSEHOLDS:,} of them",
        value=peak_memory("import rtp", many) / HOUSEHOLDS,
        unit=" bytes",
        target=150.0,
    )
    yield Result(
        subject=f"the same per further household, from {LARGE:,} on",
        value=peak_memory(f"import rtp; {few}", many) / (HOUSEHOLDS - LARGE),
        unit=" bytes",
    )
