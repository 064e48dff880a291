"""No screen gives a widget another value (see `pages.ui.widgets`), or keeps state beside the lab."""

import ast

from tests.help.imports import read_tree
from tests.help.root import ROOT

SCREENS = read_tree(ROOT, "pages/**/*.py", "app.py")
# Widgets whose value the user changes; what they show is kept in the lab.
INPUTS = {
    *("checkbox", "multiselect", "number_input", "pills", "radio", "segmented_control"),
    *("select_slider", "selectbox", "slider", "text_area", "text_input", "toggle"),
}
KEEPERS = {"pages.ui.session", "pages.ui.versions"}  # where the lab and the versions are kept


def complaints(source: str) -> list[str]:
    """Inputs without a version of their own, and keys of the session that are assigned or deleted."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"st.{name}" for name in INPUTS}:
            given = {word.arg: ast.unparse(word.value) for word in node.keywords}
            version = given.get("key", "").removesuffix(".key")
            if given.get("on_change") != f"{version}.changed":
                found.append(f"{ast.unparse(node.func)} has no version")
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.button":
            acts = [word.arg for word in node.keywords if word.arg == "on_click"]
            found += ["st.button acts before typed text is saved" for _ in acts]
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        found += [
            f"{ast.unparse(target)} is assigned or deleted"
            for target in targets
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "st.session_state"
        ]
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {
            f"st.session_state.{name}" for name in ("pop", "clear", "update")
        }:
            found.append(f"{ast.unparse(node.func)} is called")
    return found


def test_every_input_has_a_version_and_the_session_one_state() -> None:
    assert {
        module: found
        for module in SCREENS
        if module not in KEEPERS and (found := complaints(SCREENS[module]))
    } == {}


def test_what_is_planted_is_found() -> None:
    for fault in (
        *("st.session_state[key] = value", "del st.session_state['a']", "st.session_state.pop('a', None)"),
        *("st.toggle('On', key='on')", "st.toggle('On', key=one.key, on_change=another.changed)"),
        "st.button('Go', on_click=go)",
    ):
        assert complaints(fault), fault
    assert complaints("st.toggle('On', value, key=shows.key, on_change=shows.changed)") == []
