"""The trade-off: the ε–error curve with its controls; what an accepted error asks for; what privacy costs in
money.

Curves and budgets are kept until anything but ε changes.
"""

from functools import partial

import streamlit as st

from pages.ui import cache, pins
from pages.ui.cache import picture, shared
from pages.ui.params import ACCEPTED, EPSILON_GRID, RATE
from pages.ui.session import button, lab
from pages.ui.show import chart, metric, table
from pages.ui.widgets import offered_rates, url_number, url_segmented, url_toggle
from rtp.core.formatting import kept_together, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.tradeoff import PinnedCurve, change_figure, curve_figure
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.metrics import ERROR_MEANS
from rtp.money.bills import MONTH
from rtp.money.summary import StreetRuns, Summary, money_of_runs, month_of, simulate_runs, summarise
from rtp.output import tradeoff as words
from rtp.output.words import promise_words
from rtp.scenario import LIBRARY, Scenario
from rtp.scenario.describe import span_words
from rtp.simulation import Day, street_key
from rtp.tradeoff import Curve, curve, curves
from rtp.tradeoff.curves import joined

NOISE_DAYS = 300
LOG = "tradeoff:log"


# Curves


def curve_of(day: Day) -> Curve:
    """The curve over the slider's budgets, the same for everybody, and the scenario's own budget in it."""
    common, own = _priced(day, EPSILON_GRID), day.scenario.epsilon
    return common if own in EPSILON_GRID else joined(common, _priced(day, (own,)))


@shared(apart_from=("epsilon",), spinner="Pricing the day at every budget …")
def _priced(day: Day, epsilons: tuple[float, ...]) -> Curve:
    return curve(day.scenario, epsilons, NOISE_DAYS, street_day=day.street_day)


@shared(apart_from=("epsilon",), spinner="Looking for the budgets …")
def budgets_for(day: Day, target: float) -> curves.Budgets:
    """What every mechanism needs to reach that error."""
    return curves.budgets(day.scenario, target, day.street_day)


def shown_rates(scenario: Scenario) -> list[str]:
    """The private rates that the screen shows."""
    return offered_rates(scenario, RATE, private())


# What an error costs


def what_an_error_costs(day: Day) -> None:
    """The error that is accepted, the rate that needs the smallest ε for it, and the curves."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _target()
        log = url_toggle("Logarithmic axes", LOG, default=True)
    names, accepted = shown_rates(day.scenario), target / 100
    found = {name: each for name, each in budgets_for(day, accepted).items() if name in names}
    st.markdown(f"## {kept_together(words.answer_headline(found, accepted))}")
    _over_epsilon(day, target, log, names)
    with st.container(horizontal=True, vertical_alignment="center"):
        _use(day.scenario, curves.most_private_with_data(found.values()))
        pins.controls()
    pins.table(day)
    _needs(found, accepted)


def _target() -> float:
    """The error that is accepted, in percent: as typed, or until then the featured mechanism's own in the
    preset as it was chosen, so that it stays where it is while the scenario is edited."""
    chosen = cache.day(LIBRARY[lab().preset].scenario)
    first = curves.first_target(chosen.release[FEATURED].expected_error)
    return url_number(curves.TARGETS, first, ACCEPTED, percents=True, width=240, help=ERROR_MEANS)


def _over_epsilon(day: Day, target: float, log: bool, names: list[str]) -> None:
    epsilon, lines = day.scenario.epsilon, curve_of(day)
    pinned = {
        mark: PinnedCurve(curve_of(other), other.scenario.epsilon) for mark, other in pins.days().items()
    }
    make = partial(curve_figure, lines.only(names), epsilon, log, target, pins=pinned)
    drawn = picture(make, "curve", day, names, log, target, *pins.texts())
    chart(drawn, "tradeoff:curve", click=lambda point: lab().set("epsilon", point.get("x")))
    st.caption(
        "**Click a point to set ε everywhere.** The forecast looks at no data.",
        help="Lines: the expected RMSRE, computed; for Filtered and Forecast also over other days. "
        f"Bands: {LEVEL_WORDS} of {lines.days} days with today's demand and other noise.",
    )


def _use(scenario: Scenario, smallest: curves.Budget | None) -> None:
    """A button that takes the rate with the smallest ε."""
    if smallest is None or not smallest.epsilon:
        return
    name, epsilon = smallest.mechanism, curves.usable_epsilon(smallest.epsilon)
    button(
        f"Use {style.label(name)} at ε = {plain(epsilon)}",
        "tradeoff:use",
        "check",
        _decide,
        name,
        epsilon,
        off=epsilon == scenario.epsilon and lab().chosen(RATE) == name,
        help="Sets ε, and takes this rate on every screen that asks for one.",
    )


def _decide(mechanism: str, epsilon: float) -> None:
    lab().set("epsilon", epsilon)
    lab().show(RATE, mechanism)


def _needs(found: curves.Budgets, target: float) -> None:
    """What each rate needs for the accepted error, and what that relies on: two ε compare only where both
    rely on the same."""
    best = curves.most_private(found.values())
    with st.grid(len(found), min_column_width=150):
        for name, budget in found.items():
            metric(
                f"{style.label(name)} needs",
                words.needed(budget),
                "smallest ε" if budget is best else None,
                f"{words.budget_words(budget, target)}\n\n{promise_words(REGISTRY[name])}",
                beneath=words.assumption(REGISTRY[name]),
                colour="normal",
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
