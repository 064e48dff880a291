"""The step of the day one looks at; the same on every tab."""

from pages.ui.player import Pace, Player, time_slider
from pages.ui.session import lab
from rtp.scenario import Scenario

PACE = Pace(tick=1.0, stride=2, forgotten=10.0)


def cursor() -> Player:
    here: Player = lab().memo.setdefault("attacker:cursor", Player(PACE, "attacker:step"))
    return here


def chosen_step(scenario: Scenario, label: str) -> int:
    return time_slider(cursor(), label, label, scenario.steps, scenario.when)
