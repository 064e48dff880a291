"""Where the repository starts, for tests that read its files or start a process in it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
