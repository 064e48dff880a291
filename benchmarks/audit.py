"""What the audit sees: every planted fault, each time; and nothing where there is none.

Twenty audits of every fault at four times the default size; of the sealed mechanisms that a class is given,
twenty draws as the class audits them; three hundred of correct code, on all presets and their options. Seeds
are fixed. Two processes share the audits; how far they are and what they found so far is shown as they go.
`tests/unit/audit` has a part of it.
"""

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, as_completed
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.measure import Result
from rtp import PRESETS, Scenario
from rtp.audit.cheating import name_of
from rtp.audit.trial import DEFAULT, Verdict, trial
from rtp.core.workers import WorkerPool
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.simulation import Cheat
from rtp.teaching.sealed import audited, sealed
from tests.help.cheating import EVERY_FAULT, a_twentieth_too_narrow
from tests.help.streets import MANSION

AUDITS, FALSE_ALARMS = 20, 300
WORKERS = 2
FEATURED, FILTER = REGISTRY["blowfish"], REGISTRY["filtered"]
NARROW = name_of(a_twentieth_too_narrow)
SPOILED = [name for name, fault in EVERY_FAULT.items() if isinstance(fault(FEATURED), Cheat)]


class Audit(NamedTuple):
    """One run: of mechanisms with these faults or, without any, of correct code."""

    scenario: Scenario
    seed: int
    faults: tuple[tuple[str, str], ...] = ()  # (mechanism, fault)

    def blamed(self) -> dict[str, bool]:
        """By mechanism: whether its promise is said to be broken."""
        made = [EVERY_FAULT[fault](REGISTRY[name]) for name, fault in self.faults]
        n = 4 * DEFAULT if made else DEFAULT
        verdicts = trial(self.scenario, n=n, seed=self.seed, mechanisms=made or None)
        return {name: isinstance(verdict, Verdict) and verdict.broken for name, verdict in verdicts.items()}


def done(pool: Executor, audits: Iterable[Audit], subject: str, wrong: bool) -> Iterator[dict[str, bool]]:
    """As they finish; the bar counts the mechanisms of which the audit said what is wrong to say."""
    running = [pool.submit(audit.blamed) for audit in audits]
    count = 0
    with tqdm(as_completed(running), total=len(running), desc=subject, file=sys.stderr, ascii=" #") as bar:
        for finished in bar:
            blamed = finished.result()
            count += sum(said is wrong for said in blamed.values())
            bar.set_postfix_str(f"{count} {'false alarms' if wrong else 'missed'}")
            yield blamed


def faulty(
    pool: Executor, scenario: Scenario, faults: Iterable[str], honest: Iterable[Mechanism]
) -> Iterator[Result]:
    """Twenty audits of several faulty mechanisms at once."""
    made = tuple((mechanism.name, fault) for mechanism in honest for fault in faults)
    audits = [Audit(scenario, seed, made) for seed in range(AUDITS)]
    found = list(done(pool, audits, f"{len(made)} faults at ε = {scenario.epsilon:g}", False))
    for name in found[0]:
        yield Result(
            subject=f"audits of {AUDITS} that miss it (ε = {scenario.epsilon:g}) {name}",
            value=sum(not blamed[name] for blamed in found),
            unit="",
            target=0,
        )


def correct() -> list[Scenario]:
    """All presets on few houses, with every option that changes what is published."""
    options: list[dict[str, object]] = [
        {},
        {"clip_at_zero": True, "epsilon": 0.05},
        {"independent_noise": True, "epsilon": 8.0},
        {"naive_bound": "realised", "epsilon": 2.0},
        {"elasticity": 1.0, "epsilon": 0.2},
    ]
    few = [preset.replace(households=min(preset.households, 60)) for preset in PRESETS.values()]
    return [scenario.replace(**option) for option in options for scenario in few]


def misjudged(number: int) -> dict[str, bool]:
    """By letter, of one draw of sealed mechanisms: whether the audit says what is wrong to say."""
    verdicts = audited(number)
    blamed = {name: isinstance(verdict, Verdict) and verdict.broken for name, verdict in verdicts.items()}
    return {each.letter: blamed[each.letter] is not bool(each.fault) for each in sealed(number)}


def class_draws(pool: Executor) -> Iterator[Result]:
    """The sealed mechanisms of the first twenty numbers: cheats that go unnamed, and honest ones that are."""
    found = list(pool.map(misjudged, range(1, AUDITS + 1)))
    for cheats, words in ((True, "cheats that go unnamed"), (False, "honest ones that are named")):
        wrong = [
            found[number - 1][each.letter]
            for number in range(1, AUDITS + 1)
            for each in sealed(number)
            if bool(each.fault) is cheats
        ]
        yield Result(subject=f"{words}, of {len(wrong)} sealed", value=sum(wrong), unit="", target=0)


def alarms(pool: Executor) -> Result:
    scenarios = correct()
    audits = [Audit(scenarios[seed % len(scenarios)], seed) for seed in range(FALSE_ALARMS)]
    return Result(
        subject=f"false alarms in {FALSE_ALARMS} audits of correct code",
        value=sum(any(blamed.values()) for blamed in done(pool, audits, "correct code", True)),
        unit="",
        target=0,
    )


def results() -> Iterator[Result]:
    with WorkerPool(WORKERS) as pool:
        yield from class_draws(pool)
        yield from faulty(pool, MANSION, EVERY_FAULT, [FEATURED])
        yield from faulty(pool, MANSION, SPOILED, [FILTER])
        uncertain = [mechanism for mechanism in REGISTRY.values() if mechanism.protects == "uncertain"]
        for epsilon in (0.05, 8.0):
            yield from faulty(pool, MANSION.replace(epsilon=epsilon), [NARROW], uncertain)
        yield alarms(pool)
