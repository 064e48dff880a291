"""Which model and group the screen shows."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.widgets import url_segmented
from rtp.scenario import Scenario


def pick(scenario: Scenario) -> tuple[int, int]:
    model = group = 0
    with st.container(horizontal=True):
        if len(scenario.models) > 1:
            model = _number("Model θ shown", [m.name for m in scenario.models], "shown model")
        if len(scenario.groups) > 1:
            group = _number("Group shown", [g.name for g in scenario.groups], "shown group")
    return model, group


def _number(label: str, names: Sequence[str], key: str) -> int:
    return url_segmented(label, range(len(names)), key, names.__getitem__)
