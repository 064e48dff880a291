"""A scenario to take away: as JSON, as a short Python program, as a Jupyter notebook; and tables.

Each says which lab made it and makes the same numbers again. A notebook is JSON after version 4.5 of its
format (https://nbformat.readthedocs.io): cells with an identifier each. It needs the package alone; Jupyter
itself draws the figure in its last cell.

A table says which version of it made it, and of which scenario (its
`origin`); a file is put in place whole, or what was there stays.
"""

import json
import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

from rtp.core.types import Frame
from rtp.scenario.describe import caption, origin_words, span_words
from rtp.scenario.model import LAB_KEY, Scenario
from rtp.scenario.presets import DEFAULT_PRESET
from rtp.scenario.share import HOUSES_FIELD, NESTED, changed_fields

Origin = Mapping[str, str | int]


def to_csv(frame: Frame, origin: Origin) -> str:
    """A table, its origin in more columns, as CSV in which no text can start a formula in a spreadsheet."""
    safe = frame.assign(**origin)
    for name in safe.columns:
        if safe[name].dtype.kind not in "biuf":
            safe[name] = [neutral(str(cell)) for cell in safe[name]]
    safe.columns = [neutral(str(name)) for name in safe.columns]
    return str(safe.to_csv(index=False, lineterminator="\n"))


FORMULA = ("=", "+", "-", "@")


def neutral(text: str) -> str:
    """Text that a spreadsheet will not take for a formula, nor for the start of a new row."""
    line = text.replace("\r", " ")
    seen = unicodedata.normalize("NFKC", line)  # full-width signs are signs
    seen = "".join(c for c in seen if unicodedata.category(c)[0] not in "CZ")  # what takes no room
    return f"'{line}" if seen.startswith(FORMULA) else line


def put_in_place(target: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its target and then in its place: a full disk, or whatever else goes wrong, leaves
    what was there. An error names the target."""
    if target.is_dir():
        raise IsADirectoryError(21, "is a folder; name a file in it", str(target))
    beside = target.with_name(f"{target.name}.part")
    try:
        write(beside)
        os.replace(beside, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None
    finally:
        beside.unlink(missing_ok=True)


def put_text(target: Path, text: str) -> None:
    put_in_place(target, lambda beside: beside.write_text(text, encoding="utf-8"))


NEEDS = "It needs the package `rtp`: `pip install .` in a copy of the lab."
ERRORS = """for name, release in day.release.items():
    error, expected = percent(release.error), percent(release.expected_error)
    print(f"{name:>10}  error {error}, expected {expected}")"""
PLOT = """from rtp.figures.day import rates_figure

rates_figure(day, list(day.release)).figure.update_layout(template="plotly_white")"""
ANOTHER = """for epsilon in (0.05, 0.5, 5.0):
    again = rtp.simulate(scenario.replace(epsilon=epsilon))
    print(f"ε {epsilon}:", {name: percent(release.error) for name, release in again.release.items()})"""


def to_file(scenario: Scenario) -> str:
    """The scenario as JSON that `Scenario.from_json` reads again."""
    return json.dumps({LAB_KEY: origin_words(scenario), **scenario.to_object()}, indent=2, ensure_ascii=False)


def python_line(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """The line of Python that makes this very scenario, as `scenario`."""
    changed = changed_fields(scenario, preset)
    if set(changed) & {*NESTED, HOUSES_FIELD}:
        return f"scenario = rtp.Scenario.from_json({scenario.to_json(indent=None)!r})"
    changes = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"scenario = rtp.PRESETS[{preset!r}]" + (f".replace({changes})" if changes else "")


def to_script(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """A short Python program that runs this very scenario again."""
    return f"""# RTP Privacy Lab {origin_words(scenario)}.
# The same numbers again, from any folder where `import rtp` works.
import rtp
from rtp.core.formatting import percent

{python_line(scenario, preset)}
day = rtp.simulate(scenario)
{ERRORS}
"""


def to_notebook(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """A notebook that runs this very scenario again, shows its day, and tries other budgets."""
    intro = f"# {span_words(scenario).capitalize()} of a street\n\n{caption(scenario, preset)}\n\n{NEEDS}"
    cells = [
        ("markdown", intro),
        ("code", f"import rtp\nfrom rtp.core.formatting import percent\n\n{python_line(scenario, preset)}"),
        ("code", f"day = rtp.simulate(scenario)\n{ERRORS}"),
        ("markdown", "One row per step; every rate, and the noise behind it:"),
        ("code", "day.frame()"),
        ("code", PLOT),
        ("markdown", "The same street with another budget for privacy:"),
        ("code", ANOTHER),
    ]
    not_run = {"execution_count": None, "outputs": []}
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [
            {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": text}
            | (not_run if kind == "code" else {})
            for number, (kind, text) in enumerate(cells, 1)
        ],
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False)
