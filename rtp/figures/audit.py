"""How well the observer does, and what the promise allows: hits against false alarms, and the ledger."""

from collections.abc import Iterable, Mapping

import numpy as np
import plotly.graph_objects as go

from rtp.arrays import Floats
from rtp.attacker import roc
from rtp.attacker.success import Attack, Score
from rtp.audit.exact import Account
from rtp.figures import style
from rtp.figures.attacker import LIMIT
from rtp.simulation import Day

HEIGHT = 440
CURVES = {"evidence": "What one rate adds", "belief": "Her belief, habits included"}


def roc_figure(result: Attack, curve: str) -> go.Figure:
    """Hit rate against false alarms, every rate in one picture.

    The limit belongs to what one rate adds: of habits the model tells more than any promise covers.
    """
    fig, x, one_rate, epsilon = go.Figure(), roc.FALSE_ALARMS, curve == "evidence", result.scenario.epsilon
    for name in _order(result.scores):
        score = result.scores[name]
        hits = (score.evidence_roc if one_rate else score.roc).value
        _curve(fig, x, hits, f"{style.label(name)}, area {_area(score, curve):.3f}", style.mark(name))
    if one_rate:
        words = f"No rate that promises ε = {epsilon:g} exceeds this"
        _curve(fig, x, roc.ceiling(epsilon, x), words, style.Mark(LIMIT), 3)
    else:
        words = f"The model alone, area {_area(result.model, curve):.3f}"
        _curve(fig, x, result.model.roc.value, words, style.EXPECTED, 3)
    return _finish(fig, "Empty moments called occupied", "Occupied moments called occupied", ".0%")


def _order(rates: Iterable[str]) -> list[str]:
    """Solid lines first: dashes show on top of them."""
    return sorted(rates, key=lambda name: style.mark(name).dash != "solid")


def _area(score: Score, curve: str) -> float:
    return float((score.evidence_auc if curve == "evidence" else score.auc).value)


def _curve(
    fig: go.Figure, x: object, y: Floats, name: str, mark: style.Mark, width: int = 2, form: str = ".1%"
) -> None:
    line = {"color": mark.colour, "dash": mark.dash, "width": width}
    fig.add_scatter(x=x, y=y, name=name, mode="lines", line=line, hovertemplate=f"%{{y:{form}}}")


def _finish(fig: go.Figure, across: str, up: str, form: str | None) -> go.Figure:
    style.base(fig, HEIGHT)
    fig.update_layout(legend={"y": -0.25, "yanchor": "top"}, margin={"t": 16})
    fig.update_xaxes(title={"text": across}, tickformat=form)
    fig.update_yaxes(title={"text": up}, tickformat=form, rangemode="tozero")
    return fig


def roc_alt(result: Attack, curve: str) -> str:
    areas = ", ".join(f"{style.label(name)} {_area(s, curve):.3f}" for name, s in result.scores.items())
    return (
        f"Hit rate against false alarms over {result.days} days, {CURVES[curve].lower()}. "
        f"Areas under the curves: {areas}; one half is guessing."
    )


def ledger_figure(day: Day, accounts: Mapping[str, Account]) -> go.Figure:
    """ε·t as promised, and the most that any one house has really lost so far, for every rate with noise."""
    fig, x = go.Figure(), style.times(day.hours)
    promised = np.cumsum(np.full(day.scenario.steps, day.scenario.epsilon))
    _curve(fig, x, promised, "Promised: ε·t", style.Mark(LIMIT), 5, ".3f")
    for name in _order(accounts):
        spent = accounts[name].spent_so_far
        if np.isfinite(spent).all():
            _curve(fig, x, spent, f"{style.label(name)}, spent", style.mark(name), form=".3f")
    _finish(fig, "Time of day", "ε used so far", None)
    style.clock_axis(fig, day.scenario.days)
    style.shade_periods(fig, day.scenario)
    return fig


def ledger_alt(day: Day, accounts: Mapping[str, Account]) -> str:
    spent = ", ".join(f"{style.label(name)} {a.spent_so_far[-1]:.3g}" for name, a in accounts.items())
    return (
        f"Budget used over the day. Promised: up to {day.scenario.epsilon * day.scenario.steps:g}. "
        f"Most that any one house really loses: {spent}."
    )
