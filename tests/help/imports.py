"""Who imports whom: modules, read as text, against a table of rooms from bottom to top.

A tree is module → source, a package's own file named `package.__init__`. Every import counts, wherever it
stands: at the top, inside a function, for type checkers only.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Tree = Mapping[str, str]
# Rooms from the ground up, by the names of their modules and packages; `folder.*` is its files alone.
Rows = Sequence[Sequence[str]]


def read_tree(root: Path, *patterns: str) -> dict[str, str]:
    """The modules that some patterns find below a folder."""
    files = sorted({file for pattern in patterns for file in root.glob(pattern)})
    return {
        ".".join(file.relative_to(root).with_suffix("").parts): file.read_text(encoding="utf-8")
        for file in files
    }


@cache
def imported(source: str) -> set[tuple[str, str]]:
    """(module, name taken from it) of every import; the name is empty where the module itself is imported."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {("." * node.level + (node.module or ""), alias.name) for alias in node.names}
    return found


def imported_names(source: str) -> set[str]:
    """The same with dots: `from a import b` and `import a.b` are both a.b."""
    return {f"{module}.{name}" if name else module for module, name in imported(source)}


def _targets(tree: Tree, module: str, name: str) -> set[str]:
    """What an import loads: a submodule, unless its package gives something else under that name."""
    own = {f"{module}.{name}", f"{module}.{name}.__init__"} & tree.keys()
    package = f"{module}.__init__"
    if own and name not in {taken for source, taken in imported(tree.get(package, "")) if source != module}:
        return own
    return own | ({module, package} & tree.keys())


def complaints(tree: Tree, rows: Rows) -> list[str]:
    """All that is wrong with a tree, each in one sentence; rooms of one row may not import each other."""
    place = {module: _place(module, rows) for module in tree}
    wrong = [f"{module} stands in no room" for module in tree if not place[module]]
    links = {
        module: set().union(*(_targets(tree, *each) for each in imported(source))) - {module}
        for module, source in tree.items()
    }
    for module, targets in links.items():
        wrong += [f"{module} imports relatively" for name, _ in imported(tree[module]) if name[0] == "."]
        wrong += [
            f"{module} imports up: {target}"
            for target in sorted(targets)
            if (there := place[target]) and (here := place[module]) and here != there and there[0] >= here[0]
        ]
    try:
        TopologicalSorter(links).prepare()
    except CycleError as error:
        wrong.append(f"a circle: {', '.join(sorted(set(error.args[1])))}")
    return wrong


def _place(module: str, rows: Rows) -> tuple[int, str] | None:
    """(row, room) by the longest name that fits."""
    fits = [
        (len(name), (row, room))
        for row, rooms in enumerate(rows)
        for room in rooms
        for name in room.split()
        if module == name or module.startswith(f"{name}.") or f"{module.rpartition('.')[0]}.*" == name
    ]
    return max(fits)[1] if fits else None
