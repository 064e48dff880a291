"""A fresh server's first client, by a deep link; and one who asks about a street of many houses."""

import asyncio

import pytest

from scripts.serve import Server, serve
from scripts.visitor import visit
from tests.help.aside import run_aside


async def come_first(server: Server) -> None:
    async with visit(server.url, "Street") as first:
        await first.run()
        assert not first.errors
        assert first.find("number:cell:0:0:0:0:1")


async def ask_of_many_houses(server: Server) -> None:
    """What is made beside the page draws nothing: only the page itself may."""
    async with visit(server.url, "Attack", "households=30000&step_minutes=60") as visitor:
        await visitor.run()
        for _ in range(60):
            if any("### " in each.markdown.body and "%" in each.markdown.body for each in visitor.elements):
                return
            await asyncio.sleep(1)
            await visitor.run()
    pytest.fail("no verdict came")


@pytest.mark.long
def test_a_deep_link_comes_first_and_many_houses_are_asked_about() -> None:
    with serve() as server:
        run_aside(come_first(server))
        run_aside(ask_of_many_houses(server))
        assert "ScriptRunContext" not in server.log()
