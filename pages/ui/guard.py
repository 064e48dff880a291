"""What the server is kept from doing: choking on a broken client, and writing what is uploaded to disk.

What a broken client sends and no widget can read counts as not sent: the last good value stays.

Streamlit keeps what it was sent and reads it again before every later run. A value of the wrong kind (a truth
value for a slider, say) then ends every run of that session before its first line, whatever good messages
follow. Values without a reader it already takes for missing; here the same holds for those that the reader
cannot read.
"""

from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.runtime.state.session_state import WStates

_read = WStates.__getitem__


def _readable(states: WStates, key: str) -> object:
    try:
        return _read(states, key)
    except KeyError:
        raise
    except Exception as error:
        raise KeyError(key) from error


def install() -> None:
    """For all sessions of this server."""
    type.__setattr__(WStates, "__getitem__", _readable)
    # an upload over 1 MB would be put into a temporary file while it arrives
    MultiPartParser.spool_max_size = (config.get_option("server.maxUploadSize") + 1) * 2**20
