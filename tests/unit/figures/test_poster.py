"""The poster shows the numbers that it is given."""

from xml.etree import ElementTree

import numpy as np

from rtp.figures.poster import poster_figure
from rtp.teaching.poster import Panel

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
