"""Who imports whom: modules, read as text, against a table of rooms from bottom to top.

A tree is module → source, a package's own file named `package.__init__`. Every import counts, wherever it
stands: at the top, inside a function, for type checkers only. `from package import submodule` imports the
submodule.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Tree = Mapping[str, str]
Room = tuple[str, ...]  # names of modules and packages, with all that is below; `folder.*` is its files alone
Rows = Sequence[Sequence[Room]]


def read_tree(root: Path, *patterns: str) -> dict[str, str]:
    """The modules that some patterns find below a folder."""
    files = sorted({file for pattern in patterns for file in root.glob(pattern)})
    return {
        ".".join(file.relative_to(root).with_suffix("").parts): file.read_text(encoding="utf-8")
        for file in files
    }


@cache
def imported(source: str) -> list[tuple[str, str]]:
    """(module, name taken from it) of every import; the name is empty where the module itself is imported."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [(module, alias.name) for alias in node.names]
    return found


def imported_names(source: str) -> set[str]:
    """The same with dots: `from a import b` and `import a.b` are both a.b."""
    return {f"{module}.{name}" if name else module for module, name in imported(source)}


def graph(tree: Tree) -> dict[str, set[str]]:
    """For every module the modules of the tree that it imports."""
    return {
        module: {target for pair in imported(source) for target in _targets(tree, *pair)} - {module}
        for module, source in tree.items()
    }


def _targets(tree: Tree, module: str, name: str) -> Iterator[str]:
    package = f"{module}.__init__"
    submodule = next(
        (m for m in (f"{module}.{name}", f"{module}.{name}.__init__") if name and m in tree), None
    )
    if submodule:
        yield submodule
        if name not in {taken for source, taken in imported(tree.get(package, "")) if source != module}:
            return  # otherwise the package gives something else under the submodule's name
    yield from (m for m in (module, package) if m in tree)


def complaints(tree: Tree, rows: Rows) -> list[str]:
    """All that is wrong with a tree, each in one sentence; rooms of one row may not import each other."""
    links = graph(tree)
    place = {module: _place(module, rows) for module in tree}
    wrong = [f"{module} stands in no room" for module in tree if place[module] is None]
    wrong += [f"{m} imports relatively" for m in tree if any(n.startswith(".") for n, _ in imported(tree[m]))]
    for module, targets in links.items():
        for target in sorted(targets):
            here, there = place[module], place[target]
            if here and there and here != there and there[0] >= here[0]:
                way = "up" if there[0] > here[0] else "across"
                wrong.append(f"{module} imports {way}: {target}")
    try:
        TopologicalSorter(links).prepare()
    except CycleError as error:
        wrong.append(f"a circle: {', '.join(sorted(set(error.args[1])))}")
    return wrong


def _place(module: str, rows: Rows) -> tuple[int, int] | None:
    """(row, room) by the longest name that fits."""
    fits = [
        (len(name), (row, room))
        for row, rooms in enumerate(rows)
        for room, names in enumerate(rooms)
        for name in names
        if _fits(module, name)
    ]
    return max(fits)[1] if fits else None


def _fits(module: str, name: str) -> bool:
    if name.endswith(".*"):
        return module.rpartition(".")[0] == name.removesuffix(".*")
    return module == name or module.startswith(f"{name}.")
