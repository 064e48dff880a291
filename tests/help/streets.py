"""Streets on which answers are recorded: every preset at a size that is quick, and four that are odd.

Together the odd ones reach what no preset does: groups with different hours and a weekend, demand that
follows prices and rates that are clipped, learned distributions of use in kW on half-hours, and houses listed
by name under two models with structural zeros, of which the curator believes the wrong one.
"""

import numpy as np

from rtp import PRESETS, Group, Habits, House, Law, OccupancyModel, Scenario
from rtp.core.types import Floats
from rtp.probability.markov import Chains, propagate
from rtp.scenario import edit, period
from rtp.street.draw import StreetSpec
from rtp.teaching.stage import with_group_away

MOST_HOUSES = 40

_EARLY = Habits(
    initial_occupied=0.1,
    periods=(
        period("Dawn", 5.0, leave=0.1, arrive=0.9),
        period("Work", 7.5, leave=1.0, arrive=0.0),
        period("Evening", 15.0, leave=0.1, arrive=0.95),
        period("Night", 21.0, leave=0.99, arrive=0.02),
    ),
    weekend=(
        period("Late morning", 9.0, leave=0.3, arrive=0.8),
        period("Late night", 23.75, leave=0.97, arrive=0.0),
    ),
)
_ALL_DAY = Habits(
    initial_occupied=0.9,
    periods=(period("Day", 6.0, leave=0.2, arrive=0.6), period("Night", 22.0, leave=0.05, arrive=0.01)),
)

WEEKEND = Scenario(
    households=24,
    days=3,
    first_weekday="Friday",
    habit_spread=0.02,
    negligible=0.01,
    epsilon=0.8,
    seed=3,
    groups=(
        Group(name="Early", share=0.5, occupied_max=2.0, empty_max=0.3, occupied_min=0.5),
        Group(name="At home", share=0.25, occupied_max=1.0, empty_max=0.8),
        Group(name="Paper", share=0.25),
    ),
    models=(OccupancyModel(name="Three ways", habits=(_EARLY, _ALL_DAY, Habits())),),
)
ELASTIC = Scenario(
    households=30,
    elasticity=0.6,
    clip_at_zero=True,
    epsilon=0.05,
    beta=2.0,
    alpha=0.5,
    inelastic_demand=3.0,
    independent_noise=True,
    naive_bound="realised",
    seed=11,
)
HALF_HOURS = Scenario(
    households=16,
    step_minutes=30,
    power_unit="kW",
    currency="EUR",
    alpha=0.01,
    beta=0.2,
    days=2,
    seed=5,
    groups=(
        Group(
            name="Learned",
            share=0.75,
            occupied_max=4.0,
            empty_max=1.0,
            law=Law(
                edges=(0.0, 0.2, 0.5, 1.5, 4.0), empty=(0.7, 0.2, 0.1, 0.0), occupied=(0.1, 0.2, 0.5, 0.2)
            ),
        ),
        Group(name="Uniform", share=0.25, occupied_max=3.0, empty_max=0.5),
    ),
    models=(OccupancyModel(name="Both", habits=(Habits(), _ALL_DAY)),),
)
LISTED = Scenario(
    households=5,
    beta=1.0,
    seed=8,
    assumed_model="Sleepers",
    groups=(
        Group(name="Villas", share=0.4, occupied_max=3.0, empty_max=1.0),
        Group(name="Flats", share=0.6),
    ),
    models=(
        OccupancyModel(name="Early", habits=(_EARLY, Habits())),
        OccupancyModel(
            name="Sleepers",
            habits=(
                Habits(initial_occupied=0.0),
                Habits(
                    initial_occupied=0.3,
                    periods=(
                        period("Morning", 7.0, leave=0.3, arrive=0.7),
                        period("Day", 10.0, leave=0.6, arrive=0.2),
                        period("Evening", 17.0, leave=0.3, arrive=0.7),
                        period("Night", 23.0, leave=1.0, arrive=0.0),
                    ),
                ),
            ),
        ),
    ),
    houses=(
        House(name="Corner", group="Villas", occupied=2.5, empty=0.4),
        House(name="Mill", group="Villas", occupied=1.5, empty=0.9),
        House(name="No 1", group="Flats", occupied=0.9, empty=0.1),
        House(name="No 2", group="Flats", occupied=0.5, empty=0.5),
        House(name="No 3", group="Flats", occupied=0.2, empty=0.4),
        House(name="Empty lot", group="Flats", occupied=0.3, empty=0.2, left_out=True),
    ),
)
ODD: dict[str, Scenario] = {
    "weekend": WEEKEND,
    "elastic": ELASTIC,
    "half hours": HALF_HOURS,
    "listed": LISTED,
}


def small(scenario: Scenario) -> Scenario:
    """The scenario with no more houses than are quick."""
    return scenario if scenario.households <= MOST_HOUSES else edit.of_size(scenario, MOST_HOUSES)


STREETS: dict[str, Scenario] = {name: small(preset) for name, preset in PRESETS.items()} | ODD

CERTAIN = with_group_away(Scenario(households=30), 0, range(4))  # nobody is ever at home, and everybody knows
# One mansion among small houses, α away from 1, everyone uncertain all day: what an audit is tried on.
MANSION = Scenario(
    households=12,
    epsilon=2.0,
    alpha=1.7,
    groups=(
        Group(name="Mansion", share=1 / 12, occupied_max=4.0, empty_max=0.5),
        Group(name="Houses", share=11 / 12),
    ),
    models=(PRESETS["paper"].models[0].replace(habits=PRESETS["paper"].models[0].habits * 2),),
    seed=3,
)


def stated_occupancy(spec: StreetSpec) -> Floats:
    """(T,): the street's expected occupancy if every house kept exactly its group's stated habits."""
    total = np.zeros(spec.steps)
    for group, schedule in zip(spec.groups, spec.schedules[0], strict=True):
        chain = Chains(
            initial=np.array([schedule.initial]),
            leave=np.array(schedule.leave)[:, None],
            arrive=np.array(schedule.arrive)[:, None],
            row=np.resize(schedule.period, spec.steps - 1),
        )
        total += group.share * propagate(chain)[:, 0]
    return total
