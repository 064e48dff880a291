"""The command `audit`: a row for each mechanism, and which promise is broken."""

from dataclasses import replace

import pytest

from rtp.audit.trial import BALANCED, RELEASES
from rtp.cli.main import main
from rtp.mechanisms import REGISTRY
from rtp.scenario import BOUNDS
from tests.help.plants import NOISES


def _nothing_proved(*_: object, **__: object) -> dict[str, None]:
    return dict.fromkeys(REGISTRY)


def test_noise_that_is_too_narrow_is_the_reason_where_no_experiment_gives_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = NOISES["min for max"](REGISTRY["blowfish"].scale)
    monkeypatch.setitem(REGISTRY, "blowfish", replace(REGISTRY["blowfish"], scale=noise))
    monkeypatch.setattr("rtp.cli.audit.trial", _nothing_proved)
    assert main(["audit", "--set", "households=6", "--mechanism", "blowfish"]) == 1
    row, why, end = [line for line in capsys.readouterr().out.splitlines() if "blowfish" in line]
    assert row.split()[-3:] == ["–", "–", "–"]
    assert [why, end] == ["blowfish: its noise is too narrow.", "Promise broken: blowfish."]


@pytest.mark.slow
def test_a_row_for_each_mechanism_and_no_promise_broken(capsys: pytest.CaptureFixture[str]) -> None:
    few = f"{RELEASES.low:g}"
    assert main(["audit", "--n", few, "--trial-seed", "1", "--set", "households=20"]) == 0
    _, head, *lines = capsys.readouterr().out.splitlines()
    rows = dict(line.split(maxsplit=1) for line in lines[: len(REGISTRY)])
    assert list(rows) == list(REGISTRY)
    assert head.split()[:2] == ["rate", "promised"]
    assert rows["naive"].split()[0] == "0.5"
    assert not any("broken:" in line for line in lines)


@pytest.mark.parametrize(
    ("wrong", "accepted"),
    [
        (["--n", f"{RELEASES.low - 1:g}"], f"from {RELEASES.low:g}"),
        (["--n", f"{RELEASES.low + 1:g}"], f"multiple of {BALANCED}"),
        (["--trial-seed", f"{BOUNDS['seed'].low - 1:g}"], f"{BOUNDS['seed'].high:,.0f}"),
    ],
)
def test_what_cannot_be_tried_is_refused(
    wrong: list[str], accepted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *wrong]) == 2
    out, refused = capsys.readouterr()
    assert out == ""
    assert wrong[0].removeprefix("--") in refused
    assert accepted in refused
