"""The poster: privacy has two sources, the crowd and the noise, and one image shows both.

The same kinds of houses live on ever longer streets, and the same day is priced without noise, with a little
and with a lot. On each street one house is followed, the one whose use shows best in the demand, by an
outsider who has read all prices of the day. Down, the crowd grows; to the right, the noise: her belief leaves
the truth for what habits alone say in either direction.
"""

from dataclasses import dataclass

from rtp.attack.adversary import largest_gaps, posterior
from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.scenario import Scenario, edit
from rtp.simulation import draw_day, publish_day
from rtp.street.simulate import replay_houses

STREETS = (2, 5, 50, 1_000)  # houses
BUDGETS = (None, 5.0, 0.5)  # ε; None is the optimal rate, without noise


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One street under one budget. Arrays are (T,)."""

    households: int
    epsilon: float | None
    occupied: Bools  # the truth of the house that is followed
    habits: Floats  # Pr[occupied] without any price
    belief: Floats  # Pr[occupied | all prices of the day]

    @property
    def right(self) -> float:
        """At which share of the moments of that day the belief is right."""
        return float(right_guesses(self.belief, self.occupied).mean())

    @property
    def habits_right(self) -> float:
        """The same of habits alone: how easy that day of that house was."""
        return float(right_guesses(self.habits, self.occupied).mean())


def poster(scenario: Scenario) -> tuple[Panel, ...]:
    """The panels, street by street, from no noise to the most."""
    return tuple(panel for households in STREETS for panel in _street(scenario, households))


def _street(scenario: Scenario, households: int) -> list[Panel]:
    """One street, drawn once, under every budget."""
    street = edit.of_size(scenario.replace(days=1), households)
    drawn = draw_day(street)
    house = largest_gaps(drawn.street, 1)[0]
    occupied = replay_houses(drawn.spec, drawn.street, [house])[0][:, 0]
    panels = []
    for epsilon in BUDGETS:
        day = publish_day(street.replace(epsilon=epsilon or street.epsilon), drawn)
        rate = UNPROTECTED if epsilon is None else FEATURED
        found = posterior(day, rate, inference="smoothing", house=house)
        panels.append(
            Panel(
                households=households,
                epsilon=epsilon,
                occupied=occupied,
                habits=found.model_only[:, 0],
                belief=found.belief[:, 0],
            )
        )
    return panels
