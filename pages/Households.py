"""The Households screen: who lives on the street, and what the curator believes about them."""

import numpy as np
import streamlit as st

from pages.ui import cached, sidebar, state, theta
from pages.ui.fields import edit_habits, number
from pages.ui.periods import cards
from pages.ui.show import chart
from rtp.figures import households as figures
from rtp.mechanisms import FEATURED
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.scenario import DEFAULT_PRESET, Scenario
from rtp.simulation import Day
from rtp.street.days import households as replay

STRIPES = 30


def pick(scenario: Scenario) -> tuple[int, int]:
    """Which model and group the cards show."""
    model = group = 0
    with st.container(horizontal=True):
        if len(scenario.models) > 1:
            model = _one_of("Model θ shown", [m.name for m in scenario.models], "shown model")
        if len(scenario.groups) > 1:
            group = _one_of("Group shown", [g.name for g in scenario.groups], "shown group")
    return model, group


def _one_of(label: str, names: list[str], key: str) -> int:
    kept = min(int(st.session_state.get(key) or 0), len(names) - 1)
    st.session_state[key] = kept
    return int(
        st.segmented_control(
            label,
            range(len(names)),
            format_func=names.__getitem__,
            key=key,
            required=True,
            persist_state="session",
        )
        or 0
    )


def start(scenario: Scenario, model: int, group: int) -> None:
    """Known or unknown at the start, and how far habits spread."""
    initial = scenario.models[model].habits[group].initial_occupied
    with st.grid(4, min_column_width=200, vertical_alignment="bottom"):
        st.session_state["known"] = initial in (0, 1)
        st.toggle(
            "Known at the start",
            key="known",
            on_change=lambda: edit_habits(
                model, group, "initial_occupied", round(initial) * 1.0 if st.session_state["known"] else 0.5
            ),
            help="Everyone knows which state these houses are in at the first step.",
        )
        if initial in (0, 1):
            st.session_state["known state"] = initial
            st.segmented_control(
                "At the first step they are",
                [0.0, 1.0],
                format_func=lambda s: "occupied" if s else "empty",
                key="known state",
                required=True,
                on_change=lambda: edit_habits(
                    model, group, "initial_occupied", st.session_state["known state"]
                ),
            )
        else:
            number(
                "initial_occupied",
                initial,
                lambda value: edit_habits(model, group, "initial_occupied", value),
                step=0.05,
                key="page initial_occupied",
            )
        number(
            "habit_spread",
            scenario.habit_spread,
            lambda value: state.apply(habit_spread=value),
            step=0.005,
            key="page habit_spread",
            help="Standard deviation of each house's own chances around the group's, per step.",
        )


def day_chart(day: Day, model: int) -> None:
    scenario = day.scenario
    houses = np.unique(np.linspace(0, scenario.households - 1, STRIPES).astype(int))
    states, _ = replay(day.life.spec, day.street, houses.tolist())
    protected = day.life.kinds.uncertain[model] @ day.life.kinds.count
    published = state.preset() == DEFAULT_PRESET and scenario.days == 1
    chart(
        figures.occupancy_figure(day, houses, states, protected, published),
        f"Mean occupancy over the day, {len(houses)} single households, and the number of protected houses, "
        f"between {protected.min()} and {protected.max()}.",
        key="occupancy",
    )


def scatter(scenario: Scenario, day: Day, model: int, group: int) -> None:
    spec = day.life.spec
    blocks = [block for block in spec.blocks if block.group == group]
    if not blocks:
        st.info("No house belongs to this group: its share of the street is too small.")
        return
    leave, arrive = spec.chances(day.street, model, blocks[0])
    names = [p.name for p in scenario.models[model].habits[group].periods]
    st.markdown(f"**Personal habits** of {leave.shape[1]:,} houses of {scenario.groups[group].name}")
    chart(
        figures.habits_figure(spec.schedules[model][group], names, leave, arrive),
        "How personal chances to leave and arrive scatter around the stated ones, by period.",
        key="scatter",
    )


scenario = sidebar.begin("Households", "Who lives on the street, and what the curator believes about them.")
model, group = pick(scenario)
cards(scenario, model, group)
start(scenario, model, group)
day = cached.day(scenario)
day_chart(day, model)

left, right = st.columns(2)
with left:
    scatter(scenario, day, model, group)
with right:
    noise = day.release[FEATURED]
    setter = int(noise.setter[noise.scale.argmax()])
    st.markdown("**Drawn bounds**: the largest among the uncertain houses sets the noise")
    chart(figures.bounds_figure(day, setter), "Histogram of the houses' bounds by group.", key="bounds")

st.subheader("Groups", anchor=False)
theta.groups(scenario, group)
st.subheader("Models Θ the curator guards against", anchor=False)
theta.models(scenario, model)
if len(scenario.models) > 1:
    sensitivity = sensitivity_by_model(day.market.public)
    chart(
        figures.models_figure(scenario, day.hours, sensitivity),
        "Sensitivity of each model over the day; the largest sets the noise.",
        key="models",
    )
