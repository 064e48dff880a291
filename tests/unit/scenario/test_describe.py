"""A scenario in words, and to take away as a file, a script or a notebook."""

import ast
import json

import pytest
from hypothesis import given, settings

from rtp import PRESETS, Scenario
from rtp.scenario import BOUNDS
from rtp.scenario.describe import caption, differences
from rtp.scenario.export import to_notebook, to_script
from tests.help.strategies import scenarios

SCENARIO = Scenario(households=20, seed=7)


@settings(max_examples=15)  # of two drawn at random hardly a field is alike
@given(scenarios(), scenarios())
def test_scenarios_differ_in_words_exactly_where_they_differ(one: Scenario, other: Scenario) -> None:
    """Up to ten digits, beyond which nobody types."""
    rows = differences([one, other])
    assert bool(rows) <= (one != other)
    assert all(len(row.values) == 2 and row.values[0] != row.values[1] for row in rows)
    back = {row.setting: row.values for row in differences([other, one])}
    assert {row.setting: row.values[::-1] for row in rows} == back
    assert differences([one, one]) == differences([one]) == []


def test_every_field_is_told_alone_in_table_and_caption() -> None:
    numbers: dict[str, float] = dict.fromkeys(("households", "days", "seed"), 2)
    numbers |= {name: 0.25 for name in Scenario.model_fields if name in BOUNDS and not BOUNDS[name].whole}
    words = {"naive_bound": "realised", "assumed_model": "As published"}
    words |= {"first_weekday": "Friday", "power_unit": "kW", "currency": "EUR"}
    flags = {"independent_noise": True, "clip_at_zero": True}
    for name, value in {**numbers, **words, **flags, "step_minutes": 30}.items():
        changed = Scenario().replace(**{name: value})
        (row,) = differences([Scenario(), changed])
        assert row.values[0] != row.values[1]
        assert caption(changed, "paper") != caption(Scenario(), "paper")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_notebook_has_what_its_format_asks_for_and_begins_as_the_script(preset: str) -> None:
    book = json.loads(to_notebook(PRESETS[preset], preset))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        run = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"id", "cell_type", "metadata", "source"} | run
    assert caption(PRESETS[preset], preset) in book["cells"][0]["source"]
    code = "\n".join(cell["source"] for cell in book["cells"] if cell["cell_type"] == "code")
    script = ast.unparse(ast.parse(to_script(PRESETS[preset], preset)))
    assert ast.unparse(ast.parse(code)).startswith(script)
