"""The command `audit`: what every mechanism promises, what it really spends, what an experiment proves."""

import argparse

from rtp.audit.exact import Account, account
from rtp.audit.table import neglect_words
from rtp.audit.trial import BATCH, CONFIDENCE, DRAWS, trial
from rtp.cli.options import Commands, chosen, scenario_options
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS, must_be_within
from rtp.simulation import simulate

LEGEND = """\
spent    by consumption uniform up to its bounds, as the model says
any use  what it could be for a house that uses its bound or nothing; calibrated noise does not promise that
proved   by experiment; the house uses its bound or nothing (point) or uniformly, as the mechanism assumes"""


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    audit = commands.add_parser(
        "audit",
        parents=[scenario_options()],
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
    audit.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    scenario = chosen(options)
    if options.trial_seed is not None:
        must_be_within("--trial-seed", options.trial_seed, BOUNDS["seed"])
    must_be_within("n", options.n, DRAWS)
    day = simulate(scenario)
    print(
        f"{scenario.households:,} households, ε = {scenario.epsilon:g} per step, "
        f"{options.n:,} releases per side, confidence {CONFIDENCE:.1%}"
    )
    print(
        f"{'rate':<12}{'promised':>10}{'spent':>10}{'house':>10}{'step':>6}{'over the day':>14}"
        f"{'any use':>10}{'proved':>12}  asked with"
    )
    broken, exact = [], dict[str, Account]()
    for name in options.mechanism or REGISTRY:
        spent = exact[name] = account(day, name)
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
    if neglected := neglect_words(day, exact):
        print(neglected)
    print(f"Promise broken: {', '.join(broken)}." if broken else "No promise is broken.")
    return 1 if broken else 0
