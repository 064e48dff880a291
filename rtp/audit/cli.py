"""`python -m rtp audit`: what every mechanism promises, what it really spends, what an experiment proves."""

import argparse
from collections.abc import Callable
from typing import Any

from rtp.audit.exact import account
from rtp.audit.trial import BATCH, CONFIDENCE, check_draws, trial
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS, Scenario, ScenarioError
from rtp.simulation import simulate

LEGEND = """\
spent    by consumption uniform up to its bounds, as the model says
any use  what it could be for a house that uses its bound or nothing; calibrated noise does not promise that
proved   by experiment; the house uses its bound or nothing (point) or uniformly, as the mechanism assumes"""

Commands = Any  # argparse keeps the class of its sub-parsers to itself


def add(
    commands: Commands, which: argparse.ArgumentParser, chosen: Callable[[argparse.Namespace], Scenario]
) -> None:
    """Add the command; `which` holds the options that `chosen` makes a scenario of."""
    audit = commands.add_parser(
        "audit",
        parents=[which],
        help="compare what each mechanism promises with what it spends, exactly and by experiment",
        description="Per step and house: the promised ε, the largest privacy loss really spent, and a lower "
        "bound on it from asking the mechanism as a black box. Ends with 1 if a promise is broken.",
    )
    audit.add_argument("--n", type=int, default=BATCH, help=f"releases per side (default {BATCH:,})")
    audit.add_argument(
        "--trial-seed", type=int, metavar="SEED", help="other random numbers for the experiment"
    )
    audit.add_argument(
        "--mechanism", action="append", choices=list(REGISTRY), help="only this one (repeatable)"
    )
    audit.set_defaults(command=lambda options: _audit(options, chosen(options)))


def _audit(options: argparse.Namespace, scenario: Scenario) -> int:
    low, high, _ = BOUNDS["seed"]
    if options.trial_seed is not None and not low <= options.trial_seed <= high:
        raise ScenarioError(
            "--trial-seed",
            f"is {options.trial_seed}; it must be a whole number from {low:g} to {high:,.10g}.",
        )
    check_draws(options.n)
    day = simulate(scenario)
    print(
        f"{scenario.households:,} households, ε = {scenario.epsilon:g} per step, "
        f"{options.n:,} releases per side, confidence {CONFIDENCE:.1%}"
    )
    print(
        f"{'rate':<12}{'promised':>10}{'spent':>10}{'house':>10}{'step':>6}{'over the day':>14}"
        f"{'any use':>10}{'proved':>12}  asked with"
    )
    broken = []
    for name in options.mechanism or REGISTRY:
        spent = account(day, name)
        proof = trial(scenario, REGISTRY[name], n=options.n, seed=options.trial_seed, life=day.life)
        if not spent.kept or (proof and proof.broken):
            broken.append(name)
        somebody = spent.setter >= 0
        print(
            f"{name:<12}{spent.promised:>10.4g}{spent.spent.max():>10.4g}"
            f"{spent.setter if somebody else '–':>10}{spent.step if somebody else '–':>6}"
            f"{spent.spent_so_far[-1]:>14.4g}{spent.any_shape.max():>10.4g}"
            + (f"{'–':>12}" if proof is None else f"{f'≥ {proof.lower_bound:.4f}':>12}  {proof.shape} use")
        )
    print(LEGEND)
    print(f"Promise broken: {', '.join(broken)}." if broken else "No promise is broken.")
    return 1 if broken else 0
