"""The command `overtime`: what all rates together tell about a moment, a day, a week, a whole record."""

import argparse
import sys
from typing import get_args

from rtp.audit.exact import exact_loss
from rtp.cli.options import Commands, chosen, progress_bar, scenario_options, text_table
from rtp.core.formatting import percent, plain
from rtp.decision.requirement import OBSERVERS, RAREST, Wish
from rtp.exposure import Secret, exposure, hidden
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.composition import TOTAL, compositions
from rtp.leakage.crowd import DELTA, USUAL_DELTA, noise_still_needed, scale_text
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, UNPROTECTED, private
from rtp.output.audit import neglect_words
from rtp.output.exposure import ASKED, COIN, interval, share, visibility, where
from rtp.scenario import (
    Scenario,
    must_be_house,
    must_be_positive,
    must_be_within,
    refusal,
)
from rtp.simulation import Day, simulate

_LEGEND = """\
leak      the largest shift of the log-odds of one moment, for an observer who knows what everyone else used:
          by the rates up to it (so far), by all of them (whole record); ε·T is what Theorem 2 allows.
          It takes use as uniform up to the bounds, or as its distribution says, and prices as this day's"""


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    overtime = commands.add_parser(
        "overtime",
        parents=[scenario_options()],
        help="say what all rates together can reveal about a moment, a day, a week, a whole record",
        description="The moment of any house that can leak most under each mechanism, exactly; and, if "
        "asked, the budget per step that keeps every moment within a leak, how often an observer is right "
        "about a secret of the worst house, the noise that a crowd of neighbours still needs, and the ways "
        "to promise the whole record at one total.",
    )
    overtime.add_argument(
        "--house", help="only this house, by its name or number (default: that which can leak most)"
    )
    overtime.add_argument(
        "--leak", type=float, help="find the ε per step that keeps every moment of every house within this"
    )
    overtime.add_argument(
        "--secret", choices=get_args(Secret), help="say how often each observer is right about it"
    )
    overtime.add_argument(
        "--rarest",
        type=float,
        default=Wish.rarest,
        metavar="P",
        help="moments at which habits leave either answer at least so likely (default %(default)g; 0: any)",
    )
    overtime.add_argument(
        "--crowd",
        type=float,
        nargs="?",
        const=USUAL_DELTA,
        metavar="DELTA",
        help=f"the noise that a crowd of neighbours still needs for (ε, δ), δ {USUAL_DELTA:g} unless given",
    )
    overtime.add_argument("--total", type=float, help="ways to promise the whole record at this total ε")
    overtime.set_defaults(command=_overtime)


def _overtime(options: argparse.Namespace) -> int:
    scenario = chosen(options)
    house = _house(scenario, options.house)
    if options.leak is not None:
        must_be_positive("--leak", options.leak)
    must_be_within("--rarest", options.rarest, RAREST)
    if options.crowd is not None:
        must_be_within("--crowd", options.crowd, DELTA)
    if options.total is not None:
        must_be_within("--total", options.total, TOTAL)
    day = simulate(scenario)
    print(f"{scenario.households:,} households, {scenario.steps} steps, ε = {scenario.epsilon:g} per step")
    _moments(day, house)
    if options.leak is not None:
        _budgets(day, options.leak)
    if options.secret is not None:
        _secret(scenario, options.secret, options.rarest, house)
    if options.crowd is not None:
        _crowd(day, options.crowd, house)
    if options.total is not None:
        _ways(day, options.total)
    return 0


def _house(scenario: Scenario, text: str | None) -> int | None:
    """Which house is meant: that of this name, where houses are listed, or of this number."""
    if text is None:
        return None
    if scenario.listed_names is not None and text in scenario.listed_names:
        return scenario.listed_names.index(text)
    if not text.isdecimal():
        known = "a house's number" if scenario.listed_names is None else "the name of a house or its number"
        raise refusal("house", text, f"be {known}")
    must_be_house("house", int(text), scenario.households)
    return int(text)


def _moments(day: Day, house: int | None) -> None:
    leaks = {name: moment_leakage(day, name, house) for name in REGISTRY}
    rows = {
        name: {
            "so far": f"{leak.so_far.max():.4g}",
            "whole record": f"{leak.worst:.4g}",
            "at": day.scenario.when(leak.step) if leak.worst > 0 else "–",
            "house": day.scenario.house_label(int(leak.house[leak.step]), first=0) if leak.worst > 0 else "–",
            "ε·T": f"{leak.theorem_2:.4g}",
        }
        for name, leak in leaks.items()
    }
    print(text_table("rate", rows))
    print(_LEGEND)
    if neglected := neglect_words(
        day, {name: exact_loss(day, name) for name in REGISTRY if REGISTRY[name].neglects}
    ):
        print(neglected)


def _budgets(day: Day, leak: float) -> None:
    print(f"To keep every moment of every house within {leak:g}:")
    rows = {}
    for name in private():
        budget = epsilon_for_moment(day.scenario, name, leak, street_day=day.street_day)
        if budget.epsilon is None:
            rows[name] = {"ε": "out of reach", "expected error": "–"}
        else:
            rows[name] = {"ε": plain(budget.epsilon, 4), "expected error": percent(budget.rmsre)}
    print(text_table("rate", rows))


def _secret(scenario: Scenario, secret: Secret, rarest: float, house: int | None) -> None:
    print(f"Whether she can tell {ASKED[secret]}: the right one of two records, so often; {COIN}")
    found = {}
    for observer in OBSERVERS:
        with progress_bar(sys.stderr) as progress:
            houses = None if house is None else [house]
            found[observer] = exposure(
                scenario, secret, observer, rarest=rarest, houses=houses, progress=progress
            )
    insider = found["insider"]
    for observer, seen in found.items():
        rows = {}
        for name in REGISTRY:
            area = seen.at(name)
            hides = hidden(area.high, insider.at(name).high, insider.at(UNPROTECTED).high, exact=seen.exact)
            rows[name] = {
                observer: share(area, seen.exact),
                "95 % interval": interval(area),
                "": visibility(area, bool(hides)),
                "most about": where(seen.worst(name), scenario, secret, first=0)
                if REGISTRY[name].reads_demand
                else "–",
            }
        print(text_table("rate", rows))


def _crowd(day: Day, delta: float, house: int | None) -> None:
    needed = noise_still_needed(day, day.scenario.epsilon, delta, house=house)
    print(
        f"Laplace scale that still gives {day.scenario.house(needed.house, first=0)} (ε, δ) = "
        f"({needed.epsilon:g}, {delta:g}) at "
        f"{day.scenario.when(needed.step)}, against an outsider only:"
    )
    by_size = zip(needed.sizes.tolist(), needed.scale.tolist(), strict=True)
    print(text_table("houses", {f"{size:,}": {"scale": scale_text(scale, 4)} for size, scale in by_size}))
    print(f"Against an insider the crowd does not help: {scale_text(needed.insider, 4)}.")


def _ways(day: Day, total: float) -> None:
    print(f"Ways to promise the whole record at a total of {total:g}")
    print(f"{'way':<18}{'noise':>12}{'error':>10}  hides")
    for way in compositions(day.scenario, total, street_day=day.street_day):
        print(f"{way.name:<18}{plain(way.noise, 4):>12}{percent(way.rmsre):>10}  {way.hides}")
