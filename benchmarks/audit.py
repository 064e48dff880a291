"""What the audit sees: every planted fault, each time; and nothing where there is none.

Twenty audits of every fault at the default size; three hundred of correct code, on all presets and their
options. Seeds are fixed. About ten minutes; `tests/audit` has a part of it.
"""

from collections.abc import Iterator

from benchmarks.measure import Result
from rtp import PRESETS, Scenario
from rtp.audit.trial import trial
from rtp.mechanisms import REGISTRY
from tests.help.plants import DRAWS, FAULTS, NARROWED, STREET, broken, planted

AUDITS, FALSE_ALARMS = 20, 300
FEATURED, FILTER = "blowfish", "filtered"
NARROW = f"scale × {NARROWED}"


def faulty(scenario: Scenario, pairs: list[tuple[str, str]]) -> Iterator[Result]:
    """Twenty audits of several faulty mechanisms at once."""
    mechanisms = [broken(REGISTRY[name], fault) for name, fault in pairs]
    missed = dict.fromkeys((mechanism.name for mechanism in mechanisms), 0)
    with planted(mechanisms):
        for seed in range(AUDITS):
            for name, verdict in trial(scenario, seed=seed).items():
                missed[name] += verdict is None or not verdict.broken
    for name, count in missed.items():
        subject = f"audits of {AUDITS} that miss it (ε = {scenario.epsilon:g}) {name}"
        yield Result(subject=subject, value=count, unit="", target=0)


def correct() -> list[Scenario]:
    """All presets on few houses, with every option that changes what is published."""
    options: list[dict[str, object]] = [
        {},
        {"habit_clip": "closed"},
        {"clip_at_zero": True, "epsilon": 0.05},
        {"independent_noise": True, "epsilon": 8.0},
        {"naive_bound": "realised", "epsilon": 2.0},
        {"elasticity": 1.0, "epsilon": 0.2},
    ]
    few = [preset.replace(households=min(preset.households, 60)) for preset in PRESETS.values()]
    return [scenario.replace(**option) for option in options for scenario in few]


def alarms() -> Result:
    scenarios = correct()
    count = 0
    for seed in range(FALSE_ALARMS):
        verdicts = trial(scenarios[seed % len(scenarios)], seed=seed).values()
        count += any(verdict is not None and verdict.broken for verdict in verdicts)
    return Result(
        subject=f"false alarms in {FALSE_ALARMS} audits of correct code", value=count, unit="", target=0
    )


def results() -> Iterator[Result]:
    yield from faulty(STREET, [(FEATURED, fault) for fault in FAULTS])
    yield from faulty(STREET, [(FILTER, fault) for fault in DRAWS])
    narrow = [(name, NARROW) for name, mechanism in REGISTRY.items() if mechanism.protects == "uncertain"]
    for epsilon in (0.05, 8.0):
        yield from faulty(STREET.replace(epsilon=epsilon), narrow)
    yield alarms()
