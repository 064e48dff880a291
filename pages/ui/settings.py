"""The settings of the scenario that a sidebar shows on request, in one section that opens.

What belongs to a group, its habits and its bounds, is set on the Street screen.
"""

from functools import partial

import streamlit as st

from pages.ui.session import lab
from pages.ui.show import lazy_expander
from pages.ui.widgets import choice, field, segmented, switch, text
from rtp.core.formatting import plain
from rtp.core.time import STEP_MINUTES
from rtp.scenario import LABELS, Scenario
from rtp.scenario.units import price_paid, set_units, with_unit

MORE = "More settings"


def settings(scenario: Scenario) -> None:
    """The rest, in one section that opens."""
    lazy_expander(MORE, partial(_settings, scenario), ":material/tune:")


def _settings(scenario: Scenario) -> None:
    st.markdown("**Time**")
    segmented(
        LABELS["step_minutes"],
        STEP_MINUTES,
        scenario.step_minutes,
        str,
        lab().set_step_minutes,
        key="choice:step_minutes",
        help="Periods begin with the nearest step. Noise, errors, leaks over time and bills change.",
    )
    field("days")

    st.markdown("**Price**")
    left, right = st.columns(2, gap="small", vertical_alignment="bottom")
    with left:
        field("inelastic_demand", help="Demand that no household decides; it adds to Z.")
    with right:
        field("elasticity", help="η: after a high rate consumption falls as (r̂/r_ref)^(−η). 0 is none.")
    switch("clip_at_zero", help="Post-processing: the promise stands.")
    capped = "Higher ones are published as this; the promise stands."
    field("price_cap", quantity="rate", empty="none", help=capped)

    st.markdown("**Noise**")
    switch(
        "independent_noise", "Off: all mechanisms share the same draws, so that only the mechanisms differ."
    )
    choice("naive_bound")
    unlikely = "Threshold noise does not guard a house while one of its states is no likelier than this."
    field("negligible", help=unlikely)
    wrong = "Add models on the Street screen, then see what a wrong belief costs."
    choice("assumed_model", scenario.model_names, help=wrong)

    st.markdown("**Habits**")
    choice("occupied_means", help="In the paper who sleeps is not. Only words change.")
    field("habit_spread", help="How far personal habits scatter around the group's.")

    st.markdown("**Units**")
    power = "With kW consumption is power, and a bill is rate × power × hours."
    choice("power_unit", help=power, save=partial(_set_unit, "power_unit"))
    text(scenario.currency, partial(_set_unit, "currency"), key="currency", label=LABELS["currency"])
    if (paid := price_paid(scenario)) is not None:
        st.caption(f"Households pay about {with_unit(plain(paid), scenario, 'rate')}.")


def _set_unit(name: str, value: str | None) -> None:
    lab().change(set_units, **{name: value})
