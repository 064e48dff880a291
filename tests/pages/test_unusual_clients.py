"""Clients that come as no other does: the first one of a fresh server, by a deep link; and a broken one, whom
no other session notices."""

import asyncio

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from scripts.serve import serve
from scripts.visitor import Visitor, numbers, texts, visit
from tests.help.aside import run_aside

pytestmark = pytest.mark.slow


def nonsense(visitor: Visitor) -> list[WidgetState]:
    """For a widget of every kind on the screen values of a kind that it never sends; and some for none."""
    ids = list({widget.kind: key for key, widget in visitor.widgets.items()}.values())
    return [
        *(WidgetState(id=key, bool_value=True) for key in ids),
        *(texts(key, "no", "such", "value") for key in ids),
        *(numbers(key, float("nan"), -1e300) for key in ids),
        WidgetState(id=ids[0], string_value="no such value"),
        WidgetState(id=ids[-1], json_value="{"),
        WidgetState(id="$$ID-no-such-widget", double_value=1.0),
        WidgetState(double_value=1.0),
    ]


async def good(visitor: Visitor, epsilon: str) -> None:
    """A move of the slider works, and shows."""
    visitor.errors.clear()
    slider = visitor.find("slider:epsilon")
    await visitor.run(texts(slider.state.id, epsilon))
    assert not visitor.errors
    assert f"epsilon={epsilon}" in visitor.query
    assert visitor.find("slider:epsilon").state.string_array_value.data == [epsilon]


async def try_everything(url: str) -> None:
    """What a broken client sends may end its own session, and nobody else's."""
    async with visit(url) as bystander, visit(url) as broken:
        await bystander.run()
        await broken.run()
        for number, state in enumerate(nonsense(broken)):
            await broken.run(state)
            if number % 4 == 0:
                await good(bystander, ("0.1", "0.2")[number % 8 // 4])
        await broken.socket.send(b"\x5a\xff\xff\xff")  # a message that is cut short: the connection is closed
        await asyncio.wait_for(broken.socket.wait_closed(), 10)
        await good(bystander, "0.13")
    async with visit(url) as next_one:
        await next_one.run()
        await good(next_one, "0.25")


async def come_first(url: str) -> None:
    async with visit(url, "Households") as first:
        await first.run()
        assert not first.errors
        assert first.find("number:cell:0:0:0:0:1")


@pytest.mark.long
def test_a_deep_link_comes_first_and_a_broken_client_goes_unnoticed() -> None:
    with serve() as server:
        run_aside(come_first(server.url))
        run_aside(try_everything(server.url))
