"""The Attack screen, run without a browser: its numbers are the engine's, whatever is chosen."""

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
from rtp.attack.adversary import QUICK, largest_gap, posterior
from rtp.core.formatting import percent
from rtp.core.stats import right_guesses
from rtp.exposure import Observer, exposure
from rtp.figures.attack import FIRST, belief_name
from rtp.figures.poster import poster_figure
from rtp.leakage.moment import even_guess, moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.street.simulate import replay_houses
from rtp.teaching.poster import poster
from tests.help import app as lab
from tests.help.app import enter, figures, key, said, scenario_of

SMALL = Scenario().replace(households=30)
OBSERVERS: tuple[Observer, ...] = ("outsider", "insider")


def opened(tab: str = "One house", **link: str) -> AppTest:
    return lab.opened("Attack", tab=tab, **{"households": "30"} | link)


def spec(app: AppTest) -> Any:
    """The figure of the tab, under that of the verdict."""
    (_, figure) = figures(app)
    return figure


def belief(app: AppTest, rate: str = "blowfish") -> float:
    """What she believes at the moment shown, by a rate; the sentence above the picture says the same."""
    (curve,) = [trace["y"] for trace in spec(app)["data"] if trace["name"] == belief_name(rate)]
    assert f"**{100 * curve[-1]:.0f} %**" in said(app)
    return float(curve[-1])


def rows(app: AppTest) -> list[str]:
    labels: list[str] = spec(app)["layout"]["yaxis"]["ticktext"]
    return labels


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
    app = opened(households="5", step_minutes="60", **link)
    enter(app, "attacker:house", 4)
    app.selectbox(key=key(app, "rate")).set_value("calibrated").run()
    app.select_slider(key=key(app, "slider:Time")).set_value(10).run()
    day = simulate(SMALL.replace(households=5, step_minutes=60))
    seen = posterior(day, "calibrated", adversary=adversary, inference=inference)
    assert belief(app, "calibrated") == pytest.approx(seen.belief[10, 3])
    taken: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.download_button", lambda _, make, *__, **___: taken.append(make()))
        app.run()
    table = pd.read_csv(StringIO(taken[0]))
    np.testing.assert_allclose(table["belief"], seen.belief.T.ravel(), rtol=1e-12)
    app.selectbox(key=key(app, "rate")).set_value("optimal").run()
    assert belief(app) > 0, "beside the optimal rate there is always a private one"


def test_of_several_models_another_can_be_believed() -> None:
    app = opened(preset="unsure curator")
    unsure = scenario_of(app)
    seen = posterior(simulate(unsure), "blowfish")
    other = next(name for name in unsure.model_names if name != seen.model)
    app.selectbox(key=key(app, "attacker:model")).set_value(other).run()
    picked = posterior(simulate(unsure), "blowfish", model=other)
    assert belief(app) == pytest.approx(picked.belief[-1, int(picked.shift.argmax())])


def test_the_street_is_every_house_in_the_order_chosen() -> None:
    app = opened("The whole street")
    order = np.argsort(-posterior(simulate(SMALL), "blowfish").shift, kind="stable")
    assert rows(app) == [str(house + 1) for house in order]
    for toggle, value in (("sort", False), ("truth", False), ("gain", True)):
        app.toggle(key=key(app, f"attacker:{toggle}")).set_value(value).run()
    assert rows(app) == [str(house + 1) for house in range(30)]
    assert len(spec(app)["data"]) == 1
    longer = opened("The whole street", households="60")
    assert len(rows(longer)) == FIRST
    longer.toggle(key=key(longer, "attacker:all")).set_value(True).run()
    assert len(rows(longer)) == 60


def test_windows_are_lit_as_houses_are_and_count_who_is_believed_right() -> None:
    app, day = opened("Lit windows"), simulate(SMALL)
    occupied = replay_houses(day.street_day.spec, day.street, range(30))[0]
    (picture,) = [each for each in figures(app) if "frames" in each]
    assert len(picture["frames"]) == 96
    lit = [[*chain(*frame["data"][3]["z"])] for frame in picture["frames"]]
    assert [[each for each in step if each is not None] for step in lit] == occupied.astype(int).tolist()
    for rate in (UNPROTECTED, FEATURED):
        right = right_guesses(posterior(day, rate).belief, occupied).sum(axis=1).mean()
        assert f"**{right:.1f}**" in said(app)


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
    app = opened()
    before = figures(app)[0]
    if failed:
        monkeypatch.setattr(cache, "find_exposure", None)
    else:
        monkeypatch.setattr(jobs, "BY_ITSELF", jobs.Queue(0))  # nobody's turn comes
        monkeypatch.setattr(jobs, "AT_ONCE", 0.0)
    enter(app, "seed", 8 if failed else 9)
    dim = figures(app)[0]["data"]
    assert [trace["x"] for trace in dim] == [trace["x"] for trace in before["data"]]
    assert all(trace["opacity"] < 1 for trace in dim)
    assert 0 < belief(app) < 1, "the rest is there"
    assert (len(app.error), len(app.get("progress"))) == ((1, 0) if failed else (0, 1))
    if not failed:
        app.button(key="stop:verdict").click().run()
        while lab.lab_of(app).extras["job:verdict"].running:
            time.sleep(0.02)
    monkeypatch.undo()
    app.run()
    app.button(key="start:verdict").click().run()
    assert all(trace.get("opacity", 1) == 1 for trace in figures(app)[0]["data"] if trace["type"] == "bar")


@pytest.mark.parametrize(
    ("houses", "known"),
    [
        (QUICK + 1, ["outsider", "insider"]),
        pytest.param(LONGEST + 1, ["insider"], marks=pytest.mark.long),
    ],
)
def test_on_a_street_too_long_to_follow_one_house_is_followed(houses: int, known: list[Any]) -> None:
    app, day = opened(households=str(houses)), simulate(SMALL.replace(households=houses))
    seen = posterior(day, "blowfish", adversary=known[0], house=largest_gap(day.street))
    assert belief(app) == pytest.approx(seen.belief[-1, 0])
    assert len(app.segmented_control(key=key(app, "attacker:knows")).options) == len(known)


HOURLY = SMALL.replace(step_minutes=60)


def test_the_verdict_is_exposure_and_a_budget_moves_it_without_new_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    street = Scenario(households=3, step_minutes=60)
    monkeypatch.setattr(cache, "find_exposure", exposure)
    app = opened(households="3", step_minutes="60")
    monkeypatch.setattr(cache, "find_exposure", None)
    found = {who: exposure(street, "moment", who) for who in OBSERVERS}
    for epsilon in (street.epsilon, street.epsilon / 10):
        enter(app, "epsilon", epsilon)
        for rate in (UNPROTECTED, FEATURED):
            areas = [found[who].at(rate, epsilon).value for who in OBSERVERS]
            assert [each[0] for each in bars(app)[REGISTRY[rate].label.capitalize()]] == pytest.approx(areas)
    app.selectbox(key=key(app, "rate")).set_value("forecast").run()
    assert bars(app)["Forecast"] == [[0.5] * 3] * 2, "a coin, to either observer"
    monkeypatch.setattr(cache, "find_exposure", exposure)
    enter(app, "attacker:house", 2)
    alone = [exposure(street, "moment", who, houses=[1]).at(UNPROTECTED).value for who in OBSERVERS]
    assert [each[0] for each in bars(app)["Optimal"]] == pytest.approx(alone)


def bars(app: AppTest) -> dict[str, list[Any]]:
    """How often either observer tells each secret, by rate."""
    drawn: dict[str, list[Any]] = {}
    for trace in figures(app)[0]["data"]:
        if trace["type"] == "bar":
            drawn.setdefault(trace["name"], []).append([0.5 + length for length in trace["x"]])
    return drawn


def test_the_promise_over_time_follows_the_budget() -> None:
    app = opened(step_minutes="60", over="true")
    for epsilon in (HOURLY.epsilon, HOURLY.epsilon / 10):
        enter(app, "epsilon", epsilon)
        leak = moment_leakage(simulate(HOURLY.replace(epsilon=epsilon)), "blowfish")
        assert percent(even_guess(leak.worst), 4) in said(app)


def test_the_poster_opens_from_its_link_and_says_what_it_shows() -> None:
    assert poster_figure(poster(HOURLY)).words in said(opened(step_minutes="60", poster="true"))
