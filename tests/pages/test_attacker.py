"""The Attack screen, run without a browser: its numbers are the engine's, whatever is chosen."""

import re
import time
from io import StringIO
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, jobs
from pages.ui.attack.observer import LONGEST
from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import BY_KNOWLEDGE, QUICK, largest_gaps, posterior
from rtp.core.formatting import percent
from rtp.core.stats import right_guesses
from rtp.exposure import Observer, Secret, exposure
from rtp.figures import style
from rtp.figures.attack import FIRST, belief_name
from rtp.figures.static import poster_figure
from rtp.leakage.moment import even_guess, moment_leakage
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.attack import verdict_words
from rtp.street.simulate import replay_houses
from rtp.teaching.poster import poster
from tests.help import app as lab
from tests.help.app import enter, figures, key, known_exposure, link_of, said, scenario_of

SMALL = Scenario().replace(households=30)
OBSERVERS: tuple[Observer, ...] = ("outsider", "insider")
HOUSE = 3
BARS, MAP = "A moment, a day, a week", "Who shows, and when"


def opened(tab: str = MAP, **link: str) -> AppTest:
    return lab.opened("Attack", tab=tab, **{"households": "30"} | link)


def picture(app: AppTest) -> Any:
    """The lit windows."""
    return figures(app)[0]


def spec(app: AppTest) -> Any:
    """The figure of the tab, which stands last."""
    return figures(app)[-1]


def belief(app: AppTest, rate: str = FEATURED) -> Any:
    """What she believes over the day of the house that is looked at."""
    (curve,) = [trace["y"] for trace in figures(app)[1]["data"] if trace["name"] == belief_name(rate)]
    return curve


@pytest.mark.parametrize(
    ("link", "inference", "adversary"),
    [
        ({"knows": "model"}, "filtering", "outsider"),
        pytest.param({"knows": "others"}, "filtering", "insider", marks=pytest.mark.long),
        ({"horizon": "whole day"}, "smoothing", "outsider"),
    ],
)
def test_rate_knowledge_house_horizon_and_time_are_those_chosen(
    link: dict[str, str], inference: Any, adversary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened(households="5", step_minutes="60", step="10", **link)
    enter(app, "attacker:house", HOUSE + 1)
    app.selectbox(key=key(app, "rate")).set_value("calibrated").run()
    day = simulate(SMALL.replace(households=5, step_minutes=60))
    seen = posterior(day, "calibrated", adversary=adversary, inference=inference)
    np.testing.assert_allclose(belief(app, "calibrated"), seen.belief[:, HOUSE])
    for shown in figures(app)[:2]:
        assert shown["layout"]["meta"]["frame"] == 10
    assert percent(seen.belief[10, HOUSE], 2) in plainly(figures(app)[1]["frames"][10]["words"])
    taken: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.download_button", lambda _, make, *__, **___: taken.append(make()))
        app.run()
    table = pd.read_csv(StringIO(taken[0]))
    np.testing.assert_allclose(table["belief"], seen.belief.T.ravel(), rtol=1e-12)
    app.selectbox(key=key(app, "rate")).set_value("optimal").run()
    assert len(belief(app)) == 24, "beside the optimal rate there is always a private one"
    lab.click(app, "attacker:close")
    assert len(figures(app)) == 2


def plainly(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def test_of_several_models_another_can_be_believed() -> None:
    app = opened(preset="unsure curator", house=str(HOUSE))
    unsure = scenario_of(app)
    seen = posterior(simulate(unsure), "blowfish")
    other = next(name for name in unsure.model_names if name != seen.model)
    app.selectbox(key=key(app, "attacker:model")).set_value(other).run()
    picked = posterior(simulate(unsure), "blowfish", model=other)
    np.testing.assert_allclose(belief(app), picked.belief[:, HOUSE])


def test_the_map_begins_with_the_house_that_shows_most() -> None:
    areas = known_exposure("moment", "outsider").map
    order = np.argsort(-np.nanmax(areas, axis=1), kind="stable")
    app = opened()
    assert spec(app)["layout"]["yaxis"]["ticktext"] == [str(house + 1) for house in order]
    first = np.array(spec(app)["data"][0]["z"][0], dtype=float)
    np.testing.assert_allclose(first, 100 * areas[order[0]], atol=0.06)


@pytest.mark.parametrize(("knows", "who"), BY_KNOWLEDGE.items())
def test_the_sentence_counts_the_rings_that_are_drawn(knows: str, who: Observer) -> None:
    """And the rings are where the engine's beliefs are on the wrong side."""
    day = simulate(SMALL)
    occupied = replay_houses(day.street_day.spec, day.street, range(30))[0]
    seen = [posterior(day, rate, adversary=who) for rate in (UNPROTECTED, FEATURED)]
    errors = [right_guesses(each.belief, occupied) == 0 for each in seen]
    alone = (right_guesses(seen[0].model_only, occupied) == 0).sum(axis=1)
    frames = picture(opened(knows=knows))["frames"]
    assert len(frames) == 96
    for step, frame in enumerate(frames):
        lit, *rest = [[each for each in chain(*trace["z"]) if each is not None] for trace in frame["data"]]
        assert lit == occupied[step].astype(int).tolist()
        assert [rest[0], rest[2]] == [each[step].astype(int).tolist() for each in errors]
        time, *counts = re.findall(r"[\d:]+", frame["words"])
        assert time == frame["name"]
        assert [int(count) for count in counts] == [sum(rest[0]), 30, sum(rest[2]), alone[step]]
        assert who in frame["words"]


def test_of_a_long_street_the_same_forty_houses_are_shown_to_every_observer() -> None:
    day = simulate(SMALL.replace(households=60))
    chosen = largest_gaps(day.street, FIRST, 3)
    assert 3 in chosen
    for knows in BY_KNOWLEDGE:
        assert shown_in(picture(opened(households="60", house="3", knows=knows))) == chosen


def shown_in(windows: Any) -> list[int]:
    """The houses whose windows are drawn."""
    return [house for house, _ in filter(None, chain(*windows["data"][0]["customdata"]))]


def test_the_observer_is_in_the_claim_and_a_reload_says_the_same() -> None:
    app = opened(households="3")
    for knows, who in BY_KNOWLEDGE.items():
        app.segmented_control(key=key(app, "attacker:knows")).set_value(knows).run()
        assert f"an {who} " in app.title[0].value
        again = lab.opened("Attack", **link_of(app))
        assert again.title[0].value == app.title[0].value
        assert figures(again) == figures(app)


def test_what_one_observer_tells_of_a_week_waits_for_the_other() -> None:
    scenario = PRESETS["tiny street"].replace(step_minutes=60)
    secrets: tuple[Secret, ...] = ("moment", "week")
    asked = [(secret, who) for secret in secrets for who in OBSERVERS]
    found = {(secret, who): exposure(scenario, secret, who) for secret, who in asked}
    moment, half, whole = (
        verdict_words({each: found[each] for each in asked[:known]}, "outsider", FEATURED, scenario)
        for known in (2, 3, 4)
    )
    assert moment == half != whole


def test_one_click_opens_a_small_street() -> None:
    app = opened()
    own = scenario_of(app)
    app.button(key="attack:small").click().run()
    assert scenario_of(app) == PRESETS["tiny street"]
    assert not [each for each in app.button if each.key == "attack:small"]
    lab.click(app, "action:undo")
    assert scenario_of(app) == own


@pytest.mark.parametrize("failed", [False, True])
def test_while_the_observers_are_asked_the_last_verdict_stays(
    failed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be stopped, and begun again."""
    app = opened(BARS)
    before = spec(app)
    if failed:
        monkeypatch.setattr(cache, "find_exposure", None)
    else:
        monkeypatch.setattr(jobs, "BY_ITSELF", jobs.Queue(0))  # nobody's turn comes
        monkeypatch.setattr(jobs, "AT_ONCE", 0.0)
    enter(app, "seed", 8 if failed else 9)
    dim = spec(app)["data"]
    assert [trace["x"] for trace in dim] == [trace["x"] for trace in before["data"]]
    assert all(trace["opacity"] < 1 for trace in dim)
    assert app.title[0].value.startswith(":gray[")
    assert picture(app)["frames"], "the rest is there"
    assert (len(app.error), len(app.get("progress"))) == ((1, 0) if failed else (0, 1))
    if not failed:
        app.button(key="stop:verdict").click().run()
        while lab.lab_of(app).extras["job:verdict"].running:
            time.sleep(0.02)
    monkeypatch.undo()
    app.run()
    app.button(key="start:verdict").click().run()
    assert all(trace.get("opacity", 1) == 1 for trace in spec(app)["data"] if trace["type"] == "bar")
    assert not app.title[0].value.startswith(":gray[")


@pytest.mark.parametrize(
    ("houses", "known"),
    [
        (QUICK + 1, ["outsider", "insider"]),
        pytest.param(LONGEST + 1, ["insider"], marks=pytest.mark.long),
    ],
)
def test_on_a_street_too_long_to_follow_some_houses_are_followed(houses: int, known: list[Any]) -> None:
    app, day = opened(households=str(houses), house="7"), simulate(SMALL.replace(households=houses))
    seen = posterior(day, "blowfish", adversary=known[0], house=7)
    np.testing.assert_allclose(belief(app), seen.belief[:, 0], atol=1e-9)
    assert len(shown_in(picture(app))) == FIRST
    assert len(app.segmented_control(key=key(app, "attacker:knows")).options) == len(known)


HOURLY = SMALL.replace(step_minutes=60)


def test_the_verdict_is_exposure_and_a_budget_moves_it_without_new_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    street = Scenario(households=3, step_minutes=60)
    monkeypatch.setattr(cache, "find_exposure", exposure)
    app = opened(BARS, households="3", step_minutes="60")
    monkeypatch.setattr(cache, "find_exposure", None)
    found = {who: exposure(street, "moment", who) for who in OBSERVERS}
    for epsilon in (street.epsilon, street.epsilon / 10):
        enter(app, "epsilon", epsilon)
        for rate in (UNPROTECTED, FEATURED):
            areas = [found[who].at(rate, epsilon).value for who in OBSERVERS]
            assert [each[0] for each in bars(app)[style.title(rate)]] == pytest.approx(areas)
    app.selectbox(key=key(app, "rate")).set_value("forecast").run()
    assert bars(app)["Forecast"] == [[0.5] * 3] * 2, "a coin, to either observer"
    monkeypatch.setattr(cache, "find_exposure", exposure)
    enter(app, "attacker:house", 2)
    alone = [exposure(street, "moment", who, houses=[1]).at(UNPROTECTED).value for who in OBSERVERS]
    assert [each[0] for each in bars(app)["Optimal"]] == pytest.approx(alone)


def bars(app: AppTest) -> dict[str, list[Any]]:
    """How often either observer tells each secret, by rate."""
    drawn: dict[str, list[Any]] = {}
    for trace in spec(app)["data"]:
        if trace["type"] == "bar":
            drawn.setdefault(trace["name"], []).append([0.5 + length for length in trace["x"]])
    return drawn


def test_the_promise_over_time_follows_the_budget() -> None:
    app = opened("The promise over time", step_minutes="60")
    for epsilon in (HOURLY.epsilon, HOURLY.epsilon / 10):
        enter(app, "epsilon", epsilon)
        leak = moment_leakage(simulate(HOURLY.replace(epsilon=epsilon)), "blowfish")
        assert percent(even_guess(leak.worst), 4) in said(app)


def test_the_poster_opens_from_its_link_and_says_what_it_shows() -> None:
    assert poster_figure(poster(HOURLY)).words in said(opened("The poster", step_minutes="60"))
