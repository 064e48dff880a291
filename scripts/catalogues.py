"""`python -m scripts.catalogues`: bring the catalogues up to the source, and compile them.

Every sentence that the source says (`rtp.core.language`) gets its entry in every language's .po, empty where
it is new; what is said no more goes. Then the .mo, which the lab reads, is written beside it. A translator
fills in the empty ones and runs it again.
"""

import ast
import json
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from rtp.core.language import DOMAIN, LANGUAGES, LOCALE, SOURCE

ROOT = Path(__file__).parents[1]
SAID, PLURAL = {"say", "noted"}, "say_many"  # the functions whose sentences are collected
NOTED = {"Exercise": {"title", "asks", "options", "why"}}  # what is made of sentences, and of which
HEADER = (
    "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\nLanguage: {}\n"
    "Plural-Forms: nplurals=2; plural={};\n"
)
RULES = {"de": "n != 1", "es": "n != 1", "fr": "n > 1"}  # when the second form is meant


class Entry(NamedTuple):
    """A sentence, in the singular and the plural where it has both, and where it stands."""

    forms: tuple[str, ...]
    place: str


Catalogue = dict[tuple[str, ...], tuple[str, ...]]  # by a sentence, in the forms that it has


def sentences(root: Path = ROOT) -> list[Entry]:
    """Return what the source says, each sentence once, in the order of its files."""
    found: dict[tuple[str, ...], Entry] = {}
    for file in sorted([*root.glob("rtp/**/*.py"), *root.glob("pages/**/*.py")]):
        for entry in _said(file.read_text(encoding="utf-8"), file.relative_to(root).as_posix()):
            found.setdefault(entry.forms, entry)
    return list(found.values())


def _said(source: str, place: str) -> Iterator[Entry]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        many = 2 if name == PLURAL else 1 if name in SAID else 0
        texts = [each.value for each in call.args[:many] if isinstance(each, ast.Constant)]
        if many and len(texts) == many:
            yield Entry(tuple(map(str, texts)), place)
        for part in (each.value for each in call.keywords if each.arg in NOTED.get(name, ())):
            for text in part.elts if isinstance(part, ast.Tuple) else [part]:
                yield Entry((str(ast.literal_eval(text)),), place)


def path(language: str, kind: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.{kind}"


def read(text: str) -> Catalogue:
    """Return the entries of a .po, its header among them, under ("",)."""
    found: Catalogue = {}
    for block in text.split("\n\n"):
        ids: list[str] = []
        strings: list[str] = []
        into = ids
        for line in block.splitlines():
            word, _, rest = line.partition(" ")
            if word.startswith("msg"):
                into = strings if word.startswith("msgstr") else ids
                into.append(json.loads(rest))
            elif line.startswith('"'):
                into[-1] += json.loads(line)
        if ids:
            found[tuple(ids)] = tuple(strings)
    return found


def written(language: str, entries: Iterable[Entry], known: Catalogue) -> str:
    """Return the .po of a language: the sentences, with the translations that are known."""
    header = json.dumps(HEADER.format(language, RULES[language]))
    blocks = [f'msgid ""\nmsgstr {header}']
    for entry in entries:
        own = known.get(entry.forms, ("",) * len(entry.forms))
        names = ("msgid", "msgid_plural")
        lines = [f"#: {entry.place}"]
        lines += [f"{name} {_quoted(form)}" for name, form in zip(names, entry.forms, strict=False)]
        plural = len(entry.forms) > 1
        lines += [f"msgstr{f'[{i}]' if plural else ''} {_quoted(form)}" for i, form in enumerate(own)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def compiled(catalogue: Catalogue) -> bytes:
    """Return the .mo: two sorted tables of lengths and places, then the texts, each ended by a zero."""
    pairs = sorted(
        ("\0".join(ids).encode(), "\0".join(own).encode()) for ids, own in catalogue.items() if all(own)
    )
    count, head = len(pairs), 28
    texts, tables = b"", []
    for column in (0, 1):
        for pair in pairs:
            tables += [len(pair[column]), head + 16 * count + len(texts)]
            texts += pair[column] + b"\0"
    numbers = (0x950412DE, 0, count, head, head + 8 * count, 0, 0, *tables)
    return struct.pack(f"<{len(numbers)}I", *numbers) + texts


def main() -> None:
    entries = sentences()
    for language in LANGUAGES.keys() - {SOURCE}:
        source = path(language, "po")
        source.parent.mkdir(parents=True, exist_ok=True)
        known = read(source.read_text(encoding="utf-8")) if source.exists() else {}
        text = written(language, entries, known)
        source.write_text(text, encoding="utf-8")
        path(language, "mo").write_bytes(compiled(read(text)))
        empty = sum(not all(own) for own in read(text).values())
        print(f"{language}: {len(entries)} sentences, {empty} without a translation")


if __name__ == "__main__":
    main()
