"""What the lab says of readings and of decisions, to be recorded: each of a hundred files, findings of every
kind, streets learned from readings with and without occupancy, and which price to publish."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rtp import PRESETS, Scenario, ScenarioError
from rtp.decision import decide
from rtp.decision.words import answer_sentence, assumptions, warnings
from rtp.meters import Learned, Readings, answer, learn, read
from rtp.meters.answering import (
    answer_cards,
    answer_words,
    bills_frame,
    promise_words,
    replay_frame,
    replay_moments_frame,
    replay_words,
    watched_frame,
    watched_words,
)
from rtp.meters.sample import sample_frame
from rtp.meters.words import (
    chances_frame,
    correlation_words,
    days_words,
    faint,
    findings_frame,
    groups_words,
    held_out_frame,
    heterogeneity_words,
    houses_frame,
    learned_verdict,
    verdicts_words,
    weekend_words,
)
from rtp.output.decision_report import TABLES
from rtp.scenario import Group
from tests.unit.meters.files import table, wide
from tests.unit.meters.hostile import REFUSED, UNDERSTOOD
from tests.unit.meters.streets import known_street

TARIFF = Scenario(
    alpha=0.5,
    beta=10.0,
    currency="EUR",
    power_unit="kW",
    groups=(Group(name="Row", occupied_max=3.0, empty_max=1.0),),
)
ENOUGH = 40  # lives that are watched, the fewest that are allowed
FEEDER = PRESETS["feeder"].replace(households=30)
DECISIONS = {
    "usual": (FEEDER, "blowfish", 3.0),
    "strict": (PRESETS["tiny street"], "calibrated", 0.01),
    "lax": (PRESETS["mixed street"].replace(households=20), "forecast", 50.0),
}
READ = ("files", "findings", "sample", "occupancy", "a month")


def said_of_readings(case: str) -> dict[str, Any]:
    match case:
        case "files":
            refused = {name: data for name, (data, _) in REFUSED.items()}
            return {name: _file(data) for name, data in (UNDERSTOOD | refused).items()}
        case "findings":
            return {name: _of_readings(read(frame)) for name, frame in odd_tables().items()}
        case "sample":
            few = sample_frame().query("house < 'sample 09' or house >= 'sample 41' and house < 'sample 44'")
            return _street(read(few), groups=2)
        case "occupancy":
            known = known_street(6, 21, 30, 5, gaps=0.02)
            frame = table(30, houses=6, days=21).assign(kWh=known.readings.power.ravel() / 2)
            return _street(read(frame.assign(occupied=known.occupied.astype(int).ravel())))
        case _:
            return _street(known_street(5, 30, 60, 8, correlation=0.6).readings)


def said_of_decision(case: str) -> dict[str, Any]:
    scenario, mechanism, accepted = DECISIONS[case]
    found = decide(scenario, mechanism, accepted, repetitions=ENOUGH)
    return {
        "answer": answer_sentence(found),
        "warnings": warnings(found),
        "assumptions": assumptions(found),
        **{name: _rows(frame(found)) for name, frame in TABLES.items()},
    }


def odd_tables() -> Mapping[str, pd.DataFrame]:
    """Tables of readings, each with findings of its own."""
    base = table(houses=5, days=20)
    house, start = base["house"], base["time"]
    meters = base[(house != "h3") | (start < "2024-05-08")].copy()
    meters.loc[house == "h1", "kWh"] = 0.0
    meters.loc[house == "h2", "kWh"] = 0.25
    meters.loc[[5, 6], "kWh"] = -1.0, np.inf
    meters.loc[7, "kWh"] = 1e4
    doubled = pd.concat([meters.drop(index=[10, 11, 12]), meters.iloc[[20, 20]]])
    register = base.assign(kWh=base.groupby("house")["kWh"].cumsum())
    hours = {
        day: pd.date_range(day, periods=count, freq="60min", tz="Europe/Berlin")
        for day, count in (("2024-03-30", 71), ("2024-10-26", 73))
    }
    coarse = table(60, houses=1, days=20).assign(house="coarse")
    stray = base.iloc[[0]].assign(time=pd.Timestamp("2031-01-01"))
    return {
        "meters": doubled,
        "nameless": base.assign(house=house.where(house != "h4")),
        "registers": register,
        "net metering": base.assign(kWh=base["kWh"].where(base.index % 5 != 0, -0.1)),
        "forward": pd.DataFrame({"time": hours["2024-03-30"], "a": 1 + np.arange(71) % 7}),
        "back": pd.DataFrame({"time": hours["2024-10-26"], "a": 1 + np.arange(73) % 7}),
        "in UTC": base.assign(time=start.dt.strftime("%Y-%m-%dT%H:%MZ")),
        "ends": base.rename(columns={"time": "interval end"}),
        "past the grid": base.assign(time=start + pd.Timedelta(minutes=7)),
        "misdated": pd.concat([base, stray]),
        "watts as kW": base.rename(columns={"kWh": "kW"}).assign(kW=base["kWh"] * 1000),
        "no unit": base.rename(columns={"kWh": "reading"}),
        "other columns": wide(base).assign(note="x", temperature=3.0),
        "a coarse one": pd.concat([base, coarse]),
    }


def _file(data: bytes) -> Any:
    try:
        return _of_readings(read(data))
    except ScenarioError as refused:
        return str(refused)


def _of_readings(readings: Readings) -> dict[str, Any]:
    return {
        "houses": list(readings.houses[:9]),
        "first day": readings.date(0),
        "days": readings.days,
        "minutes": readings.minutes,
        "unit": readings.unit,
        "usable": readings.usable,
        "power": np.nan_to_num(readings.power, nan=-1.0).astype(float),
        "findings": _rows(findings_frame(readings)),
    }


def _street(readings: Readings, groups: int | None = None) -> dict[str, Any]:
    """Learned, replayed under the learned bounds and watched."""
    learned = learn(readings, groups=groups, resamples=6)
    scenario = learned.scenario(TARIFF, 1.2, 0.6)
    answered = answer(readings, scenario, learned)
    unlearned = answer(readings, TARIFF.replace(households=len(readings.houses)), days=3)
    return {
        "readings": _of_readings(readings),
        **_learned(readings, learned),
        "scenario": json.loads(scenario.to_json()),
        "answer": answer_words(answered),
        "cards": answer_cards(answered),
        "bills": _rows(bills_frame(answered.replay)),
        "rates": _rows(replay_frame(answered.replay)),
        "moments": replay_moments_frame(answered.replay),
        "replay": [replay_words(answered.replay), promise_words(True), promise_words(False)],
        "watched": [watched_words(answered.watched), *_rows(watched_frame(answered.watched))],
        "not learned": answer_words(unlearned),
        "cards, not learned": answer_cards(unlearned),
    }


def _learned(readings: Readings, learned: Learned) -> dict[str, Any]:
    guessed = () if learned.counted else (verdicts_words, faint)
    words = (learned_verdict, groups_words, days_words, heterogeneity_words, correlation_words, weekend_words)
    return {
        "words": {ask.__name__: ask(learned) for ask in (*words, *guessed)},
        "houses": _rows(houses_frame(readings, learned)),
        "chances": _rows(chances_frame(learned)),
        "held out": _rows(held_out_frame(learned)),
    }


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): cell for name, cell in row.items()} for row in frame.reset_index().to_dict("records")]
