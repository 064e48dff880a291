"""The set Θ of models the curator guards against."""

from functools import partial

import streamlit as st

from pages.ui.session import lab
from pages.ui.widgets import text, url_select
from rtp.output.glossary import help_for
from rtp.scenario import MAX_MODELS, PRESETS, OccupancyModel, Scenario, edit

COPY = "a copy of the model shown"


def models(scenario: Scenario, shown: int) -> None:
    """Name, remove and add models; choose the one that generates the day."""
    st.subheader("Models Θ the curator guards against", anchor=False, help=help_for("curator, Θ"))
    for m, model in enumerate(scenario.models):
        with st.container(border=True), st.grid(3, min_column_width=170, vertical_alignment="bottom"):
            _model(m, model, alone=len(scenario.models) == 1)
    _add(scenario, shown)


def _model(m: int, model: OccupancyModel, alone: bool) -> None:
    here = lab()
    text(
        model.name,
        partial(here.change_part, here.parts, edit.rename_model, m),
        key=here.part_key(f"model:{m}"),
        label="The model by which people live" if m == 0 else "Another model to guard against",
    )
    st.button(
        "People live by it" if m == 0 else "Let people live by it",
        key=here.part_key(f"generate:{m}"),
        icon=":material/casino:",
        disabled=m == 0,
        on_click=here.change_parts,
        args=(here.parts, edit.generate_with, m),
        width="stretch",
    )
    st.button(
        "Remove",
        key=here.part_key(f"remove model:{m}"),
        icon=":material/delete:",
        disabled=alone,
        on_click=here.change_parts,
        args=(here.parts, edit.remove_model, m),
        width="stretch",
    )


def _add(scenario: Scenario, shown: int) -> None:
    offers = _offers(scenario, shown)
    full = len(scenario.models) == MAX_MODELS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = url_select("Start the new model from", list(offers), "new model")
        st.button(
            "Add a model",
            icon=":material/add:",
            disabled=full,
            on_click=lab().change,
            args=(edit.add_model, offers[source]),
        )


def _offers(scenario: Scenario, shown: int) -> dict[str, OccupancyModel]:
    """The model shown, and the presets' models for as many groups."""
    offers = {COPY: scenario.models[shown]}
    for name, preset in PRESETS.items():
        for model in preset.models:
            if len(model.habits) == len(scenario.groups):
                offers[f"{model.name} (preset {name})"] = model
    return offers
