"""What tests of a sweep's file share."""

import json
from pathlib import Path

import pytest

from tests.unit.sweep.files import CHUNK, SPEC


@pytest.fixture
def short_units(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in ("run", "store"):
        monkeypatch.setattr(f"rtp.sweep.{room}.CHUNK", CHUNK)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(SPEC), encoding="utf-8")
    return path
