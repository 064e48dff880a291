"""Where something taken away comes from: which lab, which scenario and seed, and when.

A scenario's digest is the start of the SHA-256 of its JSON text: the same scenario, the same digest. With the
scenario itself, from its file or link, the same lab makes the same numbers again; the digest says whether it
is the same scenario.
"""

from datetime import UTC, date, datetime
from hashlib import sha256

from rtp.scenario.model import Scenario
from rtp.version import VERSION

DIGITS = 12


def digest(scenario: Scenario) -> str:
    return sha256(scenario.to_json(None).encode()).hexdigest()[:DIGITS]


def origin(scenario: Scenario, day: date | None = None) -> dict[str, str | int]:
    """As columns of a table."""
    return {
        "lab_version": VERSION,
        "lab_scenario": digest(scenario),
        "lab_seed": scenario.seed,
        "lab_date": str(day or today()),
    }


def origin_words(scenario: Scenario) -> str:
    """As words, after the lab's name."""
    return f"{VERSION} on {today()}; scenario {digest(scenario)}, seed {scenario.seed}"


def today() -> date:
    return datetime.now(UTC).date()
