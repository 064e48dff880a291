"""The look of charts: what it adds to a layout, and the colours of both themes."""

import tomllib

import plotly.graph_objects as go
import pytest

from rtp.figures import style, theme
from rtp.figures.theme import themed
from rtp.mechanisms import REGISTRY
from scripts.serve import ROOT


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_a_chart_stands_on_the_ground_of_its_page_and_its_hints_have_the_pages_edges(ground: str) -> None:
    configured = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    paper, edge = theme.PAPER, theme.BORDER
    if ground == "dark":
        paper, edge = theme.DARK[paper], theme.DARK[edge]
    assert (paper, edge) == (configured[ground]["backgroundColor"], configured[ground]["borderColor"])
    assert 0.75 * configured["baseFontSize"] == theme.SMALL
    assert 0.875 * configured["baseFontSize"] == theme.TITLE


def test_no_curve_has_a_colour_that_the_dark_theme_replaces() -> None:
    marks = {style.mark(name).colour for name in REGISTRY}
    named = {style.GREY, style.LIMIT, style.WHITE, style.ARRIVE, style.LEAVE}
    assert not theme.DARK.keys() & {*marks, *named, *style.MODEL_COLOURS, *style.PIN_COLOURS}


def test_every_axis_has_the_look_and_what_a_layout_says_itself_stands() -> None:
    own = {"yaxis3": {"showgrid": False, "title": {"text": "Up"}}, "xaxis2": {"tickfont": {"size": 20}}}
    whole = themed(own)
    assert whole["yaxis3"]["title"] == {"text": "Up", "font": {"color": theme.INK, "size": theme.TITLE}} | {
        "standoff": 22.5
    }
    assert (whole["yaxis3"]["showgrid"], whole["yaxis3"]["gridcolor"]) == (False, theme.LINE)
    assert whole["xaxis2"]["tickfont"] == {"size": 20, "color": theme.INK}
    assert whole["xaxis"]["showgrid"] is False
    assert "ticks" not in whole["yaxis"], "marks at the labels would be drawn if they had a colour"
    go.Figure(layout=whole)
