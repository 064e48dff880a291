"""How well the observer does, and what the promise allows: hits against false alarms, and the ledger."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from rtp.attack import roc
from rtp.attack.score import Score
from rtp.attack.success import Attack
from rtp.audit.exact import Account
from rtp.core.formatting import PLAIN, plain
from rtp.core.stats import LEVEL_WORDS, Estimate
from rtp.core.types import Floats
from rtp.figures import daytime, style
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Positions, Spec, Trace
from rtp.leakage.ledger import Ledger
from rtp.simulation import Day

HEIGHT = 520
INTERVAL_OPACITY = 0.16
CURVES = {"evidence": "What one rate adds", "belief": "Her belief, habits included"}
FRAME: Spec = {  # the legend below, because its names are long
    "legend": {"y": -0.25, "yanchor": "top"},
    "margin": {"t": 16},
    "yaxis": {"rangemode": "tozero"},
}


NO_PINS: Mapping[PinMark, Score] = MappingProxyType({})


def roc_figure(result: Attack, curve: str, pins: Mapping[PinMark, Score] = NO_PINS) -> Picture:
    """Hit rate against false alarms, every rate in one picture, each with its interval over days; dotted,
    what she scores in pinned scenarios.

    The limit belongs to what one rate adds: of habits the model tells more than any promise covers.
    """
    scores, epsilon = result.scores, result.scenario.epsilon
    traces = [_interval(scores[name], curve, name) for name in _order(scores)] if result.days > 1 else []
    traces += [
        _roc(scores[name], curve, style.label(name), style.mark(name)) | {"legendgroup": name}
        for name in _order(scores)
    ]
    for pin, score in pins.items():
        drawn = _roc(score, curve, pin.name, Mark(pin.colour))
        traces.append(style.pinned(drawn, pin) | {"name": drawn["name"], "showlegend": True})
    if curve == "evidence":
        limit = roc.ceiling(epsilon, roc.FALSE_ALARMS)
        words = (
            f"Limit at ε = {epsilon:g}"
            if result.knows == "others"
            else f"Limit of one rate alone at ε = {epsilon:g}"
        )
        traces.append(
            style.line(roc.FALSE_ALARMS, limit, words, Mark(style.LIMIT), hover="%{y:.1%}", width=3)
        )
    else:
        traces.append(_roc(result.model, curve, "The model alone", style.EXPECTED, 3))
    percent = {"tickformat": ".0%"}
    titles = style.axes("Empty moments called occupied", "Occupied ones called so")
    layout = style.layout(HEIGHT, FRAME, titles, {"xaxis": percent, "yaxis": percent})
    return Picture(traces, layout, _roc_words(result, curve))


def _interval(score: Score, curve: str, mechanism: str) -> Trace:
    """Where the curve may lie, shown and hidden with it."""
    hits = _hits(score, curve)
    band = style.band(roc.FALSE_ALARMS, hits.low, hits.high, style.mark(mechanism).colour, INTERVAL_OPACITY)
    return band | {"legendgroup": mechanism}


def _hits(score: Score, curve: str) -> Estimate:
    return score.evidence_roc if curve == "evidence" else score.roc


def _roc(score: Score, curve: str, name: str, mark: Mark, width: int = 2) -> Trace:
    hits = _hits(score, curve).value
    words = f"{name}, area {_area(score, curve):.3f}"
    return style.line(roc.FALSE_ALARMS, hits, words, mark, hover="%{y:.1%}", width=width)


def _order(rates: Iterable[str]) -> list[str]:
    """Solid lines first: dashes show on top of them."""
    return sorted(rates, key=_dashed)


def _dashed(mechanism: str) -> bool:
    return style.mark(mechanism).dash != "solid"


def _area(score: Score, curve: str) -> float:
    return float((score.evidence_auc if curve == "evidence" else score.auc).value)


def _roc_words(result: Attack, curve: str) -> str:
    areas = ", ".join(f"{style.label(name)} {_area(s, curve):.3f}" for name, s in result.scores.items())
    return (
        f"Hit rate against false alarms over {result.days} days, {CURVES[curve].lower()}. "
        f"Areas under the curves: {areas}; one half is guessing."
        + (f" Bands: {LEVEL_WORDS} intervals over days." if result.days > 1 else "")
    )


def ledger_figure(day: Day, accounts: Mapping[str, Account], book: Ledger) -> Picture:
    """ε·t as promised, the most that any one house could have lost, and what one rate really gave away."""
    x, promised = daytime.times(day.hours), np.cumsum(np.full(day.scenario.steps, day.scenario.epsilon))
    traces = [_lost(x, promised, "Promised: ε·t", Mark(style.LIMIT), 5)]
    for name in _order(accounts):
        spent = accounts[name].spent_so_far
        if np.isfinite(spent).all():
            traces.append(_lost(x, spent, f"{style.label(name)}, at worst", style.mark(name)))
    words = f"{style.label(book.mechanism)}, really given away about house {book.house}"
    traces.append(_lost(x, book.given_away, words, Mark(style.mark(book.mechanism).colour, "dot"), 3))
    layout = style.layout(HEIGHT, FRAME, daytime.over_the_day(day.scenario, "ε used so far"))
    return Picture(traces, layout, _ledger_words(day, accounts, book))


def _lost(x: Positions, amount: Floats, name: str, mark: Mark, width: int = 2) -> Trace:
    return style.line(x, amount, name, mark, hover=f"%{{y:{PLAIN}}}", width=width)


def _ledger_words(day: Day, accounts: Mapping[str, Account], book: Ledger) -> str:
    spent = ", ".join(f"{style.label(name)} {plain(a.spent_so_far[-1])}" for name, a in accounts.items())
    return (
        f"Budget used over the day. Promised: up to {plain(day.scenario.epsilon * day.scenario.steps, 6)}. "
        f"Most that any one house could have lost at worst: {spent}. The {style.label(book.mechanism)} rates "
        f"really gave away {plain(book.given_away[-1])} about how house {book.house} lived."
    )
