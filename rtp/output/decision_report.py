"""The answer as a page of HTML that somebody can sign, and publish from: what is published, who can still
tell, money, what can happen; the prices; the street, the assumptions, what the data protection officer asks.
It opens offline, prints, and needs no script."""

from rtp.core.formatting import percent, plain
from rtp.core.types import Frame, data_frame
from rtp.decision import SECRETS, Answer, completed
from rtp.figures.decision import answer_figure, prices_figure
from rtp.figures.static import diagram
from rtp.money.bills import MONTH
from rtp.output.assumptions import assumptions, promise_of
from rtp.output.decision import STRESS_MEANS, TABLES, said, stress_frame
from rtp.output.handover import handed_words, hours, shown_prices
from rtp.output.report import diagram_html, html_page, list_html, scenario_html, text_html
from rtp.output.street_report import frame_html
from rtp.output.words import GLOSSARY, LIMITS
from rtp.scenario import units

TABLES_ACROSS = 3
TERMS = ("insider", "outsider", "Blowfish", "RMSRE", "ε")
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
<h2>What was asked</h2>
{list_html(asked(answer))}
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
{list_html(hours(answer.stated))}
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


def asked(answer: Answer) -> list[str]:
    """The wishes, the tariff, and whose prices they are."""
    wish, scenario = answer.wish, answer.scenario
    whose = ", ".join(wish.groups) if wish.groups else "every group"
    slope = units.with_unit(plain(scenario.alpha, 4), scenario, "slope")
    base = units.with_unit(plain(scenario.beta, 4), scenario, "rate")
    prices = [units.with_unit(plain(each), scenario, "rate") for each in answer.prices]
    without, published = (percent(share, 2) for share in answer.outside)
    whom = "both observers" if wish.observer == "both" else f"an {wish.observer}"
    hidden = f"{SECRETS[wish.shown]} of {whose}, from {whom}" if wish.secret else "left open"
    return [
        f"**To stay hidden**: {hidden}.",
        f"**Accepted RMSRE**: {'left open' if wish.error is None else percent(wish.error / 100)}.",
        f"**Tariff**: α = {slope}, β = {base}. On a typical day, without noise: {prices[0]} to {prices[1]}; "
        f"others at {without} of steps without noise, {published} as published.",
    ]


def groups_frame(answer: Answer) -> Frame:
    """The street as it was described."""
    scenario = answer.scenario
    houses = {each.group: each.houses for each in answer.seen}
    months = dict(zip([group.name for group in scenario.groups], answer.load.a_month.tolist(), strict=True))
    peak, standby = (units.titled(name, scenario, "power") for name in ("Peak", "Standby"))
    rows = {
        group.name: {
            "Houses": f"{houses[group.name]:,}",
            peak: f"{plain(group.occupied_min)} to {plain(group.occupied_max)}",
            standby: f"{plain(group.empty_min)} to {plain(group.empty_max)}",
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
