"""The set Θ of models that the curator protects against."""

from functools import partial

import streamlit as st

from pages.ui import cache
from pages.ui.session import lab, press
from pages.ui.show import chart
from pages.ui.street.habits import shown
from pages.ui.widgets import text, url_select
from rtp.figures import households as figures
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.output.glossary import help_for
from rtp.scenario import MAX_MODELS, PRESETS, OccupancyModel, Scenario, edit

COPY = "a copy of the model shown"
MODELS = "Models to protect against (Θ)"


def models(scenario: Scenario) -> None:
    """Name, remove and add models; choose the one that generates the day; which of them sets the noise."""
    st.caption(MODELS, help=help_for("curator, Θ"))
    for m, model in enumerate(scenario.models):
        with st.grid(3, min_column_width=170, vertical_alignment="bottom"):
            _model(m, model, alone=len(scenario.models) == 1)
    _add(scenario, shown(scenario)[0])
    if len(scenario.models) > 1:
        day = cache.day(scenario)
        by_model = sensitivity_by_model(day.market.public)
        chart(figures.models_figure(scenario, day.hours, by_model), key="models")


def _model(m: int, model: OccupancyModel, alone: bool) -> None:
    here = lab()
    text(
        model.name,
        partial(here.change_part, here.parts, edit.rename_model, m),
        key=here.part_key(f"model:{m}"),
        label=f"Model θ {m + 1}",
    )
    st.button(
        "Used for simulation" if m == 0 else "Simulate with this model",
        key=here.part_key(f"generate:{m}"),
        icon=":material/casino:",
        disabled=m == 0,
        on_click=press,
        args=(here.change_parts, here.parts, edit.generate_with, m),
        width="stretch",
    )
    st.button(
        "Remove",
        key=here.part_key(f"remove model:{m}"),
        icon=":material/delete:",
        disabled=alone,
        on_click=press,
        args=(here.change_parts, here.parts, edit.remove_model, m),
        width="stretch",
    )


def _add(scenario: Scenario, shown: int) -> None:
    offers = _offers(scenario, shown)
    full = len(scenario.models) == MAX_MODELS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        source = url_select("Start the new model from", list(offers), "new model")
        st.button(
            "Add a model",
            key="add model",
            icon=":material/add:",
            disabled=full,
            on_click=press,
            args=(lab().change, edit.add_model, offers[source]),
        )


def _offers(scenario: Scenario, shown: int) -> dict[str, OccupancyModel]:
    """The model shown, and the presets' models for as many groups."""
    offers = {COPY: scenario.models[shown]}
    for name, preset in PRESETS.items():
        for model in preset.models:
            if len(model.habits) == len(scenario.groups):
                offers[f"{model.name} (preset {name})"] = model
    return offers
