"""The answer as a page of HTML that somebody can sign, and publish from: what is published, who can still
tell, money, what can happen; the prices; the street, the assumptions, what the data protection officer asks.
It opens offline, prints, and needs no script.

What the answer rests on is said in plain sentences. What is handed over stands in tables: the timetable, or
the noise of every step beside a sample day; and the hours that it rests on.
"""

from rtp.core.formatting import percent, plain
from rtp.core.time import days_words, hhmm
from rtp.core.types import Frame, data_frame
from rtp.decision import Answer, completed
from rtp.decision.handover import plans
from rtp.exposure import HIDDEN, VISIBLE
from rtp.figures.decision import answer_figure, prices_figure
from rtp.figures.static import diagram
from rtp.mechanisms import REGISTRY
from rtp.money.bills import MONTH
from rtp.output.decision import BY_THE_CROWD, STRESS_MEANS, TABLES, money_basis, said, stress_frame
from rtp.output.report import diagram_html, frame_html, html_page, list_html, scenario_html, text_html
from rtp.output.roster import doubt_words
from rtp.output.words import GLOSSARY, LIMITS, promise_words
from rtp.scenario import Period, Scenario
from rtp.scenario.describe import moved_words
from rtp.scenario.units import column, titled, with_unit

TABLES_ACROSS = 3
TERMS = ("insider", "outsider", "Algorithm 1", "RMSRE", "ε")
LEARNED = "Habits and bounds count as public: readings that they were learned from are not covered."


def decision_report(answer: Answer) -> str:
    """The report's HTML; the scenario is attached to it."""
    answer = answer if answer.complete else completed(answer)
    tables = "\n".join(f"<h2>{title}</h2>\n{frame_html(make(answer))}" for title, make in TABLES.items())
    head, *paragraphs = said(answer)
    what = "The timetable" if answer.choice is None else "What is published"
    body = f"""<p><b>{text_html(head)}</b></p>
{list_html(paragraphs)}
{diagram_html(diagram(answer_figure(answer)))}
{tables}
<h2>What if</h2>
{frame_html(stress_frame(answer))}
<p>{text_html(STRESS_MEANS)}</p>
<div class="sheet"></div>
<h2>{what}</h2>
<p>{text_html(handed_words(answer))}</p>
{diagram_html(diagram(prices_figure(answer)))}
{_side_by_side(shown_prices(answer))}
<h2>The street</h2>
{frame_html(groups_frame(answer))}
{list_html([tariff(answer), *hours(answer.stated)])}
<h2>What is assumed</h2>
{list_html(assumptions(answer))}
<h2>For the data protection officer</h2>
{_officer(answer)}
<h2>Words</h2>
{list_html(f"**{term}**: {GLOSSARY[term]}" for term in TERMS)}
{scenario_html(answer.stated)}"""
    return html_page("the answer", "Which price can be published?", body)


def _side_by_side(prices: Frame) -> str:
    """A long table as several short ones."""
    rows = -(-len(prices) // TABLES_ACROSS)
    parts = (frame_html(prices.iloc[start : start + rows]) for start in range(0, len(prices), rows))
    return f'<div class="across">{"".join(parts)}</div>'


def tariff(answer: Answer) -> str:
    """The tariff, and which prices it makes."""
    scenario = answer.scenario
    slope = with_unit(plain(scenario.alpha, 4), scenario, "slope")
    base = with_unit(plain(scenario.beta, 4), scenario, "rate")
    prices = [with_unit(plain(each), scenario, "rate") for each in answer.prices]
    without, published = (percent(share, 2) for share in answer.outside)
    return (
        f"**Tariff**: α = {slope}, β = {base}. On a typical day, without noise: {prices[0]} to {prices[1]}; "
        f"others at {without} of steps without noise, {published} as published."
    )


def groups_frame(answer: Answer) -> Frame:
    """The street as it was described."""
    scenario = answer.scenario
    houses = {each.group: each.houses for each in answer.seen}
    months = dict(zip([group.name for group in scenario.groups], answer.load.a_month.tolist(), strict=True))
    peak, standby = (titled(name, scenario, "power") for name in ("Peak", "Standby"))
    rows = {
        group.name: {
            "Houses": f"{houses[group.name]:,}",
            peak: " to ".join(dict.fromkeys(map(plain, (group.occupied_min, group.occupied_max)))),
            standby: " to ".join(dict.fromkeys(map(plain, (group.empty_min, group.empty_max)))),
            **({"kWh a month": plain(months[group.name])} if scenario.power_unit else {}),
        }
        for group in scenario.groups
        if group.name in houses
    }
    return data_frame(rows).T.rename_axis("Group")


def _officer(answer: Answer) -> str:
    """Which promise, about whom, and what it does not cover."""
    scenario, choice, lines = answer.scenario, answer.choice, promise_of(answer)
    a_month = MONTH * scenario.steps // scenario.days
    if choice is not None:
        lines += [
            f"**About whom**: every house of the street, one step at a time. ε = {plain(choice.epsilon)} for "
            f"each of {a_month:,} rates a month: {plain(choice.epsilon)} × {a_month:,} = "
            f"{plain(choice.epsilon * a_month)} in all, if somebody adds them up.",
        ]
    else:
        lines += [
            "**About whom**: every house of the street. No meter is read, so there is nothing to add up."
        ]
    limits = [*(LIMITS if choice is not None else ()), LEARNED]
    return f"{list_html(lines)}\n<h3>What it does not cover</h3>\n{list_html(limits)}"


MANY = "The promise is for each rate. Many rates together reveal more: the table by group shows it."


def promise_of(answer: Answer) -> list[str]:
    """Return what is promised, and of which rate where none is to be published."""
    closest = "Nothing is to be published: numbers and promise are those of the timetable, the closest."
    if answer.choice is not None and not answer.choice.promises:
        return [BY_THE_CROWD]
    return [closest] * (answer.chosen.verdict == "nothing") + [promise_words(REGISTRY[answer.rate])]


def assumptions(answer: Answer) -> list[str]:
    """Return what the answer rests on."""
    use = "anything up to their bounds, uniformly"
    if answer.scenario.has_laws:
        use = "what their group's distribution says, cut at their bounds"
    lines = [
        *promise_of(answer),
        *([MANY] if answer.choice is not None and answer.choice.promises else ()),
        "The street is as described, whatever the seed: houses are spread evenly over their group's bounds, "
        f"come and go independently, and use {use}.",
        *doubt_words(answer.scenario, answer.load),
        *_cap(answer.scenario),
        money_basis(answer.money, answer.scenario),
        "What can be told is about each group's worst house, moment and kind of day, found by search: of "
        "two records, one of each answer, how often an observer names the right one. 50 % is a coin; hidden "
        f"up to {percent(HIDDEN)}, visible from {percent(VISIBLE)}.",
        _moments(answer.wish.rarest),
        _observers(answer),
    ]
    lines += [
        f"With a price every {minutes} minutes: {line}"
        for minutes, moved in answer.moved.items()
        for line in moved_words(moved)
    ]
    lines += [
        f"A price every {minutes} minutes was not looked at: {why}" for minutes, why in answer.refused.items()
    ]
    return lines


def _cap(scenario: Scenario) -> list[str]:
    if scenario.price_cap is None:
        return []
    cap = with_unit(plain(scenario.price_cap), scenario, "rate")
    return [
        f"Rates above {cap} are published as {cap}: post-processing, so the promise stands. That a rate is "
        "capped counts as evidence."
    ]


def _moments(rarest: float) -> str:
    if not rarest:
        return "Moments are those at which habits leave either answer possible."
    return (
        f"Moments are those at which habits leave either answer at least {percent(rarest)} likely; however "
        "rare: all at which either is possible."
    )


def _observers(answer: Answer) -> str:
    if all(each.exact for each in answer.seen):
        return "Both observers are exact: nobody who knows as much tells more."
    return (
        "The insider is exact, and no outsider tells more. The outsider of so many houses is approximate: "
        "she is right at least so often, and a secret is called hidden from her only where the noise takes "
        "at least a quarter of what an insider gains over a coin."
    )


PRICE_DIGITS = 4
NOISE = "noise"


def price_frame(answer: Answer) -> Frame:
    """Return a row for each step of the day: the price or, where it has noise, its scale and a sample."""
    scenario, steps = answer.scenario, range(answer.scenario.steps_per_day)
    columns: dict[str, list[float] | list[str]] = {
        "from": [hhmm(step * scenario.step_minutes / 60) for step in steps]
    }
    for plan in plans(answer):
        kind = plan.kind.replace(" ", "_")
        shown = {f"price_{kind}": plan.expected}
        if plan.scale is not None and plan.sample is not None:
            shown = {f"{NOISE}_{kind}": plan.scale, f"sample_{kind}": plan.sample}
        for name, values in shown.items():
            columns[column(name, scenario, "rate")] = [float(plain_number(v)) for v in values.tolist()]
    return data_frame(columns)


def plain_number(value: float) -> str:
    """Return a price in as many digits as it is charged."""
    return f"{value:.{PRICE_DIGITS}g}"


def shown_prices(answer: Answer) -> Frame:
    """Return the same with words for its columns, for screen and paper."""
    scenario, rows = answer.scenario, {}
    made = plans(answer)
    for step in range(scenario.steps_per_day):
        cells = {}
        for plan in made:
            kind = plan.kind.capitalize()
            if plan.scale is None or plan.sample is None:
                cells[titled(kind, scenario, "rate")] = plain_number(plan.expected[step])
            else:
                cells[f"{kind}: noise"] = plain(plan.scale[step])
                cells[f"{kind}: a sample"] = plain_number(plan.sample[step])
        rows[hhmm(step * scenario.step_minutes / 60)] = cells
    return data_frame(rows).T.rename_axis("From")


def handed_words(answer: Answer) -> str:
    """Return what is published, and how it is made."""
    every = f"Every {answer.chosen.minutes} minutes"
    if answer.choice is None:
        return f"{every} the rate that habits let expect: the same on every day of a kind. No meter is read."
    smooth = ", smoothed by what habits let expect" if REGISTRY[answer.rate].postprocess is not None else ""
    return (
        f"{every} the optimal rate of the demand that is metered, with Laplace noise of the scale that "
        f"stands at its step, drawn anew each time{smooth}. The sample is one day that was drawn."
    )


def hours(scenario: Scenario) -> list[str]:
    """Return for each group and kind of day when each period begins, and how likely it is to arrive and to
    leave during it."""
    lines = []
    for group, habits in zip(scenario.groups, scenario.models[0].habits, strict=True):
        kinds = habits.day_kinds()
        for field, periods in kinds.items():
            day = f", {days_words(habits.days_of(field))}" if len(kinds) > 1 else ""
            lines.append(f"**{group.name}{day}** (arriving / leaving): {'; '.join(map(_hours, periods))}.")
    return lines


def _hours(period: Period) -> str:
    likely = f"{percent(period.arrive)} / {percent(period.leave)}"
    return f"from {hhmm(period.start)} {likely}{' a step' if period.basis == 'step' else ''}"
