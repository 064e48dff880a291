"""`rtp app` opens the app of this checkout, or of the package, with what its options say and no more."""

import os

import pytest

from rtp.cli.main import NOT_DONE, main
from tests.help.root import ROOT


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What took the process over: its folder, then its arguments."""
    found: list[str] = []

    def execv(_: str, arguments: list[str]) -> int:
        found.extend(arguments[1:])
        return 0

    monkeypatch.delenv("RTP_PORT", raising=False)
    monkeypatch.setattr(os, "chdir", lambda folder: found.append(str(folder)))
    monkeypatch.setattr(os, "execv", execv)
    return found


def test_what_is_not_said_is_left_to_the_settings_beside_the_app(started: list[str]) -> None:
    main(["app"])
    assert started == [str(ROOT), "-m", "streamlit", "run", "app.py"]


def test_the_options_and_what_follows_them_reach_streamlit(started: list[str]) -> None:
    main(["app", "--port", "8600", "--no-browser", "--", "--server.baseUrlPath", "lab"])
    own = ["--server.port=8600", "--server.headless=true", "--server.baseUrlPath", "lab"]
    assert started[5:] == own


def test_a_class_gets_what_make_class_starts(started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RTP_PORT", "8700")
    main(["app", "--class"])
    assert started[1:] == ["-m", "scripts.classroom", "8700"]


def test_a_port_that_is_none_is_refused(started: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for port in ("0", "65536"):
        assert main(["app", "--port", port]) == 2
        assert "--port" in capsys.readouterr().err
    assert not started


def test_without_the_extra_it_says_what_to_install(
    started: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rtp.cli.main.NEEDED", ("streamlit", "surely_missing"))
    assert main(["app"]) == NOT_DONE
    said = capsys.readouterr().err
    assert "rtp-privacy-lab[app]" in said
    assert "surely_missing" in said
    assert not started
