"""The command `audit`: what every mechanism promises, what it really spends, what an experiment proves."""

import argparse

from rtp.audit.exact import ExactLoss, exact_loss, possible_states
from rtp.audit.trial import DEFAULT, RELEASES, Untried, Verdict, must_be_releases, trial
from rtp.cli.options import Commands, chosen, scenario_options, text_table
from rtp.core.formatting import plain
from rtp.mechanisms import REGISTRY
from rtp.output import audit as words
from rtp.scenario import BOUNDS, must_be_within
from rtp.simulation import Day, simulate

_LEGEND = """\
spent    by consumption as modelled: uniform up to its bounds, unless a distribution is given
any use  what it could be for a house that uses its bound or nothing; calibrated noise does not promise that
proved   by experiment: at least so much is given away, whatever the noise
noise    found by experiment, of what the promise needs; would find: the smallest flaw that it shows"""


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    audit = commands.add_parser(
        "audit",
        parents=[scenario_options()],
        help="compare what each mechanism promises with what it spends, exactly and by experiment",
        description="Per step and house: the promised ε, the largest privacy loss really spent, and what "
        "days published anew prove of it, judged from outside. Ends with 1 if a promise is broken.",
    )
    audit.add_argument(
        "--n",
        type=int,
        default=DEFAULT,
        help=f"days to publish, from {RELEASES.low:,} to {RELEASES.high:,} (default {DEFAULT:,})",
    )
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
    must_be_releases(options.n)
    day = simulate(scenario)
    names = options.mechanism or list(REGISTRY)
    proved = trial(scenario, n=options.n, seed=options.trial_seed, street_day=day.street_day)
    possible = possible_states(day.street_day)
    print(f"{scenario.households:,} households, ε = {scenario.epsilon:g} per step")
    exact = {name: exact_loss(day, name, possible) for name in names}
    print(text_table("rate", {name: _row(day, exact[name], proved[name]) for name in names}))
    print(_LEGEND)
    print(words.power_words(proved, options.n))
    if neglected := words.neglect_words(day, exact):
        print(neglected)
    names = words.broken(exact, proved)
    for name in names:
        print(f"{name}: {words.flaws(proved[name]) or 'its noise is too narrow'}.")
    print(f"Promise broken: {', '.join(names)}." if names else "No promise is broken.")
    return 1 if names else 0


def _row(day: Day, spent: ExactLoss, proof: Verdict | Untried) -> dict[str, str]:
    return {
        "promised": words.promise(spent.promised),
        "spent": plain(spent.spent.max()),
        "house (bounds)": words.loser(day, spent, first=0),
        "over the day": plain(spent.spent_so_far[-1]),
        "any use": plain(spent.any_use.max()),
        "proved": "–" if isinstance(proof, Untried) else f"≥ {plain(proof.proved)}",
        "noise": "–" if isinstance(proof, Untried) else words.noise_found(proof),
        "would find": "–" if isinstance(proof, Untried) else words.would_find(proof),
    }
