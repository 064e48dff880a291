"""The answer in two or three sentences, and its tables; what happens to money, and how sure a what-if
map is."""

from collections.abc import Mapping

from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.core.time import on_days
from rtp.core.types import Frame, data_frame
from rtp.decision import OBSERVERS, SECRETS, Answer, Choice, OtherDay
from rtp.exposure import HIDDEN, VISIBLE, Observer, Secret, Worst
from rtp.exposure.result import COIN
from rtp.mechanisms import REGISTRY, short, title
from rtp.money.bills import MONTH
from rtp.money.summary import Summary
from rtp.output.exposure import COIN as A_COIN
from rtp.output.exposure import EDGE, interval, share, visibility, where
from rtp.output.words import NO_MEAN
from rtp.scenario import Scenario
from rtp.scenario.describe import differences
from rtp.scenario.units import amount, bare_amount, more_or_less
from rtp.sweep.measures import shown_unit
from rtp.sweep.whatif import Map

TIMETABLE = "Timetable"
DESCRIBED = "Of the street as described; Explore and Attack show one draw of it."
BY_THE_CROWD = "Hidden by the crowd, not by noise: so large an ε promises nothing."


def _budget(epsilon: float) -> str:
    """In one piece: no line ends within it."""
    return f"ε\u00a0=\u00a0{plain(epsilon)}"


def said(answer: Answer) -> list[str]:
    """Return all that is said of an answer, a paragraph each."""
    lines = (
        answer_sentence(answer),
        f"{objective(answer)} {which_street(answer)}",
        *reason(answer),
        stress_words(answer),
        "" if answer.error_has_mean else NO_MEAN,
        *warnings(answer),
    )
    return list(filter(None, lines))


def answer_sentence(answer: Answer) -> str:
    """Return what to publish."""
    chosen, choice = answer.chosen, answer.choice
    if choice is not None:
        crowd = "" if choice.promises else f" {BY_THE_CROWD}"
        return (
            f"Publish the **{short(choice.rate)}** rate every **{choice.minutes} minutes** with "
            f"**{_budget(choice.epsilon)}** per step: off by {percent(choice.error)} (RMSRE).{crowd}"
        )
    lead = "Publish the" if chosen.verdict == "timetable" else "**Do not publish.** Closest is a"
    return (
        f"{lead} **timetable**, a forecast every {chosen.timetable} minutes: off by "
        f"{percent(chosen.timetable_error)} (RMSRE), reads no data."
    )


def which_street(answer: Answer) -> str:
    """Return of which street the numbers are: other screens draw the houses that are not listed."""
    return DESCRIBED if answer.stated.houses is None else ""


def objective(answer: Answer) -> str:
    """Return by what the answer was chosen."""
    wish, every = answer.wish, " or ".join(map(str, sorted(answer.moved)))
    if wish.secret is None:
        within = f"within {_accepted(answer)}, with a price every {every} minutes"
        return f"Asked for: what an {wish.judge} tells least from, {within}."
    within = "" if wish.error is None else f", at most {_accepted(answer)}"
    whose = f" of {', '.join(wish.groups)}" if wish.groups else ""
    whom = "both observers" if wish.observer == "both" else f"an {wish.judge}"
    return (
        f"Asked for: the smallest error that hides {SECRETS[wish.secret]}{whose} from {whom}{within}, "
        f"with a price every {every} minutes."
    )


def _accepted(answer: Answer) -> str:
    return percent((answer.wish.error or 0) / 100)


def reason(answer: Answer) -> list[str]:
    """Return what the observer gets from what is published; where no rate is, which wish fails, and by how
    much: a paragraph each."""
    wish, chosen = answer.wish, answer.chosen
    if answer.choice is not None:
        others = (_on_other_day(answer, other) for other in answer.other_days)
        lines = [" ".join([_right(answer, answer.choice), *others]), _edge(answer)]
        return list(filter(None, lines))
    lines = []
    if wish.secret is not None:
        lines += [*_without_noise(answer), _hides(answer)]
    if chosen.accurate is not None and (wish.secret is None or chosen.verdict == "nothing"):
        best = _right(answer, chosen.accurate)
        lines.append(f"Best hidden within {_accepted(answer)}: {best[0].lower()}{best[1:]}")
    if wish.error is not None and chosen.accurate is None:
        lines.append(f"No rate that reads demand keeps {_accepted(answer)}.")
    return lines


def _on_other_day(answer: Answer, other: OtherDay) -> str:
    """Return where it shows most on another kind of day than the worst."""
    lead = on_days(other.days)
    if other.worst is None:
        return f"{lead} habits settle it."
    place = where(other.worst, answer.scenario, answer.wish.shown)
    return f"{lead} most at {place}: {share(other.right, answer.seen[0].exact)} ({interval(other.right)})."


def _edge(answer: Answer) -> str:
    """Return what is decided at the edge, and by how much."""
    edge, hiding = answer.chosen.edge, answer.chosen.hiding
    if edge is None or answer.wish.secret is None:
        return ""
    if hiding is not None and (edge.rate, edge.minutes) == (hiding.rate, hiding.minutes):
        lead = f"The upper end of the interval is at {percent(HIDDEN)}; up to {_budget(edge.epsilon)}"
    else:
        rate = f"{short(edge.rate)} rate every {edge.minutes} minutes"
        lead = f"{percent(HIDDEN)} lies in the interval of the {rate}; with {_budget(edge.epsilon)}"
    off = percent(edge.error)
    return f"{lead} its lower end is below. That is not called hidden, and would be off by {off}."


def stress_words(answer: Answer) -> str:
    """Return by how much what is published is off where the worst happens of what can."""
    if answer.chosen.verdict == "nothing" or not answer.stress:
        return ""
    worst = answer.stress[0]
    told = [(each.right, each.words) for each in answer.stress if each.right is not None]
    words = f"With {worst.words} it is off by {percent(worst.error)}"
    if told:
        right, what = max(told)
        often = share(right, answer.seen[0].exact)
        words += f"; with {what} an {answer.wish.judge} tells {SECRETS[answer.wish.shown]}: {often}"
    return f"{words}."


def _without_noise(answer: Answer) -> list[str]:
    """Return how often the observer would be right without noise, and where, unless habits settle all."""
    wish = answer.wish
    asked = [
        each
        for each in answer.seen
        if (each.secret, each.observer, each.rarest) == (wish.shown, wish.judge, wish.rarest)
        and each.group in (wish.groups or (each.group,))
        and each.worst_without_noise is not None
    ]
    if not asked:
        return []
    most = max(asked, key=lambda each: each.without_noise.value)
    often = share(most.without_noise, most.exact)
    return [
        f"Without noise an {wish.judge} tells {SECRETS[wish.shown]}: {often} ({A_COIN})"
        f"{_at(answer, most.worst_without_noise, wish.shown)}."
    ]


def _hides(answer: Answer) -> str:
    """Return what it takes to hide the secret by noise."""
    wish, hiding = answer.wish, answer.chosen.hiding
    who = f"an {wish.judge}"
    if hiding is None:
        return f"No noise hides {SECRETS[wish.shown]} from {who}. {_edge(answer)}".strip()
    if hiding.worst is None:
        return f"Habits settle {SECRETS[wish.shown]}: there is nothing to hide from {who}."
    rate = f"the {short(hiding.rate)} rate with {_budget(hiding.epsilon)}"
    words = f"The most accurate that hides it from {who} is {rate}: off by {percent(hiding.error)}"
    if answer.chosen.verdict == "timetable" and hiding.error <= answer.chosen.timetable_error:
        words += ", hardly less than the timetable"
    return f"{words}. {_edge(answer)}".strip()


def _right(answer: Answer, choice: Choice) -> str:
    """Return how often the observer is right at a choice, where she is so most often, and how often the other
    one is: of an insider who was not asked about, as a warning."""
    secret, first = answer.wish.shown, choice.first
    lead = f"An {choice.judge} tells {SECRETS[secret]}"
    if choice.worst is None:
        return f"{lead} no more often than a coin: habits settle it."
    words = (
        f"{lead}: **{share(first[choice.judge], choice.exact)}** "
        f"({_amounts_to(first[choice.judge], choice.right, choice.hides)}), "
        f"most at {where(choice.worst, answer.scenario, secret)}"
    )
    for who, told in choice.told.items():
        if who != choice.judge:
            exact = all(each.exact for each in answer.seen if each.observer == who)
            warning = "Warning: an" if choice.judge == "outsider" and told.high > HIDDEN else "An"
            words += f". {warning} {who} {share(first[who], exact)} ({_amounts_to(first[who], told)})"
    return f"{words}."


def _amounts_to(first: Range, right: Range, hides: bool = True) -> str:
    """Return what it amounts to. The number beside it is that of every screen; where it was measured on more
    days than that, their interval decides."""
    lead = "" if right == first else "on more days "
    return f"{lead}{interval(right)}: {visibility(right, hides)}"


def _at(answer: Answer, worst: Worst | None, secret: Secret) -> str:
    return "" if worst is None else f", {where(worst, answer.scenario, secret)}"


def warnings(answer: Answer) -> list[str]:
    """Return whose secrets are visible in what is published, so that nobody takes one for all."""
    lines = []
    for who in OBSERVERS:
        shown: dict[str, list[str]] = {}
        for each in answer.seen:
            if each.observer == who and each.rarest == answer.wish.rarest and each.right.high >= VISIBLE:
                edge = "" if each.right.low >= VISIBLE else f", {EDGE}"
                shown.setdefault(SECRETS[each.secret], []).append(f"{each.group}{edge}")
        if shown:
            parts = (f"{secret} ({'; '.join(groups)})" for secret, groups in shown.items())
            lines.append(f"**Visible to an {who}:** {', '.join(parts)}.")
    return lines


def exposure_frame(answer: Answer) -> Frame:
    """Return a row for each group and secret: how often each observer is right, without noise and, where
    something is published that reads demand, with it."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    published = REGISTRY[answer.rate].reads_demand
    for each in sorted(answer.seen, key=lambda each: -each.rarest):
        row = rows.setdefault((f"{each.group} ({each.houses:,})", SECRETS[each.secret].capitalize()), {})
        who, place = each.observer.capitalize(), _at(answer, each.worst_without_noise, each.secret)
        often = share(each.first, each.exact)
        if each.rarest < answer.wish.rarest:
            same = each.worst is None or row[who].startswith(often)
            row[who] += "" if same else f"; however rare {often}"
            continue
        if published:
            row[who] = often
        if each.worst is not None:
            row[who] += f"{_at(answer, each.worst, each.secret)} "
            row[who] += f"({_amounts_to(each.first, each.right, each.hidden)})"
            place = ""  # one is enough
        row[f"{who}, without noise"] = f"{share(each.without_noise, each.exact)}{place}"
    if published:  # in one column, as a phone has no room for two
        for row in rows.values():
            for who in [who for who in map(str.capitalize, OBSERVERS) if who in row]:
                row[who] += f"; without noise {row.pop(f'{who}, without noise')}"
    return data_frame(rows).T.rename_axis(["Group", "Secret"]).reset_index("Secret")


def money_frame(answer: Answer) -> Frame:
    """Return what a month changes for the utility, for all customers and for each group."""
    scenario, money = answer.scenario, answer.money
    rows = {
        "The utility earns": {
            "Houses": "",
            "Mean bill": "",
            "Mean": profit_words(money, scenario),
            f"{LEVEL_WORDS} of months": _ends(-money.loss.high, -money.loss.low, scenario),
        },
        "Cost of the mismatch": {
            "Mean": amount(money.mismatch.value, scenario),
            f"{LEVEL_WORDS} of months": _ends(money.mismatch.low, money.mismatch.high, scenario),
        },
    }
    parts = {"Every customer pays": money.bills} | (money.groups if len(money.groups) > 1 else {})
    for name, of in parts.items():
        rows[name] = {
            "Houses": f"{of.houses:,}",
            "Mean bill": amount(of.bill, scenario),
            "Mean": more_or_less(of.mean.value, scenario),
            f"{LEVEL_WORDS} of months": _ends(of.mean.low, of.mean.high, scenario),
            "Worst tenth": amount(of.worst.value, scenario),
        }
    return data_frame(rows).T.fillna("")


def _ends(low: float, high: float, scenario: Scenario) -> str:
    return f"{bare_amount(low, scenario)} to {bare_amount(high, scenario)}"


def stress_frame(answer: Answer) -> Frame:
    """Return a row for everything that can happen: how far off the rate then is, and what is told of it."""
    exact = answer.seen[0].exact
    rows = {
        f"{each.words[0].upper()}{each.words[1:]}": {
            "Off by (RMSRE)": percent(each.error),
            f"{answer.wish.judge.capitalize()} right": "" if each.right is None else share(each.right, exact),
        }
        for each in answer.stress
    }
    return data_frame(rows).T.rename_axis("What if")


def compared_frame(answers: Mapping[str, Answer]) -> Frame:
    """Return answers side by side, by their names: what differs in what was asked and described, what is
    published, what is told, what it costs."""
    whole = [*answers.values()]
    rows = {"Asked for": [objective(each).removeprefix("Asked for: ") for each in whole]}
    rows |= {row.setting: [*row.values] for row in differences([each.stated for each in whole])}
    rows["Published"] = [title(each.rate) if each.choice else TIMETABLE for each in whole]
    errors = [each.choice.error if each.choice else each.chosen.timetable_error for each in whole]
    rows["Off by (RMSRE)"] = list(map(percent, errors))
    for who in OBSERVERS:
        rows[f"{who.capitalize()} right"] = [_often(each, who) for each in whole]
    rows["The utility earns"] = [profit_words(each.money, each.scenario) for each in whole]
    rows["Every customer pays"] = [more_or_less(each.money.bills.mean.value, each.scenario) for each in whole]
    return data_frame(rows, list(answers)).T


def _often(answer: Answer, who: Observer) -> str:
    """Return how often an observer is right about the secret of the wish, in what is published."""
    if answer.choice is None:
        return share(COIN)
    told = answer.choice.first.get(who)
    exact = all(each.exact for each in answer.seen if each.observer == who)
    return "not asked" if told is None else share(told, exact)


TABLES = {
    "Who can still tell": exposure_frame,
    f"What it costs in a month of {MONTH} days": money_frame,
}
STRESS_MEANS = (
    "Noise and forecast stay those of the street as it is described; people live otherwise. How often an "
    "observer is right depends on the noise beside the use: it is said where the use changes."
)


MAX_DIFFERENCES = 3  # that a sentence names
BARE_UNITS = "Money is in the scenario's units, a rate times a step's consumption."


def profit_words(summary: Summary, scenario: Scenario) -> str:
    """Return what the utility earns more or less."""
    return more_or_less(0.0 - summary.loss.value, scenario)


def money_basis(summary: Summary, scenario: Scenario) -> str:
    """Return what the means and ranges of money come from, and its unit where the scenario states none."""
    units = "" if scenario.currency or scenario.power_unit else f" {BARE_UNITS}"
    means = "Means are computed" if summary.exact else f"Means are those of {summary.spans.count} repetitions"
    weeks = "A month is 30/7 weeks, weekends included. " if scenario.has_weekends else ""
    return (
        f"{means}. {LEVEL_WORDS} of repetitions on the same street, with other occupancy and noise, fall "
        f"into the range. {weeks}Bills are followed for {len(summary.spans.weight):,} households spread over "
        f"the street.{units}"
    )


def certainty_words(found: Map, measure: str, mechanism: str | None = None) -> str:
    """Return how many days every point averages, and its widest interval, of one or of all mechanisms."""
    few, many = (end(part.days for part in found.parts.values()) for end in (min, max))
    widest = plain(found.widest(measure, mechanism), 2) + shown_unit(measure)
    return (
        f"Every point is the mean of {few if few == many else f'{few} to {many}'} simulated days; its "
        f"{LEVEL_WORDS} interval is at most ± {widest}."
    )


def misfit_words(found: Map, scenario: Scenario) -> str:
    """Return in what the scenario is not the one that was varied; empty where it is one of the map's."""
    rows = found.misfit(scenario)
    texts = [f"{row.setting}: {row.values[0]} there, {row.values[1]} now" for row in rows[:MAX_DIFFERENCES]]
    more = [f"{len(rows) - MAX_DIFFERENCES} more"] if len(rows) > MAX_DIFFERENCES else []
    return "; ".join([*texts, *more])
