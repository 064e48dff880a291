"""Layouts in which much meter data comes and that are not read: each is refused by its name.

NEM12 and NEM13 are Australia's, records of several kinds in one file; Green Button is North America's, XML;
the files of the Irish CER trial have no header, and a day and half hour in one number; and many exports have
a row for every day, with a column for every time.
"""

import re
from collections.abc import Sequence

from rtp.scenario import ScenarioError

NEM = re.compile(r"^\s*(?:\d00,(?P<name>NEM1[23])\b|200,[^,]{9,11},)", re.IGNORECASE)
CER_LINE = re.compile(r"^\s*\d{4}[\s,;]+\d{3}(?:0[1-9]|[1-4]\d|50)[\s,;]+\d*[.,]?\d+\s*$")
CER_CODE = re.compile(r"^\d{3}(?:0[1-9]|[1-4]\d|50)$")
GREEN_BUTTON = re.compile(r"naesb\.org/espi|<(?:\w+:)?Interval(?:Block|Reading)\b", re.IGNORECASE)
TIME_OF_DAY = re.compile(r"^\D{0,12}\d{1,3}(?::\d\d(?::\d\d)?)?(?:\s*-\s*\d\d?:\d\d)?\D{0,5}$")
DATE_ALONE = re.compile(
    r"^(?:\d{8}|\d{4}[-/]\d\d?[-/]\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4})(?:[T ]00:00(?::00)?)?$"
)
TIMES_OF_A_DAY = 23  # columns: an hour each, on the day that has one less
TABLE = "turn it into a table with the columns house, time and kWh first."


def refuse_text(text: str) -> None:
    """Refuse a file that its first lines tell."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    if lines[0].lstrip().startswith("<"):
        if GREEN_BUTTON.search(text):
            problem = "is Green Button data in XML; take the utility's CSV export instead, or "
            raise ScenarioError("The file", problem + TABLE)
        raise ScenarioError("The file", "is XML or a web page; save the readings as CSV or Parquet.")
    if nem := NEM.match(lines[0]):
        name = (nem["name"] or "NEM12").upper()
        raise ScenarioError("The file", f"is in the layout {name}, a line for every record; {TABLE}")
    if all(CER_LINE.match(line) for line in lines):
        raise _cer()


def refuse_columns(names: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Refuse a table that its columns tell, their names and their first cells."""
    dated = [i for i, own in enumerate(cells) if own and all(map(DATE_ALONE.match, own))]
    times = sum(bool(TIME_OF_DAY.match(name)) for name in names)
    if dated and times >= TIMES_OF_A_DAY:
        raise ScenarioError("The table", f"has a row for every day and {times} columns of times; {TABLE}")
    codes = [own for own in cells if own and all(map(CER_CODE.match, own))]
    if len(names) == 3 and codes and not dated:
        raise _cer()


def _cer() -> ScenarioError:
    means = "whose second number is the day, from 2009-01-01 as 001, and the half hour, from 01"
    return ScenarioError("The file", f"is in the layout of the Irish CER trial, {means}; {TABLE}")
