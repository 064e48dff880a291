"""Addresses and files that are made to do harm, and good ones damaged: drawn from a seed."""

import base64
import gzip
import io
import json
import random
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from openpyxl import Workbook

from pages.ui.params import PARAMS
from rtp import PRESETS, House, Scenario
from rtp.meters import read
from rtp.play.round import Round
from rtp.scenario import edit, share
from rtp.scenario.house_table import house_frame, read_table
from rtp.sweep import plan
from rtp.sweep.store import SweepFile, read_sweep
from tests.unit.meters.files import bomb, csv, parquet, table

MOST_HOUSES, MOST_DAYS = 5_000, 3  # an honest street of ten million takes its time
HOUSES = [House(name=f"H{i}", group="Households", occupied=1 / (i + 1), empty=0.1) for i in range(40)]
LISTED = edit.with_houses(Scenario(), HOUSES)
STREETS = [LISTED, *(preset for preset in PRESETS.values() if preset.households <= MOST_HOUSES)]
NAMES = sorted({*share.LINK_NAMES, *share.PIN_NAMES, *(each.link for each in PARAMS), "story"})


def packed(text: str) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


@cache
def bombs() -> list[str]:
    """What a parameter of an address may hold that takes long, or much memory, to read."""
    entries = [
        *(",".join([entry] * 330_000) for entry in ("0", "{}", "[]")),
        *("[" * 400_000, '{"a":' * 100_000, "9" * 900_000, "NaN, Infinity, -1e999", " " * 10**6),
        *(",".join(["9" * 4000] * 200), r'{"name": "A\ud800"}', '{"name": "A", "name": "B"}'),
        ",".join(['{"name": "A", "group": "Households", "occupied": 1, "empty": 0}'] * 5000),
        json.dumps({f"k{i}": 0 for i in range(50_000)}),
    ]
    streets = [packed(f'{{"{key}": [{each}]}}') for key in ("groups", "models", "houses") for each in entries]
    plain = ["9" * 5000 + "-deadbeef", "9" * 8 + "-deadbeef", "9" * 10**5, "[" * 10**5, f"[{'0,' * 10**5}0]"]
    plain += ["", "-1", "NaN", "1e999", "\0\x1b[31m", "\u202e", "<script>", r'["\ud800"]', "%", "x" * 10**5]
    pins = [f"A?{'x=1&' * 2000}", f"A?street={streets[1]}&listed={streets[-1]}", f"A?~{streets[0]}", "A?~eJw"]
    return streets + 3 * (plain + pins)


def addresses(number: int, seed: int) -> list[str]:
    """So many queries, each a good one with some parameters damaged, replaced or added."""
    draw, queries = random.Random(seed), list[str]()
    while len(queries) < number:
        if _is_small(query := _address(draw)):
            queries.append(query)
    return queries


def _address(draw: random.Random) -> str:
    street = draw.choice(STREETS).replace(epsilon=draw.uniform(0.1, 5), seed=draw.randrange(3))
    link = share.to_link(street, draw.choice(list(PRESETS)))
    link |= share.pins_to_link({i: share.Named(name=f"P{i}", scenario=street) for i in (1, 3)}, link)
    for name in draw.sample(NAMES, draw.randint(1, 6)):
        noise = damaged(link.get(name, "1").encode(), draw).decode(errors="replace")
        link[name] = draw.choice([noise, draw.choice(bombs())])
    query = urlencode(link)
    if draw.random() < 0.3:
        query = damaged(query.encode(), draw).decode(errors="replace")
    return query + "&x=1".join(map(str, range(3000))) if draw.random() < 0.1 else query


def _is_small(query: str) -> bool:
    link = dict(parse_qsl(query, keep_blank_values=True))
    pins = share.read_pins(link, {}).pins.values()
    scenarios = [share.read_link(link).scenario, *(pin.scenario for pin in pins)]
    return all(each.households <= MOST_HOUSES and each.days <= MOST_DAYS for each in scenarios)


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Some bytes are others, cut off, repeated, moved or in another encoding."""
    start, end = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    noise = bytes(draw.randrange(256) for _ in range(draw.choice([1, 4, 40])))
    ways = [
        data[:start],
        data[start:],
        data[:end] + data[start:],
        data[:start] + data[end:] + data[start:end],
    ]
    ways += [data[:start] + each + data[start + len(noise) :] for each in (noise, b"\0" * len(noise))]
    ways += [data[:start] + data[start:end] * 50 + data[end:]]
    ways += [data.decode("latin-1").encode(code, errors="replace") for code in ("utf-16", "utf-7", "cp500")]
    return draw.choice(ways)


def workbook(damage: Callable[[bytes], bytes] = bytes) -> bytes:
    """A table of houses as XLSX; the damage is done to its sheet, inside the archive."""
    book, whole, changed = Workbook(), io.BytesIO(), io.BytesIO()
    frame = house_frame(LISTED, HOUSES)
    for row in ([*frame.columns], *frame.to_numpy().tolist()):
        book.worksheets[0].append(row)
    book.save(whole)
    with zipfile.ZipFile(whole) as parts, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as target:
        for part in parts.namelist():
            target.writestr(part, (damage if part.endswith("sheet1.xml") else bytes)(parts.read(part)))
    return changed.getvalue()


def with_entities(sheet: bytes) -> bytes:
    """A name becomes gigabytes, and a group what a file of this machine holds."""
    nested = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 20}">' for i in range(1, 9))
    kinds = f'<!DOCTYPE x [<!ENTITY e0 "lol">{nested}<!ENTITY f SYSTEM "file:///etc/hostname">]>'
    return kinds.encode() + sheet.replace(b">H1<", b">&e8;<").replace(b">Households<", b">&f;<", 1)


def sweep_of(content: bytes | None) -> bytes:
    """Read a sweep's file; without one, make it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sweep.db")
        if content is None:
            SweepFile(path, plan.make(Scenario(), {"epsilon": [0.1, 1.0]})).__exit__(None, None, None)
        else:
            path.write_bytes(content)
            read_sweep(path)
        return path.read_bytes()


# Who reads a file, and whether in a process of its own.
READERS: dict[str, tuple[Callable[[bytes], object], bool]] = {
    "readings": (read, True),
    "table": (partial(read_table, Scenario()), True),
    "scenario": (Scenario.from_json, False),
    "library": (share.from_library, False),
    "round": (Round.from_json, False),
    "plan": (plan.from_json, False),
    "sweep": (sweep_of, False),
}


@cache
def good_files() -> list[tuple[str, bytes]]:
    """A file of every kind that the lab reads, each with its reader."""
    readings, houses = table(), house_frame(LISTED, HOUSES)
    several = share.to_library([share.Named(name="A", scenario=LISTED)]).encode()
    spec = json.dumps({"preset": "paper", "grid": {"epsilon": [0.1, 1]}}).encode()
    return [
        *(("readings", each) for each in (csv(readings), gzip.compress(csv(readings)), parquet(readings))),
        *(("table", each) for each in (csv(houses), parquet(houses), workbook())),
        *(("scenario", LISTED.to_json().encode()), ("library", several), ("plan", spec)),
        *(("round", Round(scenario=Scenario()).to_json().encode()), ("sweep", sweep_of(None))),
    ]


def files(number: int, seed: int) -> list[tuple[str, bytes]]:
    """So many: some bombs, then good ones damaged."""
    draw = random.Random(seed)
    bad = [("table", workbook(with_entities)), ("readings", bomb(b"0" * 2**20))]
    bad += [(kind, b'{"scenario":' * 10**5) for kind in ("scenario", "library")]
    while len(bad) < number:
        kind, whole = draw.choice(good_files())
        within = kind == "table" and whole[:2] == b"PK" and draw.random() < 0.7
        bad.append((kind, workbook(partial(damaged, draw=draw)) if within else damaged(whole, draw)))
    return bad
