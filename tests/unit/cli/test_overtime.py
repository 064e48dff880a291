"""The command `overtime` prints what `rtp.leakage` finds."""

from functools import partial
from pathlib import Path

import pytest

from rtp import PRESETS, simulate
from rtp.cli import overtime
from rtp.cli.main import main
from rtp.core.formatting import plain
from rtp.core.time import when
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.composition import compositions
from rtp.leakage.crowd import noise_still_needed, scale_text
from rtp.leakage.detection import detect_daily
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, private
from rtp.metrics import error_lines

pytestmark = pytest.mark.slow

TINY = ["overtime", "--preset", "tiny street"]


def rows(out: str, name: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]


@pytest.mark.long
def test_the_worst_moment_of_every_mechanism_and_the_budget_of_a_leak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TINY, "--leak", "1"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"])
    assert out.startswith("5 households, 96 steps, ε = 0.5 per step\n")
    assert "To keep every moment of every house within 1:\n" in out
    for name in REGISTRY:
        found = moment_leakage(day, name)
        row = rows(out, name)[0]
        assert row[1:3] == [f"{found.so_far.max():.4g}", f"{found.worst:.4g}"]
        if found.worst > 0:
            assert row[3:5] == [when(found.step), str(found.house[found.step])]
        else:
            assert row[3:5] == ["–", "–"]
        assert row[5] == f"{found.theorem_2:.4g}"
    for name in private():
        budget = epsilon_for_moment(day.scenario, name, 1.0)
        error, rmsre = error_lines(budget.rmsre, 96)
        cells = f"{name} {budget.epsilon:.4g} {error} {rmsre.removeprefix('RMSRE ')}"
        assert rows(out, name)[1] == cells.split()


def test_one_house_and_a_leak_out_of_reach(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--house", "2", "--leak", "1e-9"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"])
    assert rows(out, "naive")[0][2] == f"{moment_leakage(day, 'naive', 2).worst:.4g}"
    assert rows(out, "naive")[1] == ["naive", "out", "of", "reach", "–", "–"]
    assert rows(out, "forecast")[1][1] == "0"


def test_a_listed_house_is_asked_for_by_name_or_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "houses.csv"
    table.write_text("house,group,occupied,empty\nMill,Households,1.2,0.1\nInn,Households,0.8,0.2\n")
    told = []
    for house in ("Inn", "1"):
        assert main(["overtime", "--street", str(table), "--house", house]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert rows(told[0], "naive")[0][4] == "Inn"
    assert main(["overtime", "--street", str(table), "--house", "Barn"]) == 2
    said = "rtp: house is 'Barn'; it must be the name of a house or its number.\n"
    assert capsys.readouterr().err == said


def test_a_secret_a_crowd_and_the_ways(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overtime, "noise_still_needed", partial(noise_still_needed, sizes=(5, 10)))
    asked = ["--secret", "holiday", "--watch", "1", "--lives", "40", "--crowd", "1e-3", "--total", "2"]
    assert main([*TINY, "--set", "step_minutes=60", *asked]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"].replace(step_minutes=60))
    *_, found = detect_daily(day.scenario, "holiday", 1, repetitions=40)
    row = rows(out, "blowfish")[1]
    assert row[1] == f"{found.by_rate['blowfish', 'insider'].area.value[0]:.3f}"
    assert row[6] == f"{found.by_rate['blowfish', 'outsider'].area.value[0]:.3f}"
    few = noise_still_needed(day, 0.5, 1e-3, sizes=(5, 10))
    for size, scale in zip((5, 10), few.scale, strict=True):
        assert rows(out, str(size))[-1] == [str(size), scale_text(scale, 4)]
    for way in compositions(day.scenario, 2.0):
        assert f"{way.name:<18}{plain(way.noise, 4):>12}" in out


def test_what_threshold_noise_neglects_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--set", "negligible=0.2"]) == 0
    assert "Threshold gives no promise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--house", "x"], "rtp: house is 'x'; it must be a house's number.\n"),
        (["--house", "5"], "rtp: house is 5; it must be a whole number from 0 to 4.\n"),
        (["--leak", "-1"], "rtp: --leak is -1.0; it must be a number above 0.\n"),
        (
            ["--secret", "x"],
            "rtp: --secret is 'x'; it must be one of holiday, working hours, up at night.\n",
        ),
        (
            ["--secret", "holiday", "--watch", "31"],
            "rtp: --watch is 31; it must be a whole number from 1 to 30.\n",
        ),
        (["--total", "0"], "rtp: total is 0.0; it must be a number from 0.001 to 10,000.\n"),
    ],
)
def test_bad_input_is_one_sentence(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TINY, *options]) == 2
    assert capsys.readouterr().err == sentence
