"""Houses that are listed by name are called so in every picture."""

import numpy as np
import pytest

from rtp import PRESETS, House, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_losses
from rtp.figures.algorithm import beliefs_figure, reading_words, states_figure
from rtp.figures.attack import belief_figure, privacy_account_figure, street_figure
from rtp.figures.households import bounds_figure, occupancy_figure
from rtp.figures.story import threat_figure
from rtp.leakage.composition import privacy_account
from rtp.scenario import edit
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from rtp.teaching.lines import LAST
from rtp.teaching.stage import open_stage, small_street
from rtp.teaching.threat import stake, threat
from tests.unit.figures.look import hovers

NAMES = ["Mill Lane 2", "Mill Lane 1", "Mill Lane 3"]  # villas first: the street's order
STREET = (
    House(name="Mill Lane 1", group="Flats", occupied=1.2, empty=0.1),
    House(name="Mill Lane 2", group="Villas", occupied=4.5, empty=0.3),
    House(name="Mill Lane 3", group="Flats", occupied=0.9, empty=0.2),
)


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(edit.with_houses(PRESETS["unsure curator"], STREET))


def test_the_observers_pictures_name_listed_houses(day: Day) -> None:
    seen = posterior(day, "blowfish", adversary="insider")
    figure, words = street_figure(day, seen, np.array([2, 0, 1]), None)
    assert list(figure.layout.yaxis.ticktext) == [NAMES[2], NAMES[0], NAMES[1]]
    assert hovers(figure) == {"%{y}, %{x|%H:%M}: %{z:.1%}<extra></extra>"}
    assert "First is Mill Lane 3, of which" in words
    pair = posterior(day, "optimal", adversary="insider", house=1), seen.only(1)
    occupied = replay_houses(day.street_day.spec, day.street, [1])[0][:, 0]
    assert belief_figure(day, pair, occupied, 5).words.startswith("Mill Lane 1 over the day up to")
    book = privacy_account(day, exact_losses(day)["blowfish"])
    figure, words = privacy_account_figure(day, {}, book)
    assert figure.data[-1].name == f"Blowfish, really revealed about {NAMES[book.house]}"
    assert words.endswith(f"about how {NAMES[book.house]} lived.")
    assert (
        "what an observer believes of Mill Lane 2, which is"
        in threat_figure(day, threat(day, stake(day)), 0, "One day").words
    )


def test_the_streets_pictures_name_listed_houses(day: Day) -> None:
    states, protected = replay_houses(day.street_day.spec, day.street, [0, 2])[0], np.zeros(96, dtype=np.intp)
    figure = occupancy_figure(day, np.array([0, 2]), states, protected, None).figure
    (stripes,) = [trace for trace in figure.data if trace.type == "heatmap"]
    assert list(stripes.y) == [NAMES[0], NAMES[2]]
    (note,) = bounds_figure(day, 1).figure.layout.annotations
    assert note.text == "Mill Lane 1 sets the noise"


def test_the_stages_pictures_name_listed_houses(day: Day) -> None:
    stage = open_stage(small_street(day.scenario, 3), {})
    own = stage.at(48).models[0]
    figure, words = states_figure(stage, own, LAST)
    assert own.protected == (1, 2), "the early birds' villas are surely away"
    assert {"Mill Lane 1", "Mill Lane 3"} < {trace.name for trace in figure.data}
    pointed = [text for trace in figure.data for text in trace.hovertext or ()]
    assert "000 – 010: Mill Lane 1" in pointed
    assert words.endswith("protected: Mill Lane 1 and Mill Lane 3.")
    assert reading_words(stage.scenario) == (
        "Each corner is a joint state, Mill Lane 2 first: 0 is empty, 1 occupied. Parallel edges are about "
        "the same house; a strong edge joins two possible states and puts that house into κ."
    )
    figure, words = beliefs_figure(stage, own, LAST)
    assert [label.partition(" · ")[0] for label in figure.data[-1].y] == NAMES
    assert "before and after the rate: Mill Lane 2 " in words
