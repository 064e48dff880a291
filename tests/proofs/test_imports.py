"""Who may import whom, and what may not be loaded at all."""

import subprocess
import sys

import pytest

from tests.help.imports import Rows, complaints, imported_names, read_tree
from tests.help.root import ROOT

RTP = read_tree(ROOT, "rtp/**/*.py")
HOUSE = RTP | read_tree(ROOT, "pages/**/*.py", "app.py")

# From the ground up. A room imports from itself and from rooms of earlier rows, never from one beside it.
ROWS: Rows = [
    ["rtp.core", "rtp.version"],
    ["rtp.scenario", "rtp.probability", "rtp.tariff", "rtp.metrics"],
    ["rtp.algorithm1", "rtp.street"],
    ["rtp.mechanisms"],
    ["rtp.simulation"],
    ["rtp.attack"],
    ["rtp.exposure"],
    ["rtp.__init__"],
    ["rtp.tradeoff", "rtp.money", "rtp.audit"],
    ["rtp.leakage"],
    ["rtp.meters", "rtp.decision"],
    ["rtp.teaching"],
    ["rtp.sweep", "rtp.paper", "rtp.play"],
    ["rtp.figures rtp.output"],
    ["rtp.cli"],
    ["rtp.__main__"],
    ["pages.ui.* pages.ui.browser"],  # what all screens share
    [f"pages.ui.{screen}" for screen in ("explore", "attack", "paper", "street", "decide", "classroom")],
    ["pages.*", "app"],
]

# Arrays and floats in, arrays and floats out: they see no Scenario.
NUMERIC = ("core", "probability", "street", "mechanisms", "tariff", "metrics", "algorithm1")


def test_every_module_has_a_room_imports_run_one_way_and_nowhere_in_a_circle() -> None:
    assert len(HOUSE) > 100
    assert complaints(HOUSE, ROWS) == []


def test_planted_imports_are_found() -> None:
    tree = HOUSE | {
        "rtp.tariff": "from .figures import style",
        "rtp.street.draw": "def f():\n    from rtp.street.days import walk",
        "rtp.street.days": "if TYPE_CHECKING:\n    from rtp.street.draw import Street\nfrom rtp import Day",
        "rtp.fashion": "from rtp.figures import style",
    }
    found = " ".join(complaints(tree, ROWS))
    for fault in ("no room", "relatively", "rtp.street.days imports up: rtp.__init__", "a circle"):
        assert fault in found


def test_rtp_never_imports_streamlit_nor_what_is_built_on_it_nor_random() -> None:
    """Randomness is an argument; that nothing draws from numpy's global state is ruff's NPY002."""
    above = {"streamlit", "pages", "app", "tests", "benchmarks", "scripts", "random"}
    tops = {module: {name.split(".")[0] for name in imported_names(RTP[module])} for module in RTP}
    assert [module for module in RTP if tops[module] & above] == []


def test_only_the_entry_points_and_simulation_unpack_a_scenario() -> None:
    """Numeric modules take arrays and floats."""
    forbidden = {"rtp.Scenario", "rtp.scenario", "rtp.scenario.Scenario", "rtp.scenario.model.Scenario"}
    numeric = [name for name in RTP if name.split(".")[1] in NUMERIC]
    assert numeric
    assert [module for module in numeric if imported_names(RTP[module]) & forbidden] == []


@pytest.mark.slow
def test_importing_and_running_rtp_loads_no_streamlit_and_no_heavy_scipy_and_its_command_no_dask() -> None:
    code = """
import sys, rtp
rtp.simulate(rtp.Scenario(households=20))
def loaded(*heavy): print(sorted(name for name in sys.modules if name.split(".")[0] in heavy))
loaded("streamlit", "pandas", "plotly", "scipy")
import rtp.cli.main
loaded("streamlit", "dask", "distributed")
"""
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["[]", "[]"]
