"""The pieces that all charts share: marks, the clock, the periods behind it, both themes, large type."""

from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp.figures import daytime, style, theme
from rtp.figures.algorithm import HOUSE_COLOURS, SCALE, TRUE_STATE
from rtp.figures.static import poster_figure
from rtp.mechanisms import REGISTRY
from rtp.scenario.share import MAX_PINS
from rtp.teaching.poster import Panel
from tests.help.colours import contrast

MARKS = [style.mark(name) for name in REGISTRY]


def test_no_two_mechanisms_or_pins_look_the_same() -> None:
    assert len(set(MARKS)) == len(REGISTRY)
    assert style.PINNED_DASH not in {mark.dash for mark in MARKS}
    assert not set(style.PIN_COLOURS) & {mark.colour for mark in MARKS}
    assert len(set(style.PIN_COLOURS)) == MAX_PINS
    others = {*style.MODEL_COLOURS, style.ARRIVE, style.SIMULATED.colour, style.EXPECTED.colour}
    assert not others & {mark.colour for mark in MARKS}, "a mechanism's colour is its own"


@pytest.mark.parametrize("ground", [theme.BACKGROUND, theme.DARK[theme.BACKGROUND]])
def test_colours_stand_out_on_both_backgrounds(ground: str) -> None:
    colours = [style.GREY, style.LIMIT, style.ARRIVE, style.LEAVE, TRUE_STATE, *HOUSE_COLOURS]
    colours += [style.EXPECTED.colour, style.SIMULATED.colour, *(mark.colour for mark in MARKS)]
    for colour in (*colours, *style.PIN_COLOURS, SCALE[0][1], SCALE[1][1]):
        assert contrast(colour, ground) >= 3, colour
        assert colour not in theme.DARK, "the dark theme would replace it"


@given(st.lists(st.floats(0, 400), max_size=8).map(sorted), st.floats(1, 30))
def test_names_at_the_ends_of_lines_never_overlap(places: list[float], gap: float) -> None:
    moved = style.apart(places, gap)
    assert all(above - below >= gap - 1e-6 for below, above in pairwise(moved))
    assert sum(moved) == pytest.approx(sum(places), abs=1e-6)
    if all(above - below >= gap for below, above in pairwise(places)):
        assert moved == pytest.approx(places)


@given(st.dictionaries(st.integers(0, 95), st.integers(1, 20), min_size=1, max_size=8))
def test_names_of_periods_never_meet(lengths_by_start: dict[int, int]) -> None:
    starts, lengths = zip(*sorted(lengths_by_start.items()), strict=True)
    named = {
        f"{number}".ljust(length, "x"): (start / 4, end / 4)
        for number, (start, end, length) in enumerate(zip(starts, [*starts[1:], 96], lengths, strict=True))
    }
    written = daytime.names_with_room(named)
    assert max(named, key=lambda name: named[name][1] - named[name][0]) in [
        words for words, _ in written.values()
    ]
    assert all(named[name][0] <= hour <= named[name][1] for name, (_, hour) in written.items())
    for (one, first), (other, second) in combinations(written.values(), 2):
        assert abs(second - first) >= daytime.LETTER * len(one + other) / 2 - 1e-9


# The poster shows the numbers that it is given


SVG = "{http://www.w3.org/2000/svg}"
HIGH, WIDE = 84, 250  # pixels of a panel


def panels() -> list[Panel]:
    rng = np.random.default_rng(1)
    return [
        Panel(
            households=households,
            epsilon=epsilon,
            occupied=rng.random(96) < 0.4,
            habits=rng.random(96),
            belief=rng.random(96),
        )
        for households in (2, 1_000)
        for epsilon in (None, 5.0)
    ]


def test_every_panel_has_its_truth_habits_and_belief() -> None:
    drawn = poster_figure(panels())
    groups = ElementTree.fromstring(drawn.svg).findall(f"{SVG}g")
    for panel, group in zip(panels(), groups, strict=True):
        habits, belief = (heights(line) for line in group.findall(f"{SVG}polyline"))
        np.testing.assert_allclose(habits, panel.habits, atol=1e-3)
        np.testing.assert_allclose(belief, panel.belief, atol=1e-3)
        assert abs(lit(group) - panel.occupied.mean()) < 1e-2
    assert drawn.words.count("houses,") == len(panels())


def heights(line: ElementTree.Element) -> list[float]:
    return [1 - float(point.split(",")[1]) / HIGH for point in line.attrib["points"].split()]


def lit(group: ElementTree.Element) -> float:
    """The share of the day under bands: each is M start 0 H end V bottom H start z."""
    bands = group.find(f"{SVG}path")
    assert bands is not None
    spans = [part.split("H") for part in bands.attrib["d"].split("M") if part]
    return sum(float(span[1].split("V")[0]) - float(span[0].split()[0]) for span in spans) / WIDE
