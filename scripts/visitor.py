"""A visitor without a browser: one session on Streamlit's WebSocket, speaking its protobuf messages.

Like a browser it sends the values of all widgets with every change, takes over the values the server sets,
and names the large messages it still holds, so that the server need not send them again.

`python -m scripts.visitor URL [SCREEN …]` opens these screens one after the other, and moves ε on Explore.
"""

import asyncio
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

ENDED = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
)
LARGEST = 50_000_000  # bytes of one message
TOKEN = "00" * 16  # that an upload sends twice: nobody else's page could
OFTEN = 8_000  # bytes: what is smaller comes again, run after run, and to every visitor


def texts(key: str, *values: str) -> WidgetState:
    """Return the state of a widget that holds these texts."""
    state = WidgetState(id=key)
    state.string_array_value.data.extend(values)
    return state


def numbers(key: str, *values: float) -> WidgetState:
    """Return the state of a widget that holds these numbers."""
    state = WidgetState(id=key)
    state.double_array_value.data.extend(values)
    return state


def _slider(element: Element) -> WidgetState:
    slider = element.slider
    if slider.type != Slider.SELECT_SLIDER:
        return numbers(slider.id, *(slider.value if slider.set_value else slider.default))
    chosen = slider.raw_value if slider.set_value else [slider.options[int(i)] for i in slider.default]
    return texts(slider.id, *chosen)


def _text_input(element: Element) -> WidgetState:
    box = element.text_input
    return WidgetState(id=box.id, string_value=box.value if box.set_value else box.default)


def _selectbox(element: Element) -> WidgetState:
    box = element.selectbox
    return WidgetState(id=box.id, string_value=box.raw_value if box.set_value else box.options[box.default])


def _button_group(element: Element) -> WidgetState:
    group = element.button_group
    chosen = group.raw_values if group.set_value else [group.options[i].content for i in group.default]
    return texts(group.id, *chosen)


def _checkbox(element: Element) -> WidgetState:
    box = element.checkbox
    return WidgetState(id=box.id, bool_value=box.value if box.set_value else box.default)


# The value a widget holds, as a browser sends it: what the server set, or else what it began as.
VALUES: dict[str, Callable[[Element], WidgetState]] = {
    "slider": _slider,
    "text_input": _text_input,
    "selectbox": _selectbox,
    "button_group": _button_group,
    "checkbox": _checkbox,
}


def has_key(widget: str, key: str) -> bool:
    """Whether the id of a widget ends with this key, or with a version of it."""
    return re.search(rf"-{re.escape(key)}(:\d+)?$", widget) is not None


def _id(part: Element | Block) -> str:
    """The id of what may have a state, a section that opens too; "" of all else."""
    kind = part.WhichOneof("type")
    return str(getattr(getattr(part, kind), "id", "")) if kind else ""


@lru_cache(maxsize=4096)
def _read(sent: bytes) -> ForwardMsg:
    """Visitors take their processor time from the servers that they measure: each reads what any has read
    before. Not to be changed."""
    message = ForwardMsg()
    message.ParseFromString(sent)
    return message


@dataclass(frozen=True)
class Widget:
    """A widget as the last run drew it, and the value the browser holds."""

    element: Element
    state: WidgetState

    def typed(self, text: str) -> WidgetState:
        """The value of a field in which this has been typed and entered."""
        return WidgetState(id=self.state.id, string_value=text)


@dataclass
class Visitor:
    """One open page."""

    socket: ClientConnection
    page: str
    query: str = ""
    url: str = ""  # of the server
    widgets: dict[str, Widget] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)  # hashes of large messages
    fragment: str = ""  # the part of the page that is drawn again by itself, the last that was sent
    elements: list[Element] = field(default_factory=list)  # that were sent in the last run
    blocks: list[Block] = field(default_factory=list)  # the same
    errors: list[str] = field(default_factory=list)

    async def run(self, *changes: WidgetState, fragment: str = "") -> float:
        """Send these values among all others; seconds until the script, or that part of it, has ended."""
        back = BackMsg()
        back.rerun_script.fragment_id = fragment
        back.rerun_script.page_name = self.page
        back.rerun_script.query_string = self.query
        back.rerun_script.cached_message_hashes.extend(self.held)
        changed = {state.id: state for state in changes}
        states = {key: widget.state for key, widget in self.widgets.items()} | changed
        back.rerun_script.widget_states.widgets.extend(states.values())
        start = perf_counter()
        await self.socket.send(back.SerializeToString())
        await self._until_ended(states, self.widgets if fragment else {})
        return perf_counter() - start

    async def look(self, *changes: WidgetState) -> float:
        """The same of the part that is drawn again by itself."""
        return await self.run(*changes, fragment=self.fragment)

    async def _until_ended(self, states: dict[str, WidgetState], before: dict[str, Widget]) -> None:
        drawn: dict[str, Widget] = {}
        held: list[str] = []
        self.elements, self.blocks = [], []
        while True:
            sent = await self.socket.recv(decode=False)
            message = _read(sent) if len(sent) < OFTEN else ForwardMsg.FromString(sent)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                drawn.clear()
            elif kind == "ref_hash":
                held.append(message.ref_hash)
            elif kind == "auto_rerun":
                self.fragment = message.auto_rerun.fragment_id
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "delta":
                if message.metadata.cacheable:
                    held.append(message.hash)
                self.blocks.append(message.delta.add_block)
                self._draw(message.delta.new_element, states, drawn)
            elif kind == "script_finished" and message.script_finished in ENDED:
                self.widgets, self.held = before | drawn, held
                return

    def _draw(self, element: Element, states: dict[str, WidgetState], drawn: dict[str, Widget]) -> None:
        self.elements.append(element)
        kind = element.WhichOneof("type") or ""
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind in VALUES:
            proto = getattr(element, kind)
            fresh = proto.set_value or proto.id not in states
            state = VALUES[kind](element) if fresh else states[proto.id]
            drawn[proto.id] = Widget(element, state)

    def find(self, key: str) -> Widget:
        """The widget of that key."""
        return next(widget for own, widget in self.widgets.items() if has_key(own, key))

    def stops(self, key: str) -> list[str]:
        """Where the slider of that key can stand."""
        return list(self.find(key).element.slider.options)

    def moved(self, key: str, stop: str) -> WidgetState:
        """The state of the slider of that key when it stands there."""
        return texts(self.find(key).state.id, stop)

    def clicked(self, key: str) -> WidgetState:
        """The state of the button of that key, as the last run drew it."""
        buttons = (element.button for element in self.elements if element.WhichOneof("type") == "button")
        return WidgetState(id=next(b.id for b in buttons if has_key(b.id, key)), trigger_value=True)

    def opened(self, key: str) -> WidgetState:
        """The state of the section of that key, as the last run drew it, when it is open."""
        return WidgetState(
            id=next(own for own in map(_id, self.blocks) if has_key(own, key)), bool_value=True
        )

    async def uploaded(self, key: str, name: str, content: bytes) -> WidgetState:
        """Send a file; the state of the uploader of that key, as the last run drew it, that holds it."""
        drawn = (
            each.file_uploader.id for each in self.elements if each.WhichOneof("type") == "file_uploader"
        )
        state = WidgetState(id=next(own for own in drawn if has_key(own, key)))
        asked = BackMsg()
        asked.file_urls_request.file_names.append(name)
        await self.socket.send(asked.SerializeToString())
        while not (message := ForwardMsg.FromString(await self.socket.recv(decode=False))).HasField(
            "file_urls_response"
        ):
            pass
        (urls,) = message.file_urls_response.file_urls
        await asyncio.to_thread(_put, self.url + urls.upload_url, name, content)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=urls.file_id, file_urls=urls
        )
        return state


def _put(url: str, name: str, content: bytes) -> None:
    head = f'--{TOKEN}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    headers = {
        "Content-Type": f"multipart/form-data; boundary={TOKEN}",
        "X-Xsrftoken": TOKEN,
        "Cookie": f"_streamlit_xsrf={TOKEN}",
    }
    body = head.encode() + content + f"\r\n--{TOKEN}--\r\n".encode()
    urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT")).close()


@asynccontextmanager
async def visit(url: str, page: str = "", query: str = "") -> AsyncIterator[Visitor]:
    """Open a page; nothing is run yet."""
    address = url.replace("http", "ws", 1) + "/_stcore/stream"
    protocols = [Subprotocol("streamlit")]
    async with connect(
        address, subprotocols=protocols, max_size=LARGEST, compression=None, ping_interval=None
    ) as socket:
        yield Visitor(socket, page, query, url)


async def open_screens(url: str, pages: Sequence[str]) -> list[str]:
    """Open these screens one after the other, each in a session of its own; return the errors they show."""
    errors = []
    for page in pages:
        async with visit(url, page) as visitor:
            await visitor.run()
            errors += [f"{page or 'Explore'}: {error}" for error in visitor.errors]
    return errors


async def warm_up(url: str, pages: Sequence[str]) -> list[str]:
    """Open these screens, and move ε to every stop of its slider, so that no visitor waits for what all need;
    return the errors they show."""
    errors = await open_screens(url, pages)
    async with visit(url) as visitor:
        await visitor.run()
        for stop in visitor.stops("slider:epsilon"):
            await visitor.run(visitor.moved("slider:epsilon", stop))
        return errors + visitor.errors


if __name__ == "__main__":
    sys.exit("\n".join(asyncio.run(warm_up(sys.argv[1], sys.argv[2:] or [""]))) or None)
