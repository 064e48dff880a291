"""The same scenario gives the same bytes: in another process, with other hashes."""

import hashlib
import os
import subprocess
import sys

import pytest

from rtp import PRESETS, Day, simulate
from tests.help.root import ROOT


def fingerprint(day: Day) -> str:
    """Every byte of what a day says."""
    digest = hashlib.sha256()
    for array in (day.occupancy, day.consumption, day.expected_occupancy, day.street.occupied_bound):
        digest.update(array.tobytes())
    for name, release in day.release.items():
        digest.update(name.encode())
        for field in ("demand", "optimal", "rate", "scale", "protected", "setter"):
            digest.update(getattr(release, field).tobytes())
        digest.update(repr((release.rmsre, release.expected_rmsre)).encode())
    return digest.hexdigest()


SEVERAL = ["mansions", "unsure curator", "elastic demand"]


def fingerprints() -> list[str]:
    return [fingerprint(simulate(PRESETS[name].replace(households=20_000, seed=9))) for name in SEVERAL]


@pytest.mark.long
def test_same_seed_same_bytes_in_another_process() -> None:
    """With other hashes: those of this one are drawn when it starts."""
    code = "from tests.proofs.test_same_bytes import fingerprints; print(*fingerprints())"
    environment = {**os.environ, "PYTHONHASHSEED": "4242", "PYTHONPATH": str(ROOT)}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == fingerprints()
