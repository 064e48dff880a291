"""The Attacker screen, run without a browser."""

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import trials as audit_page
from pages.ui.attacker import LONGEST, without_budget
from pages.ui.clock import Clock
from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import QUICK, posterior
from rtp.attack.scores import FALSE_ALARMS, roc_ceiling
from rtp.attack.success import attack, strongest
from rtp.attack.words import KNOWS, crossing_words, scores_frame, strongest_words
from rtp.audit.exact import exact_losses
from rtp.audit.trial import DEFAULT, trial
from rtp.audit.words import power_words, proofs_frame, spent_frame
from rtp.figures.attack import FIRST, PROOF_NAME, roc_figure, street_figure
from rtp.leakage.composition import privacy_account
from rtp.leakage.words import account_words
from rtp.mechanisms import NO_DATA, REGISTRY
from rtp.output.words import LIMITS
from rtp.scenario import House, edit
from rtp.scenario.share import to_link
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from tests.help import app as lab
from tests.help.app import (
    enter,
    figures,
    finish,
    key,
    lab_of,
    link_of,
    number,
    open_tab,
    press,
    said,
    scenario_of,
)

SMALL = Scenario().replace(households=30)
TABS = {"How well does she do?": "roc", "The street": "street", "The audit": "ledger"}  # and their charts
FEW = 64  # the fewest releases that an audit takes


def opened(tab: str = "One house", **link: str) -> AppTest:
    return lab.opened("Attacker", tab=tab, **({"households": "30"} | link))


def spec(app: AppTest) -> Any:
    """The figure on screen: there is never more than one."""
    (figure,) = figures(app)
    return figure


def metrics(app: AppTest) -> dict[str, tuple[str, str]]:
    return {metric.label: (metric.value, metric.delta) for metric in app.metric}


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(SMALL)


def test_it_opens_with_the_house_that_the_blowfish_rate_exposes_most(day: Day) -> None:
    app = opened()
    assert not app.exception
    exact, seen = posterior(day, "optimal"), posterior(day, "blowfish")
    column = int(seen.exposure.argmax())
    occupied = replay_houses(day.street_day.spec, day.street, [column])[0][:, 0]
    right = [float(((p.belief[:, column] > 0.5) == occupied).mean()) for p in (exact, seen)]
    shown = metrics(app)
    alone = f"model alone {seen.model_only[-1, column]:.1%}"
    assert shown["Truth at 23:45"] == ("occupied" if occupied[-1] else "empty", alone)
    for name, found, share in zip(("Unprotected", "Blowfish"), (exact, seen), right, strict=True):
        told = f"{found.belief[-1, column]:.1%} occupied"
        assert shown[f"{name}: she says"] == (told, f"right {share:.1%} so far")
    assert f"**House {column}**" in said(app)
    names = [trace["name"] for trace in spec(app)["data"]]
    assert names[:4] == ["Truth: occupied", "The model alone", "Her belief, unprotected", PROOF_NAME]
    assert names[4:8] == ["Truth: occupied", "The model alone", "Her belief, blowfish", PROOF_NAME]


def test_rate_knowledge_house_and_time_each_change_what_is_shown(day: Day) -> None:
    app = opened()
    enter(app, "attacker:house", 7)
    app.selectbox(key=key(app, "rate")).set_value("calibrated").run()
    app.segmented_control(key=key(app, "attacker:knows")).set_value("others").run()
    app.select_slider(key=key(app, "slider:Time")).set_value(40).run()
    seen = posterior(day, "calibrated", adversary="insider", house=7)
    shown = metrics(app)
    assert shown["Truth at 10:00"][1] == f"model alone {seen.model_only[40, 0]:.1%}"
    assert shown["Calibrated: she says"][0] == f"{seen.belief[40, 0]:.1%} occupied"
    assert f"{np.abs(seen.log_likelihood_ratio[:41]).max():.3f}, limit ±0.5" in titles(app)
    app.selectbox(key=key(app, "rate")).set_value(NO_DATA).run()
    assert "Forecast: 0.000, limit ±0" in titles(app)  # the forecast tells nothing
    app.selectbox(key=key(app, "rate")).set_value("optimal").run()
    assert not app.exception
    assert "Blowfish: she says" in metrics(app)  # beside the unprotected rate there is always a private one


def titles(app: AppTest) -> str:
    """The panels' titles, and whatever else is written into the picture."""
    return " ".join(note["text"] for note in spec(app)["layout"]["annotations"])


def test_the_strongest_attack_is_announced_and_one_click_away(day: Day) -> None:
    app = opened()
    found = strongest(day)
    assert strongest_words(found, False) in said(app)
    press(app, "Let her know what everyone else used")
    assert app.segmented_control(key=key(app, "attacker:knows")).value == "others"
    assert strongest_words(found, True) in said(app)
    press(app, "Back to the model only")
    assert app.segmented_control(key=key(app, "attacker:knows")).value == "model"


def test_what_a_rate_without_noise_tells_is_shared_by_all_budgets() -> None:
    """One key serves every ε: nothing about such a rate may depend on it."""
    for preset in PRESETS.values():
        few = preset.replace(households=20)
        low, high = (simulate(few.replace(epsilon=epsilon)) for epsilon in (0.05, 3.0))
        for name in (name for name, mechanism in REGISTRY.items() if not mechanism.adds_noise):
            np.testing.assert_array_equal(low.release[name].rate, high.release[name].rate)
    assert without_budget(SMALL) == without_budget(SMALL.replace(epsilon=3.0))
    assert without_budget(SMALL) != without_budget(SMALL.replace(seed=1))


def test_play_and_stop_on_the_page() -> None:
    app = opened()
    app.button(key="attacker:play").click().run()
    assert "Truth at 00:00" in metrics(app)
    began = link_of(app)
    lab_of(app).memo["attacker:cursor"].ticked -= Clock.seconds
    app.run()
    assert "Truth at 00:30" in metrics(app)
    assert link_of(app) == began, "not an entry of the browser's history for every tick"
    assert app.select_slider(key=key(app, "slider:Time")).disabled
    app.button(key="attacker:stop").click().run()
    assert link_of(app) == began | {"step": "2"}
    assert not app.select_slider(key=key(app, "slider:Time")).disabled
    lab_of(app).memo["attacker:cursor"].ticked -= Clock.seconds
    app.run()
    assert "Truth at 00:30" in metrics(app)


@pytest.mark.slow
def test_how_well_shows_the_day_on_screen_at_once_and_many_days_when_asked() -> None:
    app = opened("How well does she do?", households="3", step_minutes="60")
    first = app.table[0].value
    assert list(first.index) == ["Optimal", "Blowfish", "The model alone"]
    enter(app, "attacker:days", 2)
    finish(app, "attack")
    result = attack(SMALL.replace(households=3, step_minutes=60), 2)
    pd.testing.assert_frame_equal(app.table[0].value, scores_frame(result, "evidence"))
    assert list(app.table[0].value.index) == [*(m.label for m in REGISTRY.values()), "The model alone"]
    score = result.scores["naive"].accuracy
    assert app.table[0].value.loc["Naive", "Right guesses"] == (
        f"{score.value:.2%} ({score.low:.2%} – {score.high:.2%})"
    )
    curves = {trace["name"].split(",")[0] for trace in spec(app)["data"]}
    assert crossing_words(result) in said(app)
    assert {m.label for m in REGISTRY.values()} < curves
    app.segmented_control(key=key(app, "attacker:curve")).set_value("belief").run()
    assert not app.exception
    assert any(trace["name"].startswith("The model alone") for trace in spec(app)["data"])


def test_of_an_attack_that_is_stopped_the_days_so_far_are_kept() -> None:
    app = opened("How well does she do?", households="3", step_minutes="60")
    enter(app, "attacker:days", 1000)
    app.button(key="start:attack").click().run()
    job = lab_of(app).memo["job:attack"]
    while job.result is None or job.result.days < 2:
        assert job.running
        time.sleep(0.005)
    app.run()
    assert "as bands, 95 % intervals over days" in said(app), "while it runs"
    app.button(key="stop:attack").click().run()
    while job.running:
        time.sleep(0.005)
    app.run()
    assert "what was finished is kept" in said(app)
    assert f"Days: {job.result.days}." in said(app)
    assert list(app.table[0].value.index) == [*(m.label for m in REGISTRY.values()), "The model alone"]


def test_the_limit_is_drawn_and_only_the_unprotected_rate_exceeds_it() -> None:
    days = 12
    result = attack(SMALL, days, adversary="insider")
    *bands_and_rates, limit = roc_figure(result, "evidence").figure.data
    rates = [trace for trace in bands_and_rates if trace.name]
    np.testing.assert_array_equal(limit.y, roc_ceiling(SMALL.epsilon, FALSE_ALARMS))
    above = {t.name.split(",")[0]: float(np.max(np.subtract(t.y, limit.y))) for t in rates}
    # All houses of a step share its noise, so steps are the sample: by Dvoretzky, Kiefer and Wolfowitz each
    # of the two shares is off by more than this with chance 1e-3; the limit is at most e^ε steep.
    off = np.sqrt(np.log(2 / 1e-3) / (2 * days * SMALL.steps))
    tolerance = off * (1 + np.exp(SMALL.epsilon))
    assert above.pop("Optimal") > 2 * tolerance
    assert max(above.values()) < tolerance


def test_the_street_is_every_house_with_the_truth_on_top(day: Day) -> None:
    app = opened("The street")
    seen = posterior(day, "blowfish")
    truth = replay_houses(day.street_day.spec, day.street, range(30))[0]
    order = np.argsort(-seen.exposure, kind="stable")
    assert spec(app)["layout"]["yaxis"]["ticktext"] == [str(house) for house in order]
    app.toggle(key=key(app, "attacker:sort")).set_value(False).run()
    assert spec(app)["layout"]["yaxis"]["ticktext"] == [str(house) for house in range(30)]
    app.toggle(key=key(app, "attacker:truth")).set_value(False).run()
    assert len(spec(app)["data"]) == 1
    app.toggle(key=key(app, "attacker:gain")).set_value(True).run()
    assert not app.exception
    figure = street_figure(day, seen, order, truth).figure
    np.testing.assert_allclose(figure.data[0].z, seen.belief.T[order], atol=0.0006)
    hours = (figure.data[1].x - figure.data[0].x[0]) / np.timedelta64(1, "h")
    drawn = np.zeros((30, 96), dtype=bool)
    stretches = zip(np.reshape(hours, (-1, 3)), np.reshape(figure.data[1].y, (-1, 3)), strict=True)
    for (start, end, _), (row, same, gap) in stretches:
        assert row == same
        assert gap is None
        drawn[int(row), round(start * 4) : round(end * 4)] = True
    np.testing.assert_array_equal(drawn, truth.T[order])


def test_a_longer_street_shows_the_first_houses_until_all_are_asked_for() -> None:
    app = opened("The street", households="60")
    assert len(spec(app)["layout"]["yaxis"]["ticktext"]) == FIRST
    app.toggle(key=key(app, "attacker:all")).set_value(True).run()
    assert len(spec(app)["layout"]["yaxis"]["ticktext"]) == 60


def test_the_audit_is_the_engines_exactly_and_by_experiment(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short experiment: the usual one takes a second, and here it is made twice."""
    assert audit_page.DAYS == (DEFAULT, 4 * DEFAULT, 16 * DEFAULT)
    monkeypatch.setattr(audit_page, "DAYS", (FEW, 2 * FEW))
    app = opened("The audit")
    exact = exact_losses(day)
    table = app.table[0].value
    pd.testing.assert_frame_equal(table, spent_frame(day, exact))
    assert table.loc["Optimal", "Spent"] == "∞"
    assert table.loc["Optimal", "By house (bounds)"] == "30 alike"
    assert table.loc["Calibrated", "Spent"] == f"{exact['calibrated'].spent.max():.3g}" == "0.5"
    setter = exact["calibrated"].setter
    assert str(table.loc["Calibrated", "By house (bounds)"]).startswith(f"{setter} (")
    finish(app, "audit")
    proved = trial(SMALL, n=FEW, street_day=day.street_day)
    pd.testing.assert_frame_equal(app.table[1].value, proofs_frame(proved))
    assert power_words(proved, FEW) in [element.value for element in app.caption]
    assert [element.value for element in app.success] == [
        "No promise is broken, neither exactly nor by experiment."
    ]


def test_the_ledger_adds_up_and_says_what_it_means() -> None:
    app = opened("The audit", epsilon="0.25")
    app.select_slider(key=key(app, "slider:Used so far, at")).set_value(39).run()
    text = said(app)
    assert "By 09:45, after 40 rates, **ε·t = 10** of ε·T = 24" in text
    assert "$e^ε = 1.28$" in text
    assert "2.6·10^{10}" in text  # e^24
    assert "The promise is about single rates" in text
    quarter = simulate(SMALL.replace(epsilon=0.25))
    assert account_words(quarter, privacy_account(quarter, exact_losses(quarter)["blowfish"]), 39) in text
    assert "Calibrated, at worst" in {trace["name"] for trace in spec(app)["data"]}


def test_the_audit_says_what_the_promise_does_not_cover() -> None:
    text = said(opened("The audit"))
    assert all(limit in text for limit in LIMITS)


def test_one_click_shrinks_the_street_and_one_brings_it_back() -> None:
    app = opened()
    enter(app, "attacker:house", 20)
    press(app, "Shrink to 5 houses")
    assert not app.exception
    assert scenario_of(app).households == 5
    assert app.selectbox(key=key(app, "rate")).value == "optimal"
    assert number(app, "attacker:house")["text"] == ""  # there is no house 20 any more
    seen = posterior(simulate(SMALL.replace(households=5)), "optimal")
    proofs = int(np.isinf(seen.log_likelihood_ratio[:, seen.exposure.argmax()]).sum())
    assert proofs > 1
    assert f", {proofs} proofs" in titles(app)
    assert "Blowfish: right" in titles(app)
    assert "no proof" in titles(app)
    press(app, "Back to 30 houses")
    assert scenario_of(app) == SMALL
    assert app.selectbox(key=key(app, "rate")).value == "blowfish"


def test_of_a_single_house_nothing_is_averaged() -> None:
    said = " ".join(each.value for each in opened(households="1").markdown)
    assert "**House 0**" in said
    assert "houses she follows" not in said


def test_a_street_too_long_to_follow_is_said_and_one_house_is_followed() -> None:
    count = QUICK + 1
    app = opened(households=str(count))
    long = simulate(SMALL.replace(households=count))
    house = int(np.abs(long.street.occupied_bound - long.street.empty_bound).argmax())
    seen = posterior(long, "blowfish", house=house)
    assert any("she follows one house" in element.value for element in app.caption)
    assert metrics(app)["Blowfish: she says"][0] == f"{seen.belief[-1, 0]:.1%} occupied"
    assert app.segmented_control(key=key(app, "attacker:knows")).options == list(KNOWS.values())
    for tab, shows in TABS.items():
        open_tab(app, "attacker:tab", tab)
        (figure,) = app.get("plotly_chart")
        assert figure.proto.id.endswith(f"-{shows}")


def test_where_the_model_only_takes_too_long_it_is_not_offered() -> None:
    app = opened(households=str(LONGEST + 1))
    assert app.segmented_control(key=key(app, "attacker:knows")).options == [KNOWS["insider"]]
    assert "Beyond 100,000 she always knows everyone else's consumption." in said(app)
    long = simulate(SMALL.replace(households=LONGEST + 1))
    house = int(np.abs(long.street.occupied_bound - long.street.empty_bound).argmax())
    seen = posterior(long, "blowfish", adversary="insider", house=house)
    assert metrics(app)["Blowfish: she says"][0] == f"{seen.belief[-1, 0]:.1%} occupied"


def test_she_judges_by_the_rates_so_far_or_by_the_whole_day() -> None:
    app = opened(households="5", step_minutes="60")
    enter(app, "attacker:house", 3)
    five = simulate(SMALL.replace(households=5, step_minutes=60))
    app.select_slider(key=key(app, "slider:Time")).set_value(10).run()
    assert (
        metrics(app)["Blowfish: she says"][0] == f"{posterior(five, 'blowfish').belief[10, 3]:.1%} occupied"
    )
    assert metrics(app)["Blowfish: she says"][1].endswith("so far")
    app.segmented_control(key=key(app, "attacker:horizon")).set_value("whole day").run()
    whole = posterior(five, "blowfish", inference="smoothing").belief
    assert metrics(app)["Blowfish: she says"][0] == f"{whole[10, 3]:.1%} occupied"
    assert metrics(app)["Blowfish: she says"][1].endswith("up to here")
    app = opened("How well does she do?", households="5", step_minutes="60", horizon="whole day")
    assert "judges by the whole day" in said(app)
    occupied = replay_houses(five.street_day.spec, five.street, range(5))[0]
    right = float(((whole > 0.5) == occupied).mean())
    assert app.table[0].value.loc["Blowfish", "Right guesses"] == f"{right:.2%}"


def test_which_filter_is_at_work_is_said_with_what_the_limit_leaves_out() -> None:
    for houses, at_work in (("5", "Her belief is exact"), ("30", "Measured against the exact filter on 8")):
        for tab in ("One house", "How well does she do?"):
            app = opened(tab, households=houses)
            assert at_work in said(app)
            assert "Read together with the earlier rates, one rate can reveal more than ε" in said(app)


def test_of_several_models_the_worst_is_named_and_another_can_be_picked() -> None:
    app = opened(preset="unsure curator")
    unsure = scenario_of(app)
    seen = posterior(simulate(unsure), "blowfish")
    assert f"She believes the model **{seen.model}**." in said(app)
    other = next(name for name in unsure.model_names if name != seen.model)
    app.selectbox(key=key(app, "attacker:model")).set_value(other).run()
    picked = posterior(simulate(unsure), "blowfish", model=other)
    column = int(picked.exposure.argmax())
    assert f"She believes the model **{other}**." in said(app)
    assert metrics(app)["Blowfish: she says"][0] == f"{picked.belief[-1, column]:.1%} occupied"


def test_it_works_for_several_days_and_several_models() -> None:
    for link in ({"preset": "unsure curator"}, {"days": "2"}):
        app = opened(**link)
        for tab, shows in TABS.items():
            open_tab(app, "attacker:tab", tab)
            (figure,) = app.get("plotly_chart")
            assert figure.proto.id.endswith(f"-{shows}")


def test_a_broken_promise_is_said_in_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_page, "broken", lambda exact, proved: ["Naive", "Blowfish"])
    app = opened("The audit", households="5")
    assert [error.value for error in app.error] == ["Promise broken: Naive, Blowfish."]
    assert not app.success


def test_back_from_few_houses_brings_the_list_of_houses_back() -> None:
    group = Scenario().groups[0].name
    houses = [House(name=f"Lane {i}", group=group, occupied=i / 10, empty=0.1) for i in range(1, 8)]
    listed = edit.with_houses(Scenario(), houses)
    app = opened(**to_link(listed))
    assert scenario_of(app) == listed
    press(app, "Shrink to 5 houses")
    assert scenario_of(app).houses is None
    press(app, "Back to 7 houses")
    assert scenario_of(app) == listed
