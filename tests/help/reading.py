"""All that a person can read on a screen: text, labels, hints, cards, tables, and what charts write."""

import json
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

WRITTEN = ("text", "name", "ticktext", "hovertemplate", "tickformat", "hoverformat", "exponentformat")


def readable(app: AppTest) -> list[str]:
    """One line for each element of the main part."""
    return [" | ".join(parts) for parts in map(list, map(_parts, _elements(app.main))) if parts]


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
    if element.type == "metric":
        yield str(proto.body)
    if element.type == "plotly_chart":
        yield from _written(json.loads(proto.spec))
    if element.type == "arrow_table":
        yield from (str(cell) for row in element.value.itertuples() for cell in row)


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
