"""The trade-off: the ε–error curve with its controls, against ε or against what leaks; what an
accepted error asks for; what privacy costs in money.

Curves and budgets are kept until anything but ε changes.
"""

from functools import partial

import streamlit as st

from pages.ui import cache, pins
from pages.ui.cache import picture, shared, weight_per_house
from pages.ui.params import ACCEPTED, EPSILON_GRID, RATE
from pages.ui.session import lab
from pages.ui.show import chart, clickable, metric, number_of, table
from pages.ui.widgets import offered_rates, url_number, url_segmented, url_select, url_toggle
from rtp.core.formatting import plain
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.leakage import price_figure
from rtp.figures.tradeoff import PinnedCurve, change_figure, curve_figure
from rtp.leakage.budget import MAX_HOUSE_DAYS, MomentPrice, joined_prices, price_of_a_moment
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.metrics import ERROR_MEANS
from rtp.money.bills import MONTH
from rtp.money.summary import StreetRuns, Summary, money_of_runs, month_of, simulate_runs, summarise
from rtp.output import tradeoff as words
from rtp.output.words import promise_words
from rtp.scenario import LIBRARY, OccupancyModel, Scenario
from rtp.scenario.describe import span_words
from rtp.simulation import Day, street_key
from rtp.street.simulate import StreetDay
from rtp.tradeoff import Curve, answers, curve
from rtp.tradeoff.curves import joined
from rtp.tradeoff.misspecification import candidates, with_assumed_model

NOISE_DAYS = 300
OWN = "own"
LOG = "tradeoff:log"
Belief = OccupancyModel | str | None  # another one, the scenario's own, or the truth


# Curves


def curve_believing(day: Day, belief: Belief = OWN) -> Curve:
    """The curve over the slider's budgets, the same for everybody, and the scenario's own budget in it.
    Filter and forecast believe what the scenario states, or something else."""
    common, own = _priced(day, belief, EPSILON_GRID), day.scenario.epsilon
    return common if own in EPSILON_GRID else joined(common, _priced(day, belief, (own,)))


@shared(apart_from=("epsilon",), spinner="Pricing the day at every budget …")
def _priced(day: Day, belief: Belief, epsilons: tuple[float, ...]) -> Curve:
    street = day.street_day if isinstance(belief, str) else _believing(day, belief)
    return curve(day.scenario, epsilons, NOISE_DAYS, street_day=street)


@shared(apart_from=("epsilon",), weight=lambda day, belief: weight_per_house(day.scenario))
def _believing(day: Day, belief: OccupancyModel | None) -> StreetDay:
    return with_assumed_model(day.scenario, day.street_day, belief)


@shared(apart_from=("epsilon",), spinner="Looking for the budgets …")
def budgets_for(day: Day, target: float) -> answers.Budgets:
    """What every mechanism needs to reach that error."""
    return answers.budgets(day.scenario, target, day.street_day)


@shared()
def _own_price(day: Day) -> MomentPrice:
    return price_of_a_moment(day.scenario, [day.scenario.epsilon], street_day=day.street_day)


def shown_rates(scenario: Scenario) -> list[str]:
    """The private rates that the screen shows."""
    return offered_rates(scenario, RATE, private())


# What an error costs


def what_an_error_costs(day: Day) -> None:
    """The error that is accepted, the rate that needs the smallest ε for it, and the curves."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target()
        against = url_segmented(
            "x-axis", list(answers.AGAINST), "tradeoff:against", answers.AGAINST.__getitem__
        )
        log = url_toggle("Logarithmic axes", LOG, default=True)
    rmsre, names = answers.target_rmsre(target, day.scenario.steps), shown_rates(day.scenario)
    found = {name: each for name, each in budgets_for(day, rmsre).items() if name in names}
    st.markdown(f"## {words.answer_headline(found, rmsre, day.scenario.steps)}")
    draw = _over_epsilon if against == "ε" else _over_leak
    draw(day, target, log, names)
    with st.container(horizontal=True, vertical_alignment="center"):
        _use(day.scenario, answers.most_private_with_data(found.values()))
        pins.controls()
    pins.table(day)
    _needs(found, rmsre, day.scenario.steps)


def _target() -> float:
    """The error that is accepted, in percent: as typed, or until then the featured mechanism's own in the
    preset as it was chosen, so that it stays where it is while the scenario is edited."""
    chosen = cache.day(LIBRARY[lab().preset].scenario)
    first = answers.first_target(chosen.release[FEATURED].expected_error)
    return url_number(answers.TARGETS, first, ACCEPTED, percents=True, width=240, help=ERROR_MEANS)


def _over_epsilon(day: Day, target: float, log: bool, names: list[str]) -> None:
    epsilon, lines = day.scenario.epsilon, curve_believing(day)
    pinned = {
        mark: PinnedCurve(curve_believing(other), other.scenario.epsilon)
        for mark, other in pins.days().items()
    }
    make = partial(curve_figure, lines.only(names), epsilon, log, target, pins=pinned)
    drawn = picture(make, "curve", day, names, log, target, *pins.texts())
    clickable(drawn, "tradeoff:curve", lambda point: lab().set("epsilon", point.get("x")))
    st.caption(
        "**Click a point to set ε everywhere.** The forecast looks at no data.",
        help="Lines: the expected RMSRE, computed; for Filtered and Forecast also over other days. "
        f"Bands: {LEVEL_WORDS} of {lines.days} days with today's demand and other noise.",
    )


def _over_leak(day: Day, target: float, log: bool, names: list[str]) -> None:
    """A point for every budget that is the same for everybody, and for the scenario's own."""
    scenario = day.scenario
    if scenario.households * scenario.days > MAX_HOUSE_DAYS:
        st.info(f"The leak of a moment is drawn for streets of up to {MAX_HOUSE_DAYS:,} houses × days.")
        return
    price = joined_prices(cache.moment_prices(day), _own_price(day)).only(names)
    drawn = price_figure(price, scenario.steps, scenario.epsilon, log, target)
    clickable(drawn, "tradeoff:leak", lambda point: lab().set("epsilon", number_of(point)))
    st.caption(
        f"**Click a point to set ε everywhere.** A point is a budget; the diamond is ε = "
        f"{plain(scenario.epsilon)} now. At the same leak the lower line is better.",
        help="Across: by how much all rates together can shift the log-odds of the most exposed moment of "
        "any house, for an insider, under the worst of the models. Up: the expected RMSRE. Both are "
        "computed, not sampled. More on Attack, Over time.",
    )


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


def _decide(mechanism: str, epsilon: float) -> None:
    lab().set("epsilon", epsilon)
    lab().show(RATE, mechanism)


def _needs(found: answers.Budgets, target: float, steps: int) -> None:
    """What each rate needs for the accepted error, and what that relies on: two ε compare only where both
    rely on the same."""
    best = answers.most_private(found.values())
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            metric(
                f"{style.label(name)} needs",
                words.needed(budget),
                "smallest ε" if budget is best else None,
                f"{words.budget_words(budget, target, steps)}\n\n{promise_words(REGISTRY[name])}",
                beneath=words.assumption(REGISTRY[name]),
                colour="normal",
            )


def wrong_model(day: Day) -> None:
    """What it costs that filter and forecast believe other habits than people have."""
    offered = candidates(day.scenario)
    if not offered:
        st.info("No other model fits this scenario; add one on Street.")
        return
    belief = url_select("Filter and forecast believe", list(offered), "tradeoff:belief")
    right, wrong = curve_believing(day, None), curve_believing(day, offered[belief])
    log, epsilon, names = lab().setting(LOG, True), day.scenario.epsilon, shown_rates(day.scenario)
    st.markdown(words.wrong_model_words(right, wrong, epsilon, belief))
    chart(curve_figure(wrong.only(names), epsilon, log, right=right.only(names)), "tradeoff:wrong")
    st.caption(
        f"People live by “{day.scenario.models[0].name}”. Dotted: Filtered and Forecast believe it. The "
        "noise is the same, so the promise stands."
    )


# Money


def cost_of_privacy(day: Day) -> None:
    """One mechanism's money, beside the optimal rates."""
    with st.container(horizontal=True):
        rates = shown_rates(day.scenario)
        mechanism = url_segmented("Published rates", rates, RATE, style.label, default=FEATURED)
        span = url_segmented("Over", list(_spans(day.scenario)), "money:span")
    summary = _summary(day, mechanism, span)
    with st.grid(3, min_column_width=200):
        for card in words.money_cards(summary, day.scenario):
            metric(*card)
    make = partial(change_figure, summary, mechanism, span.lower(), day.scenario)
    chart(picture(make, "money", day, mechanism, span), "money:change")
    st.caption(words.money_basis(summary, day.scenario))
    if len(summary.groups) > 1:
        st.markdown("**By group**")
        table(words.group_frame(summary, day.scenario))


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
