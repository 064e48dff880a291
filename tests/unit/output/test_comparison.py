"""Scenarios side by side."""

import numpy as np
import pytest

from rtp import PRESETS, Scenario, simulate
from rtp.attack.adversary import largest_gap, posterior
from rtp.core.formatting import percent, plain
from rtp.mechanisms import REGISTRY, private
from rtp.output import comparison
from rtp.output.comparison import insider_words, result_rows, setting_rows, side_by_side
from rtp.scenario.describe import Difference, differences
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from tests.help.rows import row

SMALL = Scenario(households=40)


@pytest.fixture(scope="module")
def days() -> list[Day]:
    return [simulate(SMALL), simulate(SMALL.replace(epsilon=0.1)), simulate(PRESETS["tiny street"])]


def test_the_table_has_what_differs_and_what_comes_of_it(days: list[Day]) -> None:
    table = side_by_side(["Now", "Tight", "Tiny"], days)
    assert list(table.columns) == ["Now", "Tight", "Tiny"]
    assert row(table, "ε — privacy budget per step")[:2] == ["0.5", "0.1"]
    for name in private():
        assert row(table, f"Error, {REGISTRY[name].label}") == [
            percent(day.release[name].error) for day in days
        ]
    assert row(table, "Mean noise scale, Naive") == [
        plain(float(day.release["naive"].scale.mean())) for day in days
    ]


def test_the_insider_is_exact_and_less_noise_tells_her_more(days: list[Day]) -> None:
    told = {row.setting: row.values for row in result_rows(days)}
    for day, moved, right in zip(
        days, told["Insider: belief moves by"], told["Insider: right guesses"], strict=True
    ):
        seen = posterior(day, "blowfish", adversary="insider")
        column = largest_gap(day.street)
        occupied = seen.belief[:, column]
        assert moved == percent(float(np.abs(occupied - seen.model_only[:, column]).mean()))
        lived = replay_houses(day.street_day.spec, day.street, [column])[0][:, 0]
        hers, alone = (
            np.where(guess == 0.5, 0.5, (guess > 0.5) == lived).mean()
            for guess in (seen.belief[:, column], seen.model_only[:, column])
        )
        assert right == f"{percent(hers)} (the model alone {percent(alone)})"
    loose, tight = (float(moved.split(" ")[0]) for moved in told["Insider: belief moves by"][:2])
    assert loose > tight


def test_many_settings_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = PRESETS["mixed street"]
    other = mixed.replace(
        models=tuple(
            model.replace(habits=tuple(h.replace(initial_occupied=0.123) for h in model.habits))
            for model in mixed.models
        ),
        **{"households": 40, "days": 2, "epsilon": 0.1, "alpha": 2.0, "beta": 1.0, "seed": 9},
        inelastic_demand=1.0,
        elasticity=0.5,
        reference_rate=5.0,
        habit_spread=0.05,
        habit_clip="closed",
    )
    days = [simulate(mixed.replace(households=40)), simulate(other)]
    every = differences([day.scenario for day in days])
    assert setting_rows(days)[:-1] == every[:12]
    assert setting_rows(days)[-1].values == ("", "")
    monkeypatch.setattr(comparison, "MAX_SETTINGS", len(every) - 3)
    assert setting_rows(days) == [*every[:-3], Difference("… and 3 more settings", ("", ""))]
    monkeypatch.setattr(comparison, "MAX_SETTINGS", len(every) - 1)
    assert setting_rows(days)[-1].setting == "… and 1 more setting"
    monkeypatch.setattr(comparison, "MAX_SETTINGS", len(every))
    assert setting_rows(days) == every


def test_what_the_insider_knows_is_said() -> None:
    assert insider_words("naive") == (
        "The insider sees the Naive rates, knows what everyone else used, and looks at the house whose mean "
        "use differs most between its states; her belief is exact."
    )
