"""Print the first sentence's numbers of every preset, and how far single days are from them.

`python -m scripts.headlines`: by habits alone, by the public price and by the private price, in percent with
their margins; then the lowest and highest that the single days of the first twenty seeds would have said.
"""

from rtp.core.types import Floats
from rtp.scenario import PRESETS, Scenario
from rtp.teaching.headline import average, private_days, public_days
from rtp.teaching.threat import story_street

SEEDS = 20  # whose single days are compared
COLUMNS = ("preset", "ε", "habits alone", "public price", "private price", "one day", "public", "private")


def row(name: str, scenario: Scenario) -> list[str]:
    """A preset's line."""
    street = story_street(scenario)
    public, private = public_days(street, 0), private_days(street, 0)
    days = (public.habits, public.public, private.private)
    return [name, f"{scenario.epsilon:g}", *map(_average, days), *map(_range, days)]


def _average(days: Floats) -> str:
    value, margin = average(days)
    return f"{100 * value:.1f} ± {100 * margin:.1f}"


def _range(days: Floats) -> str:
    return f"{100 * days[:SEEDS].min():.0f} to {100 * days[:SEEDS].max():.0f}"


if __name__ == "__main__":
    rows = [row(name, scenario) for name, scenario in PRESETS.items()]
    rows.append(row("paper", PRESETS["paper"].replace(epsilon=5.0)))
    for cells in (COLUMNS, ["---"] * len(COLUMNS), *rows):
        print("|", " | ".join(cells), "|")
