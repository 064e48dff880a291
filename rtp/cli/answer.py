"""The commands `answer` and `tariff`: what to publish, so that a secret stays hidden and the error is
accepted; α and β from the prices of a typical day.
"""

import argparse
import sys
from pathlib import Path
from textwrap import fill

from rtp.cli.options import (
    LINE_LENGTH,
    Commands,
    chosen,
    must_be_writable,
    progress_bar,
    scenario_options,
)
from rtp.core.time import STEP_MINUTES
from rtp.decision.requirement import FROM, SECRETS, From, Wish
from rtp.exposure import Secret
from rtp.scenario.export import put_text


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    answer = commands.add_parser(
        "answer",
        parents=[scenario_options()],
        help="say which rate, interval and ε to publish",
        description="What must stay hidden and which error is acceptable; one of them may be left open. Ends "
        "with 1 if nothing can be published.",
    )
    answer.add_argument("--hide", choices=list(SECRETS), help="what must stay hidden")
    answer.add_argument(
        "--from", dest="observer", choices=list(FROM), default=Wish.observer, help="from whom"
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
    answer.add_argument(
        "--every",
        type=int,
        choices=STEP_MINUTES,
        action="append",
        help="the interval between two prices (repeat to compare several; default: the scenario's)",
    )
    answer.add_argument("--all", action="store_true", help="say of every secret who can still tell")
    answer.add_argument("--report", type=Path, metavar="HTML", help="write the answer as a page that prints")
    answer.set_defaults(command=_answer)


def _answer(options: argparse.Namespace) -> int:
    from rtp.decision import completed, decide, explained, questions
    from rtp.decision.frontier import find_all
    from rtp.output.decision import exposure_frame, said
    from rtp.output.decision_report import decision_report

    secret: Secret | None = options.hide
    observer: From = options.observer
    must_be_writable(options.report)
    wish = Wish(
        secret=secret,
        observer=observer,
        groups=tuple(options.of),
        error=options.error,
        rarest=options.rarest,
    )
    scenario = chosen(options)
    wish.check(scenario)
    with progress_bar(sys.stderr) as progress:
        known = find_all(questions(scenario, wish, options.every), {}, progress)
    found = decide(scenario, wish, among=options.every, known=known)
    if options.all or options.report:
        with progress_bar(sys.stderr) as progress:
            found = completed(found, known, progress)
    else:
        found = explained(found, known)
    for line in said(found):
        print(fill(line.replace("**", ""), LINE_LENGTH))
    for group, row in exposure_frame(found).iterrows():
        whose = f"{group}, {row.pop('Secret').lower()}"
        told = "; ".join(f"{str(column).lower()} {cell}" for column, cell in row.items())
        print(fill(f"{whose}: {told}", LINE_LENGTH, subsequent_indent="  "))
    if options.report:
        put_text(options.report, decision_report(found))
    return 1 if found.chosen.verdict == "nothing" else 0


def add_tariff(commands: "Commands[argparse.ArgumentParser]") -> None:
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
