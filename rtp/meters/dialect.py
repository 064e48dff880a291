"""How a file of readings is written: delimiter, header and encoding, from its first bytes.

Layouts in which much meter data comes and that are not read are refused by their names. NEM12 and NEM13 are
Australia's, records of several kinds in one file; Green Button is North America's, XML; the files of the
Irish CER trial have no header, and a day and half hour in one number.
"""

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rtp.scenario import ScenarioError

SAMPLE_ROWS = 50  # from which columns are told apart
PREAMBLE = 20  # lines that may stand before the header
DELIMITERS = ";\t|,"
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
MOMENT = re.compile(
    r"^\d{4}([-/.])\d\d?\1\d\d?|^\d\d?[./-]\d\d?[./-]\d{2,4}\b|^\d\d?[- ][A-Za-z]{3}[- ]\d{2,4}\b"
    r"|^\d{10}(\d{3})?$|^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([T ]?\d{4}(\d\d)?)?$"
)

NEM = re.compile(r"^\s*(?:\d00,(?P<name>NEM1[23])\b|200,[^,]{9,11},)", re.IGNORECASE)
CER_LINE = re.compile(r"^\s*\d{4}[\s,;]+\d{3}(?:0[1-9]|[1-4]\d|50)[\s,;]+\d*[.,]?\d+\s*$")
CER_CODE = re.compile(r"^\d{3}(?:0[1-9]|[1-4]\d|50)$")
GREEN_BUTTON = re.compile(r"naesb\.org/espi|<(?:\w+:)?Interval(?:Block|Reading)\b", re.IGNORECASE)
TIME_OF_DAY = re.compile(r"^\D{0,12}\d{1,4}(?::\d\d(?::\d\d)?)?(?:\s*-\s*\d\d?:\d\d)?\D{0,8}$")
UNIT_CELL = re.compile(r"^\W*([kM]?Wh?)?\W*$", re.IGNORECASE)
DATE_ALONE = re.compile(
    r"^(?:\d{8}|\d{4}[-/]\d\d?[-/]\d\d?|\d\d?[./-]\d\d?[./-]\d{2,4})(?:[T ]00:00(?::00)?)?$"
)
AS_TABLE = "turn it into a table with the columns house, time and kWh first."


@dataclass(frozen=True)
class Dialect:
    """How a CSV is written."""

    encoding: str
    delimiter: str
    header_line: int  # lines before the header
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # of the first bytes

    @classmethod
    def of(cls, sample: bytes, size: int) -> "Dialect":
        """From the first bytes of a file, so many if it has as many."""
        encoding = _encoding(sample)
        text = sample.decode(encoding, errors="ignore")
        whole = text if len(sample) < size else text[: text.rfind("\n") + 1] or text
        lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
        if first is None:
            raise ScenarioError("The file", "is empty.")
        if "\x00" in whole:
            raise ScenarioError("The file", "is no text; readings come as CSV, gzipped CSV or Parquet.")
        if lines[first].lstrip()[:1] in ("{", "["):
            raise ScenarioError("The file", "is JSON; save the readings as CSV or Parquet.")
        refuse_text(whole)
        header, delimiter = _header(lines, first)
        if delimiter not in lines[header]:
            raise ScenarioError("The first line", f"is {lines[header][:60]!r}; it must name columns.")
        try:
            rows = list(csv.reader(lines[header:], delimiter=delimiter))
        except csv.Error as error:
            raise ScenarioError("The file", f"cannot be read as CSV ({error}).") from None
        body = tuple(tuple(row) for row in rows[1:] if row)
        names = tuple(name.strip() for name in rows[0])
        if header > first and any(names) and all(map(UNIT_CELL.match, names)):  # a line of units under names
            above = next(csv.reader([lines[header - 1]], delimiter=delimiter))
            names = tuple(f"{name} {unit}".strip() for name, unit in zip(above, names, strict=True))
        return cls(encoding, delimiter, header, names, body)


def _header(lines: list[str], first: int) -> tuple[int, str]:
    """The line that names the columns, and what parts them: the first one or, after a preamble,
    the first that has as many cells as the next one, where a moment stands."""
    for i in range(first, min(first + PREAMBLE, len(lines) - 1)):
        delimiter = max(DELIMITERS, key=lines[i].count)  # the first of equals
        try:
            names, cells = csv.reader(lines[i : i + 2], delimiter=delimiter)
        except (csv.Error, ValueError):
            continue
        if len(names) == len(cells) > 1 and any(MOMENT.match(cell.strip()) for cell in cells):
            return i, delimiter
    return first, max(DELIMITERS, key=lines[first].count)


def _encoding(sample: bytes) -> str:
    for mark, name in MARKS.items():
        if sample.startswith(mark):
            return name
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = sample[start:200:2]
        if half.count(0) > len(half) // 2:
            return name
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def refuse_text(text: str) -> None:
    """Refuse a file that its first lines tell."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    if lines[0].lstrip().startswith("<"):
        if GREEN_BUTTON.search(text):
            problem = "is Green Button data in XML; take the utility's CSV export instead, or "
            raise ScenarioError("The file", problem + AS_TABLE)
        raise ScenarioError("The file", "is XML or a web page; save the readings as CSV or Parquet.")
    if nem := NEM.match(lines[0]):
        name = (nem["name"] or "NEM12").upper()
        raise ScenarioError("The file", f"is in the layout {name}, a line for every record; {AS_TABLE}")
    if all(CER_LINE.match(line) for line in lines):
        raise _cer()


def refuse_columns(names: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Refuse a table that its columns tell, their names and their first cells."""
    dated = any(own and all(map(DATE_ALONE.match, own)) for own in cells)
    codes = [own for own in cells if own and all(map(CER_CODE.match, own))]
    if len(names) == 3 and codes and not dated:
        raise _cer()


def _cer() -> ScenarioError:
    means = "whose second number is the day, from 2009-01-01 as 001, and the half hour, from 01"
    return ScenarioError("The file", f"is in the layout of the Irish CER trial, {means}; {AS_TABLE}")
