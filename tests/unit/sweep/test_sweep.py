"""Sweeps: the numbers of a loop over days, one luck for all points, the same on any executor."""

import os
import signal
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtp import PRESETS, Scenario, simulate
from rtp.core.workers import WorkerPool
from rtp.money.bills import bills, profit_and_mismatch
from rtp.sweep.measures import MEASURES, Part, add_days, part_of
from rtp.sweep.run import day_seed, sweep
from tests.unit.cli.test_learn import assert_the_same_there
from tests.unit.sweep.files import CHUNK, MECHANISMS, equal, finished

pytestmark = pytest.mark.usefixtures("short_units")

SMALL = Scenario(households=30, beta=10.0, step_minutes=60)
GRID: dict[str, Any] = {"epsilon": [0.2, 1.0], "households": [10, 30], "elasticity": [0.0, 0.7]}


@pytest.mark.long
@pytest.mark.parametrize(
    "scenario", [SMALL, PRESETS["mixed street"].replace(households=40, days=2, elasticity=0.5)]
)
def test_means_are_those_of_a_loop_over_simulated_days(scenario: Scenario) -> None:
    """The slow twin: simulate day after day, with the public functions that pages use."""
    days = 4
    part = finished(sweep(scenario, {"epsilon": [0.3, 2.0]}, days))[1]
    for m, name in enumerate(MECHANISMS):
        measured: dict[str, list[float]] = {measure: [] for measure in MEASURES}
        for k in range(days):
            day = simulate(scenario.replace(epsilon=2.0, seed=day_seed(scenario.seed, k)))
            release, paid = day.release[name], bills(day)
            profits = {
                each: profit_and_mismatch(of.demand, of.rate, day.market.tariff)
                for each, of in day.release.items()
            }
            profit, mismatch = profits[name]
            measured["rmsre"].append(release.rmsre)
            measured["scale"].append(float(release.scale.mean()))
            measured["protected"].append(float(release.protected.mean()))
            measured["peak_demand"].append(float(release.demand.max()))
            measured["profit"].append(float(profit) / scenario.days)
            measured["loss"].append(float(profits["optimal"][0] - profit) / scenario.days)
            measured["mismatch"].append(float(mismatch) / scenario.days)
            measured["bill"].append(float(paid[name].mean()) / scenario.days)
            measured["bill_change"].append(float((paid[name] - paid["optimal"]).mean()) / scenario.days)
        for k, (measure, values) in enumerate(measured.items()):
            close = pytest.approx(np.mean(values), rel=1e-9, abs=1e-9)
            assert part.mean[m, k] == close, (name, measure)
            low, high = (end[m, k] for end in part.interval())
            assert (low + high) / 2 == close
            half = (
                3.182446 * np.std(values, ddof=1) / np.sqrt(days)
            )  # Student's 97.5 % with 3 degrees of freedom
            assert (high - low) / 2 == pytest.approx(half, rel=1e-6, abs=1e-9)


@pytest.mark.long
def test_they_are_in_processes_which_leave_ctrl_c_to_their_parent_and_one_that_dies_is_noticed(
    tmp_path: Path,
) -> None:
    """One test, because processes take seconds to start. Workers that outlive their parent are looked for
    where it is killed, in test_sweep_killed."""
    with WorkerPool(2) as pool:
        assert_the_same_there(pool, tmp_path)
        assert equal(
            finished(sweep(SMALL, GRID, CHUNK + 1, executor=pool)), finished(sweep(SMALL, GRID, CHUNK + 1))
        )
        assert pool.submit(signal.getsignal, signal.SIGINT).result(timeout=60) == signal.SIG_IGN
        with pytest.raises(BrokenExecutor):
            pool.submit(os._exit, 1).result(timeout=60)


class Backwards(Executor):
    """Runs what it is given in reverse, when somebody waits: the worst order there is."""

    def __init__(self) -> None:
        self.todo: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.todo.append((future, fn, args))
        if len(self.todo) == 4 * 3:
            for waiting, work, given in reversed(self.todo):
                waiting.set_result(work(*given))
        return future


def test_the_order_of_completion_does_not_matter() -> None:
    """A point comes with more and more days, the last time finished."""
    grid = {"households": [5, 6, 7, 8]}
    backwards = list(sweep(SMALL, grid, 3 * CHUNK, executor=Backwards()))
    assert equal(finished(backwards), finished(sweep(SMALL, grid, 3 * CHUNK)))
    days = [result.part.days for result in backwards if result.values == {"households": 5}]
    assert days == [CHUNK, 2 * CHUNK, 3 * CHUNK]


@given(cuts=st.lists(st.integers(1, 20), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_parts_add_up_to_the_mean_and_spread_of_all_days(cuts: list[int], seed: int) -> None:
    days = np.random.default_rng(seed).normal(7, 3, size=(sum(cuts), 2, 3))
    total: Part | None = None
    for some in np.split(days, np.cumsum(cuts)[:-1]):
        total = add_days(total, part_of(some))
    assert total is not None
    np.testing.assert_allclose(total.mean, days.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(total.spread, len(days) * days.var(axis=0), rtol=1e-9, atol=1e-12)
    assert np.isnan(part_of(days[:1]).interval()).all()
