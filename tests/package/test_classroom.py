"""`make class`: the lab listens on the network and is warm before its address and code are shown."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scripts import classroom
from scripts.serve import healthy
from tests.help.root import ROOT

ADDRESS = "192.168.1.7"


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "own_address", lambda: None)
    with pytest.raises(SystemExit, match="in no network"):
        classroom.main(8501)


SCRIPT = """
import streamlit as st
from pathlib import Path
stop = st.select_slider("ε", ["1", "2", "3"], key="slider:epsilon")
with Path(__file__).with_suffix(".txt").open("a") as file:
    print(stop, file=file)
"""
CLASS = f"""
import sys
from pathlib import Path
from scripts import classroom
classroom.own_address, classroom.screen_names = lambda: "{ADDRESS}", lambda: ["", ""]
sys.exit(classroom.main(int(sys.argv[2]), script=Path(sys.argv[1])))
"""


@contextmanager
def opened(script: Path, port: int) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        [sys.executable, "-c", CLASS, str(script), str(port)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def read_until(process: "subprocess.Popen[str]", words: str) -> None:
    assert process.stdout is not None
    while words not in (line := process.stdout.readline()):
        assert line, "it ended"


@pytest.mark.long
def test_the_address_is_shown_when_all_screens_have_run(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with opened(script, port) as lab:
        read_until(lab, f"http://{ADDRESS}:{port}")
        assert script.with_suffix(".txt").read_text().split() == [*"111", *"123"], "two screens, every stop"
        with opened(script, port) as second:
            printed, _ = second.communicate(timeout=60)
        assert second.returncode == 1
        assert f"Port {port} is taken" in printed
    assert lab.returncode == 0
    assert not healthy(f"http://127.0.0.1:{port}")
