"""The scenario of a session and its history, without an app: what the same actions must lead to."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from rtp import PRESETS, Scenario
from rtp.scenario import ScenarioError

TYPED = {
    "epsilon": ["0,1", "1/2", "50 %", "2", "0.35", "abc", "-1", "", "1e-9"],
    "alpha": ["0.0004", "1,5", "2", "0"],
    "beta": ["62,5", "0", "1/0", "7"],
    "households": ["5", "12", "10.000", "1e1", "3/2"],
    "seed": ["3", "1 000", "-1"],
}


@dataclass
class Plain:
    """The scenario and its history, without an app."""

    preset: str = "tiny street"
    now: Scenario = PRESETS["tiny street"]
    past: list[tuple[str, Scenario]] = field(default_factory=list)
    future: list[tuple[str, Scenario]] = field(default_factory=list)

    def put(self, scenario: Scenario, preset: str | None = None) -> None:
        after = (preset or self.preset, scenario)
        if after != (self.preset, self.now):
            self.past, self.future = [*self.past, (self.preset, self.now)], []
            self.preset, self.now = after

    def edit(self, change: Callable[[Scenario], Scenario]) -> bool:
        with suppress(ScenarioError):
            self.put(change(self.now))
            return True
        return False

    def travel(self, back: list[tuple[str, Scenario]], ahead: list[tuple[str, Scenario]]) -> None:
        if back:
            ahead.append((self.preset, self.now))
            self.preset, self.now = back.pop()
