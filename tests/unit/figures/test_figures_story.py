"""The story's pictures: every curve is the threat's own, every dot a chance."""

import re

import pytest

from rtp import Scenario, simulate
from rtp.figures.story import HABITS, PRICE, SAYS, TRUTH, dots_figure, threat_figure
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.simulation import Day
from rtp.teaching.threat import PriceBeliefs, Threat, stake, story_street, threat
from tests.unit.figures.look import panel_titles, trace, traces

# of filled dots and of the others: whole lines, and how far along the next
AREAS = r'#filled\)" d="M0 0h80v(\d+)H(\d+)v8H0z"/><path fill="url\(#open\)" d="M80 80H0V(\d+)H(\d+)v-8H80z"'


@pytest.fixture(scope="module")
def told() -> tuple[Day, Threat]:
    day = simulate(story_street(Scenario()))
    return day, threat(day, stake(day))


def test_the_threat_shows_both_prices_both_beliefs_and_the_truth(told: tuple[Day, Threat]) -> None:
    day, found = told
    figure, words = threat_figure(day, found, 72, "One day of 2 houses")
    for name in (UNPROTECTED, FEATURED):
        assert trace(figure, SAYS[name]).y.tolist() == found.belief[name].tolist()
        rate = trace(figure, PRICE[name])
        assert rate.y.tolist() == day.release[name].rate.tolist()
        assert [step for (step,) in rate.customdata] == list(range(96))
    assert [t.yaxis for t in traces(figure, TRUTH)] == ["y2", "y3"]
    for drawn in traces(figure, TRUTH):
        assert drawn.y.tolist() == found.stake.occupied.astype(float).tolist()
    for drawn in traces(figure, HABITS):
        assert drawn.y.tolist() == found.stake.guess.tolist()
    shares = [f"{100 * found.accuracy(found.belief[name]):.0f} %" for name in (UNPROTECTED, FEATURED)]
    assert panel_titles(figure) == [
        "One day of 2 houses",
        f"Her belief from the public price: right {shares[0]}",
        f"Her belief from the private price: right {shares[1]}",
    ]
    assert f"From the public price she is right at {shares[0]}, from the private price" in words
    assert words.startswith("One day of 2 houses. ")
    assert figure.layout.shapes[-1].x0 == "2001-01-01T18:00"


def test_beliefs_and_truth_differ_in_colour(told: tuple[Day, Threat]) -> None:
    figure = threat_figure(*told, 0, "One day").figure
    lines = [trace(figure, SAYS[UNPROTECTED]), trace(figure, SAYS[FEATURED]), traces(figure, HABITS)[0]]
    colours = {each.line.color for each in lines} | {traces(figure, TRUTH)[0].line.color}
    assert len(colours) == 4


def test_a_certain_price_has_room_for_its_words() -> None:
    drawn = dots_figure([("Worst", PriceBeliefs(0.0, 1.0))])
    (left,) = re.findall(r'x="([\d.]+)"[^>]*>100 if occupied<', drawn.svg)
    (width,) = re.findall(r'viewBox="0 0 (\d+)', drawn.svg)
    assert float(left) + 6.7 * len("100 if occupied") <= int(width), "6.7 pixels a letter of 13 are wide"


def test_as_many_dots_are_filled_as_there_are_such_prices() -> None:
    drawn = dots_figure([("House 1", PriceBeliefs(0.44, 0.54)), ("Worst", PriceBeliefs(0.38, 0.62))])
    areas = [[int(length) // 8 for length in area] for area in re.findall(AREAS, drawn.svg)]
    assert [10 * down + along for down, along, _, _ in areas] == [44, 54, 38, 62]
    assert all((below - 1, beside) == (down, along) for down, along, below, beside in areas)
    assert drawn.words == (
        "House 1: 44 of 100 dots if empty, 54 if occupied. Worst: 38 of 100 dots if empty, 62 if occupied."
    )
