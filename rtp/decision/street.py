"""The street that an answer is about: as it is described, and not as one seed has drawn it.

Where houses are not listed, those of a group are spread evenly over its bounds, and who can use most when
occupied uses least when empty: the house that shows best among all that the description allows is there. So
two seeds have the same answer.
"""

from itertools import count

import numpy as np

from rtp.scenario import House, Scenario, edit
from rtp.street.draw import group_sizes

SEED = 2019
MOST_LISTED = 2_000  # houses; of more, one draw is much like another


def described_street(scenario: Scenario) -> Scenario:
    """The scenario on the street of its description, for a day, whatever its seed and its ε."""
    fixed = scenario.replace(seed=SEED, epsilon=1.0, days=1)
    if scenario.houses is not None or scenario.households > MOST_LISTED:
        return fixed
    sizes = group_sizes([group.share for group in scenario.groups], scenario.households)
    number = count(1)
    houses = [
        House(name=f"House {next(number)}", group=group.name, occupied=float(occupied), empty=float(empty))
        for group, size in zip(scenario.groups, sizes, strict=True)
        for occupied, empty in zip(
            np.linspace(group.occupied_max, group.occupied_min, size),
            np.linspace(group.empty_min, group.empty_max, size),
            strict=True,
        )
    ]
    return edit.with_houses(fixed, houses)
