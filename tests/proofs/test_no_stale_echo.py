"""No screen gives a widget another value: see `pages.ui.bound`."""

import ast

from tests.help.imports import read_tree
from tests.help.root import ROOT

SCREENS = read_tree(ROOT, "pages/**/*.py", "app.py")
# Widgets whose value the user changes; what they show is a fact kept elsewhere.
INPUTS = {
    "checkbox",
    "multiselect",
    "number_input",
    "pills",
    "radio",
    "segmented_control",
    "select_slider",
    "selectbox",
    "slider",
    "text_area",
    "text_input",
    "toggle",
}

GONE = {"st.session_state.pop", "st.session_state.clear"}  # see `pages.ui.once`


def complaints(source: str) -> list[str]:
    """Inputs that are not bound, widgets' keys that are assigned, and keys that are deleted."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"st.{name}" for name in INPUTS}:
            given = {word.arg: ast.unparse(word.value) for word in node.keywords}
            if (given.get("key"), given.get("on_change")) != ("here.key", "here.changed"):
                found.append(f"{ast.unparse(node.func)} is not bound")
            if "persist_state" in given:
                found.append(f"{ast.unparse(node.func)} keeps a fact of its own")
        if isinstance(node, ast.Call) and ast.unparse(node.func) in GONE:
            found.append(f"{ast.unparse(node.func)} deletes a key")
        if isinstance(node, ast.Delete) and any(
            "st.session_state" in ast.unparse(each) for each in node.targets
        ):
            found.append("del deletes a key")
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "st.session_state":
                name = ast.unparse(target.slice)
                if "key" in name:
                    found.append(f"st.session_state[{name}] is assigned")
    return found


def test_every_input_is_bound_to_its_fact() -> None:
    assert {module: found for module in SCREENS if (found := complaints(SCREENS[module]))} == {}


def test_what_is_planted_is_found() -> None:
    assert complaints("st.session_state[key] = value") == ["st.session_state[key] is assigned"]
    assert complaints("st.toggle('On', key='on')") == ["st.toggle is not bound"]
    assert complaints("st.toggle('On', value, key=here.key, on_change=here.changed)") == []
    assert complaints("st.session_state.pop('draft', None)") == ["st.session_state.pop deletes a key"]
    assert complaints("del st.session_state['draft']") == ["del deletes a key"]
