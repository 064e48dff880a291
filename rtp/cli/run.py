"""The commands `run`, `presets` and `scenario`: one scenario, simulated, listed or printed."""

import argparse
import json
import math
from pathlib import Path

from rtp.cli.options import PRESET_NAMES, Commands, chosen, scenario_options
from rtp.scenario import DEFAULT_PRESET, LIBRARY, preset_named
from rtp.scenario.model import LAB_KEY
from rtp.scenario.script import to_file
from rtp.simulation import Day, simulate
from rtp.tables import to_csv
from rtp.version import VERSION


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    run = commands.add_parser(
        "run",
        parents=[scenario_options()],
        help="simulate a scenario and print how far each published rate is from the optimal one",
        description="Simulate a scenario. Without a file or preset it is the paper's day.",
    )
    run.add_argument("--csv", type=Path, metavar="FILE", help="write the day, one row per step")
    run.add_argument(
        "--json", type=Path, metavar="FILE", help="write the errors, and the scenario they belong to"
    )
    run.set_defaults(command=_run)

    presets = commands.add_parser("presets", help="list the presets and what to look at in each")
    presets.set_defaults(command=_presets)

    scenario = commands.add_parser("scenario", help="print a preset's JSON, to edit and run")
    scenario.add_argument("preset", nargs="?", default=DEFAULT_PRESET, help=PRESET_NAMES)
    scenario.set_defaults(command=_scenario)


def _run(options: argparse.Namespace) -> int:
    scenario = chosen(options)
    day = simulate(scenario)
    days = "one day" if scenario.days == 1 else f"{scenario.days} days"
    print(f"{scenario.households:,} households, {days}, ε = {scenario.epsilon:g}, seed {scenario.seed}")
    print(f"{'rate':<12}{'RMSRE':>12}{'expected':>12}{'noise scale':>26}{'protected':>14}")
    for name, release in day.release.items():
        scale = f"{release.scale.min():.4g} … {release.scale.max():.4g}"
        protected = f"{release.protected.min()} … {release.protected.max()}"
        print(f"{name:<12}{release.rmsre:>12.3e}{release.expected_rmsre:>12.3e}{scale:>26}{protected:>14}")
    if options.csv:
        options.csv.write_text(to_csv(day.frame()), encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(_summary(day), indent=2, allow_nan=False), encoding="utf-8")
    return 0


def _summary(day: Day) -> dict[str, object]:
    return {
        LAB_KEY: VERSION,
        "scenario": day.scenario.model_dump(mode="json"),
        "rmsre": {name: _finite(release.rmsre) for name, release in day.release.items()},
        "expected_rmsre": {name: _finite(release.expected_rmsre) for name, release in day.release.items()},
    }


def _finite(error: float) -> float | None:
    """JSON has no infinity: an error relative to a rate of zero is null."""
    return error if math.isfinite(error) else None


def _presets(options: argparse.Namespace) -> int:
    for name, preset in LIBRARY.items():
        print(f"{name}\n    {preset.look_at}")
    return 0


def _scenario(options: argparse.Namespace) -> int:
    print(to_file(preset_named(options.preset)))
    return 0
