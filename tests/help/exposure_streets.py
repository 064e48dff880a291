"""Random small streets, by a seed: every one can be followed exactly by the slow twin of exposure.

Up to five houses are as different as a scenario lets them be. More come in groups of alike houses: one bound
each and no habits of their own, so that the number of occupied houses in a group says all. Use is uniform, a
histogram, point masses alone on a grid, or a constant standby beside a spread; a bound may cut it. Some have
a price cap that binds, some a weekend or a Sunday.
"""

import numpy as np
from numpy.random import Generator, default_rng

from rtp.scenario import Group, Habits, Law, OccupancyModel, Period, Scenario
from rtp.scenario.habits import period
from tests.help.exposure_twin import FEW, record

NAMES = ("Flats", "Houses", "Shops")
WIDTHS = (0.0, 0.15, 0.6, 3.0)  # of the noise, beside the largest bound


def random_street(seed: int) -> Scenario:
    """Return the street of that number."""
    rng = default_rng(seed)
    apart = rng.random() < 0.6
    groups = int(rng.integers(1, 4)) if apart else int(rng.choice([1, 1, 2]))
    houses = int(rng.integers(max(2, groups), FEW + 1)) if apart else int(rng.integers(6, 61))
    if groups == 2 and not apart:
        houses = min(houses, 26)
    sizes = _sizes(rng, houses, groups)
    hours = [_starts(rng) for _ in range(2)]
    weekends = rng.random() < 0.35
    sunday = _periods(default_rng([seed, 7]), hours[0]) if seed % 3 == 0 else None
    street = Scenario(
        households=houses,
        step_minutes=60,
        seed=seed,
        habit_spread=float(rng.choice([0.0, 0.01])) if apart else 0.0,
        first_weekday=str(rng.choice(["Monday", "Friday", "Saturday"])),
        groups=tuple(_group(rng, name, n / houses, apart) for name, n in zip(NAMES, sizes, strict=False)),
        models=(
            OccupancyModel(habits=tuple(_habits(rng, hours, weekends).replace(sunday=sunday) for _ in sizes)),
        ),
        alpha=float(rng.uniform(0.2, 2)),
        beta=float(rng.uniform(1, 5)),
        epsilon=float(rng.choice([0.3, 1.0, 4.0])),
    )
    return _capped(rng, street) if rng.random() < 0.3 else street


def largest_bound(street: Scenario) -> float:
    """Return the most a house of the street may use."""
    return max(max(group.occupied_max, group.empty_max) for group in street.groups)


def widths(street: Scenario) -> list[float]:
    """Return scales of noise on demand that are tried on a street."""
    return [width * largest_bound(street) for width in WIDTHS]


def _sizes(rng: Generator, houses: int, groups: int) -> list[int]:
    cuts = sorted(rng.choice(range(1, houses), size=groups - 1, replace=False).tolist())
    return [after - before for before, after in zip([0, *cuts], [*cuts, houses], strict=True)]


def _starts(rng: Generator) -> list[int]:
    return sorted(rng.choice(24, size=int(rng.integers(2, 5)), replace=False).tolist())


def _habits(rng: Generator, hours: list[list[int]], weekends: bool) -> Habits:
    return Habits(
        initial_occupied=float(rng.choice([0.1, 0.5, 0.9, 1.0])),
        periods=_periods(rng, hours[0]),
        weekend=_periods(rng, hours[1]) if weekends else None,
    )


def _periods(rng: Generator, starts: list[int]) -> tuple[Period, ...]:
    chances = [0.0, 0.02, 0.1, 0.3, 0.6, 0.6, 0.9, 1.0]
    return tuple(
        period(
            f"from {start}", float(start), basis="step",
            leave=float(rng.choice(chances[:-1])), arrive=float(rng.choice(chances[1:])),
        )
        for start in starts
    )  # fmt: skip


def _group(rng: Generator, name: str, share: float, apart: bool) -> Group:
    occupied, empty = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.1, 0.5))
    kind = rng.choice(["uniform", "histogram", "point masses", "standby", "tight"])
    law = None if kind == "uniform" else _law(rng, str(kind))
    if law is not None:
        occupied = law.edges[-1] * float(rng.choice([1.0, 1.0, 0.8]))
        empty = min(empty, occupied)
    spread = 0.5 if apart and law is None else 1.0
    return Group(
        name=name, share=share, law=law, occupied_max=occupied, occupied_min=spread * occupied,
        empty_max=empty, empty_min=spread * empty,
    )  # fmt: skip


def _law(rng: Generator, kind: str) -> Law:
    """Return a distribution of use; the places of point masses are whole twentieths."""
    edges: list[float]
    if kind == "histogram":
        edges = [0.0, 0.2, 0.5, 1.0]
        masses = [rng.dirichlet([4, 2, 1]), rng.dirichlet([1, 2, 4])]
    elif kind == "standby":
        edges = [0.05, 0.05, 0.3, 1.0]
        masses = [rng.dirichlet([8, 2, 0.5]), rng.dirichlet([0.5, 2, 4])]
    elif kind == "tight":
        edges = [0.1, 0.15, 0.8, 0.9]
        masses = [np.array([1.0, 0, 0]), np.array([0, 0, 1.0])]
    else:
        places = np.sort(rng.choice(range(1, 12), size=3, replace=False)) / 20
        edges = np.repeat(places, 2).tolist()
        masses = [np.array([p, 0, q, 0, r]) for p, q, r in rng.dirichlet([1, 1, 1], size=2)]
    empty, occupied = (tuple(own.tolist()) for own in masses)
    return Law(edges=tuple(edges), empty=empty, occupied=occupied)


def _capped(rng: Generator, street: Scenario) -> Scenario:
    """Return the street with a cap between half and all of its largest expected demand."""
    known = record(street)
    middle = (known.edges[:, :-1] + known.edges[:, 1:]) / 2
    empty, occupied = (known.mass * middle).sum(axis=2)
    chance = known.occupied()
    demand = float((chance * occupied + (1 - chance) * empty).sum(axis=1).max())
    return street.replace(price_cap=street.beta + street.alpha * demand * float(rng.uniform(0.5, 1)))
