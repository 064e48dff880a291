"""What the commands share: which scenario is meant."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from rtp.scenario import DEFAULT_PRESET, PRESETS, Scenario, ScenarioError, edit, fields, preset_named, refusal
from rtp.scenario.house_table import read_table
from rtp.scenario.validation import field_words

Commands = argparse._SubParsersAction  # argparse keeps the class of its sub-parsers to itself
PRESET_NAMES = f"one of: {', '.join(PRESETS)}"


def scenario_options() -> argparse.ArgumentParser:
    """The options of every command that needs a scenario; `chosen` reads them."""
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("scenario", nargs="?", type=Path, help="a scenario's JSON file")
    which.add_argument("--preset", help=PRESET_NAMES)
    which.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a field, e.g. --set epsilon=0.1 or --set 'groups[Villas].share=0.2', by the addresses "
        "of a sweep (may be given several times)",
    )
    which.add_argument(
        "--street",
        type=Path,
        metavar="TABLE",
        help="a table of houses (house, group, occupied, empty) or of groups (group, houses, occupied_max, "
        "empty_max): CSV, XLSX or Parquet",
    )
    return which


def chosen(options: argparse.Namespace) -> Scenario:
    if options.scenario and options.preset:
        raise ScenarioError("preset", f"is {options.preset!r} beside a scenario file; give one of the two.")
    if options.scenario:
        scenario = Scenario.from_json(options.scenario.read_bytes())
    else:
        scenario = preset_named(options.preset or DEFAULT_PRESET)
    changes: dict[str, object] = {}
    for change in options.set:
        address, equals, text = change.partition("=")
        if not equals:
            raise refusal("--set", change, "be FIELD=VALUE")
        if address in changes:
            raise ScenarioError("--set", f"gives {field_words(address)} twice; give it once.")
        changes[address] = fields.value_from_text(address, text)
    whole = {name: value for name, value in changes.items() if not re.search(r"[.\[]", name)}
    within = {address: value for address, value in changes.items() if address not in whole}
    street = fields.put_together(_with(scenario, whole), within)
    return read_table(street, options.street.read_bytes()) if options.street else street


def _with(scenario: Scenario, changes: Mapping[str, object]) -> Scenario:
    """The changes made; at another step everybody's habits are restated for it."""
    changed = scenario.replace(**changes)
    if changed.step_minutes == scenario.step_minutes:
        return changed
    rest = {name: value for name, value in changes.items() if name != "step_minutes"}
    return edit.set_step_minutes(scenario, changed.step_minutes).replace(**rest)
