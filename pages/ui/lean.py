"""What Streamlit works out again and again although nothing has changed, or nobody asks: left, or kept.

Lists that open and fields for text look up whether their own value is empty. For that Streamlit puts together
the values of all widgets of the session, every time: on a screen of many fields a sixth of a run. And every
run begins with the theme, read anew from all options: a seventh of what it takes to send a run. And with a
page made of every file in `pages`, looked up on the disk: a tenth of a run.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from pathlib import Path

from streamlit import config
from streamlit.navigation import page as navigation
from streamlit.navigation.page import Page
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState

_whole = SafeSessionState.__dict__["filtered_state"].fget
_read_theme = app_session._populate_theme_msg
_make_page = navigation._create_page


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


@cache
def _theme(section: str) -> CustomThemeConfig:
    told = CustomThemeConfig()
    _read_theme(told, section)
    return told


def tell_theme(message: CustomThemeConfig, section: str = "theme") -> None:
    """One section of the theme, read once, and again when the options have been read again."""
    told = _theme(section)
    if told.ByteSize():  # what says nothing must not be there either
        message.MergeFrom(told)


@cache
def _first_page(path: Path, default: bool) -> Page:
    return _make_page(path, default=default)


def page(path: Path, *, default: bool = False) -> Page:
    """A page of a file: a copy, since a run marks the one that it shows."""
    return copy(_first_page(path, default))


def install() -> None:
    """For all sessions of this server."""
    type.__setattr__(SafeSessionState, "filtered_state", property(Values))
    app_session.__dict__["_populate_theme_msg"] = tell_theme
    navigation.__dict__["_create_page"] = page
    config.on_config_parsed(_theme.cache_clear, force_connect=True)
