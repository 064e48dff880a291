"""Would the tests notice? Change one thing in the code, run them, and see: `make mutants`.

Sites are drawn from a seed, evenly over all that functions of `rtp` compute: comparisons, arithmetic, `and`,
`or`, `not`, numbers, returned values. Words, constants of a module, default values and the numbers of a
layout (keywords, entries of a dictionary) are settings: a test of them would be their copy. A survivor that
no person could notice needs no test.

Each mutant lives in a copy of the tree. Tests run in the order in which they are likely to notice: those of
its own room and those that import it by name, the recorded numbers, then all whose imports reach it; of the
long ones those of rooms. A test that fails without the mutant too is named and left out; one that never ends
kills.

Neither mutmut nor cosmic-ray serves: the one runs the whole suite twice before its first mutant, the other
has one test command for all, and neither draws a sample from a seed.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from functools import cache
from itertools import accumulate, compress, repeat
from pathlib import Path
from queue import SimpleQueue
from select import select
from subprocess import DEVNULL, PIPE
from typing import NamedTuple

from tests.help.imports import graph, read_tree

ROOT = Path(__file__).parent.parent
AIM = 0.9
SEED = 25  # a new one, once the survivors of the old are known
WORKERS = 2
SECONDS = 600  # a test that takes longer is taken for one that never ends
ENDLESS = "a test that never ends"
RECORDED = ["tests/proofs/test_recorded.py"]  # they notice most of what reaches any number
failing: list[str] = []  # tests that fail without any mutant
MODULES = ("rtp/**/*.py", "pages/**/*.py", "app.py", "tests/**/*.py")
NOT_COPIED = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
SETTINGS = ("annotation", "returns", "decorator_list", "defaults", "kw_defaults")
LAYOUT = (ast.keyword, ast.Dict)
TYPES = ("Literal", "TypeVar", "Generic")  # what stands in these only the type checker reads


class Mutant(NamedTuple):
    path: Path  # within the tree
    line: int
    source: str
    mutated: str

    @property
    def room(self) -> str:
        return "/".join(self.path.parts[: 2 if len(self.path.parts) > 2 else 1])

    @property
    def diff(self) -> str:
        before, after = self.source.splitlines(), self.mutated.splitlines()
        return "\n".join(unified_diff(before, after, str(self.path), "mutant", lineterm="", n=0))


def sites(node: ast.AST, within: bool = False) -> Iterator[ast.AST]:
    """Yield all nodes below that compute something when the program runs."""
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST) or name in SETTINGS or _idle(child):
                continue
            function = within or isinstance(node, ast.FunctionDef | ast.Lambda)
            if function and not (isinstance(node, LAYOUT) and isinstance(child, ast.Constant)):
                yield child
            yield from sites(child, function)


def _idle(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Expr(value=ast.Constant()):  # words, docstrings
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)):
            return name in TYPES
    return False


def changed(node: ast.AST) -> ast.AST | None:
    """The node with one thing different, or None where there is nothing to change."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op, *_]):
            new.ops[0] = COMPARED[type(op)]()
        case ast.BinOp(op=op) if type(op) in COMPUTED:
            new.op = COMPUTED[type(op)]()
        case ast.BoolOp(op=op):
            new.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return new.operand
        case ast.Constant(value=bool() as value):
            new.value = not value
        case ast.Constant(value=int() | float() as value):
            new.value = value + 1
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant | ast.JoinedStr):
            new.value = ast.Constant(None)
        case _:
            return None
    return new


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of one module."""
    text = (ROOT / path).read_text(encoding="utf-8")
    source = text.encode()  # ast counts columns in bytes
    starts = [0, *accumulate(len(line) for line in source.splitlines(keepends=True))]
    for node in sites(ast.parse(source)):
        if isinstance(node, ast.expr | ast.stmt) and (new := changed(node)) is not None:
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
            atomic = isinstance(new, ast.stmt | ast.Constant)
            code = ast.unparse(new) if atomic else f"({ast.unparse(new)})"
            yield Mutant(path, node.lineno, text, (source[:start] + code.encode() + source[end:]).decode())


class Tests(NamedTuple):
    """The test files that may notice a change of one module, the likeliest first."""

    own: list[str]  # of its own room, importing it by name
    near: list[str]  # the others of its room, and all others that import it by name
    far: list[str]  # those whose imports reach it; the proofs and the outlines of screens, which reach all


@cache
def imports(root: Path) -> dict[str, set[str]]:
    return graph(read_tree(root, *MODULES))


def tests_of(path: Path) -> Tests:
    """Return who may notice a change of that module."""
    links = imports(ROOT)
    module = ".".join(path.with_suffix("").parts)
    distance, reached, new = {module: 0}, 1, {module}
    while new := {m for m, targets in links.items() if targets & new} - distance.keys():
        distance |= dict.fromkeys(new, reached)
        reached += 1
    files = {m.replace(".", "/") + ".py": m for m in links if m.split(".")[-1].startswith("test_")}
    room = f"tests/unit/{path.parts[1]}/"
    asked = [file for file in files if file.startswith(("tests/unit/", "tests/proofs/"))]
    asked.sort(key=lambda file: (distance.get(files[file], reached), file))
    by_name = [file for file in asked if distance.get(files[file]) == 1]
    own = [file for file in by_name if file.startswith(room)]
    near = [file for file in asked if file.startswith(room) or file in by_name]
    far = [file for file in asked if files[file] in distance or file.startswith("tests/proofs/")]
    far.append("tests/pages/test_screens.py")
    return Tests(own, [file for file in near if file not in own], [file for file in far if file not in near])


def failure(tree: Path, tests: list[str], marked: str = "") -> str | None:
    """Return which of these tests is the first to fail in this tree, or None where all pass."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-rfE",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        "-m",
        marked,
    ]
    env = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "",
        "COLUMNS": "500",
    }  # compiled tests serve the next mutant
    left_out = [f"--deselect={test}" for test in failing]
    printed = b""
    with subprocess.Popen(
        [*command, *left_out, *tests], cwd=tree, env=env, stdout=PIPE, stderr=DEVNULL, start_new_session=True
    ) as run:
        assert run.stdout is not None
        while select([run.stdout], [], [], SECONDS)[0]:
            if not (more := os.read(run.stdout.fileno(), 65536)):
                break
            printed += more
        else:
            os.killpg(run.pid, signal.SIGKILL)
            return ENDLESS
    if run.returncode in (0, 5):  # all passed; none has that mark
        return None
    said = [
        line.split(" ", 1)[1]
        for line in printed.decode().splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    return said[0].split(" - ")[0] if said else tests[0]


def killer(mutant: Mutant, tree: Path, near_only: bool) -> str | None:
    """Return the test that notices, or None. Quick tests go first, wherever they are."""
    own, near, far = tests_of(mutant.path)
    quick, slow, long = "not slow and not long", "slow and not long", "long"
    rooms = [file for file in (*own, *near) if file.startswith("tests/unit/")]
    asked = [(own, quick), (near, quick), ([*own, *near], slow)]
    if not near_only:
        asked = [asked[0], (RECORDED, "not long"), asked[1], (far, quick), asked[2], (rooms, long)]
    return next((found for tests, marked in asked if tests and (found := failure(tree, tests, marked))), None)


def put(path: Path, source: str) -> None:
    """Other source, and nothing compiled from the one before: two of them may be written in one second."""
    path.write_text(source, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def survives(mutant: Mutant, trees: "SimpleQueue[Path]", near_only: bool) -> bool:
    tree = trees.get()
    try:
        put(tree / mutant.path, mutant.mutated)
        while (found := killer(mutant, tree, near_only)) and found != ENDLESS:
            put(tree / mutant.path, mutant.source)
            if not failure(tree, [found]):
                break
            print(f"{found} fails without any mutant", flush=True)
            failing.append(found)
            put(tree / mutant.path, mutant.mutated)
    finally:
        put(tree / mutant.path, mutant.source)
        trees.put(tree)
    print(f"{f'killed by {found}' if found else 'SURVIVED'}: {mutant.path}:{mutant.line}", flush=True)
    return found is None


def report(sample: list[Mutant], alive: list[bool]) -> None:
    for mutant in compress(sample, alive):
        print(f"\n{mutant.diff}")
    print(f"\n{'room':<20}{'mutants':>8}{'survived':>10}")
    survived = Counter(mutant.room for mutant in compress(sample, alive))
    for room, count in sorted(Counter(mutant.room for mutant in sample).items()):
        print(f"{room:<20}{count:>8}{survived[room]:>10}")
    killed = alive.count(False)
    print(f"{killed} of {len(alive)} killed, {killed / max(len(alive), 1):.0%}; the aim is {AIM:.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Sample changes of the code and see which the tests notice.")
    parser.add_argument("--seed", type=int, default=SEED, help=f"draws the sites (default {SEED})")
    parser.add_argument("--count", type=int, default=60, help="mutants in the sample (default 60)")
    parser.add_argument(
        "--near", action="store_true", help="ask only the room's own tests and direct importers"
    )
    parser.add_argument("--workers", type=int, default=WORKERS, help=f"mutants at a time (default {WORKERS})")
    options = parser.parse_args()
    modules = sorted((ROOT / "rtp").rglob("*.py"))
    every = [mutant for path in modules for mutant in mutants(path.relative_to(ROOT))]
    sample = random.Random(options.seed).sample(every, options.count)
    print(f"{len(sample)} of {len(every):,} mutants; seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.workers):
            trees.put(Path(shutil.copytree(ROOT, Path(folder) / str(number), ignore=NOT_COPIED)))
        alive = list(pool.map(survives, sample, repeat(trees), repeat(options.near)))
    report(sample, alive)


if __name__ == "__main__":
    main()
