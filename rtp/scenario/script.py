"""A scenario as a file to take away: JSON, or a short Python program. Both say which lab made them."""

import json

from rtp.scenario.link import HOUSES, NESTED, differences
from rtp.scenario.model import LAB_KEY, Scenario
from rtp.scenario.origin import origin_words
from rtp.scenario.presets import DEFAULT_PRESET


def to_file(scenario: Scenario) -> str:
    """JSON that `Scenario.from_json` reads again."""
    return json.dumps(
        {LAB_KEY: origin_words(scenario), **scenario.model_dump(mode="json")}, indent=2, ensure_ascii=False
    )


ERRORS = """for name, release in day.release.items():
    error, expected = percent(release.error), percent(release.expected_error)
    print(f"{name:>10}  error {error}, expected {expected}; RMSRE {plain(release.rmsre, 7)}")"""


def start(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """The line of Python that makes this very scenario, as `scenario`."""
    changed = differences(scenario, preset)
    if set(changed) & {*NESTED, HOUSES}:
        return f"scenario = rtp.Scenario.from_json({scenario.to_json(indent=None)!r})"
    changes = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"scenario = rtp.PRESETS[{preset!r}]" + (f".replace({changes})" if changes else "")


def to_script(scenario: Scenario, preset: str = DEFAULT_PRESET) -> str:
    """A short Python program that runs this very scenario again."""
    return f"""# RTP Privacy Lab {origin_words(scenario)}.
# The same numbers again, from any folder where `import rtp` works.
import rtp
from rtp.core.formatting import percent, plain

{start(scenario, preset)}
day = rtp.simulate(scenario)
{ERRORS}
"""
