"""What a sweep measures of a day, for many budgets at once, and how days add up to an estimate.

A day is drawn once and priced for all budgets together: arrays get one axis more, and it is hardly more work.
Money is per day, on average over the scenario's days. The error is kept as a fraction of the rate in a
typical step, and shown in percent.

How often an observer is right about a secret (`rtp.exposure`) is what an answer for a feeder says. It is not
sampled day by day: it belongs to the street as it is described (`rtp.decision`), is computed once for all
budgets, and has an interval of its own, which stands in two measures beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rtp import metrics
from rtp.core.random import Stream, seed_of
from rtp.core.stats import student_width
from rtp.core.types import Floats
from rtp.decision import OBSERVERS, SECRETS
from rtp.decision.requirement import described_street
from rtp.exposure import Exposure, Observer, Secret, exposure
from rtp.exposure.result import COIN
from rtp.mechanisms import REGISTRY, UNPROTECTED, noise_scales
from rtp.metrics import ERROR_AXIS
from rtp.money.bills import profit_and_mismatch
from rtp.scenario import Scenario, must_be_one_of
from rtp.simulation import market, unit_noise
from rtp.simulation.publish import publish
from rtp.street.simulate import StreetDay

ERROR = "rmsre"
MEASURES = {
    ERROR: ERROR_AXIS,
    "scale": "Laplace scale, mean over the steps",
    "protected": "Protected houses, mean over the steps",
    "peak_demand": "Peak demand",
    "profit": "Generator's profit a day",
    "loss": "Generator's loss of profit a day",
    "mismatch": "Cost of the mismatch a day",
    "bill": "Mean bill a day",
    "bill_change": "Mean change of the bill a day",
}


def shown_over_kept(name: str) -> float:
    """How many times a kept number the shown one is: shares are shown in percent."""
    return 100.0 if name == ERROR or name in EXPOSED else 1.0


def shown_unit(name: str) -> str:
    """What stands behind a shown number."""
    return " %" if name == ERROR or name in EXPOSED else ""


def measure(scenario: Scenario, epsilons: Sequence[float], street_day: StreetDay) -> Floats:
    """(E, mechanisms, measures) of one simulated day; the scenario's own budget plays no part."""
    context = market(scenario, street_day)
    tariff, noises = context.tariff, noise_scales(REGISTRY.values(), context.at(np.array(epsilons)))
    units = unit_noise(seed_of(scenario.seed, Stream.NOISE), scenario.steps, scenario.independent_noise)
    table = {name: np.empty((len(epsilons), len(REGISTRY))) for name in MEASURES}
    for m, (name, mechanism) in enumerate(REGISTRY.items()):
        noise = noises[name]
        scale, unit = noise.scale, units[name][:, None]
        demand, optimal, rate, _ = publish(mechanism, context.public, street_day.demand, unit, scale)
        profit, mismatch = profit_and_mismatch(demand, rate, tariff)
        paid = np.sum(rate * (demand - tariff.inelastic_demand), axis=0) / scenario.households
        table[ERROR][:, m] = metrics.expected_rmsre((rate - optimal) ** 2, optimal)
        table["scale"][:, m] = scale.mean(axis=0)
        table["protected"][:, m] = noise.protected.mean()
        table["peak_demand"][:, m] = demand.max(axis=0)
        table["profit"][:, m] = profit / scenario.days
        table["mismatch"][:, m] = mismatch / scenario.days
        table["bill"][:, m] = paid / scenario.days
    unprotected = list(REGISTRY).index(UNPROTECTED)
    table["loss"] = table["profit"][:, [unprotected]] - table["profit"]
    table["bill_change"] = table["bill"] - table["bill"][:, [unprotected]]
    return np.stack([table[name] for name in MEASURES], axis=-1)


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some days of one point: enough to add others, and to say how sure the mean is."""

    days: int
    mean: Floats  # (mechanisms, measures)
    spread: Floats  # sum of squared deviations from the mean

    def interval(self) -> tuple[Floats, Floats]:
        """Student's 95 % interval of the mean over days; not a number for a single day."""
        if self.days < 2:
            return np.full_like(self.mean, np.nan), np.full_like(self.mean, np.nan)
        half = student_width(self.days) * np.sqrt(self.spread / (self.days - 1) / self.days)
        return self.mean - half, self.mean + half


def part_of(days: Floats) -> Part:
    """From measured days along the first axis."""
    with np.errstate(invalid="ignore"):  # an error relative to a rate of zero is infinite, and so its spread
        mean = days.mean(axis=0)
        return Part(days=len(days), mean=mean, spread=np.sum((days - mean) ** 2, axis=0))


def add_days(one: Part | None, other: Part) -> Part:
    """Days put together; in a fixed order, so that the bytes do not depend on who measured them."""
    if one is None:
        return other
    days = one.days + other.days
    with np.errstate(invalid="ignore"):
        shift = other.mean - one.mean
        return Part(
            days=days,
            mean=one.mean + shift * (other.days / days),
            spread=one.spread + other.spread + shift**2 * (one.days * other.days / days),
        )


INTERVAL_ENDS = ("", "_low", "_high")
ASKED: dict[str, tuple[Secret, Observer]] = {
    f"{secret} from {observer}": (secret, observer) for secret in SECRETS for observer in OBSERVERS
}
EXPOSED = {f"{secret}_{observer}": asked for asked, (secret, observer) in ASKED.items()}  # by measure
MAX_STREETS = 16  # whose exposure is remembered


def known(secrets: Sequence[str]) -> tuple[str, ...]:
    """Return the secrets, each once; refuses what is none, such as "week from outsider"."""
    for each in secrets:
        must_be_one_of("secrets", each, ASKED)
    return tuple(dict.fromkeys(secrets))


def secret_measures(secrets: Sequence[str]) -> dict[str, str]:
    """Return their measures, by name, in words: the value and the ends of its interval."""
    names: dict[str, str] = {}
    for each in secrets:
        secret, observer = ASKED[each]
        words = f"How often an {observer} is right: {SECRETS[secret]}"
        names |= dict.fromkeys((f"{secret}_{observer}{end}" for end in INTERVAL_ENDS), words)
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
        found = _exposure(street, *ASKED[each])
        for m, (name, mechanism) in enumerate(REGISTRY.items()):
            table[:, m, k] = np.array(found.over(name, epsilons)).T if mechanism.reads_demand else COIN
    return table.reshape(len(epsilons), len(REGISTRY), -1)


@lru_cache(maxsize=MAX_STREETS)
def _exposure(street: Scenario, secret: Secret, observer: Observer) -> Exposure:
    return exposure(street, secret, observer)
