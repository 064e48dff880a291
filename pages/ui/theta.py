"""Groups of households, and the set Θ of models the curator guards against."""

from functools import partial

import streamlit as st

from pages.ui import state
from pages.ui.fields import edit_group, edit_model_name, edit_share, number, text
from rtp.scenario import MAX_GROUPS, MAX_MODELS, PRESETS, OccupancyModel, Scenario, edits

COPY = "a copy of the model shown"


def groups(scenario: Scenario, shown: int) -> None:
    """Name, weigh, bound, remove and add groups; shares always sum to one."""
    alone = len(scenario.groups) == 1
    for g, group in enumerate(scenario.groups):
        with st.container(border=True), st.grid(5, min_column_width=140, vertical_alignment="bottom"):
            text(group.name, partial(edit_group, g, "name"), key=f"group:{g}", label="Group")
            number(
                "share",
                group.share,
                partial(edit_share, g),
                step=0.05,
                key=f"share:{g}",
                disabled=alone,
            )
            for name in ("occupied_max", "empty_max"):
                number(
                    name,
                    getattr(group, name),
                    partial(edit_group, g, name),
                    step=0.05,
                    key=f"{name}:{g}",
                )
            st.button(
                "Remove",
                key=f"remove group:{g}",
                icon=":material/delete:",
                disabled=alone,
                on_click=state.edit,
                args=(lambda s, g=g: edits.remove_group(s, g),),
            )
    st.button(
        "Add a group",
        icon=":material/add:",
        disabled=len(scenario.groups) == MAX_GROUPS,
        on_click=state.edit,
        args=(lambda s: edits.add_group(s, shown),),
        help="It starts with the bounds and habits of the group shown above.",
    )


def models(scenario: Scenario, shown: int) -> None:
    """Name, remove and add models; choose the one that generates the day."""
    alone = len(scenario.models) == 1
    for m, model in enumerate(scenario.models):
        with st.container(border=True), st.grid(3, min_column_width=170, vertical_alignment="bottom"):
            text(
                model.name,
                partial(edit_model_name, m),
                key=f"model:{m}",
                label="Model, generates the day" if m == 0 else "Model",
            )
            st.button(
                "Generates the day" if m == 0 else "Let it generate the day",
                key=f"generate:{m}",
                icon=":material/casino:",
                disabled=m == 0,
                on_click=state.edit,
                args=(lambda s, m=m: edits.generate_with(s, m),),
                width="stretch",
            )
            st.button(
                "Remove",
                key=f"remove model:{m}",
                icon=":material/delete:",
                disabled=alone,
                on_click=state.edit,
                args=(lambda s, m=m: edits.remove_model(s, m),),
                width="stretch",
            )
    _add_model(scenario, shown)


def _add_model(scenario: Scenario, shown: int) -> None:
    offers: dict[str, OccupancyModel] = {COPY: scenario.models[shown]}
    for name, preset in PRESETS.items():
        for model in preset.models:
            if len(model.habits) == len(scenario.groups):
                offers[f"{model.name} (preset {name})"] = model
    full = len(scenario.models) == MAX_MODELS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = st.selectbox("Start the new model from", list(offers), key="new model", disabled=full)
        st.button(
            "Add a model",
            icon=":material/add:",
            disabled=full,
            on_click=state.edit,
            args=(lambda s: edits.add_model(s, offers[source]),),
        )
