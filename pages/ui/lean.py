"""What Streamlit works out at every widget although nobody asks for it: left until somebody does.

Lists that open and fields for text look up whether their own value is empty. For that Streamlit puts together
the values of all widgets of the session, every time: on a screen of many fields a sixth of a run.
"""

from collections.abc import Iterator, Mapping

from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState

_whole = SafeSessionState.__dict__["filtered_state"].fget


class Values(Mapping[str, object]):
    """The values that a session has under names, each looked up when it is asked for."""

    def __init__(self, state: SafeSessionState) -> None:
        self.state = state

    def __getitem__(self, name: str) -> object:
        if is_element_id(name):
            raise KeyError(name)
        return self.state[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_whole(self.state))

    def __len__(self) -> int:
        return len(_whole(self.state))


def install() -> None:
    """For all sessions of this server."""
    type.__setattr__(SafeSessionState, "filtered_state", property(Values))
