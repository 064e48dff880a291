"""Clients that come as no other does: the first one of a fresh server by a deep link; and a broken one, whose
session recovers with the next good message, while no other session notices."""

import asyncio

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from scripts.serve import serve
from scripts.visitor import Visitor, numbers, texts, visit
from tests.help.aside import run_aside

pytestmark = pytest.mark.slow


def nonsense(visitor: Visitor) -> list[WidgetState]:
    """For every widget on the screen values of a kind that it never sends; and some for none."""
    ids = list(visitor.widgets)
    return [
        *(WidgetState(id=key, bool_value=True) for key in ids[1::2]),
        *(WidgetState(id=key, string_value="no such value") for key in ids[::2]),
        *(texts(key, "no", "such", "value") for key in ids[::3]),
        *(numbers(key, float("nan"), -1e300) for key in ids[1::3]),
        *(WidgetState(id=key, json_value="{") for key in ids[2::3]),
        WidgetState(id="$$ID-no-such-widget", double_value=1.0),
        WidgetState(double_value=1.0),
    ]


async def good(visitor: Visitor, epsilon: str) -> None:
    """A move of the slider works, and shows."""
    visitor.errors.clear()
    slider = visitor.find("slider", "ε")
    await visitor.run(texts(slider.state.id, epsilon))
    assert not visitor.errors
    assert f"epsilon={epsilon}" in visitor.query
    assert visitor.find("slider", "ε").state.string_array_value.data == [epsilon]


async def try_everything(url: str) -> None:
    async with visit(url) as bystander, visit(url) as broken:
        await bystander.run()
        await broken.run()
        for number, state in enumerate(nonsense(broken)):
            whole = broken.widgets
            await broken.run(state)
            broken.widgets = whole
            broken.errors.clear()
            await broken.run()  # the next good message
            assert not broken.errors
            if number % 4 == 0:
                await good(broken, ("0.1", "0.2")[number % 8 // 4])
        await good(broken, "0.4")
        await broken.socket.send(b"\x5a\xff\xff\xff")  # a message that is cut short: the connection is closed
        await asyncio.wait_for(broken.socket.wait_closed(), 10)
        async with visit(url, session=broken.session) as returned:
            await returned.run()
            assert returned.query in ("", "epsilon=0.4")
            assert returned.find("slider", "ε").state.string_array_value.data == ["0.4"], (
                "the session is kept"
            )
            await good(returned, "0.25")
        await good(bystander, "0.13")


async def come_first(url: str) -> None:
    async with visit(url, "Households") as first:
        await first.run()
        assert not first.errors
        assert first.find("bidi_component", "Arrive")


def test_the_first_comes_by_a_deep_link_and_a_broken_one_recovers_unnoticed() -> None:
    with serve() as server:
        run_aside(come_first(server.url))
        run_aside(try_everything(server.url))
