"""`make class`: the address is shown, its code says the same, and the server listens on the network."""

import sys

import pytest
import segno

from scripts import classroom

URL = "http://192.168.1.7:8600"


def test_the_address_and_its_code_are_shown_and_the_lab_listens_on_the_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(classroom, "get_internal_ip", lambda: "192.168.1.7")
    monkeypatch.setattr("os.execv", lambda program, command: started.append([program, *command]))
    monkeypatch.setenv("RTP_PORT", "8600")
    monkeypatch.chdir("/")
    classroom.main(["--server.maxUploadSize=2"])
    shown = capsys.readouterr().out
    assert f"    {URL}\n" in shown
    segno.make(URL, micro=False).terminal(compact=True)
    assert shown.endswith(capsys.readouterr().out + "\n")
    (command,) = started
    assert command[:2] == [sys.executable, sys.executable]
    assert {"--server.address=0.0.0.0", "--server.port=8600", "--server.maxUploadSize=2"} <= set(command)


@pytest.mark.parametrize("here", [None, "127.0.0.1"])
def test_without_a_network_it_says_so(here: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "get_internal_ip", lambda: here)
    with pytest.raises(SystemExit, match="in no network"):
        classroom.main([])
