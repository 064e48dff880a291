"""The trade-off: the ε–error curve with its controls, against ε or against what leaks; what an
accepted error asks for; what privacy costs in money.

Curves and budgets are kept until anything but ε changes.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.ui import cache, pins
from pages.ui.cache import picture, shared, weight_per_house
from pages.ui.params import ACCEPTED, RATE
from pages.ui.session import lab
from pages.ui.show import Point, chart, clickable, items, metric, number_of, table
from pages.ui.sidebar import EPSILON_GRID
from pages.ui.widgets import offered_rates, toggle, url_number, url_segmented, url_select
from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.figures import style
from rtp.figures.leakage import price_figure
from rtp.figures.tradeoff import PinnedCurve, change_figure, curve_figure
from rtp.leakage import budget
from rtp.leakage.budget import MAX_HOUSE_DAYS, MomentPrice, price_of_a_moment
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.metrics import ERROR_MEANS
from rtp.money.bills import MONTH
from rtp.money.summary import StreetRuns, Summary, money_of_runs, month_of, simulate_runs, summarise
from rtp.output import tradeoff as words
from rtp.output.words import promise_words
from rtp.scenario import LIBRARY, OccupancyModel, Scenario
from rtp.scenario.describe import span_words
from rtp.scenario.units import amount, bare_amount
from rtp.simulation import Day, street_key
from rtp.street.simulate import StreetDay
from rtp.tradeoff import Curve, answers, curve
from rtp.tradeoff.curves import joined
from rtp.tradeoff.misspecification import candidates, with_assumed_model

NOISE_DAYS = 300
OWN = "own"
Belief = OccupancyModel | str | None  # another one, the scenario's own, or the truth


def own_curve(day: Day) -> Curve:
    """With the belief that the scenario states."""
    return _with_own_budget(day, OWN)


def curve_believing(day: Day, belief: OccupancyModel | None) -> Curve:
    """With another belief of filter and forecast; None is the truth."""
    return _with_own_budget(day, belief)


def _with_own_budget(day: Day, belief: Belief) -> Curve:
    """The curve over the slider's budgets, the same for everybody, and the scenario's own budget in it."""
    common = _curve(day, belief)
    return common if day.scenario.epsilon in EPSILON_GRID else joined(common, _own_point(day, belief))


@shared(apart_from=("epsilon",), spinner="Pricing the day at every budget …")
def _curve(day: Day, belief: Belief) -> Curve:
    return curve(day.scenario, EPSILON_GRID, NOISE_DAYS, street_day=_street(day, belief))


@shared()
def _own_point(day: Day, belief: Belief) -> Curve:
    return curve(day.scenario, [day.scenario.epsilon], NOISE_DAYS, street_day=_street(day, belief))


def _street(day: Day, belief: Belief) -> StreetDay:
    return day.street_day if isinstance(belief, str) else _believing(day, belief)


@shared(apart_from=("epsilon",), weight=lambda day, belief: weight_per_house(day.scenario))
def _believing(day: Day, belief: OccupancyModel | None) -> StreetDay:
    return with_assumed_model(day.scenario, day.street_day, belief)


@shared(apart_from=("epsilon",), spinner="Looking for the budgets …")
def budgets_for(day: Day, target: float) -> answers.Budgets:
    """What every mechanism needs to reach that error."""
    return answers.budgets(day.scenario, target, day.street_day)


def shown_rates(scenario: Scenario) -> list[str]:
    """The private rates that the screen shows."""
    return offered_rates(scenario, RATE, private())


def leak_curve(day: Day, target: float, log: bool) -> None:
    """A point for every budget, the scenario's own among them."""
    scenario = day.scenario
    if scenario.households * scenario.days > MAX_HOUSE_DAYS:
        st.info(f"The leak of a moment is drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days.")
        return
    price = _price(day).only(shown_rates(scenario))
    clickable(
        price_figure(price, scenario.steps, scenario.epsilon, log, target),
        "tradeoff:leak",
        _set_epsilon_of_leak,
    )
    st.caption(
        f"**Click a point to set ε everywhere.** A point is a budget; the diamond is ε = "
        f"{plain(scenario.epsilon)} now. At the same leak the lower line is better.",
        help="Across: by how much all rates together can shift the log-odds of the most exposed moment of "
        "any house, for an insider, under the worst of the models. Up: the expected RMSRE. Both are "
        "computed, not sampled. More on Attack, Over time.",
    )


def _price(day: Day) -> MomentPrice:
    """The budgets that are the same for everybody, and the scenario's own."""
    return budget.joined_prices(cache.moment_prices(day), _own_price(day))


@shared()
def _own_price(day: Day) -> MomentPrice:
    return price_of_a_moment(day.scenario, [day.scenario.epsilon], street_day=day.street_day)


def _set_epsilon_of_leak(point: Point) -> None:
    if (epsilon := number_of(point)) is not None:
        lab().set("epsilon", epsilon)


LOG = "tradeoff:log"


def what_an_error_costs(day: Day) -> None:
    """The error that is accepted, the rate that needs the smallest ε for it, and the curves."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target()
        against = url_segmented(
            "x-axis", list(answers.AGAINST), "tradeoff:against", answers.AGAINST.__getitem__
        )
        log = logarithmic()
        toggle("Logarithmic axes", log, partial(lab().show, LOG), key=LOG)
    rmsre = answers.target_rmsre(target, day.scenario.steps)
    names = shown_rates(day.scenario)
    found = {name: each for name, each in budgets_for(day, rmsre).items() if name in names}
    st.markdown(f"## {words.answer_headline(found, rmsre, day.scenario.steps)}")
    if against == "ε":
        _over_epsilon(day, target, log)
    else:
        leak_curve(day, target, log)
    with st.container(horizontal=True, vertical_alignment="center"):
        _use(day.scenario, answers.most_private_with_data(found.values()))
        pins.controls()
    pins.table(day)
    _needs(found, rmsre, day.scenario.steps)


def _over_epsilon(day: Day, target: float, log: bool) -> None:
    epsilon, lines = day.scenario.epsilon, own_curve(day)
    pinned = {
        mark: PinnedCurve(own_curve(other), other.scenario.epsilon) for mark, other in pins.days().items()
    }
    names = shown_rates(day.scenario)
    make = partial(curve_figure, lines.only(names), epsilon, log, target, pins=pinned)
    drawn = picture(make, "curve", day, names, log, target, *pins.texts())
    clickable(drawn, "tradeoff:curve", _set_epsilon)
    st.caption(
        f"**Click a point to set ε everywhere.** The forecast looks at no data. {_worth(day, lines, names)}",
        help="Lines: the expected RMSRE, computed; for Filtered and Forecast also over other days. "
        f"Bands: {LEVEL_WORDS} of {lines.days} days with today's demand and other noise.",
    )


def _set_epsilon(point: Point) -> None:
    lab().set("epsilon", point.get("x"))


def logarithmic() -> bool:
    return lab().setting(LOG, True)


def _target() -> float:
    """The error that is accepted, in percent: as typed, or until then the featured mechanism's own in the
    preset as it was chosen, so that it stays where it is while the scenario is edited."""
    chosen = cache.day(LIBRARY[lab().preset].scenario)
    return url_number(
        answers.TARGETS,
        answers.first_target(chosen.release[FEATURED].expected_error),
        ACCEPTED,
        percents=True,
        width=240,
        help=f"{ERROR_MEANS}\n\nAt first it is what {REGISTRY[FEATURED].label} is expected to make "
        "in the preset as it was chosen.",
    )


def _worth(day: Day, lines: Curve, names: Sequence[str]) -> str:
    level = answers.no_data_level(lines)
    if level is None:
        return ""
    return words.beaten_by({name: each for name, each in budgets_for(day, level).items() if name in names})


def _use(scenario: Scenario, smallest: answers.Budget | None) -> None:
    """A button that takes the rate with the smallest ε."""
    if smallest is None or not smallest.epsilon:
        return
    name, epsilon = smallest.mechanism, answers.usable_epsilon(smallest.epsilon)
    st.button(
        f"Use {style.label(name)} at ε = {plain(epsilon)}",
        key="tradeoff:use",
        icon=":material/check:",
        on_click=_decide,
        args=(name, epsilon),
        disabled=epsilon == scenario.epsilon and lab().chosen(RATE) == name,
        help="Sets ε, and takes this rate on every screen that asks for one.",
    )


def _needs(found: answers.Budgets, target: float, steps: int) -> None:
    """What each rate needs for the accepted error, and what that relies on."""
    best = answers.most_private(found.values())
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            metric(
                f"{style.label(name)} needs",
                words.needed(budget),
                "smallest ε" if budget is best else None,
                words.budget_words(budget, target, steps),
                beneath=words.assumption(REGISTRY[name]),
                colour="normal",
            )
    with st.expander("What each ε relies on", icon=":material/shield:"):
        promises = items([promise_words(REGISTRY[name]) for name in found])
        st.markdown(f"Two ε compare only where both rely on the same.{promises}")


def _decide(mechanism: str, epsilon: float) -> None:
    lab().set("epsilon", epsilon)
    lab().show(RATE, mechanism)


BELIEF = "tradeoff:belief"


def wrong_model(day: Day) -> None:
    offered = candidates(day.scenario)
    if not offered:
        st.info("No other model fits this scenario; add one on Street.")
        return
    belief = url_select("Filter and forecast believe", list(offered), BELIEF)
    right, wrong = curve_believing(day, None), curve_believing(day, offered[belief])
    log, epsilon, names = logarithmic(), day.scenario.epsilon, shown_rates(day.scenario)
    st.markdown(words.wrong_model_words(right, wrong, epsilon, belief))
    drawn = curve_figure(wrong.only(names), epsilon, log, right=right.only(names))
    chart(drawn, "tradeoff:wrong")
    st.caption(
        f"People live by “{day.scenario.models[0].name}”. Dotted: Filtered and Forecast believe it. The "
        "noise is the same, so the promise stands.",
        help=f"Lines: the expected RMSRE, computed. Bands: {LEVEL_WORDS} of {wrong.days} days with today's "
        "demand and other noise.",
    )


PROFIT = "At these rates: r̂·Z − J(Z), the negative of what the generator minimises."
UNITS = "Money is in the scenario's units, a rate times a step's consumption."
WORST_TENTH = "The tenth of the households whose bill rises most, on average."
PAYING_MORE = "At the published rates instead of the optimal ones, on average."
MISMATCH = "Serving a demand that the published price does not fit: Σ(r̂ − r)²/2α, never negative."


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        mechanism = url_segmented(
            "Published rates", shown_rates(day.scenario), RATE, style.label, default=FEATURED
        )
        span = url_segmented("Over", list(_spans(day.scenario)), "money:span")
    summary = _summary(day, mechanism, span)
    _metrics(summary, day.scenario)
    make = partial(change_figure, summary, mechanism, span.lower(), day.scenario)
    chart(picture(make, "money", day, mechanism, span), "money:change")
    st.caption(_words(summary, day.scenario))
    if len(summary.groups) > 1:
        st.markdown("**By group**")
        table(words.group_frame(summary, day.scenario))


def _metrics(summary: Summary, scenario: Scenario) -> None:
    with st.grid(3, min_column_width=200):
        _money("Generator's profit", summary.profit, PROFIT, scenario)
        less = Range(-summary.loss.value, -summary.loss.high, -summary.loss.low)
        earned = words.profit_words(summary, scenario)
        _money("The utility earns", less, words.loss_words(summary, scenario), scenario, earned)
        _money("Cost of the mismatch", summary.mismatch, MISMATCH, scenario)
    bills = summary.bills
    with st.grid(3, min_column_width=150):
        paid = f"The mean bill at optimal rates is {amount(bills.bill, scenario)}."
        _money("Bill, mean change", bills.mean, paid, scenario)
        _money("Bill, worst tenth", bills.worst, WORST_TENTH, scenario)
        metric("Households that pay more", percent(bills.paying_more, 2), None, PAYING_MORE)


def _money(label: str, shown: Range, help: str, scenario: Scenario, value: str = "") -> None:
    low, high = bare_amount(shown.low), bare_amount(shown.high)
    metric(label, value or amount(shown.value, scenario), f"{LEVEL_WORDS}: {low} to {high}", help)


@shared(spinner="Simulating other days …")
def _summary(day: Day, mechanism: str, span: str) -> Summary:
    days = _spans(day.scenario)[span]
    lived = cache.day(month_of(day.scenario)) if days == MONTH else day
    return summarise(lived, money_of_runs(lived, mechanism, _runs(lived)), days)


@shared(key=lambda day: street_key(day.scenario), weight="heavy")
def _runs(day: Day) -> StreetRuns:
    """The other days are simulated once, whatever the budget and the tariff."""
    return simulate_runs(day.street_day)


def _spans(scenario: Scenario) -> dict[str, float]:
    """What money can be summed over: the scenario's own days first."""
    own = {} if scenario.days == 1 else {span_words(scenario): float(scenario.days)}
    return own | {"A day": 1.0, f"A month ({MONTH} days)": float(MONTH)}


def _words(summary: Summary, scenario: Scenario) -> str:
    units = "" if scenario.currency or scenario.power_unit else f" {UNITS}"
    return f"{words.basis_words(summary, scenario)}{units}"
