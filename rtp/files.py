"""What enters and leaves the lab: links, CSV, a script. (JSON is on `Scenario` itself.)

A link says which preset a scenario starts from and what differs: numbers and words as they are, groups and
models compressed. Whatever a link or file says is validated like everything else.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rtp.presets import PRESETS
from rtp.scenario import (
    MAX_JSON_BYTES,
    STEPS_PER_DAY,
    Scenario,
    ScenarioError,
)

if TYPE_CHECKING:
    import pandas as pd

    from rtp.simulation import Day

DEFAULT_PRESET = "paper"
PACKED = "street"  # the link's key for what is too long to read
NESTED = ("groups", "models")


def differences(scenario: Scenario, preset: str) -> dict[str, Any]:
    """The fields, as JSON values, in which a scenario differs from its preset."""
    ours, theirs = scenario.model_dump(mode="json"), PRESETS[preset].model_dump(mode="json")
    return {name: value for name, value in ours.items() if value != theirs[name]}


def to_link(scenario: Scenario, preset: str = DEFAULT_PRESET) -> dict[str, str]:
    """The query parameters that stand for this scenario."""
    changed = differences(scenario, preset)
    nested = {name: changed.pop(name) for name in NESTED if name in changed}
    link = {} if preset == DEFAULT_PRESET else {"preset": preset}
    link |= {name: _text(value) for name, value in changed.items()}
    if nested:
        packed = zlib.compress(json.dumps(nested, separators=(",", ":")).encode(), 9)
        link[PACKED] = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return link


def from_link(link: Mapping[str, str]) -> tuple[str, Scenario]:
    """(preset, scenario) from query parameters; refuses in one sentence."""
    preset = link.get("preset", DEFAULT_PRESET)
    if preset not in PRESETS:
        raise ScenarioError("preset", f"is {preset[:40]!r}; it must be one of {', '.join(PRESETS)}.")
    data = {name: _value(text) for name, text in link.items() if name not in ("preset", PACKED)}
    if PACKED in link:
        data |= _unpack(link[PACKED])
    return preset, PRESETS[preset].replace(**data)


def _text(value: Any) -> str:
    """Words as they are, unless they read as something else (a model named 2019); the rest as JSON."""
    return value if isinstance(value, str) and _value(value) == value else json.dumps(value)


def _value(text: str) -> Any:
    """A number, true, false, null or a quoted text as JSON reads it; otherwise the words themselves."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, list | dict) else value


def _unpack(packed: str) -> dict[str, Any]:
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj()
        text = inflate.decompress(raw, MAX_JSON_BYTES)
        if not inflate.eof:
            raise ValueError("cut off or too long")
        data = json.loads(text)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise ScenarioError(PACKED, "is damaged; copy the whole link again.") from None
    if not isinstance(data, dict) or not set(data) <= set(NESTED):
        raise ScenarioError(PACKED, f"holds something else than {' and '.join(NESTED)}.")
    return data


def clock(hour: float) -> str:
    """HH:MM of an hour of the day."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def day_frame(day: "Day") -> "pd.DataFrame":
    """One row per step: time, period, occupancy, consumption, rates, scales."""
    import pandas as pd

    periods = day.scenario.models[0].habits[0].periods
    starts = np.array([p.start for p in periods])
    hour = day.hours % 24
    columns: dict[str, Any] = {
        "day": np.arange(day.scenario.steps) // STEPS_PER_DAY + 1,
        "time": [clock(h) for h in hour],
        "period": [periods[i].name for i in np.searchsorted(starts, hour, side="right") - 1],
        "occupancy": day.occupancy,
        "expected_occupancy": day.expected_occupancy,
        "consumption": day.consumption,
    }
    for name, release in day.release.items():
        columns[f"{name}_rate"] = release.rate
        if name != "optimal":
            if day.scenario.elasticity:
                columns[f"{name}_demand"] = release.demand
                columns[f"{name}_optimal_rate"] = release.optimal
            columns[f"{name}_scale"] = release.scale
            columns[f"{name}_protected"] = release.protected
    return pd.DataFrame(columns)


def to_csv(frame: "pd.DataFrame") -> str:
    """CSV in which no text can start a formula in a spreadsheet."""
    safe = frame.copy()
    for name in safe.columns:
        if safe[name].dtype.kind not in "biuf":
            safe[name] = [neutral(str(cell)) for cell in safe[name]]
    safe.columns = [neutral(str(name)) for name in safe.columns]
    return str(safe.to_csv(index=False, lineterminator="\n"))


def neutral(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, nor for the start of a new row."""
    line = text.replace("\r", " ")
    return f"'{line}" if line.lstrip().startswith(("=", "+", "-", "@")) else line


def to_script(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """A short Python program that runs this very scenario again."""
    changed = differences(scenario, preset)
    if set(changed) & set(NESTED):
        start = f"scenario = rtp.Scenario.from_json({scenario.to_json(indent=None)!r})"
    else:
        changes = ", ".join(f"{name}={value!r}" for name, value in changed.items())
        start = f"scenario = rtp.PRESETS[{preset!r}]" + (f".replace({changes})" if changes else "")
    return f"""import rtp

{start}
day = rtp.simulate(scenario)
for name, release in day.release.items():
    print(f"{{name:>10}}  RMSRE {{release.rmsre:.6e}}  expected {{release.expected_rmsre:.6e}}")
"""
