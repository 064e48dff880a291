"""Where something taken away comes from: which lab, which scenario and seed, and when.

A scenario's digest is the start of the SHA-256 of its JSON text: the same scenario, the same digest. With the
scenario itself, from its file or link, the same lab makes the same numbers again; the digest says whether it
is the same scenario.

Which settings tell several scenarios apart, in words.

Every setting is named as its control is. Groups and models are compared by name, where all scenarios have
them; which ones there are is a setting of its own.

One line that says which scenario a picture shows, for when the picture is seen without the lab.
"""

import zlib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import NamedTuple

from rtp.core.time import hhmm
from rtp.scenario.consumption import House, Law, house_list_id, included
from rtp.scenario.habits import Habits
from rtp.scenario.model import Scenario
from rtp.scenario.presets import PRESETS
from rtp.scenario.validation import BOUNDS, CHOICES, LABELS
from rtp.version import VERSION

DIGITS = 12


def digest(scenario: Scenario) -> str:
    return sha256(scenario.to_json(None).encode()).hexdigest()[:DIGITS]


def origin(scenario: Scenario, day: date | None = None) -> dict[str, str | int]:
    """As columns of a table."""
    return {
        "lab_version": VERSION,
        "lab_scenario": digest(scenario),
        "lab_seed": scenario.seed,
        "lab_date": str(day or today()),
    }


def origin_words(scenario: Scenario) -> str:
    """As words, after the lab's name."""
    return f"{VERSION} on {today()}; scenario {digest(scenario)}, seed {scenario.seed}"


def today() -> date:
    return datetime.now(UTC).date()


ABSENT = "—"
OWN = ("occupied_max", "empty_max", "occupied_min", "empty_min", "share")  # of a group
BASES = {"period": "over the period", "step": "per step"}


class Difference(NamedTuple):
    setting: str
    values: tuple[str, ...]  # one for each scenario


def differences(scenarios: Sequence[Scenario]) -> list[Difference]:
    """The settings in which the scenarios are not all alike, in the order of the controls."""
    if all(scenario == scenarios[0] for scenario in scenarios):
        return []
    alone = all(len(s.groups) == len(s.models) == 1 for s in scenarios)
    told = [_settings(scenario, alone) for scenario in scenarios]
    shared = [name for name in told[0] if all(name in each for each in told)]
    rows = [Difference(name, tuple(each[name] for each in told)) for name in shared]
    return [row for row in rows if len(set(row.values)) > 1]


def _settings(scenario: Scenario, alone: bool) -> dict[str, str]:
    """Every setting in words. `alone`: nobody has more than one group and model, so none is named."""
    told = {
        LABELS.get(name) or BOUNDS[name].words: _value(name, getattr(scenario, name))
        for name in Scenario.model_fields
        if name not in ("version", "groups", "models", "houses")
    }
    told["Groups"] = ", ".join(group.name for group in scenario.groups)
    told[LABELS["houses"]] = _listed(scenario.houses)
    told["Models"] = ", ".join(scenario.model_names)
    for group in scenario.groups:
        told |= {
            _words(() if alone else (group.name,), BOUNDS[name].words): number(getattr(group, name))
            for name in OWN
        }
        told[_words(() if alone else (group.name,), LABELS["law"])] = _law(group.law)
    for model in scenario.models:
        for group, habits in zip(scenario.groups, model.habits, strict=True):
            told |= _habits(() if alone else (model.name, group.name), habits)
    return told


def _listed(houses: tuple[House, ...] | None) -> str:
    """How many are listed one by one; which ones differ is told by the table."""
    if houses is None:
        return "drawn"
    out = len(houses) - len(included(houses))
    return f"listed, {house_list_id(houses)}" + (f", {out:,} left out" if out else "")


def _law(law: Law | None) -> str:
    """Which shape use has; two laws are told apart by a checksum."""
    if law is None:
        return "uniform up to the bounds"
    return f"a law of {len(law.empty)} bins, {zlib.crc32(repr(law).encode()):08x}"


def _habits(who: tuple[str, ...], habits: Habits) -> dict[str, str]:
    told = {_words(who, BOUNDS["initial_occupied"].words): number(habits.initial_occupied)}
    told[_words(who, "At the weekend")] = "other habits" if habits.weekend else "as on other days"
    for field, parts in habits.day_kinds().items():
        of = ("weekend",) if field == "weekend" else ()
        told[_words((*who, *of), "Periods of a day")] = ", ".join(part.name for part in parts)
        for part in parts:
            whose = (*who, *of, part.name)
            told[_words(whose, "starts at")] = hhmm(part.start)
            for name, chance in (("leave", part.leave), ("arrive", part.arrive)):
                told[_words(whose, name)] = f"{number(chance)} {BASES[part.basis]}"
    return told


def _words(who: tuple[str, ...], setting: str) -> str:
    return f"{', '.join(who)}: {setting}" if who else setting


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    word = None if value is None else str(value)
    return CHOICES.get(name, {}).get(word, word or ABSENT)


def number(value: float) -> str:
    """All digits that a person can have typed."""
    return f"{value:,.10g}"


ALWAYS = {
    "epsilon": "ε {}",
    "alpha": "α {}",
    "beta": "β {}",
    "households": "households {}",
    "days": "days {}",
}
MAX_CHANGES = 6  # other settings that are named


def caption(scenario: Scenario, preset: str) -> str:
    """The preset, the numbers that are always told, what else was changed, and where the picture is from."""
    told = [words.format(number(getattr(scenario, name))) for name, words in ALWAYS.items()]
    known = {BOUNDS[name].words for name in (*ALWAYS, "seed")}
    rows = [row for row in differences([PRESETS[preset], scenario]) if row.setting not in known]
    told += [f"{row.setting}: {row.values[1]}" for row in rows[:MAX_CHANGES]]
    if len(rows) > MAX_CHANGES:
        told.append(f"{len(rows) - MAX_CHANGES} more settings changed")
    return f"{preset.capitalize()}: {'; '.join(told)}. RTP Privacy Lab {origin_words(scenario)}"
