"""One line that says which scenario a picture shows, for when the picture is seen without the lab."""

from rtp.scenario.bounds import BOUNDS
from rtp.scenario.differences import differences, number
from rtp.scenario.model import Scenario
from rtp.scenario.origin import origin_words
from rtp.scenario.presets import PRESETS

ALWAYS = {
    "epsilon": "ε {}",
    "alpha": "α {}",
    "beta": "β {}",
    "households": "households {}",
    "days": "days {}",
}
MOST = 6  # other settings that are named


def caption(scenario: Scenario, preset: str) -> str:
    """The preset, the numbers that are always told, what else was changed, and where the picture is from."""
    told = [words.format(number(getattr(scenario, name))) for name, words in ALWAYS.items()]
    known = {BOUNDS[name].words for name in (*ALWAYS, "seed")}
    rows = [row for row in differences([PRESETS[preset], scenario]) if row.setting not in known]
    told += [f"{row.setting}: {row.values[1]}" for row in rows[:MOST]]
    if len(rows) > MOST:
        told.append(f"{len(rows) - MOST} more settings changed")
    return f"{preset.capitalize()}: {'; '.join(told)}. RTP Privacy Lab {origin_words(scenario)}"
