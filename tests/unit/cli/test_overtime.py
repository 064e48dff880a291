"""The command `overtime` prints what `rtp.leakage` and `rtp.exposure` find."""

from functools import partial
from pathlib import Path

import pytest

from rtp import PRESETS, simulate
from rtp.cli import overtime
from rtp.cli.main import main
from rtp.decision import OBSERVERS
from rtp.exposure import Secret, exposure
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.crowd import noise_still_needed, scale_text
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, private
from rtp.output.exposure import share, where
from tests.help.few import few

pytestmark = pytest.mark.slow

JOINER = "\u00a0"
TINY = ["overtime", "--preset", "tiny street"]


def rows(out: str, name: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]


@pytest.mark.long
def test_the_worst_moment_of_every_mechanism_and_the_budget_of_a_leak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*TINY, "--leak", "1"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"])
    for name in REGISTRY:
        leak = moment_leakage(day, name)
        assert rows(out, name)[0][1:3] == [f"{leak.so_far.max():.4g}", f"{leak.worst:.4g}"]
        assert rows(out, name)[0][5] == f"{leak.theorem_2:.4g}"
    for name in private():
        assert rows(out, name)[1][1] == f"{epsilon_for_moment(day.scenario, name, 1.0).epsilon:.4g}"


def test_a_house_by_name_or_number_and_a_leak_out_of_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "houses.csv"
    table.write_text("house,group,occupied,empty\nMill,Households,1.2,0.1\nInn,Households,0.8,0.2\n")
    told = []
    for house in ("Inn", "1"):
        assert main(["overtime", "--street", str(table), "--house", house, "--leak", "1e-9"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert rows(told[0], "naive")[0][4] == "Inn"
    assert "reach" in rows(told[0], "naive")[1]


@pytest.mark.parametrize("secret", few(["moment", "day", "week"], "moment"))
def test_a_secret_of_the_worst_house_by_its_exposure(
    secret: Secret, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TINY, "--set", "step_minutes=60", "--secret", secret, "--rarest", "0.2"]) == 0
    out, scenario = capsys.readouterr().out, PRESETS["tiny street"].replace(step_minutes=60)
    for told, observer in enumerate(OBSERVERS, start=1):
        found = exposure(scenario, secret, observer, rarest=0.2)
        for name in ("optimal", "blowfish"):
            row = " ".join(rows(out, name)[told])
            assert share(found.at(name)).replace(JOINER, " ") in row.replace(JOINER, " ")
            assert where(found.worst(name), scenario, secret, first=0) in row


def test_a_crowd_and_a_total(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overtime, "noise_still_needed", partial(noise_still_needed, sizes=(5,)))
    assert main([*TINY, "--set", "step_minutes=60", "--crowd", "1e-3", "--total", "2"]) == 0
    out, day = capsys.readouterr().out, simulate(PRESETS["tiny street"].replace(step_minutes=60))
    (scale,) = noise_still_needed(day, 0.5, 1e-3, sizes=(5,)).scale
    assert rows(out, "5")[-1] == ["5", scale_text(scale, 4)]
