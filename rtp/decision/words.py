"""The answer in sentences and tables, each number where it was computed.

Where a number has a screen that explains it, `EXPLAINED` names that screen.
"""

from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.decision.decide import Decision, RateOption
from rtp.leakage.overview import HIDDEN, VISIBLE, Overview, visibility_word
from rtp.leakage.words import TITLES
from rtp.mechanisms import REGISTRY, offered
from rtp.money.bills import MONTH
from rtp.money.summary import profit_words
from rtp.scenario.units import amount, bare_amount, more_or_less
from rtp.tradeoff.answers import needed

if TYPE_CHECKING:
    import pandas as pd

SECRETS = {"moment": "One moment", "holiday": "A week away", "history": "A whole day"}
# What each table is about, and the screen that explains its numbers.
EXPLAINED = {
    "rates": ("Which ε the accepted error needs", "Trade-off"),
    "money": (f"What it costs in a month of {MONTH} days", "Trade-off"),
    "exposure": ("What an observer can still learn, by group", "Over time"),
    "intervals": ("A price every 15, 30 or 60 minutes", "Explore"),
}


def answer_sentence(decision: Decision) -> str:
    """Return the answer in two sentences."""
    label, accepted = REGISTRY[decision.mechanism].label, percent(decision.accepted / 100)
    if not decision.reached:
        return (
            f"{decision.chosen.budget.words} Everything below is for the scenario's own ε = "
            f"{plain(decision.scenario.epsilon)}."
        )
    if not REGISTRY[decision.mechanism].reads_demand:
        return f"Publish the **{label}** rate. It reads no data and is within {accepted} of the optimal rate."
    return (
        f"Publish the **{label}** rate with **ε = {plain(decision.scenario.epsilon)}** per price. On average "
        f"it misses the optimal rate by {percent(decision.chosen.error)} in a typical step."
    )


def warnings(decision: Decision) -> list[str]:
    """Return what is not hidden at that ε, so that nobody takes the error for the whole answer."""
    lines = []
    for secret in ("holiday", "history"):
        for who in TITLES:
            shown = {
                each.group: each.seen.areas[secret, who].value
                for each in decision.exposures
                if (secret, who) in each.seen.areas and each.seen.areas[secret, who].value >= VISIBLE
            }
            if shown:
                groups = ", ".join(f"{name} ({percent(area, 2)})" for name, area in shown.items())
                lines.append(f"**{SECRETS[secret]} is visible** to an {who}: {groups}.")
    return lines


def rates_frame(decision: Decision) -> "pd.DataFrame":
    """Return a row for each rate: the ε that it needs, its error, and its error if habits are wrong."""
    import pandas as pd

    return pd.DataFrame(
        {
            REGISTRY[name].label: {
                "ε per price": _needed(option),
                "Expected error": percent(option.error),
                "If habits are wrong": _wrong(option),
            }
            for name, option in decision.options.items()
            if name in offered(decision.scenario.negligible, [decision.mechanism])
        }
    ).T


def _needed(option: RateOption) -> str:
    if not option.budget.epsilon or option.budget.exact:
        return needed(option.budget)
    return plain(option.epsilon)


def _wrong(option: RateOption) -> str:
    if not option.wrong_habits:
        return "the same"
    return f"up to {percent(option.wrong_error)} ({option.wrong_habits})"


def money_frame(decision: Decision) -> "pd.DataFrame":
    """Return what a month changes for the utility, for all customers and for each group."""
    import pandas as pd

    scenario, money = decision.scenario, decision.money
    rows = {
        "The utility earns": {
            "Houses": "",
            "Mean": profit_words(money, scenario),
            f"{LEVEL_WORDS} of months": _ends(-money.loss.high, -money.loss.low),
        }
    }
    parts = {"Every customer pays": money.bills} | (money.groups if len(money.groups) > 1 else {})
    for name, of in parts.items():
        rows[name] = {
            "Houses": f"{of.houses:,}",
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
                f"{words}, {title.lower()}": _area(each.seen, secret, who)
                for secret, words in SECRETS.items()
                for who, title in TITLES.items()
            }
            for each in decision.exposures
        }
    )


def _area(seen: Overview | None, secret: str, who: AdversaryKind) -> str:
    found = seen.areas.get((secret, who)) if seen else None
    return "no secret" if found is None else f"{percent(found.value, 2)}, {visibility_word(found.value)}"


def interval_frame(decision: Decision) -> "pd.DataFrame":
    """Return a column for each price interval, all at the same accepted error."""
    import pandas as pd

    scenario = decision.scenario
    columns = {}
    for option in decision.intervals:
        column = {"ε per price": option.refusal}
        if option.epsilon is not None and option.money is not None:
            reads = REGISTRY[decision.mechanism].reads_demand
            column = {
                "ε per price": plain(option.epsilon) if reads and not option.refusal else option.refusal,
                "Expected error": percent(option.error or 0.0),
                "The utility earns": profit_words(option.money, scenario),
                "Bill, worst tenth": amount(option.money.bills.worst.value, scenario),
                **{f"A week away, {who}": _area(option.holiday, "holiday", who) for who in TITLES},
            }
        columns[f"{option.minutes} minutes"] = column
    return pd.DataFrame(columns).fillna("")


def assumptions(decision: Decision) -> list[str]:
    """Return what the answer rests on, in five lines."""
    mechanism = REGISTRY[decision.mechanism]
    return [
        f"{mechanism.label}: {mechanism.promise} It relies on {mechanism.relies_on}.",
        "The promise is for each price. Many prices together reveal more: the table by group shows it.",
        "Houses come and go independently, by the habits of the scenario, and use what its bounds say.",
        f"Money is the mean of {decision.money.spans} simulated months; {LEVEL_WORDS} of them fall into the "
        "range.",
        "What can be learned is about each group's most exposed house: how often an observer is right "
        f"about two such houses, one of each answer. 50 % is guessing; hidden up to {HIDDEN:.0%}, visible "
        f"from {VISIBLE:.0%}.",
    ]
