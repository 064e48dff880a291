"""A scenario in words: where its results come from, what tells it from others, one line beneath a picture.

A scenario's digest is the start of the SHA-256 of its JSON text: the same scenario, the same digest. With the
scenario itself, from its file or link, the same lab makes the same numbers again; the digest says whether it
is the same scenario.

In a comparison every setting is named as its control is. Groups and models are compared by name, where all
scenarios have them; which ones there are is a setting of its own.
"""

import zlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import NamedTuple

from rtp.core.formatting import plain
from rtp.core.time import PAPER_STEP, hhmm
from rtp.scenario.consumption import Group, House, house_list_id, included
from rtp.scenario.edit import Moved
from rtp.scenario.fields import Setting, walk
from rtp.scenario.habits import Period
from rtp.scenario.model import Scenario
from rtp.scenario.presets import PRESETS
from rtp.scenario.validation import BOUNDS, VALUE_LABELS
from rtp.version import VERSION

DIGEST_LENGTH = 12
ABSENT = "—"
AS_ON_OTHER_DAYS, NO_UNITS = "as on other days", "none"
ALIKE = {"weekend": AS_ON_OTHER_DAYS, "sunday": "as on Saturday"}  # of days that have no periods of their own
BASIS_WORDS = {"period": "over the period", "step": "per step"}
_ALWAYS = {"epsilon": "ε", "alpha": "α", "beta": "β", "households": "households", "days": "days"}
MAX_SHORT_NAME = 34  # characters
MAX_CHANGES = 6  # other settings that a caption names


def digest(scenario: Scenario) -> str:
    return sha256(scenario.to_json(None).encode()).hexdigest()[:DIGEST_LENGTH]


def origin(scenario: Scenario) -> dict[str, str | int]:
    """Where a table comes from, as columns: which lab, which scenario and seed, and when."""
    return {
        "lab_version": VERSION,
        "lab_scenario": digest(scenario),
        "lab_seed": scenario.seed,
        "lab_step_minutes": scenario.step_minutes,
        "lab_units": units_words(scenario),
        "lab_weekend": weekend_habits(scenario),
        "lab_date": str(_today()),
    }


def origin_words(scenario: Scenario) -> str:
    """The same as words, after the lab's name; clock, units and weekend where they are not the paper's."""
    parts = [f"scenario {digest(scenario)}", f"seed {scenario.seed}"]
    if scenario.step_minutes != PAPER_STEP:
        parts.append(f"a price every {scenario.step_minutes} minutes")
    if (units := units_words(scenario)) != NO_UNITS:
        parts.append(f"in {units}")
    if (weekend := weekend_habits(scenario)) != AS_ON_OTHER_DAYS:
        parts.append(f"{weekend} at the weekend")
    return f"{VERSION} on {_today()}; {', '.join(parts)}"


def units_words(scenario: Scenario) -> str:
    """In what power and money are."""
    return " and ".join(filter(None, (scenario.power_unit, scenario.currency))) or NO_UNITS


def weekend_habits(scenario: Scenario) -> str:
    """Whether any group keeps other hours then."""
    return "other habits" if scenario.has_weekends else AS_ON_OTHER_DAYS


def span_words(scenario: Scenario) -> str:
    """How long a run is: "a day", or "7 days"."""
    return "a day" if scenario.days == 1 else f"{scenario.days:,} days"


def span_stem(scenario: Scenario) -> str:
    """The same for the name of a file."""
    return "day" if scenario.days == 1 else f"{scenario.days}_days"


def _today() -> date:
    return datetime.now(UTC).date()


def more_settings(count: int) -> str:
    """How many are not told one by one."""
    return "1 more setting" if count == 1 else f"{count} more settings"


def caption(scenario: Scenario, preset: str) -> str:
    """The preset, the numbers that are always named, what else was changed, and where a picture is from."""
    parts = [f"{words} {number(getattr(scenario, name))}" for name, words in _ALWAYS.items()]
    named = {BOUNDS[name].words for name in (*_ALWAYS, "seed")}
    rows = [row for row in differences([PRESETS[preset], scenario]) if row.setting not in named]
    parts += [f"{row.setting}: {row.values[1]}" for row in rows[:MAX_CHANGES]]
    if len(rows) > MAX_CHANGES:
        parts.append(f"{more_settings(len(rows) - MAX_CHANGES)} changed")
    return f"{preset.capitalize()}: {'; '.join(parts)}. RTP Privacy Lab {origin_words(scenario)}"


def short_name(scenario: Scenario, preset: str) -> str:
    """What tells a scenario from its preset, for a label: "180 houses, 30 min, ε 0.34"; else the preset."""
    theirs = PRESETS[preset]
    parts = {
        "households": f"{scenario.households} houses",
        "step_minutes": f"{scenario.step_minutes} min",
        "days": f"{scenario.days} days",
        "alpha": f"α {plain(scenario.alpha)}",
        "beta": f"β {plain(scenario.beta)}",
    }
    differ = [words for name, words in parts.items() if getattr(scenario, name) != getattr(theirs, name)]
    name = ", ".join([*(differ or [preset.capitalize()]), f"ε {plain(scenario.epsilon)}"])
    return name if len(name) <= MAX_SHORT_NAME else f"{preset.capitalize()}, ε {plain(scenario.epsilon)}"


def moved_words(moved: Sequence[Moved]) -> list[str]:
    """Which periods begin at another hour, a sentence each."""
    return [
        f"{each.period} of {each.group} begins at {hhmm(each.after)}, not {hhmm(each.before)}."
        for each in moved
    ]


class Difference(NamedTuple):
    """A setting and its value in every scenario, in words."""

    setting: str
    values: tuple[str, ...]


def differences(scenarios: Sequence[Scenario]) -> list[Difference]:
    """The settings in which the scenarios are not all alike, in the order of the controls."""
    if not scenarios:
        return []
    several = any(len(s.groups) > 1 or len(s.models) > 1 for s in scenarios)  # then all are named
    sunday = any(s.has_sundays for s in scenarios)
    settings = [
        {
            setting.words(several, several, sunday): _value(setting)
            for setting in walk(scenario)
            if not setting.address.endswith("yearly_kwh")  # which the use of its group says
        }
        for scenario in scenarios
    ]
    shared = [name for name in settings[0] if all(name in each for each in settings)]
    rows = [Difference(name, tuple(each[name] for each in settings)) for name in shared]
    return [row for row in rows if len(set(row.values)) > 1]


def _value(setting: Setting) -> str:
    """The value of a setting in words."""
    owner, value, name = setting.owner, setting.value, setting.address.rpartition(".")[2]
    if name == "houses":
        return _listed(value)
    if name == "law" and isinstance(owner, Group):
        return _use(owner)
    if isinstance(owner, Period):
        return hhmm(value) if name == "start" else f"{number(value)} {BASIS_WORDS[owner.basis]}"
    if name == "price_range" and value:
        return " to ".join(map(number, value))
    if isinstance(value, tuple):
        return ", ".join(item.name for item in value)
    if name in ALIKE:
        return ALIKE[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    word = None if value is None else str(value)
    return VALUE_LABELS.get(name, {}).get(word, word or ABSENT)


def _listed(houses: tuple[House, ...] | None) -> str:
    """Whether houses are listed and how many; which of them differ, the table shows."""
    if houses is None:
        return "drawn"
    out = len(houses) - len(included(houses))
    return f"listed, {house_list_id(houses)}" + (f", {out:,} left out" if out else "")


def _use(group: Group) -> str:
    """Which distribution use has; a checksum tells two histograms apart."""
    if group.yearly_kwh is not None:
        return f"{number(group.yearly_kwh)} kWh a year"
    if group.law is None:
        return "uniform up to the bounds"
    return f"a distribution of {len(group.law.empty)} bins, {zlib.crc32(repr(group.law).encode()):08x}"


def number(value: float) -> str:
    """The number with all digits that a person can have typed."""
    return f"{value:,.10g}"
