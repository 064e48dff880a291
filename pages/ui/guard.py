"""What the server is kept from doing: choking on a broken client, breaking off half way through a change,
mixing up what a quick hand did, forgetting to send the end of a run, and writing what is uploaded to disk.

What a broken client sends and no widget can read counts as not sent: the last good value stays.

Streamlit keeps what it was sent and reads it again before every later run. A value of the wrong kind (a truth
value for a slider, say) then ends every run of that session before its first line, whatever good messages
follow. Values without a reader it already takes for missing; here the same holds for those that the reader
cannot read.

Streamlit breaks a run off for the next one wherever the session's state is read or written, so also in the
middle of the callback of a widget; the callback of a change is called once, so the rest of it never happens.
Here a callback, and what else is `whole`, runs to its end first.

Actions that come while a run is busy Streamlit makes into one: two clicks on a button count once, and a click
is dealt with after everything that was typed, also after what was typed later. Here they are kept apart, and
their callbacks are called one action after the other, before the one run that they ask for. And what could
not be used when the page was last drawn, and is passed over by Streamlit, an action since then may have made
possible: a callback itself sees whether there is something to do.

What a run sends waits until the server has time for it. If by then a part of the page has been asked for
again, as parts that show progress do by themselves, Streamlit takes the rest of the run for old news and
drops it; but that part is all that is drawn again. Here the part waits until the run before it has been sent.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import WStates

_read = WStates.__getitem__
_call_back = SafeSessionState.on_script_will_rerun
_request = AppSession.request_rerun
SOON = 0.01  # seconds
NEXT = "next action"  # in place of a widget's id


def _readable(states: WStates, key: str) -> object:
    try:
        return _read(states, key)
    except KeyError:
        raise
    except Exception as error:
        raise KeyError(key) from error


@contextmanager
def whole() -> Iterator[None]:
    """What the browser asks for meanwhile waits. (A runner that runs no script is not broken off.)"""
    context = get_script_run_ctx()
    runner = getattr(context and context.yield_check, "__self__", None)
    if runner is None or not runner._execing:  # no session, or whole already
        yield
        return
    runner._execing = False
    try:
        yield
    finally:
        runner._execing = True


def in_order(held: WidgetStates | None, new: WidgetStates | None) -> WidgetStates | None:
    """The action that waits for its run, and with it the next one."""
    if held is None or new is None:
        return new if held is None else held
    held.widgets.add(id=NEXT, bytes_value=new.SerializeToString())
    return held


def _actions(states: WidgetStates) -> list[WidgetStates]:
    later = [WidgetStates.FromString(each.bytes_value) for each in states.widgets if each.id == NEXT]
    first = WidgetStates(widgets=[each for each in states.widgets if each.id != NEXT]) if later else states
    return [first, *later]


def _call_back_wholly(state: SafeSessionState, states: WidgetStates | None, **more: Any) -> None:
    """For one action after the other. A button that was clicked before the last one is still seen to be
    clicked in the run."""
    *before, last = [None] if states is None else _actions(states)
    known = state._state._new_widget_state.widget_metadata
    known.update({name: replace(each, disabled=False) for name, each in known.items() if each.disabled})
    with whole():
        for each in before:
            _call_back(state, each)
        if before:
            clicked = [*before, more.get("replay_trigger_states") or WidgetStates()]
            more["replay_trigger_states"] = WidgetStates(
                widgets=[one for each in clicked for one in each.widgets]
            )
        _call_back(state, last, **more)


def request_in_turn(session: AppSession, client_state: ClientState | None) -> None:
    """A part of a page waits for a run that has ended but is not yet sent."""
    runner = session._scriptrunner
    unsent = runner is not None and runner._requests._state is ScriptRequestType.STOP
    if unsent and client_state is not None and client_state.fragment_id:
        session._event_loop.call_later(SOON, request_in_turn, session, client_state)
    else:
        _request(session, client_state)


def install() -> None:
    """For all sessions of this server."""
    type.__setattr__(WStates, "__getitem__", _readable)
    type.__setattr__(SafeSessionState, "on_script_will_rerun", _call_back_wholly)
    type.__setattr__(AppSession, "request_rerun", request_in_turn)
    vars(script_requests)["_coalesce_widget_states"] = in_order
    # an upload over 1 MB would be put into a temporary file while it arrives
    MultiPartParser.spool_max_size = (config.get_option("server.maxUploadSize") + 1) * 2**20
