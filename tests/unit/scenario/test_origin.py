"""What is taken away says where it comes from, and the same again comes from it."""

import csv
import io
from datetime import date

from rtp import Scenario, simulate
from rtp.core.tables import to_csv
from rtp.scenario.describe import digest, origin, origin_words
from rtp.scenario.export import to_file
from rtp.version import VERSION

SCENARIO = Scenario(households=20, seed=7)


def test_a_digest_tells_scenarios_apart_and_survives_the_file() -> None:
    assert digest(SCENARIO) == digest(Scenario.from_json(to_file(SCENARIO)))
    others = [SCENARIO.replace(seed=8), SCENARIO.replace(epsilon=0.51), SCENARIO.replace(step_minutes=60)]
    assert len({digest(scenario) for scenario in [SCENARIO, *others]}) == 4


def test_a_table_says_version_scenario_seed_and_date() -> None:
    where = origin(SCENARIO, date(2026, 11, 15))
    text = to_csv(simulate(SCENARIO).frame(), where)
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        assert {name: row[name] for name in where} == {
            "lab_version": VERSION,
            "lab_scenario": digest(SCENARIO),
            "lab_seed": "7",
            "lab_date": "2026-11-15",
        }
    again = simulate(Scenario.from_json(to_file(SCENARIO)))
    assert to_csv(again.frame(), where) == text


def test_words_say_the_same() -> None:
    words = origin_words(SCENARIO)
    assert words.startswith(f"{VERSION} on 20")
    assert words.endswith(f"; scenario {digest(SCENARIO)}, seed 7")
