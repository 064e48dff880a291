"""Start the app in a process of its own, free of the user's settings."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pages.ui.screens import SCREENS

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app.py"


def page_names() -> list[str]:
    """Return what stands in an address for a page, the way into Play too; Explore is ""."""
    names = (re.sub(r"^\d*[_ -]*", "", file.stem) for file in sorted(ROOT.glob("pages/*.py")))
    return ["", *filter(None, names)]


def screen_names() -> list[str]:
    """Return the screens of the menu as they stand in an address."""
    return ["", *(Path(screen.path).stem for screen in SCREENS[1:])]


def healthy(url: str) -> bool:
    """Return whether a server answers there."""
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@dataclass
class Server:
    url: str
    process: subprocess.Popen[bytes]
    log_file: Path

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def check(self) -> None:
        """Raise, with what the server printed, if it has ended."""
        if self.process.poll() is not None:
            raise RuntimeError(f"the app ended with code {self.process.returncode}:\n{self.log()}")


@contextmanager
def serve(
    timeout: float = 60,
    script: Path = APP,
    environment: Mapping[str, str] | None = None,
    command: Callable[[int], Sequence[str]] | None = None,
    folder: Path = ROOT,
) -> Iterator[Server]:
    """Run the app, another script, or what `command` gives for a port, on a free one, in a folder; stop it on
    leaving, or raise if it has died."""
    port = _free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        log_file = Path(home, "log.txt")
        env = {key: value for key, value in os.environ.items() if not key.startswith("STREAMLIT_")}
        env |= {"HOME": home} | dict(environment or {})
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                command(port) if command else streamlit(script, port),
                cwd=folder,
                env=env,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        server = Server(f"http://127.0.0.1:{port}", process, log_file)
        try:
            deadline = time.monotonic() + timeout
            while not healthy(server.url):
                server.check()
                if time.monotonic() > deadline:
                    raise TimeoutError(f"the app did not start in {timeout:g} s:\n{server.log()}")
                time.sleep(0.1)
            yield server
            server.check()
        finally:
            _stop(process)


def streamlit(script: Path, port: int, address: str = "127.0.0.1") -> list[str]:
    """Return the command that serves a script."""
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.address={address}", f"--server.port={port}", "--server.headless=true"]
    return [*command, "--browser.gatherUsageStats=false"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
