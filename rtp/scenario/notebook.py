"""A scenario as a Jupyter notebook: the same numbers again, and a place to go on from.

The file is JSON after version 4.5 of the notebook format (https://nbformat.readthedocs.io): cells with an
identifier each. It needs the package alone; Jupyter itself draws the figure in its last cell.
"""

import json

from rtp.scenario.caption import caption
from rtp.scenario.model import Scenario
from rtp.scenario.presets import DEFAULT_PRESET
from rtp.scenario.script import ERRORS, start

NEEDS = "It needs the package `rtp`: `pip install .` in a copy of the lab."
PLOT = """from rtp.figures.day import day_figure

day_figure(day, list(day.release)).figure.update_layout(template="plotly_white")"""
ANOTHER = """for epsilon in (0.05, 0.5, 5.0):
    again = rtp.simulate(scenario.replace(epsilon=epsilon))
    print(f"ε {epsilon}:", {name: percent(release.error) for name, release in again.release.items()})"""


def to_notebook(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """A notebook that runs this very scenario again, shows its day, and tries other budgets."""
    told = f"# A day of a street\n\n{caption(scenario, preset)}\n\n{NEEDS}"
    cells = [
        _words(told),
        _code(f"import rtp\nfrom rtp.core.formatting import percent, plain\n\n{start(scenario, preset)}"),
        _code(f"day = rtp.simulate(scenario)\n{ERRORS}"),
        _words("One row per step; every rate, and the noise behind it:"),
        _code("day.frame()"),
        _code(PLOT),
        _words("The same street with another budget for privacy:"),
        _code(ANOTHER),
    ]
    whole = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, 1)],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False)


def _words(text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
