"""Tables of houses: read from whatever a spreadsheet gives, and taken away again."""

from rtp.houses.read import read_table
from rtp.houses.write import house_frame

__all__ = ["house_frame", "read_table"]
