"""The command line: `python -m rtp --help`."""

import argparse
import json
import math
import sys
from pathlib import Path

from rtp.audit import cli as cli_audit
from rtp.files import to_csv
from rtp.presets import LIBRARY, PRESETS
from rtp.scenario import Scenario, ScenarioError
from rtp.simulation import Day, simulate
from rtp.sweep import cli as cli_sweep


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 when it did what was asked, 2 with one sentence on bad input."""
    try:
        options = _parser().parse_args(arguments)
        return int(options.command(options))
    except ScenarioError as error:
        print(f"rtp: {error}", file=sys.stderr)
    except OSError as error:
        print(f"rtp: {error.filename or 'the file'}: {error.strerror or error}.", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rtp",
        description="What privacy costs when electricity prices are published in real time.",
        epilog="Start with: python -m rtp run",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    which = _which()

    run = commands.add_parser(
        "run",
        parents=[which],
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
    scenario.add_argument("preset", nargs="?", default="paper", help=f"one of: {', '.join(PRESETS)}")
    scenario.set_defaults(command=_scenario)

    cli_audit.add(commands, which, _chosen)
    cli_sweep.add(commands)
    return parser


def _which() -> argparse.ArgumentParser:
    """The options of every command that needs a scenario; `_chosen` reads them."""
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("scenario", nargs="?", type=Path, help="a scenario's JSON file")
    which.add_argument("--preset", help=f"one of: {', '.join(PRESETS)}")
    which.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a field, e.g. --set epsilon=0.1 (may be given several times)",
    )
    return which


def _preset(name: str) -> Scenario:
    if name not in PRESETS:
        raise ScenarioError("preset", f"is {name!r}; it must be one of {', '.join(PRESETS)}.")
    return PRESETS[name]


def _chosen(options: argparse.Namespace) -> Scenario:
    if options.scenario and options.preset:
        raise ScenarioError("preset", f"is {options.preset!r} beside a scenario file; give one of the two.")
    scenario = (
        Scenario.from_json(options.scenario.read_bytes())
        if options.scenario
        else _preset(options.preset or "paper")
    )
    changes = {}
    for change in options.set:
        name, equals, text = change.partition("=")
        if not equals:
            raise ScenarioError("--set", f"is {change!r}; it must be FIELD=VALUE.")
        try:
            changes[name] = json.loads(text)
        except (ValueError, RecursionError):
            changes[name] = text
    return scenario.replace(**changes)


def _run(options: argparse.Namespace) -> int:
    scenario = _chosen(options)
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
    print(_preset(options.preset).to_json())
    return 0


if __name__ == "__main__":
    sys.exit(main())
