"""What occupied means: known of old files and links, and heard in a night's moves."""

import json

import pytest

from rtp.scenario import Scenario
from rtp.scenario.export import to_file
from rtp.scenario.occupancy import FEEDER_HABITS, HOME, UP, OccupiedMeans, moves
from rtp.scenario.share import from_library, read_link, to_link

OLD_FEEDER = Scenario(models=(Scenario().models[0].replace(name=FEEDER_HABITS),))


@pytest.mark.parametrize(("scenario", "meant"), [(Scenario(seed=3), UP), (OLD_FEEDER, HOME)])
def test_an_old_file_or_link_means_what_its_lab_did(scenario: Scenario, meant: OccupiedMeans) -> None:
    old = json.loads(to_file(scenario))
    del old["occupied_means"]
    assert Scenario.from_json(json.dumps(old)).occupied_means == meant
    shelf = {"scenarios": [{"name": "A", "scenario": {k: v for k, v in old.items() if k != "lab"}}]}
    assert from_library(json.dumps(shelf))[0].scenario.occupied_means == meant
    link = to_link(scenario)
    assert read_link(link).scenario == scenario


def test_only_nights_of_houses_up_and_about_have_people_going_to_bed() -> None:
    assert moves(UP, 23, 7) == moves(UP, 0, 0) == moves(UP, 3, 4) == ("going to bed", "getting up")
    assert moves(UP, 7, 23) == moves(UP, 16, 3) == moves(HOME, 23, 7) == ("leaving", "arriving")
