"""The answer in two sentences and four tables, and as a page of HTML that prints on two sheets.

`EXPLAINED` names the screen that explains the numbers of each table.
"""

from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.decision import Decision
from rtp.leakage.overview import HIDDEN, OBSERVERS, VISIBLE
from rtp.mechanisms import REGISTRY, offered
from rtp.money.bills import MONTH
from rtp.output.leakage import area_words
from rtp.output.report import html_page, list_html, scenario_html, text_html
from rtp.output.street_report import frame_html
from rtp.output.tradeoff import budget_words, money_basis, needed, profit_words
from rtp.output.words import promise_words
from rtp.scenario.units import amount, bare_amount, more_or_less
from rtp.tradeoff.answers import Budget, target_rmsre

if TYPE_CHECKING:
    import pandas as pd

SECRETS = {"moment": "One moment", "holiday": "A week away", "history": "A whole day"}
# What each table is about, and the screen that explains its numbers.
EXPLAINED = {
    "rates": ("Which ε that RMSRE needs", "Decide"),
    "money": (f"What it costs in a month of {MONTH} days", "Decide"),
    "exposure": ("What an observer can still learn, by group", "Attack"),
    "intervals": ("A rate every 15, 30 or 60 minutes", "Explore"),
}


def answer_sentence(decision: Decision) -> str:
    """Return the answer in two sentences."""
    label, accepted = REGISTRY[decision.mechanism].label, percent(decision.accepted / 100)
    if not decision.reached:
        steps = decision.scenario.steps
        words = budget_words(decision.chosen.budget, target_rmsre(decision.accepted, steps), steps)
        return f"{words} Everything below is for the scenario's own ε = {plain(decision.scenario.epsilon)}."
    if not REGISTRY[decision.mechanism].reads_demand:
        return f"Publish the **{label}** rate. It reads no data, and its RMSRE is at most {accepted}."
    return (
        f"Publish the **{label}** rate with **ε = {plain(decision.scenario.epsilon)}** per step. Its "
        f"RMSRE is {percent(decision.chosen.error)} on average."
    )


def warnings(decision: Decision) -> list[str]:
    """Return what is not hidden at that ε, so that nobody takes the error for the whole answer."""
    lines = []
    for who in OBSERVERS:
        secrets = [
            f"{SECRETS[secret].lower()} ({groups})"
            for secret in ("holiday", "history")
            if (groups := _visible(decision, secret, who))
        ]
        if secrets:
            lines.append(f"**Visible to an {who}:** {', '.join(secrets)}.")
    return lines


def _visible(decision: Decision, secret: str, who: AdversaryKind) -> str:
    """Return the groups of which an observer sees the secret, and how often; empty where there are none."""
    areas = {each.group: each.seen.areas.get((secret, who)) for each in decision.exposures}
    seen = {group: area.value for group, area in areas.items() if area and area.value >= VISIBLE}
    return ", ".join(f"{group} {percent(value, 2)}" for group, value in seen.items())


def rates_frame(decision: Decision) -> "pd.DataFrame":
    """Return a row for each rate: the ε that it needs, its error, and its error if habits are wrong."""
    import pandas as pd

    return pd.DataFrame(
        {
            REGISTRY[name].label: {
                "ε per step": _needed(option.budget, option.epsilon),
                "RMSRE": percent(option.error),
                "If habits are wrong": f"up to {percent(option.wrong_error)} ({option.wrong_habits})"
                if option.wrong_habits
                else "the same",
            }
            for name, option in decision.options.items()
            if name in offered(decision.scenario.negligible, [decision.mechanism])
        }
    ).T


def _needed(budget: Budget, usable: float) -> str:
    """Return the ε that the error needs, in the digits that one would use."""
    return plain(usable) if budget.epsilon and not budget.exact else needed(budget)


def money_frame(decision: Decision) -> "pd.DataFrame":
    """Return what a month changes for the utility, for all customers and for each group."""
    import pandas as pd

    scenario, money = decision.scenario, decision.money
    rows = {
        "The utility earns": {
            "Houses": "",
            "Mean bill": "",
            "Mean": profit_words(money, scenario),
            f"{LEVEL_WORDS} of months": _ends(-money.loss.high, -money.loss.low),
        },
        "Cost of the mismatch": {
            "Mean": amount(money.mismatch.value, scenario),
            f"{LEVEL_WORDS} of months": _ends(money.mismatch.low, money.mismatch.high),
        },
    }
    parts = {"Every customer pays": money.bills} | (money.groups if len(money.groups) > 1 else {})
    for name, of in parts.items():
        rows[name] = {
            "Houses": f"{of.houses:,}",
            "Mean bill": amount(of.bill, scenario),
            "Mean": more_or_less(of.mean.value, scenario),
            f"{LEVEL_WORDS} of months": _ends(of.mean.low, of.mean.high),
            "Worst tenth": amount(of.worst.value, scenario),
        }
    return pd.DataFrame(rows).T.fillna("")


def _ends(low: float, high: float) -> str:
    return f"{bare_amount(low)} to {bare_amount(high)}"


def exposure_frame(decision: Decision) -> "pd.DataFrame":
    """Return a column for each group: how often each observer is right about each secret."""
    import pandas as pd

    return pd.DataFrame(
        {
            each.group: {
                f"{words}, {who}": area_words(each.seen, secret, who)
                for secret, words in SECRETS.items()
                for who in OBSERVERS
            }
            for each in decision.exposures
        }
    )


def interval_frame(decision: Decision) -> "pd.DataFrame":
    """Return a column for each price interval, all at the same accepted error."""
    import pandas as pd

    scenario = decision.scenario
    columns = {}
    for minutes, option in decision.intervals.items():
        if isinstance(option, str):
            columns[f"{minutes} minutes"] = {"ε per step": option}
            continue
        columns[f"{minutes} minutes"] = {
            "ε per step": _needed(option.budget, option.epsilon),
            "RMSRE": percent(option.error),
            "The utility earns": profit_words(option.money, scenario),
            "Bill, worst tenth": amount(option.money.bills.worst.value, scenario),
            **{f"A week away, {who}": area_words(option.holiday, "holiday", who) for who in OBSERVERS},
        }
    return pd.DataFrame(columns).fillna("")


def assumptions(decision: Decision) -> list[str]:
    """Return what the answer rests on, in five lines."""
    return [
        promise_words(REGISTRY[decision.mechanism]),
        "The promise is for each rate. Many rates together reveal more: the table by group shows it.",
        "Houses come and go independently, by the habits of the scenario, and use what its bounds say.",
        money_basis(decision.money, decision.scenario),
        "What can be learned is about each group's most exposed house: how often an observer is right "
        "about two such houses, one of each answer. 50 % is guessing; hidden up to "
        f"{percent(HIDDEN)}, visible from {percent(VISIBLE)}.",
    ]


TABLES = {
    "rates": rates_frame,
    "money": money_frame,
    "exposure": exposure_frame,
    "intervals": interval_frame,
}


def decision_report(decision: Decision) -> str:
    """Return the report's HTML; the scenario is attached to it."""
    tables = "\n".join(
        f"<h2>{title}</h2>\n{frame_html(TABLES[name](decision))}"
        for name, (title, _screen) in EXPLAINED.items()
    )
    body = f"""<p>{text_html(answer_sentence(decision))}</p>
{list_html(warnings(decision))}
{tables}
<h2>What is assumed</h2>
{list_html(assumptions(decision))}
{scenario_html(decision.scenario)}"""
    return html_page("the answer", "Which price can be published?", body)
