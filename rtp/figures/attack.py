"""What the observer believes of one house, which houses show when, and what the promise allows."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rtp.attack.adversary import Posterior
from rtp.audit.exact import ExactLoss
from rtp.core.formatting import PLAIN, plain, whole_percent
from rtp.core.stats import right_guesses
from rtp.core.types import Bools, Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.style import Mark, Picture, PinMark, Positions, Spec, Trace
from rtp.figures.windows import DARK, LIT
from rtp.leakage.composition import PrivacyAccount
from rtp.scenario import Scenario
from rtp.simulation import Day

_BELIEF_HEIGHT, _MAP_HEIGHT, _ACCOUNT_HEIGHT = 400, 600, 520
TRUTH = Mark(LIT)
TRUTH_NAME, HABITS = "Truth: occupied", "Habits alone"
PROOF_NAME = "Proof: no doubt is left"
BELIEF_PANELS = ((0.56, 0.94), (0.0, 0.38))  # bottom and top of the two, the optimal rate's first
FIRST = 40  # houses whose names can be read beside the map
# Bright is more, in both themes: from a coin to always.
_EXPOSURE_SCALE = ((0.0, DARK), (0.5, "#4d8d86"), (1.0, "#eafff4"))
FROM_ZERO: Spec = {"yaxis": {"rangemode": "tozero"}}


def truth_area(x: Positions, occupied: Bools | Floats, name: str = TRUTH_NAME) -> Trace:
    """The truth behind a belief: an area while the house is occupied."""
    return style.filled(style.line(x, occupied.astype(float), name, TRUTH, width=0, shape="hv"), 0.38)


def belief_name(mechanism: str) -> str:
    return f"Her belief, {style.short(mechanism)}"


def belief_figure(
    day: Day,
    seen: tuple[Posterior, Posterior],
    occupied: Bools,
    sentences: Sequence[str],
    step: int = 0,
    pins: Mapping[PinMark, Floats] | None = None,
) -> Picture:
    """One house through the day, by two rates: what she believes from the optimal rate (above) and from a
    private one (below it; dotted, in pinned scenarios), with the truth behind both and a star where a rate is
    proof. `seen` has that one house alone. A line stands at the step, and at every other one that has a
    sentence: it goes where the clock of the windows is."""
    layout = style.layout(
        _BELIEF_HEIGHT,
        daytime.panels(day.scenario, _panels(seen, occupied), gap=0.005),
        {"legend": {"y": 1.04}, "margin": {"l": 66, "t": 54}, "meta": {"frame": step, "follows": True}},
    )
    traces = [
        *(trace for row, one in enumerate(seen) for trace in _beliefs(day, one, occupied, row)),
        *_pinned(day, pins or {}),
    ]
    frames: list[Spec] = [
        {"name": day.scenario.when(t), "words": words, "layout": {"shapes": _now(str(at))}}
        for t, (at, words) in enumerate(zip(daytime.times(day.hours), sentences, strict=False))
    ]
    layout |= frames[step]["layout"]
    return Picture(traces, layout, sentences[step], frames)


def _now(time: str) -> list[Spec]:
    """A line through both panels, clear of their titles."""
    line = style.upright(time, {"color": style.GREY, "width": 2})
    return [line | {"yref": f"{axis} domain"} for axis in ("y", "y2")]


def _panels(seen: tuple[Posterior, Posterior], occupied: Bools) -> list[Panel]:
    """Two of beliefs, whose titles say how often she is right over the day, and how many rates are proof."""
    probability = {"range": [-0.06, 1.06], **style.HALVES}
    panels = []
    for one, room in zip(seen, BELIEF_PANELS, strict=True):
        right = float(right_guesses(one.belief[:, 0], occupied).mean())
        proofs = int(np.isinf(one.log_likelihood_ratio[:, 0]).sum())
        proved = f"{proofs} {'proof' if proofs == 1 else 'proofs'}" if proofs else "no proof"
        square = f'<span style="color:{style.mark(one.mechanism).colour}">■</span>'
        title = f"{square} {style.title(one.mechanism)} rate: right {whole_percent(right)}, {proved}"
        panels.append(Panel(title, *room, probability, shaded=False))  # the truth is behind
    return panels


def _beliefs(day: Day, seen: Posterior, occupied: Bools, row: int) -> list[Trace]:
    """One panel: truth, habits alone, her belief, proofs; what both panels have is named once."""
    x = daytime.times(day.hours)
    place = {"yaxis": ("y", "y2")[row]}
    own = Mark(style.mark(seen.mechanism).colour)
    alone = style.line(x, seen.model_only[:, 0], HABITS, style.EXPECTED, hover=style.SHARE_HOVER)
    belief = style.line(
        x, seen.belief[:, 0], belief_name(seen.mechanism), own, hover=style.SHARE_HOVER, width=3
    )
    shared = [truth_area(x, occupied) | {"legendgroup": "truth"}, alone | {"legendgroup": "alone"}]
    return [
        *(trace | place | {"showlegend": row == 0} for trace in shared),
        belief | place | {"showlegend": False},  # the panel's title has its colour
        _proofs(x, seen.log_likelihood_ratio[:, 0]) | place | {"showlegend": row == 0},
    ]


def _proofs(x: NDArray[np.datetime64], evidence: Floats) -> Trace:
    """A star at the state that a rate proves."""
    proved, star = np.isinf(evidence), {"symbol": "star", "size": 9, "color": style.LIMIT}
    at = x[proved] if proved.any() else [None]
    state = (evidence[proved] > 0).astype(float) if proved.any() else [None]
    return style.points(at, state, PROOF_NAME, star, hover="proof") | {"legendgroup": "proof"}


def _pinned(day: Day, pins: Mapping[PinMark, Floats]) -> list[Trace]:
    x = daytime.times(day.hours)
    drawn = []
    for pin, belief in pins.items():
        curve = style.line(x, belief, "Belief", Mark(pin.colour), hover=style.SHARE_HOVER)
        drawn += [style.pin_legend(pin), style.pinned(curve, pin) | {"yaxis": "y2"}]
    return drawn


def map_figure(scenario: Scenario, areas: Floats, houses: Sequence[int]) -> Picture:
    """Who shows, and when: how often an observer tells each moment of a day from the optimal rate, of houses
    in this order, one beneath the other; `areas` is (N, T), NaN where a moment is no secret."""
    hours = np.arange(areas.shape[1] + 1) * scenario.step_minutes / 60
    shown = 100 * areas[list(houses)]
    row = "House %{y}" if scenario.houses is None else "%{y}"  # as its tick, or a number
    heat = {
        "type": "heatmap",
        "x": daytime.times(hours),
        "y": np.arange(len(houses)),
        "z": style.finite(shown.round(1)),
        "colorscale": [[*stop] for stop in _EXPOSURE_SCALE],
        "zmin": 50,
        "zmax": 100,
        "colorbar": style.PERCENT_TICKS | {"thickness": 12, "title": {"text": "Tells", "side": "right"}},
        "hovertemplate": f"{row}, %{{x|%H:%M}}: %{{z:.3~r}} %<extra></extra>",
    }
    axis: Spec = {
        "range": [len(houses) - 0.5, -0.5],
        "showgrid": False,
        "title": {"text": "House"},
        "tickvals": np.arange(len(houses)),
        "ticktext": [scenario.house_label(number) for number in houses],
        "showticklabels": len(houses) <= FIRST,
    }
    clock = daytime.clock(1) | {"showgrid": False, "nticks": 5, "tickangle": 0}  # upright on a phone
    own: Spec = {"hovermode": "closest", "margin": {"t": style.EDGE}, "xaxis": clock, "yaxis": axis}
    first = scenario.house(houses[0])
    words = f"Heat map of {len(houses)} houses by time: how well she tells each moment. First is {first}."
    return Picture([heat], style.layout(_MAP_HEIGHT, own), words)


def privacy_account_figure(day: Day, accounts: Mapping[str, ExactLoss], book: PrivacyAccount) -> Picture:
    """ε·t as promised, the most that any one house could have lost, and what one rate really gave away."""
    x, promised = daytime.times(day.hours), np.cumsum(np.full(day.scenario.steps, day.scenario.epsilon))
    traces = [_lost(x, promised, "Promised: ε·t", Mark(style.LIMIT), 5)]
    solid_first = sorted(accounts, key=lambda name: style.mark(name).dash != "solid")  # dashes show on top
    for name in solid_first:
        lost = accounts[name].spent_so_far
        if np.isfinite(lost).all():
            traces.append(_lost(x, lost, f"{style.label(name)}, at worst", style.mark(name)))
    own, mark = style.label(book.mechanism), Mark(style.mark(book.mechanism).colour, "dot")
    house = day.scenario.house(book.house)
    traces.append(_lost(x, book.given_away, f"{own}, really revealed about {house}", mark, 3))
    layout = style.layout(_ACCOUNT_HEIGHT, FROM_ZERO, daytime.over_the_day(day.scenario, "ε used so far"))
    spent = ", ".join(f"{style.label(name)} {plain(a.spent_so_far[-1])}" for name, a in accounts.items())
    words = (
        f"Budget used over the day. Promised: up to {plain(day.scenario.epsilon * day.scenario.steps, 6)}. "
        f"Most that any one house could have lost at worst: {spent}. The {own} rates "
        f"really gave away {plain(book.given_away[-1])} about how {house} lived."
    )
    return Picture(traces, layout, words)


def _lost(x: Positions, amount: Floats, name: str, mark: Mark, width: int = 2) -> Trace:
    return style.line(x, amount, name, mark, hover=f"%{{y:{PLAIN}}}", width=width)
