"""The command `answer`: what to publish, so that a secret stays hidden and the error is accepted."""

import argparse
import sys
from pathlib import Path
from textwrap import fill

from rtp.attack.adversary import AdversaryKind
from rtp.cli.options import LINE, Commands, chosen, progress_bar, scenario_options
from rtp.core.tables import put_text
from rtp.decision.wish import SECRETS, Secret, Wish
from rtp.leakage.overview import OBSERVERS


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
        "--from", dest="observer", choices=list(OBSERVERS), default=Wish.observer, help="from whom"
    )
    answer.add_argument(
        "--of", action="append", default=[], metavar="GROUP", help="whose secret (repeatable; default: all)"
    )
    answer.add_argument("--error", type=float, metavar="PERCENT", help="the acceptable RMSRE")
    answer.add_argument("--report", type=Path, metavar="HTML", help="write the answer as a page that prints")
    answer.set_defaults(command=_answer)


def _answer(options: argparse.Namespace) -> int:
    from rtp.decision import decide
    from rtp.output.decision import answer_sentence, reason, warnings
    from rtp.output.decision_report import decision_report

    secret: Secret | None = options.hide
    observer: AdversaryKind = options.observer
    wish = Wish(secret=secret, observer=observer, groups=tuple(options.of), error=options.error)
    with progress_bar(sys.stderr) as progress:
        found = decide(chosen(options), wish, progress=progress)
    for line in (answer_sentence(found), reason(found), *warnings(found)):
        print(fill(line.replace("**", ""), LINE))
    if options.report:
        put_text(options.report, decision_report(found))
    return 1 if found.chosen.verdict == "nothing" else 0
