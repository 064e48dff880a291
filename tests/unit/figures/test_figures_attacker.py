"""The observer's figures: beliefs, evidence and its limit, the street, hits and false alarms, the ledger."""

from dataclasses import replace

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.attack.adversary import Posterior, posterior
from rtp.attack.scores import FALSE_ALARMS, roc_ceiling
from rtp.attack.success import Attack, attack, moment_summary
from rtp.audit.exact import exact_losses
from rtp.core.formatting import PLAIN, plain
from rtp.core.types import Bools
from rtp.figures import style
from rtp.figures.attack import (
    FIRST,
    INTERVAL_OPACITY,
    PROOF_NAME,
    belief_figure,
    privacy_account_figure,
    roc_figure,
    street_figure,
)
from rtp.leakage.composition import privacy_account
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from tests.unit.figures.look import axis_titles, hours, hovers, panel_titles, trace, traces

SMALL = Scenario(households=30)
STEP = 50


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(SMALL)


@pytest.fixture(scope="module")
def seen(day: Day) -> Posterior:
    return posterior(day, "blowfish", adversary="insider")


@pytest.fixture(scope="module")
def truth(day: Day) -> Bools:
    return replay_houses(day.street_day.spec, day.street, range(30))[0]


@pytest.fixture(scope="module")
def result() -> Attack:
    return attack(SMALL, 3)


@pytest.fixture(scope="module")
def pair(day: Day, seen: Posterior) -> tuple[Posterior, Posterior]:
    """House 4, from the unprotected and from a private rate."""
    return posterior(day, "optimal", adversary="insider", house=4), seen.only(4)


Pair = tuple[Posterior, Posterior]


def test_two_rates_one_house_one_clock(day: Day, pair: Pair, truth: Bools) -> None:
    figure, words = belief_figure(day, pair, truth[:, 4], STEP)
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis3": "ln of the odds"}
    for name, axis, found in (("unprotected", "y", pair[0]), ("blowfish", "y2", pair[1])):
        belief = trace(figure, f"Her belief, {name}")
        assert belief.y.tolist() == found.belief[: STEP + 1, 0].tolist()
        assert hours(figure, f"Her belief, {name}") == day.hours[: STEP + 1].tolist()
        assert (belief.yaxis or "y", belief.line.color) == (axis, style.mark(found.mechanism).colour)
        bars = trace(figure, f"Evidence, {name}")
        said = [f"{v:+.3f}" if np.isfinite(v) else "proof" for v in found.log_likelihood_ratio[: STEP + 1, 0]]
        assert list(bars.customdata) == said
        assert hours(figure, f"Evidence, {name}") == day.hours[: STEP + 1].tolist()
        assert f"rate her belief is {found.belief[STEP, 0]:.0%}" in words
    for curve in traces(figure, "Truth: occupied"):
        assert curve.y.tolist() == truth[:, 4].tolist()
    for curve in traces(figure, "The model alone"):
        assert curve.y.tolist() == pair[1].model_only[:, 0].tolist()
    assert [c.showlegend for c in traces(figure, "Truth: occupied")] == [True, False]
    assert hovers(figure) == {"%{y:.1%}", "%{customdata}", "proof"}
    limits = [shape.y0 for shape in figure.layout.shapes if shape.line.color == style.LIMIT]
    assert limits == [-0.5, 0.5]
    assert f"House 4 over the day up to 12:30: truth {'occupied' if truth[STEP, 4] else 'empty'}" in words
    assert (
        f"evidence of one step so far {np.abs(pair[1].log_likelihood_ratio[: STEP + 1]).max():.3f}." in words
    )


def test_only_the_unprotected_rate_is_grey_beliefs_without_band(day: Day, pair: Pair, truth: Bools) -> None:
    """Truth, habits, a private belief and proofs each have a hue; no period is shaded behind them."""
    figure = belief_figure(day, pair, truth[:, 4], STEP).figure
    for name in ("Truth: occupied", "The model alone", "Her belief, blowfish"):
        assert {curve.line.color for curve in traces(figure, name)}.isdisjoint({style.GREY})
    assert {curve.marker.color for curve in traces(figure, PROOF_NAME)} == {style.LIMIT}
    assert not [shape for shape in figure.layout.shapes if shape.type == "rect"]


def test_proofs_are_marked_and_counted(truth: Bools) -> None:
    five = simulate(Scenario(households=5))
    exact = posterior(five, "optimal", adversary="insider")
    house = int(np.isinf(exact.log_likelihood_ratio).sum(axis=0).argmax())
    occupied = replay_houses(five.street_day.spec, five.street, [house])[0][:, 0]
    both = exact.only(house), posterior(five, "blowfish", adversary="insider", house=house)
    figure, words = belief_figure(five, both, occupied, 95)
    proved = np.isinf(both[0].log_likelihood_ratio[:, 0])
    stars, none = traces(figure, PROOF_NAME)
    assert proved.sum() > 5
    np.testing.assert_array_equal(stars.y, occupied[proved])  # proof is never wrong
    assert list(none.y) == [None]
    right = moment_summary(both[0], 0, occupied, 95).right
    first, second, third = panel_titles(figure)
    assert first.endswith(f"Unprotected: right {right:.0%}, {proved.sum()} proofs")
    assert second.endswith(", no proof")
    assert third.endswith(f"{np.abs(both[1].log_likelihood_ratio).max():.3f}, limit ±0.5")
    edge = figure.layout.yaxis3.range[1]
    np.testing.assert_array_equal(np.abs(trace(figure, "Evidence, unprotected").y)[proved], edge)
    assert np.abs(trace(figure, "Evidence, blowfish").y).max() <= 0.5 + 1e-9 < edge
    assert "so far proof; from the Blowfish" in words


def test_now_is_marked_until_the_day_is_over(day: Day, pair: Pair, truth: Bools) -> None:
    now = [
        [
            s
            for s in belief_figure(day, pair, truth[:, 4], step).figure.layout.shapes
            if s.line.color == style.GREY
        ]
        for step in (STEP, 94, 95)
    ]
    assert [[shape.x0[11:] for shape in each] for each in now] == [["12:30"], ["23:30"], []]


@pytest.mark.parametrize("gain", [False, True])
def test_the_street_shows_beliefs_or_what_the_rates_added(
    day: Day, seen: Posterior, truth: Bools, gain: bool
) -> None:
    order = np.arange(30)[::-1]
    figure, words = street_figure(day, seen, order, truth, gain)
    heat = figure.data[0]
    shown = seen.belief - seen.model_only if gain else seen.belief
    reach = float(np.abs(shown).max()) if gain else 1.0
    np.testing.assert_allclose(heat.z, shown[:, order].T, atol=0.0006 * reach)  # three digits are sent
    assert hovers(figure) == {"House %{y}, %{x|%H:%M}: %{z:.1%}<extra></extra>"}
    assert (heat.zmin, heat.zmax) == (-reach if gain else 0.0, reach)
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "House"}
    assert list(figure.layout.yaxis.ticktext) == [str(h) for h in order]
    assert figure.layout.yaxis.showticklabels
    assert words == (
        f"Heat map of 30 houses by time of day. First is house 29, of which the rates shift her belief by "
        f"{seen.exposure[29]:.1%} on average."
    )
    assert len(street_figure(day, seen, order, None, gain).figure.data) == 1


def test_where_the_rates_add_nothing_the_scale_is_still_one(day: Day) -> None:
    nothing = posterior(day, "forecast", adversary="insider")
    heat = street_figure(day, nothing, np.arange(3), None, gain=True).figure.data[0]
    assert (heat.zmin, heat.zmax) == (-1.0, 1.0)


@pytest.mark.parametrize(("added", "ticks"), [(0.0625, ".1%"), (0.125, ".0%")])
def test_small_gains_have_a_scale_of_their_own(seen: Posterior, day: Day, added: float, ticks: str) -> None:
    moved = replace(seen, belief=seen.model_only + added)
    (heat,) = street_figure(day, moved, np.arange(3), None, gain=True).traces
    assert (heat["zmin"], heat["zmax"]) == pytest.approx((-added, added))
    assert heat["colorbar"] == {"tickformat": ticks, "thickness": 12}


def test_a_line_runs_while_a_house_is_occupied(day: Day, seen: Posterior, truth: Bools) -> None:
    order = np.arange(30)[::-1]
    figure = street_figure(day, seen, order, truth).figure
    steps = np.array(hours(figure, "Truth: occupied")) * 4
    drawn = np.zeros((30, 96), dtype=bool)
    for (start, end, _), (row, _, gap) in zip(
        steps.reshape(-1, 3), figure.data[1].y.reshape(-1, 3), strict=True
    ):
        drawn[int(row), round(start) : round(end)] = True
        assert gap is None
    np.testing.assert_array_equal(drawn, truth.T[order])


def test_many_houses_are_not_named() -> None:
    day = simulate(Scenario(households=FIRST + 1))
    seen = posterior(day, "blowfish", adversary="insider")
    assert not street_figure(day, seen, np.arange(FIRST + 1), None).layout["yaxis"]["showticklabels"]
    assert street_figure(day, seen, np.arange(FIRST), None).layout["yaxis"]["showticklabels"]
    occupied = np.ones((96, FIRST + 1), dtype=bool)
    for count, width, opacity in ((FIRST, 2, 1.0), (FIRST + 1, 1, 0.4)):
        _, lines = street_figure(day, seen, np.arange(count), occupied).traces
        assert (lines["line"]["width"], lines["opacity"]) == (width, opacity)


def test_hit_rates_are_the_attacks_with_one_rates_limit(result: Attack) -> None:
    figure, words = roc_figure(result, "evidence")
    *drawn, limit = figure.data
    rates = [curve for curve in drawn if curve.name]
    assert limit.name == "Limit of one rate alone at ε = 0.5"
    insider = roc_figure(replace(result, adversary="insider"), "evidence").figure.data[-1]
    assert insider.name == "Limit at ε = 0.5"
    assert limit.y.tolist() == roc_ceiling(0.5, FALSE_ALARMS).tolist()
    for name, score in result.scores.items():
        curve = trace(figure, f"{style.label(name)}, area {float(score.evidence_auc.value):.3f}")
        assert curve.y.tolist() == score.evidence_roc.value.tolist()
        assert curve.x.tolist() == FALSE_ALARMS.tolist()
        assert f"{style.label(name)} {float(score.evidence_auc.value):.3f}" in words
    dashes = [curve.line.dash for curve in rates]
    assert dashes == sorted(dashes, key=_dashed), "solid lines first"
    assert len(rates) == len(REGISTRY)
    assert hovers(figure) == {"%{y:.1%}"}
    assert "over 3 days, what one rate adds" in words


def test_each_curve_carries_its_interval_over_days(result: Attack) -> None:
    for curve in ("evidence", "belief"):
        figure, words = roc_figure(result, curve)
        bands = {band.legendgroup: band for band in figure.data if not band.name}
        assert set(bands) == set(REGISTRY)
        for name, score in result.scores.items():
            hits = score.evidence_roc if curve == "evidence" else score.roc
            high, low = np.split(np.array(bands[name].y), 2)
            np.testing.assert_array_equal(high, hits.high)
            np.testing.assert_array_equal(low[::-1], hits.low)
            assert bands[name].fillcolor == style.rgba(style.mark(name).colour, INTERVAL_OPACITY)
        assert words.endswith("Bands: 95 % intervals over days.")
    one = replace(result, days=1)
    figure, words = roc_figure(one, "evidence")
    assert all(curve.name for curve in figure.data)
    assert words.endswith("one half is guessing.")


def _dashed(dash: str) -> bool:
    return dash != "solid"


def test_habits_included_the_model_alone_takes_the_limits_place(result: Attack) -> None:
    figure, words = roc_figure(result, "belief")
    area = float(result.model.auc.value)
    assert trace(figure, f"The model alone, area {area:.3f}").y.tolist() == result.model.roc.value.tolist()
    for name, score in result.scores.items():
        assert traces(figure, f"{style.label(name)}, area {float(score.auc.value):.3f}")
    assert "over 3 days, her belief, habits included. Areas" in words
    assert axis_titles(figure) == {
        "xaxis": "False positive rate",
        "yaxis": "True positive rate",
    }


def test_the_ledger_holds_promise_worst_loss_and_real_loss(day: Day) -> None:
    exact = exact_losses(day)
    book = privacy_account(day, exact["blowfish"])
    figure, words = privacy_account_figure(day, exact, book)
    # Ninety-six sums of 0.5, a power of two, are exact.
    assert trace(figure, "Promised: ε·t").y.tolist() == (0.5 * np.arange(1, 97)).tolist()
    for name, account in exact.items():
        drawn = traces(figure, f"{style.label(name)}, at worst")
        if np.isinf(account.spent_so_far).any():
            assert not drawn
        else:
            assert drawn[0].y.tolist() == account.spent_so_far.tolist()
        assert f"{style.label(name)} {plain(account.spent_so_far[-1])}" in words
    given = trace(figure, f"Blowfish, really revealed about house {book.house}")
    assert given.y.tolist() == book.given_away.tolist()
    assert "Promised: up to 48." in words
    assert "could have lost at worst" in words
    assert f"really gave away {plain(book.given_away[-1])} about how house {book.house} lived." in words
    assert hovers(figure) == {f"%{{y:{PLAIN}}}"}
    assert axis_titles(figure) == {"xaxis": "Time of day", "yaxis": "ε used so far"}


PIN = style.PinMark("Tight", style.PIN_COLOURS[3])


def test_a_pinned_belief_is_dotted_up_to_the_step(
    day: Day, seen: Posterior, pair: Pair, truth: Bools
) -> None:
    figure = belief_figure(day, pair, truth[:, 4], STEP, {PIN: seen.belief[:, 5]}).figure
    drawn = trace(figure, "Tight: Her belief")
    assert drawn.y.tolist() == seen.belief[: STEP + 1, 5].tolist()
    assert hours(figure, "Tight: Her belief") == day.hours[: STEP + 1].tolist()
    assert (drawn.line.color, drawn.line.dash, drawn.showlegend) == (PIN.colour, style.PINNED_DASH, False)
    assert trace(figure, "Tight").showlegend


def test_a_pinned_score_is_dotted_among_the_rates(result: Attack) -> None:
    score = result.scores["naive"]
    figure = roc_figure(result, "evidence", {PIN: score}).figure
    drawn = trace(figure, f"Tight, area {float(score.evidence_auc.value):.3f}")
    assert drawn.y.tolist() == score.evidence_roc.value.tolist()
    assert (drawn.line.color, drawn.line.dash, drawn.showlegend) == (PIN.colour, style.PINNED_DASH, True)
