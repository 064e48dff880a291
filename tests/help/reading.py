"""All that a person can read on a screen: text, labels, hints, cards, tables, and what charts write."""

import json
import re
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from tests.help.app import figure_of, is_chart

WRITTEN = ("text", "name", "ticktext", "hovertemplate", "tickformat", "hoverformat", "exponentformat")


def readable(app: AppTest) -> list[str]:
    """One line for each element of the main part, and for each row of a table."""
    lines = []
    for element in _elements(app.main):
        lines.append(" | ".join(_parts(element)))
        if element.type in ("table", "dataframe"):
            rows = element.value.reset_index().itertuples(index=False)
            lines += [" | ".join(cell for cell in row if isinstance(cell, str)) for row in rows]
    return [line for line in lines if line]


def _elements(block: Block) -> Iterator[Element]:
    for node in block.children.values():
        if isinstance(node, Block):
            yield from _elements(node)
        else:
            assert isinstance(node, Element)
            yield node


def _parts(element: Element) -> Iterator[str]:
    proto = element.proto
    for name in ("label", "body", "delta", "help", "placeholder", "alt"):
        if isinstance(said := getattr(proto, name, ""), str) and said:
            yield said
    yield from (str(getattr(option, "content", option)) for option in getattr(proto, "options", ()))
    if is_chart(proto):
        yield json.loads(proto.json)["words"]
        yield from _written(figure_of(proto))
    if element.type == "dataframe":
        yield from re.findall(r'"format": ?"([^"]+)"', proto.columns)


def _written(part: Any, key: str = "") -> Iterator[str]:
    """What a figure writes, and in which formats."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from _written(inner, name)
    elif isinstance(part, list):
        for inner in part:
            yield from _written(inner, key)
    elif isinstance(part, str) and key in WRITTEN:
        yield part
