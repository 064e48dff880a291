"""How often an observer is right about a secret, at every point of a sweep: as an answer for a feeder says.

It is not sampled day by day: it belongs to the street as it is described (`rtp.decision`), is computed once
for all budgets, and has an interval of its own, which stands in two measures beside it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from rtp.core.types import Floats
from rtp.decision import SECRETS, Wish
from rtp.decision.frontier import Interval, interval_of
from rtp.decision.requirement import described_street
from rtp.decision.sight import NOTHING, REPETITIONS
from rtp.leakage.overview import OBSERVERS
from rtp.mechanisms import REGISTRY
from rtp.scenario import Scenario, must_be_one_of

INTERVAL_ENDS = ("", "_low", "_high")
WISHES = {
    f"{secret} from {observer}": Wish(secret=secret, observer=observer)
    for secret in SECRETS
    for observer in OBSERVERS
}
MAX_STREETS = 16  # whose sights are remembered


def known(secrets: Sequence[str]) -> tuple[str, ...]:
    """Return the secrets, each once; refuses what is none, such as "week from outsider"."""
    for each in secrets:
        must_be_one_of("secrets", each, WISHES)
    return tuple(dict.fromkeys(secrets))


def secret_measures(secrets: Sequence[str]) -> dict[str, str]:
    """Return their measures, by name, in words: the value and the ends of its interval."""
    names: dict[str, str] = {}
    for each in secrets:
        wish = WISHES[each]
        words = f"How often an {wish.observer} is right: {SECRETS[wish.shown]}"
        names |= dict.fromkeys((f"{wish.shown}_{wish.observer}{end}" for end in INTERVAL_ENDS), words)
    return names


def without_ends(names: Iterable[str]) -> list[tuple[int, str]]:
    """Return the places and names of measures that are no end of another's interval."""
    every = list(names)
    ends = {f"{name}{end}" for name in every for end in INTERVAL_ENDS[1:]}
    return [(k, name) for k, name in enumerate(every) if name not in ends]


def with_intervals(names: Sequence[str], means: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the ends of every measure's interval, (mechanisms, measures): those of secrets are measured."""
    low, high = low.copy(), high.copy()
    for k, name in enumerate(names):
        if f"{name}{INTERVAL_ENDS[1]}" in names:
            low[:, k], high[:, k] = means[:, k + 1], means[:, k + 2]
    return low, high


def measure_secrets(scenario: Scenario, epsilons: Sequence[float], secrets: Sequence[str]) -> Floats:
    """Return (E, mechanisms, 3 measures a secret); the scenario's own budget plays no part."""
    table = np.empty((len(epsilons), len(REGISTRY), len(secrets), len(INTERVAL_ENDS)))
    street = described_street(scenario) if secrets else scenario
    for k, each in enumerate(secrets):
        seen = _interval(street, each)
        for m, (name, mechanism) in enumerate(REGISTRY.items()):
            if mechanism.adds_noise:
                table[:, m, k] = seen.right(name, np.array(epsilons)).T
            else:
                table[:, m, k] = seen.without_noise if mechanism.reads_demand else NOTHING
    return table.reshape(len(epsilons), len(REGISTRY), -1)


@lru_cache(maxsize=MAX_STREETS)
def _interval(street: Scenario, secret: str) -> Interval:
    return interval_of(street, WISHES[secret], None, REPETITIONS)
