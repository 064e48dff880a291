"""What is not public in another library is read in `pages.ui.compat` alone, and nothing is patched.

Attributes that begin with an underscore are ruff's SLF001. Not public, too, is whatever of streamlit is not
`streamlit` itself.
"""

import ast

import pytest

from tests.help.imports import read_tree
from tests.help.root import ROOT

TREE = read_tree(ROOT, "rtp/**/*.py", "pages/**/*.py", "app.py")
COMPAT = "pages.ui.compat"


def _sets_or_makes(called: ast.expr) -> bool:
    name = getattr(called, "attr", getattr(called, "id", ""))  # to write an expression out takes long
    return name in ("__setattr__", "setattr", "__new__") and (
        name == "__new__" or ast.unparse(called) in ("type.__setattr__", "setattr")
    )


def complaints(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "streamlit":
            found.append(f"from {node.module}")
        if isinstance(node, ast.ImportFrom | ast.Import):
            found += [f"import {a.name}" for a in node.names if a.name.startswith(("_", "streamlit."))]
        if isinstance(node, ast.Call) and _sets_or_makes(node.func):
            found.append(ast.unparse(node))
    return found


@pytest.mark.slow
def test_only_compat_reads_what_is_not_public() -> None:
    found = {module: complaints(source) for module, source in TREE.items() if module != COMPAT}
    assert {module: those for module, those in found.items() if those} == {}


def test_what_is_planted_is_found() -> None:
    for planted in (
        "from streamlit.runtime.scriptrunner import get_script_run_ctx",
        "import streamlit.config",
        "from plotly import _plotly_utils",
        "type.__setattr__(WStates, 'x', y)",
        "BaseFigure.__new__(BaseFigure)",
    ):
        assert complaints(planted), planted
