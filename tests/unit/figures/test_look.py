"""The look of charts: what it adds to a layout, and the colours of both themes."""

import tomllib

import plotly.graph_objects as go
import pytest

from rtp.figures import look, style
from rtp.figures.look import looking
from rtp.mechanisms import REGISTRY
from scripts.serve import ROOT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_stands_on_the_ground_of_its_page_and_its_hints_have_the_pages_edges(theme: str) -> None:
    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    paper, edge = look.PAPER, look.EDGE
    if theme == "dark":
        paper, edge = look.DARK[paper], look.DARK[edge]
    assert (paper, edge) == (told[theme]["backgroundColor"], told[theme]["borderColor"])
    assert 0.75 * told["baseFontSize"] == look.SMALL
    assert 0.875 * told["baseFontSize"] == look.TITLE


def test_no_curve_has_a_colour_that_the_dark_theme_replaces() -> None:
    marks = {style.mark(name).colour for name in REGISTRY}
    named = {style.GREY, style.LIMIT, style.WHITE, style.ARRIVE, style.LEAVE}
    assert not look.DARK.keys() & {*marks, *named, *style.MODEL_COLOURS, *style.PIN_COLOURS}


def test_every_axis_has_the_look_and_what_a_layout_says_itself_stands() -> None:
    own = {"yaxis3": {"showgrid": False, "title": {"text": "Up"}}, "xaxis2": {"tickfont": {"size": 20}}}
    whole = looking(own)
    assert whole["yaxis3"]["title"] == {"text": "Up", "font": {"color": look.INK, "size": look.TITLE}} | {
        "standoff": 22.5
    }
    assert (whole["yaxis3"]["showgrid"], whole["yaxis3"]["gridcolor"]) == (False, look.LINE)
    assert whole["xaxis2"]["tickfont"] == {"size": 20, "color": look.INK}
    assert whole["xaxis"]["showgrid"] is False
    assert "ticks" not in whole["yaxis"], "marks at the labels would be drawn if they had a colour"
    go.Figure(layout=whole)
