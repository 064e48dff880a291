"""List every sentence, label and hover of the lab with its file, so that all can be read in one go.

`python -m scripts.sentences` prints a line for each text that a person may read, `file:line  text`, in the
order of the files; `python -m scripts.sentences pages/ui/lesson.py rtp/teaching` those of some files or
folders. A text is a string in the code of the screens or of `rtp` that reads as words, or one that is a
control's label; f-strings show their values as {…}. Docstrings, annotations and regular expressions are no
texts of the lab.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("app.py", "pages", "rtp")
CODE = (
    "re.compile",
    "re.search",
    "re.fullmatch",
    "re.sub",
    "re.findall",
    "getattr",
    "open",
    "Path",
    "TypeVar",
)
LABELLED = {
    "button",
    "title",
    "caption",
    "subheader",
    "toggle",
    "metric",
    "select",
    "segmented",
    "pills",
    "slider",
}
LABELLED |= {
    "url_segmented",
    "url_select",
    "url_toggle",
    "url_pills",
    "link_to",
    "lazy_expander",
    "download",
    "csv",
}
SCRIPTS = "const CSS", "export default", "position:", "display:"


class Sentence(NamedTuple):
    file: str
    line: int
    text: str


def sentences(places: Iterable[str] = PLACES) -> list[Sentence]:
    """Every text of these files and folders."""
    found = []
    for file in _files(places):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        name = str(file.relative_to(ROOT))
        found += [Sentence(name, line, text) for line, text in _texts(tree)]
    return found


def _files(places: Iterable[str]) -> Iterator[Path]:
    for place in places:
        path = ROOT / place
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _texts(tree: ast.Module) -> list[tuple[int, str]]:
    """The texts of a file, each with its line."""
    skipped = {id(part) for node in ast.walk(tree) for part in _no_texts(node)}
    labels = {id(node.args[0]) for node in ast.walk(tree) if isinstance(node, ast.Call) and _names(node)}
    found = []
    for node in ast.walk(tree):
        if id(node) in skipped or not isinstance(node, ast.JoinedStr | ast.Constant):
            continue
        text = _text(node)
        if text is not None and (_reads_as_words(text) or (id(node) in labels and text.strip())):
            found.append((node.lineno, " ".join(text.split())))
    return sorted(found)


def _no_texts(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, the pieces of an f-string, and what code alone reads."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from (
            part for child in ast.iter_child_nodes(node) for part in ast.walk(child) if _is_piece(part)
        )
    if isinstance(node, ast.Call) and ast.unparse(node.func) in CODE:
        yield from (part for child in node.args for part in ast.walk(child))
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
        yield from ast.walk(node.annotation)
    if isinstance(node, ast.FunctionDef) and node.returns is not None:
        yield from ast.walk(node.returns)


def _is_piece(node: ast.AST) -> bool:
    """Of an f-string: what stands between its values, and how these are written."""
    return isinstance(node, ast.Constant)


def _names(call: ast.Call) -> bool:
    """Whether the first argument of a call is the label of a control."""
    return bool(call.args) and ast.unparse(call.func).rpartition(".")[2] in LABELLED


def _text(node: ast.JoinedStr | ast.Constant) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{…}" for part in node.values)


def _reads_as_words(text: str) -> bool:
    """Words with a space between them, which no browser or library reads."""
    words = [word for word in text.split() if any(letter.isalpha() for letter in word)]
    return (
        len(words) >= 2 and not any(sign in text for sign in SCRIPTS) and "%{" not in text and "<" not in text
    )


if __name__ == "__main__":
    for sentence in sentences(sys.argv[1:] or PLACES):
        print(f"{sentence.file}:{sentence.line}  {sentence.text}")
