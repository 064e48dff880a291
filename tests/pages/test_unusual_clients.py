"""Clients that come as no other does: the first one of a fresh server, by a deep link; and a script that
sends what no browser does. It is told one sentence, or keeps the old value; no other session notices, and
the log says nothing."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.ui.versions import UNREADABLE
from scripts.serve import Server, screen_names, serve
from scripts.visitor import Visitor, numbers, texts, visit
from tests.help.app import QUICK
from tests.help.aside import run_aside

pytestmark = pytest.mark.slow

SMALL = "households=5&step_minutes=60"
POINT = '{"selection": {"points": [{"customdata": ["x"]}], "rows": [-9, "x"]}}'
TEXTS = ("no such value", "", "nan", "{", "3", "[1]", '{"selection": 5}', POINT)


def forged(key: str) -> Iterator[WidgetState]:
    """Values of every kind for one widget: the few that are of its own kind are still none that it offers."""
    for text in TEXTS:
        yield WidgetState(id=key, string_value=text)
        yield texts(key, text, text)
        yield WidgetState(id=key, json_value=text)
        yield WidgetState(id=key, json_trigger_value=text)
    for number in (float("nan"), float("inf"), -1.0, 7.0, 1e300):
        yield WidgetState(id=key, double_value=number)
        yield numbers(key, number, number)
    for whole in (-1, 7, 2**53):
        yield WidgetState(id=key, int_value=whole)
        indices = WidgetState(id=key)
        indices.int_array_value.data.append(whole)
        yield indices
    yield WidgetState(id=key, bool_value=True)
    yield WidgetState(id=key, bytes_value=b"\xff")
    yield WidgetState(id=key, trigger_value=True)
    file = WidgetState(id=key)
    file.file_uploader_state_value.uploaded_file_info.add(file_id="no such file", name="a.json", size=1)
    yield file
    yield texts(key)
    yield WidgetState(id=key)


def sentences(elements: list[Element]) -> list[str]:
    """What a screen says of an error: Streamlit's own sentence, or the lab's."""
    kinds = [(element.WhichOneof("type"), element) for element in elements]
    lines = [element.exception.message for kind, element in kinds if kind == "exception"]
    return lines + [e.toast.body for kind, e in kinds if kind == "toast" and e.toast.body == UNREADABLE]


async def send_forged(server: Server, page: str, query: str, tries: int) -> None:
    """So many made-up values, each to a fresh visitor of a page, leave no trace."""
    draw = random.Random(f"38 {page} {tries}")
    for _ in range(tries):
        async with visit(server.url, page, query) as visitor:
            await visitor.run()
            assert not visitor.errors
            state = draw.choice(list(forged(draw.choice(visitor.ids()))))
            before = server.log()
            await asyncio.wait_for(visitor.run(state), 60)
            assert len(sentences(visitor.elements)) <= 1, state
            assert server.log() == before, state


async def good(visitor: Visitor, epsilon: str) -> None:
    """A move of the slider works, and shows."""
    slider = visitor.find("slider:epsilon")
    await visitor.run(texts(slider.state.id, epsilon))
    assert not visitor.errors
    assert f"epsilon={epsilon}" in visitor.query
    assert visitor.find("slider:epsilon").state.string_array_value.data == [epsilon]


async def send_to_pages(server: Server, pages: list[str], tries: int) -> None:
    """Whoever came before and whoever comes after notices nothing of it."""
    async with visit(server.url, QUICK) as bystander:
        await bystander.run()
        for page in pages:
            await send_forged(server, page, SMALL, tries)
        await good(bystander, "0.13")
    async with visit(server.url, QUICK) as next_one:
        await next_one.run()
        await good(next_one, "0.25")


OWN_FAULT = """
import streamlit as st
import pages.ui.session

def fail():
    raise ArithmeticError("a fault of our own")

st.text_input("Words", key="words", on_change=fail)
"""


async def type_words(server: Server) -> None:
    async with visit(server.url) as visitor:
        await visitor.run()
        (key,) = visitor.ids()
        await visitor.run(WidgetState(id=key, string_value="words"))
        assert len(visitor.errors) == 1
        assert "a fault of our own" not in visitor.errors[0]
    async with visit(server.url) as visitor:
        await visitor.run()
        before = server.log()
        await visitor.run(WidgetState(id=key, json_value="{"))
        assert len(visitor.errors) == 1
        assert server.log() == before


def test_a_fault_of_our_own_is_logged_and_a_made_up_value_is_not(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(OWN_FAULT, encoding="utf-8")
    with serve(script=script) as server:
        run_aside(type_words(server))
        assert "Traceback" in server.log()
        assert "ArithmeticError: a fault of our own" in server.log()


async def send_to_room(server: Server, tries: int) -> None:
    """The same to all who are in a room: its host, a player who is asked a question, and the beamer."""
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
        for query in (phone.query, host.query, f"room={code}&view=beamer"):
            await send_forged(server, "Play", query, tries)


async def cut_short(server: Server) -> None:
    """After a message that is cut short the connection is closed."""
    async with visit(server.url) as broken:
        await broken.run()
        await broken.socket.send(b"\x5a\xff\xff\xff")
        await asyncio.wait_for(broken.socket.wait_closed(), 10)


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
            if any("## " in each.markdown.body and "%" in each.markdown.body for each in visitor.elements):
                return
            await asyncio.sleep(1)
            await visitor.run()
    pytest.fail("no verdict came")


@pytest.mark.long
def test_a_deep_link_comes_first_and_a_script_goes_unnoticed() -> None:
    with serve() as server:
        run_aside(come_first(server))
        run_aside(send_to_pages(server, screen_names(), 30))
        run_aside(send_to_room(server, 30))
        run_aside(cut_short(server))
        run_aside(ask_of_many_houses(server))
        assert "ScriptRunContext" not in server.log()
