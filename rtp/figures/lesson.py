"""The numbers behind the answer of an exercise, as bars."""

from rtp.figures import style
from rtp.figures.style import Picture, Spec
from rtp.teaching.exercise import AnswerPicture

_ROW, _FRAME = 34, 56  # pixels of a bar, and of what is around all


def answer_figure(answer: AnswerPicture) -> Picture:
    """A bar for every number, the first on top, each with what it says at its name."""
    names = [f"{name} · {text}" for name, text in zip(answer.values, answer.texts, strict=True)]
    colour = style.SIMULATED.colour
    trace = style.bars(list(answer.values.values()), names, answer.title, colour, hover="%{y}<extra></extra>")
    own: Spec = {
        "xaxis": {"range": [0.0, 1.02 * answer.most], "showticklabels": False, "showgrid": False},
        "yaxis": {"autorange": "reversed", "automargin": True},
        "margin": {"t": 4},
        "showlegend": False,
    }
    layout = style.layout(_FRAME + _ROW * len(names), style.axes(answer.title, ""), own)
    return Picture([trace | {"orientation": "h"}], layout, f"{answer.title}: {', '.join(names)}.")
