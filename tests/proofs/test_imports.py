"""Who may import whom, and what may not be loaded at all."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "rtp").rglob("*.py"))

# Imports run one way. A module may import those before it and none after it.
ORDER = [
    ["rtp.scenario"],
    ["rtp.occupancy"],
    ["rtp.pricing", "rtp.outlook", "rtp.street"],
    ["rtp.life"],
    ["rtp.mechanisms"],
    ["rtp.simulation"],
    ["rtp.attacker", "rtp.audit", "rtp.tradeoff", "rtp.sweep"],
    ["rtp.figures"],
]


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _rank(name: str) -> int | None:
    for rank, modules in enumerate(ORDER):
        if any(name == module or name.startswith(module + ".") for module in modules):
            return rank
    return None


@pytest.mark.parametrize("path", SOURCES, ids=_module)
def test_rtp_never_imports_streamlit_nor_what_is_built_on_it(path: Path) -> None:
    tops = {name.split(".")[0] for name in _imported(path)}
    assert not tops & {"streamlit", "pages", "app", "tests", "benchmarks", "scripts"}


@pytest.mark.parametrize("path", SOURCES, ids=_module)
def test_imports_run_one_way(path: Path) -> None:
    own = _rank(_module(path))
    if own is None:
        return
    later = {name for name in _imported(path) if (rank := _rank(name)) is not None and rank > own}
    assert not later


def test_the_order_names_modules_that_exist() -> None:
    modules = {_module(path) for path in SOURCES}
    core = {name for rank in ORDER[:6] for name in rank}
    assert core <= modules


def test_only_the_entry_points_and_simulation_unpack_a_scenario() -> None:
    """Numeric modules take arrays and floats."""
    for name in ("occupancy", "outlook", "pricing", "metrics", "density", "joint"):
        assert "rtp.scenario.Scenario" not in _imported(ROOT / "rtp" / f"{name}.py"), name
    for path in (ROOT / "rtp" / "mechanisms").glob("*.py"):
        assert "rtp.scenario.Scenario" not in _imported(path), path


def test_importing_and_running_rtp_loads_no_streamlit_and_no_heavy_scipy() -> None:
    code = """
import sys, rtp
rtp.simulate(rtp.Scenario(households=20))
heavy = ("streamlit", "pandas", "plotly", "scipy")
print(sorted(name for name in sys.modules if name.split(".")[0] in heavy))
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_randomness_is_an_argument() -> None:
    """No module draws from numpy's global state or the standard library's."""
    for path in SOURCES:
        assert "random" not in {name.split(".")[0] for name in _imported(path)}, path
        text = path.read_text(encoding="utf-8")
        assert "np.random.seed" not in text
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("np.random."):
                drawn = ast.unparse(node.func).removeprefix("np.random.")
                assert drawn in ("default_rng", "Generator", "SeedSequence", "SFC64"), path


def test_floating_point_errors_raise_in_this_suite() -> None:
    with pytest.raises(FloatingPointError):
        np.array([1.0]) / np.array([0.0])
    with pytest.raises(FloatingPointError):
        np.exp(np.array([1e4]))
