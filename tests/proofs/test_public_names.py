"""What is not public in another library is read in `pages.ui.compat` alone, and nothing is patched.

An attribute that begins with an underscore is another library's unless the lab's own code defines that name;
so is whatever of streamlit is not `streamlit` itself.
"""

import ast
from functools import cache

import pytest

from tests.help.imports import read_tree
from tests.help.root import ROOT

TREE = read_tree(ROOT, "rtp/**/*.py", "pages/**/*.py", "app.py")
COMPAT = "pages.ui.compat"
PYTHON = {"os._exit", "argparse._SubParsersAction"}  # the first is documented, the second a type's only name
NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make"}  # public in spite of their names


@cache
def _nodes(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def defined(source: str) -> set[str]:
    """Names that a module defines: functions, classes, variables, attributes of its own."""
    names = set()
    for node in _nodes(source):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls"):
            names.add(node.attr)
    return names


def _is_private(node: ast.Attribute, own: set[str]) -> bool:
    private = node.attr.startswith("_") and not node.attr.endswith("__")
    return private and node.attr not in own | NAMED_TUPLE and ast.unparse(node) not in PYTHON


def _sets_or_makes(called: ast.expr) -> bool:
    name = getattr(called, "attr", getattr(called, "id", ""))  # to write an expression out takes long
    return name in ("__setattr__", "setattr", "__new__") and (
        name == "__new__" or ast.unparse(called) in ("type.__setattr__", "setattr")
    )


def complaints(source: str, own: set[str]) -> list[str]:
    found = []
    for node in _nodes(source):
        if isinstance(node, ast.Attribute) and _is_private(node, own):
            found.append(ast.unparse(node))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "streamlit":
            found.append(f"from {node.module}")
        if isinstance(node, ast.ImportFrom | ast.Import):
            found += [f"import {a.name}" for a in node.names if a.name.startswith(("_", "streamlit."))]
        if isinstance(node, ast.Call) and _sets_or_makes(node.func):
            found.append(ast.unparse(node))
    return found


@pytest.mark.slow
def test_only_compat_reads_what_is_not_public() -> None:
    own = set().union(*map(defined, TREE.values()))
    found = {module: complaints(source, own) for module, source in TREE.items() if module != COMPAT}
    assert {module: those for module, those in found.items() if those} == {}


def test_what_is_planted_is_found() -> None:
    for planted in (
        "figure._data",
        "from streamlit.runtime.scriptrunner import get_script_run_ctx",
        "import streamlit.config",
        "from plotly import _plotly_utils",
        "type.__setattr__(WStates, 'x', y)",
        "BaseFigure.__new__(BaseFigure)",
    ):
        assert complaints(planted, set()), planted
    assert not complaints("self._own, row._replace(a=1), st.button.__name__", {"_own"})
