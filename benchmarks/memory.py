"""Peak memory of a day: what more houses take than a large street, which has loaded all that they need."""

from collections.abc import Iterator

from benchmarks.measure import Result, peak_memory

FEW, MANY = 200_000, 1_000_000


def results() -> Iterator[Result]:
    few, many = (f"rtp.simulate(rtp.Scenario(households={households}))" for households in (FEW, MANY))
    yield Result(
        subject=f"peak memory per household, from {FEW:,} to {MANY:,}",
        value=peak_memory(f"import rtp; {few}", many) / (MANY - FEW),
        unit=" bytes",
        target=150.0,
    )
