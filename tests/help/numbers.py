"""Numbers of a few rooms on a few streets, to be recorded: what a change must not move unseen.

`make record` writes them to tests/recorded, a file a room and a line a number; of an array its sum and three
entries. Words are not among them: those of the screens are recorded as outlines.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from rtp import PRESETS, Day, Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_losses
from rtp.decision import Wish, decide, explained
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.crowd import noise_still_needed
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, private
from rtp.meters import learn, read
from rtp.meters.real_home import sample_frame
from rtp.tradeoff.curves import cost, epsilon_for
from rtp.tradeoff.expected import expected, scales
from tests.help.streets import ODD, STREETS

Numbers = Mapping[str, Any]
FEW = ("mixed street", "listed")  # where an answer takes long
CASES = {name: STREETS[name] for name in ("paper", "mixed street")} | ODD
LIVES = 40  # that are watched, the fewest that are allowed


@cache
def day_of(street: str) -> Day:
    return simulate(CASES[street])


def _errors(scenario: Scenario) -> Numbers:
    return {name: [each.error, each.expected_error] for name, each in simulate(scenario).release.items()}


def simulation(street: str) -> Numbers:
    day = day_of(street)
    names = ("demand", "rate", "scale", "protected", "setter")
    return {"occupancy": day.occupancy, "consumption": day.consumption} | {
        name: {each: getattr(release, each) for each in names} for name, release in day.release.items()
    }


def leakage(street: str) -> Numbers:
    day, scenario = day_of(street), CASES[street]
    moments = {name: moment_leakage(day, name) for name in ("blowfish", "filtered")}
    return {
        "moment": {name: [each.so_far, each.whole] for name, each in moments.items()},
        "epsilon for a moment": epsilon_for_moment(scenario, "blowfish", 0.7).epsilon,
        "crowd": noise_still_needed(day, scenario.epsilon, 1e-4, sizes=(5, 300)).scale,
    }


def attacks(street: str) -> Numbers:
    day = day_of(street)
    return {
        f"{mechanism}, {adversary}": posterior(
            day, mechanism, adversary=adversary, inference="smoothing"
        ).belief
        for mechanism in ("optimal", "blowfish", "filtered")
        for adversary in ("insider", "outsider")
    }


def audit(street: str) -> Numbers:
    return {name: [each.spent, each.total] for name, each in exact_losses(day_of(street)).items()}


def tradeoff(street: str) -> Numbers:
    known, own = day_of(street).market, {name: REGISTRY[name] for name in private()}
    noise, costs = scales(known, own.values(), (0.05, 0.5, 5.0)), cost(day_of(street), private())
    return {name: [expected(known, each, noise[name]), *costs[name]] for name, each in own.items()} | {
        f"epsilon, {name}": epsilon_for(CASES[street], name, 0.03).epsilon
        for name in private()
        if street in FEW  # a search takes long where prices move demand
    }


def meters() -> Numbers:
    few = read(sample_frame().query("house < 'sample 09' or house >= 'sample 41' and house < 'sample 44'"))
    learned = learn(few, groups=2, resamples=2)
    scenario = learned.scenario(Scenario(power_unit="kW"), 1.2, 0.6)
    return {
        "groups": [group.share for group in scenario.groups],
        "periods": [[p.start, p.matrix] for habits in scenario.models[0].habits for p in habits.periods],
        "errors": _errors(scenario),
    }


def decision() -> Numbers:
    asked = Wish(secret="moment", observer="insider", error=20.0)
    found = explained(decide(PRESETS["tiny street"], asked, among=(60,)))
    return {
        "timetable": [found.chosen.timetable_error, *(each.error for each in found.stress)],
        "lines": {
            f"{each.rate} {each.minutes}": [each.errors[::20], each.right[0, ::20]] for each in found.lines
        },
        "seen": {f"{each.group} {each.secret} {each.observer}": each.right for each in found.seen},
    }


BY_STREET: dict[str, Callable[[str], Numbers]] = {
    "simulation": simulation, "leakage": leakage, "attack": attacks, "audit": audit,
    "tradeoff": tradeoff,
}  # fmt: skip
ALONE: dict[str, Callable[[], Numbers]] = {
    "meters": meters, "decision": decision,
}  # fmt: skip
ROOMS = (*BY_STREET, *ALONE)


def numbers(room: str) -> dict[str, float]:
    """Return what a room answers today, each number by its path."""
    if room in ALONE:
        return dict(flat(ALONE[room]()))
    streets = {"leakage": FEW[:1], "tradeoff": (*FEW, "elastic")}.get(room, CASES)
    return dict(flat({street: BY_STREET[room](street) for street in streets}))


def flat(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of a nested answer with its path; of an array its sum and three entries."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from flat(each, f"{path}/{key}" if path else str(key))
    elif isinstance(value, np.ndarray) and value.size > 3:
        entries = value.ravel().astype(float)
        yield f"{path} sum", float(entries.sum())
        for i in np.linspace(0, value.size - 1, 3).astype(int):
            yield f"{path} {i}", float(entries[i])
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        for i, each in enumerate(value):
            yield from flat(each, f"{path} {i}")
    else:
        yield path, float("nan") if value is None else float(value)
