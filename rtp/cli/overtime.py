"""The command `overtime`: how far a whole record of rates can shift the odds of one moment."""

import argparse

from rtp.cli.options import Commands, chosen, scenario_options
from rtp.clock import when
from rtp.mechanisms import REGISTRY, private
from rtp.notation import error_lines, plain
from rtp.overtime.moment import moment
from rtp.overtime.target import epsilon_for_moment
from rtp.scenario import must_be_positive
from rtp.simulation import Day, simulate

LEGEND = """\
leak      the largest shift of the log-odds of one moment, for an observer who knows what everyone else used:
          by the rates up to it (so far), by all of them (whole record); ε·T is what Theorem 2 allows"""


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    overtime = commands.add_parser(
        "overtime",
        parents=[scenario_options()],
        help="say what all rates together can tell about one moment",
        description="The worst moment of any house under each mechanism, exactly; with --leak the budget "
        "per step that keeps every moment within a leak.",
    )
    overtime.add_argument("--house", type=int, help="only this house (default: the worst of all)")
    overtime.add_argument(
        "--leak", type=float, help="find the ε per step that keeps every moment of every house within this"
    )
    overtime.set_defaults(command=_overtime)


def _overtime(options: argparse.Namespace) -> int:
    scenario = chosen(options)
    if options.leak is not None:
        must_be_positive("--leak", options.leak)
    day = simulate(scenario)
    print(f"{scenario.households:,} households, {scenario.steps} steps, ε = {scenario.epsilon:g} per step")
    print(f"{'rate':<12}{'so far':>10}{'whole record':>14}{'at':>16}{'house':>10}{'ε·T':>10}")
    for name in REGISTRY:
        found = moment(day, name, options.house)
        lost = found.worst > 0
        at, house = (when(found.step, scenario.days), int(found.house[found.step])) if lost else ("–", "–")
        print(
            f"{name:<12}{found.so_far.max():>10.4g}{found.worst:>14.4g}{at:>16}{house:>10}"
            f"{found.theorem_2:>10.4g}"
        )
    print(LEGEND)
    if options.leak is not None:
        _budgets(day, options.leak)
    return 0


def _budgets(day: Day, leak: float) -> None:
    print(f"To keep every moment of every house within {leak:g}:")
    for name in private():
        found = epsilon_for_moment(day.scenario, name, leak, life=day.life)
        needs = "out of reach" if found.epsilon is None else f"ε = {plain(found.epsilon, 4)}"
        percent, rmsre = error_lines(found.rmsre, day.scenario.steps)
        error = "" if found.epsilon is None else f"expected error {percent} ({rmsre})"
        print(f"{name:<12}{needs:<20}{error}".rstrip())
