"""The command `audit` says what is broken, and why, where no experiment gives a reason."""

from dataclasses import replace

import pytest

from rtp.cli.main import main
from rtp.mechanisms import REGISTRY
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
