"""The commands `answer` and `tariff`: what to publish, so that a secret stays hidden and the error is
accepted; α and β from the prices of a typical day. And `audit`: what every mechanism promises, what it really
spends, what an experiment proves.
"""

import argparse
import sys
from pathlib import Path
from textwrap import fill

from rtp.audit.exact import ExactLoss, exact_loss
from rtp.audit.possible import possible_states
from rtp.audit.trial import DEFAULT, RELEASES, Untried, Verdict, must_be_releases, trial
from rtp.cli.options import (
    LINE_LENGTH,
    Commands,
    chosen,
    must_be_writable,
    progress_bar,
    scenario_options,
    text_table,
)
from rtp.core.formatting import plain
from rtp.decision.requirement import OBSERVERS, SECRETS, Wish
from rtp.exposure import Observer, Secret
from rtp.mechanisms import REGISTRY
from rtp.output import audit as words
from rtp.scenario import BOUNDS, must_be_within
from rtp.scenario.export import put_text
from rtp.simulation import Day, simulate


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    _add_answer(commands)
    _add_tariff(commands)


def _add_answer(commands: "Commands[argparse.ArgumentParser]") -> None:
    answer = commands.add_parser(
        "answer",
        parents=[scenario_options()],
        help="say which rate, interval and ε to publish",
        description="What must stay hidden and which error is acceptable; one of them may be left open. Ends "
        "with 1 if nothing can be published.",
    )
    answer.add_argument("--hide", choices=list(SECRETS), help="what must stay hidden")
    answer.add_argument(
        "--from", dest="observer", choices=list(OBSERVERS), default=Wish.observer, help="from whom"
    )
    answer.add_argument(
        "--of", action="append", default=[], metavar="GROUP", help="whose secret (repeatable; default: all)"
    )
    answer.add_argument(
        "--rarest",
        type=float,
        default=Wish.rarest,
        metavar="P",
        help="moments at which habits leave either answer at least so likely (default %(default)g; 0: any)",
    )
    answer.add_argument("--error", type=float, metavar="PERCENT", help="the acceptable RMSRE")
    answer.add_argument("--every", action="store_true", help="say of every secret who can still tell")
    answer.add_argument("--report", type=Path, metavar="HTML", help="write the answer as a page that prints")
    answer.set_defaults(command=_answer)


def _answer(options: argparse.Namespace) -> int:
    from rtp.decision import completed, decide
    from rtp.output.decision import answer_sentence, exposure_frame, rarer_words, reason, warnings
    from rtp.output.decision_report import decision_report

    secret: Secret | None = options.hide
    observer: Observer = options.observer
    must_be_writable(options.report)
    wish = Wish(
        secret=secret,
        observer=observer,
        groups=tuple(options.of),
        error=options.error,
        rarest=options.rarest,
    )
    with progress_bar(sys.stderr) as progress:
        found = decide(chosen(options), wish, progress=progress)
    if options.every or options.report:
        with progress_bar(sys.stderr) as progress:
            found = completed(found, progress=progress)
    for line in (answer_sentence(found), reason(found), rarer_words(found), *warnings(found)):
        if line:
            print(fill(line.replace("**", ""), LINE_LENGTH))
    for group, row in exposure_frame(found).iterrows():
        whose = f"{group}, {row.pop('Secret').lower()}"
        told = "; ".join(f"{str(column).lower()} {cell}" for column, cell in row.items())
        print(fill(f"{whose}: {told}", LINE_LENGTH, subsequent_indent="  "))
    if options.report:
        put_text(options.report, decision_report(found))
    return 1 if found.chosen.verdict == "nothing" else 0


def _add_tariff(commands: "Commands[argparse.ArgumentParser]") -> None:
    tariff = commands.add_parser(
        "tariff",
        parents=[scenario_options()],
        help="find α and β for the prices of a typical day",
        description="The tariff with which the optimal rate of a typical day goes from one price to another, "
        "and the share of steps that lie outside. Without prices: those of the scenario's own tariff.",
    )
    tariff.add_argument("--low", type=float, metavar="PRICE", help="the lowest price of a typical day")
    tariff.add_argument("--high", type=float, metavar="PRICE", help="the highest")
    tariff.add_argument(
        "--load", type=Path, metavar="CSV", help="the feeder's measured load, in place of the street's"
    )
    tariff.add_argument("-o", "--out", type=Path, metavar="JSON", help="write the scenario with this tariff")
    tariff.set_defaults(command=_tariff)


def _tariff(options: argparse.Namespace) -> int:
    from rtp.output.roster import measured_words, outside_words, tariff_words
    from rtp.simulation import simulate
    from rtp.simulation.prices import typical_prices, with_prices

    scenario = chosen(options)
    must_be_writable(options.out)
    low, high = scenario.price_range or typical_prices(scenario)
    low, high = (own if given is None else given for given, own in ((options.low, low), (options.high, high)))
    load = None
    if options.load:
        from rtp.meters import read

        load = read(options.load).mean_day()
    if load is not None or options.low is not None or options.high is not None:
        scenario = with_prices(scenario, low, high, load)
    print(tariff_words(scenario))
    if load is not None:
        print(measured_words(scenario, low, high, load))
    print(outside_words(simulate(scenario), low, high))
    if options.out:
        put_text(options.out, scenario.to_json())
    return 0


_LEGEND = """\
spent    by consumption as modelled: uniform up to its bounds, unless a distribution is given
any use  what it could be for a house that uses its bound or nothing; calibrated noise does not promise that
proved   by experiment: at least so much is given away, whatever the noise
noise    found by experiment, of what the promise needs; would find: the smallest flaw that it shows"""


def add_audit(commands: "Commands[argparse.ArgumentParser]") -> None:
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
