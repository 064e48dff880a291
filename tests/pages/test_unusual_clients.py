"""Clients that come as no other does: the first one of a fresh server, by a deep link; a script that sends
what no browser does, which no other session notices; a player who presses the host's buttons."""

import asyncio
from urllib.parse import parse_qs

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from scripts.serve import Server, serve
from scripts.visitor import Visitor, numbers, texts, visit
from tests.help.app import QUICK
from tests.help.aside import run_aside

SMALL = "households=5&step_minutes=60"


async def good(visitor: Visitor, epsilon: str) -> None:
    """A move of the slider works, and shows."""
    slider = visitor.find("slider:epsilon")
    await visitor.run(texts(slider.state.id, epsilon))
    assert not visitor.errors
    assert f"epsilon={epsilon}" in visitor.query
    assert visitor.find("slider:epsilon").state.string_array_value.data == [epsilon]


async def come_first(server: Server) -> None:
    async with visit(server.url, "Street") as first:
        await first.run()
        assert not first.errors
        assert first.find("number:cell:0:0:0:0:1")


async def send_made_up_values(server: Server) -> None:
    """To every widget of a screen, values of kinds that it has not."""
    async with visit(server.url, QUICK) as bystander:
        await bystander.run()
        async with visit(server.url, "Attack", SMALL) as script:
            await script.run()
            for key in script.ids()[::4]:
                for state in (
                    WidgetState(id=key, string_value="no such value"),
                    WidgetState(id=key, json_value="{"),
                    numbers(key, float("nan"), -1.0),
                    texts(key, "no such value"),
                ):
                    await asyncio.wait_for(script.run(state), 60)
        await good(bystander, "0.13")
    async with visit(server.url, QUICK) as next_one:
        await next_one.run()
        await good(next_one, "0.25")


async def press_the_hosts_buttons(server: Server) -> None:
    async with visit(server.url, "Play") as host, visit(server.url, "Play") as phone:
        await host.run()
        await host.run(host.clicked("play:open"))
        (code,) = parse_qs(host.query)["room"]
        phone.query = f"room={code}"
        await phone.run()
        await phone.run(phone.clicked("play:join"))
        await host.look()
        await host.look(host.clicked("play:start"))
        await phone.look()
        for name in ("play:next", "play:reveal", "play:remove"):
            stolen = host.clicked(name)
            for sent in (phone.look, phone.run):
                await sent(stolen)
            await host.look()
            assert host.clicked("play:reveal"), "a host's button is nothing to a player"
            assert not phone.errors


async def cut_short(server: Server) -> None:
    """After a message that is cut short the connection is closed."""
    async with visit(server.url) as broken:
        await broken.run()
        await broken.socket.send(b"\x5a\xff\xff\xff")
        await asyncio.wait_for(broken.socket.wait_closed(), 10)


async def ask_of_many_houses(server: Server) -> None:
    """What is made beside the page draws nothing: only the page itself may."""
    async with visit(server.url, "Attack", "households=30000&step_minutes=60") as visitor:
        await visitor.run()
        for _ in range(60):
            if any("## " in each.markdown.body and "%" in each.markdown.body for each in visitor.elements):
                return
            await asyncio.sleep(1)
            await visitor.run()
    pytest.fail("no verdict came")


@pytest.mark.long
def test_a_deep_link_comes_first_and_a_script_troubles_nobody_else() -> None:
    with serve() as server:
        run_aside(come_first(server))
        run_aside(send_made_up_values(server))
        run_aside(press_the_hosts_buttons(server))
        run_aside(cut_short(server))
        run_aside(ask_of_many_houses(server))
        assert "ScriptRunContext" not in server.log()
