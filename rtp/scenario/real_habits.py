"""Habits of real people, for a preset: of those aged 25 to 54, by how their working days go.

Source: the tables of transitions between sleeping, being at home and being away, every 15 minutes, for five
kinds of working days and of weekend days, and how common each kind is at an age, of the Python package
obgeneration 0.1.5 (A. Su, 2026; MIT licence). None of its code is here.

What was made of them: as in the paper, occupied is up and about at home; asleep or away is empty. The three
states' chain says how many are occupied at every step and how many come and go; over a period, the chance per
step is the expected moves over the expected steps from which one could move, and the number here is that over
the whole period. The tables' days begin at 4:00, the lab's at midnight; eight periods follow the share of
people at home within five percentage points (root mean square) of the tables.
"""

from rtp.scenario.habits import Group, Habits, OccupancyModel, Period, period

SOURCE = "tables of the package obgeneration, MIT licence"
PARTS = (
    ("Waking", 5.0),
    ("Breakfast", 7.0),
    ("Morning", 9.0),
    ("Noon", 12.0),
    ("Afternoon", 15.0),
    ("Evening", 17.0),
    ("Late evening", 20.0),
    ("Night", 22.0),
)
Chances = tuple[float, ...]

WEEKEND: tuple[Chances, Chances] = (
    (0.521, 0.479, 0.517, 0.425, 0.271, 0.362, 0.564, 0.996),
    (0.243, 0.476, 0.536, 0.491, 0.397, 0.641, 0.367, 0.171),
)

# name, share of people, chance to be up at midnight, leave and arrive in every part of a working day
KINDS: tuple[tuple[str, float, float, Chances, Chances], ...] = (
    (
        "Long day away",
        0.549,
        0.063,
        (0.931, 0.895, 0.877, 0.926, 0.549, 0.503, 0.665, 0.999),
        (0.316, 0.194, 0.111, 0.143, 0.308, 0.694, 0.409, 0.193),
    ),
    (
        "Mostly home",
        0.209,
        0.132,
        (0.378, 0.263, 0.204, 0.202, 0.150, 0.268, 0.496, 0.988),
        (0.383, 0.677, 0.856, 0.881, 0.868, 0.934, 0.357, 0.212),
    ),
    (
        "Morning away",
        0.120,
        0.072,
        (0.506, 0.725, 0.721, 0.531, 0.217, 0.335, 0.573, 0.997),
        (0.396, 0.502, 0.535, 0.694, 0.870, 0.907, 0.394, 0.170),
    ),
    (
        "Afternoon away",
        0.107,
        0.105,
        (0.515, 0.372, 0.238, 0.432, 0.644, 0.692, 0.508, 0.998),
        (0.404, 0.691, 0.853, 0.795, 0.369, 0.583, 0.643, 0.238),
    ),
    (
        "Evening and night away",
        0.015,
        0.001,
        (0.919, 0.789, 0.515, 0.616, 0.569, 0.904, 0.909, 0.999),
        (0.183, 0.355, 0.373, 0.513, 0.467, 0.274, 0.128, 0.210),
    ),
)


def _periods(leave: Chances, arrive: Chances) -> tuple[Period, ...]:
    return tuple(
        period(name, start, leave=out, arrive=back)
        for (name, start), out, back in zip(PARTS, leave, arrive, strict=True)
    )


REAL_GROUPS = tuple(Group(name=name, share=share) for name, share, *_ in KINDS)
REAL_HABITS = OccupancyModel(
    name="Aged 25 to 54",
    habits=tuple(
        Habits(initial_occupied=initial, periods=_periods(leave, arrive), weekend=_periods(*WEEKEND))
        for _, _, initial, leave, arrive in KINDS
    ),
)
