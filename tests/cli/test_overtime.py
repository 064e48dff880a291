"""The command `overtime` prints what `rtp.overtime` finds."""

import pytest

from rtp import PRESETS, simulate
from rtp.cli.main import main
from rtp.clock import when
from rtp.mechanisms import REGISTRY, private
from rtp.notation import error_lines
from rtp.overtime.moment import moment
from rtp.overtime.target import epsilon_for_moment

TINY = ["overtime", "--preset", "tiny street"]


def rows(out: str, name: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]


def test_the_worst_moment_of_every_mechanism_and_the_budget_of_a_leak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TINY, "--leak", "1"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"])
    assert out.startswith("5 households, 96 steps, ε = 0.5 per step\n")
    assert "To keep every moment of every house within 1:\n" in out
    for name in REGISTRY:
        found = moment(day, name)
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
        words = f"{name} ε = {budget.epsilon:.4g} expected error {error} ({rmsre})"
        assert rows(out, name)[1] == words.split()


def test_one_house_and_a_leak_out_of_reach(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, "--house", "2", "--leak", "1e-9"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"])
    assert rows(out, "naive")[0][2] == f"{moment(day, 'naive', 2).worst:.4g}"
    assert rows(out, "naive")[1] == ["naive", "out", "of", "reach"]
    assert rows(out, "forecast")[1][1:4] == ["ε", "=", "0"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--house", "5"], "rtp: house is 5; it must be a whole number from 0 to 4.\n"),
        (["--leak", "-1"], "rtp: --leak is -1.0; it must be a number above 0.\n"),
    ],
)
def test_bad_input_is_one_sentence(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TINY, *options]) == 2
    assert capsys.readouterr().err == sentence
