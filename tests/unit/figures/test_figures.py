"""What single figures do beside showing their numbers: what they hide, fold, mark and count."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.figures.algorithm import beliefs_figure, noise_figure, states_figure
from rtp.figures.attack import PROOF_NAME, TRUTH_NAME, belief_figure, street_figure
from rtp.figures.leakage import price_figure
from rtp.figures.style import Picture, Trace
from rtp.figures.tradeoff import curve_figure
from rtp.leakage.budget import MomentLine, MomentPrice
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.street.simulate import replay_houses
from rtp.teaching.lines import LAST, LineNumber
from rtp.teaching.stage import HouseChange, Stage, open_stage, small_street
from rtp.tradeoff import Curve, Line
from tests.unit.figures.cases import day_of

ASLEEP = HouseChange(away=frozenset({3}))
T = 8
SOME = [UNPROTECTED, "naive", FEATURED]


def named(picture: Picture, name: str) -> list[Trace]:
    return [trace for trace in picture.traces if trace.get("name") == name]


def stage(houses: int, known: tuple[int, ...] = ()) -> Stage:
    return open_stage(small_street(Scenario(), houses), dict.fromkeys(known, ASLEEP))


@pytest.mark.parametrize("houses", [2, 3, 4, 5])
@pytest.mark.parametrize("known", [(), (0,), (0, 1)])
def test_the_cube_shows_states_pairs_and_protected_houses(houses: int, known: tuple[int, ...]) -> None:
    taught = stage(houses, known)
    step = taught.at(T).models[0]
    drawn = states_figure(taught, step, LAST)
    for h in range(houses):
        pairs = [pair for pair in step.neighbours if pair[2] == h]
        assert [len(edges["x"]) for edges in named(drawn, f"House {h + 1}")] == (
            [3 * len(pairs)] if pairs else []
        )
    numbers = {text for trace in drawn.traces for text in trace.get("text", ()) if "<b>" in text}
    assert numbers == {f"<b>{h + 1}</b>" for h in step.protected}
    assert sum(len(trace["x"]) for trace in named(drawn, "Impossible state")) == (~step.possible).sum()
    (filled,) = [trace for trace in drawn.traces if "colorscale" in trace.get("marker", {})]
    np.testing.assert_array_equal(filled["marker"]["color"], step.posterior[step.possible])


def test_nothing_is_shown_before_its_line() -> None:
    taught = stage(4, (0,))
    step = taught.at(T).models[0]
    assert "colorscale" not in str(states_figure(taught, step, LineNumber.PRIOR - 1).traces)
    assert "mpossible" not in str(states_figure(taught, step, LineNumber.POSSIBLE - 1).traces)
    assert not named(states_figure(taught, step, LineNumber.NEIGHBOURS - 1), "House 2")
    assert "<b>" not in str(states_figure(taught, step, LineNumber.PROTECTED - 1).traces)
    assert "posterior" not in str(states_figure(taught, step, LineNumber.POSTERIOR - 1).traces)
    assert not noise_figure(taught, T, LineNumber.OPTIMAL - 1).traces
    assert len(noise_figure(taught, T, LineNumber.OPTIMAL).traces) == 1
    for line, name in ((LineNumber.PRIOR, "Prior"), (LineNumber.POSTERIOR, "Posterior")):
        (dots,) = named(beliefs_figure(taught, step, line - 1), name)
        assert dots["x"] == [None] * 4


def test_proofs_are_stars_at_the_true_state() -> None:
    day = simulate(Scenario(households=5))
    exact = posterior(day, UNPROTECTED, adversary="insider")
    house = int(np.isinf(exact.log_likelihood_ratio).sum(axis=0).argmax())
    occupied = replay_houses(day.street_day.spec, day.street, [house])[0][:, 0]
    private = posterior(day, FEATURED, adversary="insider", house=house)
    picture = belief_figure(day, (exact.only(house), private), occupied, 95)
    stars, none = named(picture, PROOF_NAME)
    proved = np.isinf(exact.log_likelihood_ratio[:, house])
    assert proved.any()
    np.testing.assert_array_equal(stars["y"], occupied[proved])  # proof is never wrong
    assert list(none["y"]) == [None]
    limits = [shape["y0"] for shape in picture.layout["shapes"] if shape.get("yref") == "y3"]
    assert limits == [-day.scenario.epsilon, day.scenario.epsilon]


@pytest.mark.parametrize("gain", [False, True])
def test_the_map_of_a_street_has_beliefs_and_the_truth(gain: bool) -> None:
    day = day_of("tiny street")
    seen = posterior(day, FEATURED, adversary="insider")
    occupied, order = replay_houses(day.street_day.spec, day.street, range(5))[0], np.arange(5)[::-1]
    heat, lines = street_figure(day, seen, order, occupied, gain).traces
    shown = seen.belief - seen.model_only if gain else seen.belief
    np.testing.assert_allclose(heat["z"], shown[:, order].T, atol=6e-4)  # three digits are sent
    starts = np.diff(occupied.astype(int), axis=0, prepend=0) > 0
    assert len(lines["x"]) == 3 * starts.sum()
    assert lines["name"] == TRUTH_NAME
    nothing = posterior(day, "forecast", adversary="insider")
    assert street_figure(day, nothing, order, None, gain=True).traces[0]["zmax"] == 1.0


def test_what_is_not_finite_or_zero_is_not_on_a_logarithmic_axis() -> None:
    leaks = {"naive": (0.2, np.inf), "calibrated": (0.0, 0.5), "forecast": (0.0, 0.0)}
    errors = np.array([0.02, 0.01])
    lines = {name: MomentLine(leak=np.array(leak), rmsre=errors) for name, leak in leaks.items()}
    found = MomentPrice(epsilons=np.array([0.1, 1.0]), lines=lines)
    naive, calibrated, level = price_figure(found, 4, 1.0).traces
    assert (list(naive["x"]), list(calibrated["x"]), list(level["x"])) == ([0.2], [0.5], [0.2, 0.5])
    zero = np.array([0.0, 0.01, np.inf])
    line = Line(expected=zero, low=zero, high=zero + 0.01)
    alone = Curve(epsilons=np.array([0.1, 0.5, 1.0]), days=9, steps=1, lines={"naive": line})
    drawn, now = curve_figure(alone, 0.5, log=True).traces  # and no band
    assert np.isnan(drawn["y"][2])
    assert 0 < min(now["y"]) < max(now["y"]) < np.inf
