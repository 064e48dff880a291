"""The observer at work on one house: her belief from the unprotected rate and from a private one."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rtp.attack.moment import moment
from rtp.attack.observer import Posterior
from rtp.core.types import Bools, Floats
from rtp.figures import daytime, style
from rtp.figures.daytime import Panel
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, PinMark, Spec, Trace
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.simulation import Day

HEIGHT = 660
TRUTH = Mark("#e3a008")  # as a lit window
TRUTH_NAME = "Truth: occupied"
PROOF_NAME = "Proof: no doubt is left"
PROOF_SYMBOL = "star"
BELIEF_PANELS = ((0.71, 0.96), (0.37, 0.62))  # bottom and top of the two, the unprotected rate's first
EVIDENCE_PANEL = (0.0, 0.27)


NO_PINS: Mapping[PinMark, Floats] = MappingProxyType({})


def rate_name(mechanism: str) -> str:
    return "Unprotected" if mechanism == UNPROTECTED else style.label(mechanism)


def belief_name(mechanism: str) -> str:
    return f"Her belief, {rate_name(mechanism).lower()}"


def evidence_name(mechanism: str) -> str:
    return f"Evidence, {rate_name(mechanism).lower()}"


def belief_figure(
    day: Day,
    seen: tuple[Posterior, Posterior],
    occupied: Bools,
    step: int,
    pins: Mapping[PinMark, Floats] = NO_PINS,
) -> Picture:
    """One house, one clock, two rates: what she believes up to a step from the unprotected rate (above) and
    from a private one (below it; dotted, in pinned scenarios), with the truth behind both and a star where a
    rate is proof. Under them each step's evidence, and the band that the private rate's promise draws; what
    is larger ends at the edge. `seen` has that one house alone."""
    promised = REGISTRY[seen[1].mechanism].promised(day.scenario.epsilon)
    reach = _reach(seen[1].log_evidence[:, 0], promised)
    layout = style.layout(
        HEIGHT,
        daytime.panels(day.scenario, _panels(day, seen, occupied, step, promised, reach), gap=0.005),
        {"legend": {"y": 1.03}, "barmode": "overlay", "bargap": 0.1, "margin": {"l": 66, "t": 54}},
    )
    layout["shapes"] = _edges(promised)  # of the promise; the truth takes the place of shaded periods
    if step + 1 < day.scenario.steps:
        layout["shapes"].append(_now(daytime.times(day.hours)[step]))
    traces = [
        *(trace for row, one in enumerate(seen) for trace in _beliefs(day, one, occupied, step, row)),
        *_pinned(day, pins, step),
        *(_bars(day, one, reach, step) for one in seen),
    ]
    return Picture(traces, layout, _belief_words(day, seen, occupied, step))


def _reach(evidence: Floats, promised: float) -> float:
    """How high the panel of the evidence is: what is promised, and the private rate's own, is seen whole."""
    finite = np.abs(evidence[np.isfinite(evidence)]).max(initial=1e-3)
    return 1.3 * max(promised, float(finite))


def _panels(
    day: Day, seen: tuple[Posterior, Posterior], occupied: Bools, step: int, promised: float, reach: float
) -> list[Panel]:
    chance = {"range": [-0.06, 1.25], "tickformat": ".0%", "tickvals": [0, 0.5, 1]}
    odds = {"range": [-reach, reach], "title": {"text": "ln of the odds", "standoff": 18}}
    titles = [_title(day, one, occupied, step) for one in seen]
    largest = _told(moment(seen[1], 0, occupied, step).largest_evidence, ".3f")
    words = f"Evidence, {style.label(seen[1].mechanism)}: {largest}, limit ±{promised:g}"
    return [
        *(Panel(title, *room, chance) for title, room in zip(titles, BELIEF_PANELS, strict=True)),
        Panel(words, *EVIDENCE_PANEL, odds),
    ]


def _title(day: Day, seen: Posterior, occupied: Bools, step: int) -> str:
    """Which rate, how often she has been right so far, and how many rates were proof."""
    now = moment(seen, 0, occupied, step)
    proved = f"{now.proofs} {'proof' if now.proofs == 1 else 'proofs'}" if now.proofs else "no proof"
    square = f'<span style="color:{style.mark(seen.mechanism).colour}">■</span>'
    return f"{square} {rate_name(seen.mechanism)}: right {now.right:.0%}, {proved}"


def _beliefs(day: Day, seen: Posterior, occupied: Bools, step: int, row: int) -> list[Trace]:
    """One panel: truth, the model alone, her belief, proofs; what both panels have is named once."""
    x, now = daytime.times(day.hours), step + 1
    place = {"yaxis": ("y", "y2")[row]}
    own = Mark(style.mark(seen.mechanism).colour)
    truth = style.line(x, occupied.astype(float), TRUTH_NAME, TRUTH, width=0, shape="hv")
    alone = style.line(x, seen.model_only[:, 0], "The model alone", style.EXPECTED, hover="%{y:.1%}")
    belief = style.line(
        x[:now], seen.belief[:now, 0], belief_name(seen.mechanism), own, hover="%{y:.1%}", width=3
    )
    shared = [
        truth | {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH.colour, 0.38), "legendgroup": "truth"},
        alone | {"legendgroup": "alone"},
    ]
    return [
        *(trace | place | {"showlegend": row == 0} for trace in shared),
        belief | place | {"showlegend": True},
        _proofs(x[:now], seen.log_evidence[:now, 0]) | place | {"showlegend": row == 0},
    ]


def _proofs(x: NDArray[np.datetime64], evidence: Floats) -> Trace:
    """A star at the state that a rate proves."""
    proved = np.isinf(evidence)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x[proved] if proved.any() else [None],
        "y": (evidence[proved] > 0).astype(float) if proved.any() else [None],
        "name": PROOF_NAME,
        "legendgroup": "proof",
        "marker": {"symbol": PROOF_SYMBOL, "size": 9, "color": style.LIMIT},
        "hovertemplate": "proof",
    }


def _pinned(day: Day, pins: Mapping[PinMark, Floats], step: int) -> list[Trace]:
    x, now = daytime.times(day.hours)[: step + 1], step + 1
    drawn = []
    for pin, belief in pins.items():
        curve = style.line(x, belief[:now], "Her belief", Mark(pin.colour), hover="%{y:.1%}")
        drawn += [style.pin_legend(pin), style.pinned(curve, pin) | {"yaxis": "y2"}]
    return drawn


def _bars(day: Day, seen: Posterior, reach: float, step: int) -> Trace:
    """Evidence up to a step; what is cut at the panel's edge is said in full."""
    evidence = seen.log_evidence[: step + 1, 0]
    return {
        "type": "bar",
        "x": daytime.times(day.hours)[: step + 1],
        "y": np.clip(evidence, -reach, reach),
        "customdata": [_told(value, "+.3f") for value in evidence.tolist()],
        "name": evidence_name(seen.mechanism),
        "hovertemplate": "%{customdata}",
        "yaxis": "y3",
        "showlegend": False,
        "marker": {"color": style.mark(seen.mechanism).colour, "line": {"width": 0}},
        "opacity": 0.5 if seen.mechanism == UNPROTECTED else 1.0,
    }


def _edges(limit: float) -> list[Spec]:
    """The band of evidence that the promise allows."""
    line = {"type": "line", "line": {"color": style.LIMIT, "width": 2}, "x0": 0, "x1": 1, "xref": "paper"}
    return [line | {"y0": edge, "y1": edge, "yref": "y3"} for edge in (-limit, limit)]


def _now(time: np.datetime64) -> Spec:
    line = {"type": "line", "line": {"color": style.GREY, "width": 2}}
    return line | {"x0": str(time), "x1": str(time), "y0": 0, "y1": 1, "yref": "paper"}


def _told(evidence: float, form: str) -> str:
    return "proof" if np.isinf(evidence) else f"{evidence:{form}}"


def _belief_words(day: Day, seen: tuple[Posterior, Posterior], occupied: Bools, step: int) -> str:
    largest = [float(np.abs(one.log_evidence[: step + 1, 0]).max()) for one in seen]
    told = [
        f"from the {style.label(one.mechanism)} rate her belief is {one.belief[step, 0]:.0%}, the largest "
        f"evidence of one step so far {_told(most, '.3f')}"
        for one, most in zip(seen, largest, strict=True)
    ]
    return (
        f"House {seen[0].houses[0]} over the day up to {day.scenario.when(step)}: truth "
        f"{'occupied' if occupied[step] else 'empty'}, the model alone says "
        f"{seen[0].model_only[step, 0]:.0%}; {'; '.join(told)}."
    )
