"""`make class`: the address is shown, its code says the same, and the servers listen on the network."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
import segno

from scripts import classroom
from scripts.front import COOKIE
from scripts.serve import serve
from scripts.visitor import visit
from tests.help.aside import run_aside
from tests.help.root import ROOT

URL = "http://192.168.1.7:8600"


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_the_address_and_its_code_are_shown_and_the_lab_listens_on_the_network(
    cores: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(classroom, "get_internal_ip", lambda: "192.168.1.7")
    monkeypatch.setattr("os.execv", lambda program, command: started.append([program, *command]))
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    monkeypatch.setattr("os.environ", os.environ | {"RTP_PORT": "8600"})
    monkeypatch.chdir("/")
    classroom.main(["--server.maxUploadSize=2"])
    shown = capsys.readouterr().out
    assert f"    {URL}\n" in shown
    segno.make(URL, micro=False).terminal(compact=True)
    assert shown.endswith(capsys.readouterr().out + "\n")
    (command,) = started
    assert command[:2] == [sys.executable, sys.executable]
    assert "--server.maxUploadSize=2" in command
    servers = min(cores, classroom.MOST)
    assert int(os.environ["RTP_SERVERS"]) == servers
    if servers == 1:
        assert {"--server.address=0.0.0.0", "--server.port=8600"} <= set(command)
    else:
        assert command[3:6] == ["scripts.servers", "8600", str(servers)]
        assert {"--server.address=127.0.0.1", "--browser.serverPort=8600"} <= set(command)


@pytest.mark.parametrize("here", [None, "127.0.0.1"])
def test_without_a_network_it_says_so(here: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "get_internal_ip", lambda: here)
    with pytest.raises(SystemExit, match="in no network"):
        classroom.main([])


SCRIPT = """
import os
import streamlit as st
st.caption(str(os.getpid()))
st.download_button("File", "of " + str(os.getpid()), "file.txt")
"""


async def sessions(url: str) -> dict[int, set[str]]:
    """Two at once: the process that each is in, and what every server gives for its file."""
    async with visit(url) as one, visit(url) as other:
        found = {}
        for visitor in (one, other):
            await visitor.run()
            said, file = [element for element in visitor.elements if element.WhichOneof("type")]
            path = url + file.download_button.url
            given = [await asyncio.to_thread(fetched, path, number) for number in (0, 1)]
            found[int(said.markdown.body)] = set(given)
        return found


def fetched(url: str, number: int) -> str:
    """What the server of that number gives."""
    request = urllib.request.Request(url, headers={"Cookie": f"{COOKIE}={number}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        return str(error.code)


def awaited(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_two_sessions_run_in_two_processes_which_are_replaced_and_all_end_together(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with serve(command=lambda port: classroom.command(port, 2, [], script)) as server:
        found = run_aside(sessions(server.url))
        first, second = found
        assert found == {first: {f"of {first}", "404"}, second: {f"of {second}", "404"}}
        os.kill(first, signal.SIGKILL)
        awaited(lambda: "has ended (code -9) and is started again" in server.log())
        seen = {second}
        while len(seen) < 2:  # the front may not have heard yet that the first visitors have left
            seen |= run_aside(sessions(server.url)).keys()
        assert first not in seen
    awaited(lambda: not any(Path(f"/proc/{pid}").exists() for pid in seen))


SHARED = """
import sys, threading
main = sys.modules["__main__"]
import scripts.preloaded
from pages.ui.cached import SHELVES, WORKERS
from rtp.scenario import DEFAULT_PRESET, PRESETS
assert sys.modules["__main__"] is main
assert PRESETS[DEFAULT_PRESET].to_json(None) in SHELVES["day"].values, list(SHELVES["day"].values)
assert threading.active_count() == 1 and not WORKERS._threads, threading.enumerate()
"""


@pytest.mark.slow
def test_what_servers_share_is_the_first_screen_and_no_thread_that_a_fork_would_lose() -> None:
    done = subprocess.run([sys.executable, "-c", SHARED], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
