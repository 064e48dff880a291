"""Is the promise kept? By experiment: what the lab publishes, judged from outside.

Days are published in worlds that differ in what must stay secret, and what is public is undone (`worlds`).
Three questions are asked of what is left: is the noise as wide as is needed, and can a house be told apart by
more than was promised (`checks`)? Is it drawn anew for every rate, whatever the secrets are (`independence`)?
A mechanism that keeps its promise is blamed, by whichever check, in at most one of 1/AUDIT_FALSE_ALARM
audits: the level is shared out evenly (Bonferroni) over mechanisms and checks, and within a check over steps,
pairs of steps, pairs of days and secrets. All but one check take the noise to be Laplace's, as every
mechanism here says of itself; that a house is told apart does not.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np

from rtp.audit.checks import (
    DistributionTest,
    ScaleTest,
    detectable_loss,
    distribution_test,
    fresh_rates,
    proved_loss,
    scale_test,
)
from rtp.audit.exact import loss_at_share, possible_states, shape_of
from rtp.audit.independence import (
    IndependenceTest,
    RepeatTest,
    SecretTest,
    ValuesTest,
    independence_test,
    known_sum,
    parity_test,
    repeat_test,
    secret_test,
    sizes_test,
    values_test,
)
from rtp.audit.worlds import BALANCED, NoiseReadings, Secrets, can_be_undone, publish_days
from rtp.core.workers import Progress
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.scenario import Bounds, Scenario, must_be_within, refusal
from rtp.simulation import draw_day
from rtp.street.simulate import StreetDay

RELEASES = Bounds(4 * BALANCED, 100_000, "Days published")
DEFAULT = 25 * BALANCED
AUDIT_FALSE_ALARM = 1e-4  # the probability that an audit blames any mechanism that keeps its promise
CHECKS = 11  # scale over all rates and at each step, and the others of `Verdict`


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the trial proves of one mechanism.

    Attributes
    ----------
    broken : bool
        Whether any check proves that the promise is not kept.
    promised, proved : float
        What it promises, and what it gives away at least.
    noise, distribution, reuse, parity, sizes, repeats, values, secrets : records
        What each check found: the noise's scale, its distribution, noise used again, a sign that follows two
        others, sizes that go together, days repeated, values that few random bits make, noise that follows
        the street.
    known_sum : bool
        Whether a day's noise adds up to a known number.
    detectable_loss, scale_loss : float
        The smallest flaws that would be found.

    Examples
    --------
    >>> import rtp
    >>> from rtp.audit.trial import trial
    >>> verdict = trial(rtp.Scenario(households=5), n=64)["naive"]
    >>> verdict.broken, verdict.promised
    (False, 0.5)
    """

    promised: float
    proved: float  # it gives away at least so much
    noise: ScaleTest
    distribution: DistributionTest
    reuse: IndependenceTest
    parity: IndependenceTest
    sizes: IndependenceTest
    repeats: RepeatTest
    values: ValuesTest
    known_sum: bool  # of a day's noise
    secrets: SecretTest
    detectable_loss: float  # what a house told apart would prove, if it uses its bound or nothing; else ∞
    scale_loss: float  # what noise as narrow as would just be found gives away

    @property
    def proofs(self) -> dict[str, bool]:
        """Whether each check proves that the promise is not kept, by what it looks at."""
        return {
            "scale": self.noise.proved,
            "scale at a step": len(self.noise.steps) > 0,
            "distribution": self.distribution.proved,
            "two steps": self.reuse.steps is not None,
            "three steps": self.parity.steps is not None,
            "sizes": self.sizes.steps is not None,
            "two days": self.repeats.days is not None,
            "values": self.values.proved,
            "sums": self.known_sum,
            "secrets": self.secrets.followed is not None,
            "a house told apart": self.proved > self.promised,
        }

    @property
    def broken(self) -> bool:
        """Whether any check proves that the promise is not kept."""
        return any(self.proofs.values()) and bool(np.isfinite(self.promised))


class Untried(Enum):
    """Why there is no verdict."""

    CERTAIN = "every house is certain all day"  # so there is nothing to try
    SMOOTHED = "its smoothing cannot be undone"  # it has a `postprocess` and no `invert`


Verdicts = dict[str, Verdict | Untried]


def must_be_releases(n: int) -> None:
    """Refuse a number of releases that is not as many in each world of each street."""
    must_be_within("n", n, RELEASES)
    if n % BALANCED:
        raise refusal("n", n, f"be a multiple of {BALANCED}")


def trial(
    scenario: Scenario,
    *,
    n: int = DEFAULT,
    seed: int | None = None,
    mechanisms: Collection[Mechanism] | None = None,
    street_day: StreetDay | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Return what n days, published afresh, prove of every mechanism, or of those given, by name.

    Parameters
    ----------
    scenario : Scenario
        The street.
    n : int
        Days that are published; more notice smaller flaws.
    seed : int, optional
        Other random numbers for the experiment.
    mechanisms : collection of Mechanism, optional
        Those to audit, registered or not; all registered ones without.
    street_day : StreetDay, optional
        Where the day has been simulated already.
    progress : callable, optional
        Called with the fraction done; may raise to stop: an audit that was stopped proves nothing.

    Returns
    -------
    dict of str to Verdict or Untried
        What is proved, or why nothing could be tried.

    Examples
    --------
    >>> import rtp
    >>> from rtp.audit.cheating import half_the_noise
    >>> from rtp.audit.trial import trial
    >>> from rtp.mechanisms import REGISTRY
    >>> honest = REGISTRY["blowfish"]
    >>> verdicts = trial(rtp.Scenario(households=5), n=64, mechanisms=[honest, half_the_noise(honest)])
    >>> [verdict.broken for verdict in verdicts.values()]
    [False, True]
    """
    must_be_releases(n)
    scenario = scenario.replace(price_cap=None)  # it cuts last: what is audited is the rate before it
    street_day = street_day or draw_day(scenario)
    audited = {each.name: each for each in (REGISTRY.values() if mechanisms is None else mechanisms)}
    seed = scenario.seed if seed is None else seed
    readings, secrets = publish_days(scenario, audited, n, seed, street_day, progress)
    level = AUDIT_FALSE_ALARM / (len(audited) * CHECKS)
    return {
        name: _judge(scenario, street_day, mechanism, readings[name], secrets, level)
        for name, mechanism in audited.items()
    }


def _judge(
    scenario: Scenario,
    street_day: StreetDay,
    mechanism: Mechanism,
    readings: NoiseReadings,
    secrets: Secrets,
    level: float,
) -> Verdict | Untried:
    noise, response, empty, occupied, resolution = readings
    if np.isnan(noise).all() and np.isnan(empty).all():
        return Untried.CERTAIN if can_be_undone(mechanism) else Untried.SMOOTHED
    clipped, full, beside_need = scenario.clip_at_zero, response == 1, readings.beside_need
    width = scale_test(beside_need, full, clipped, level)
    unclipped = np.where(noise > 0, noise, np.nan) if clipped else noise
    promised = mechanism.promised(scenario.epsilon)
    tried = fresh_rates(empty, occupied) if shape_of(mechanism) == "point" else 0
    return Verdict(
        promised=promised,
        proved=proved_loss(empty, occupied, level),
        noise=width,
        distribution=distribution_test(beside_need, full, clipped, resolution, level),
        reuse=independence_test(noise, level),
        parity=parity_test(noise, level),
        sizes=sizes_test(unclipped, secrets.street, level),
        repeats=repeat_test(unclipped, resolution, level),
        values=values_test(unclipped, resolution, level),
        known_sum=known_sum(unclipped, resolution, level),
        secrets=secret_test(unclipped, secrets, level),
        detectable_loss=detectable_loss(promised, tried, level),
        scale_loss=loss_at_share(
            width.detectable or 1.0, mechanism, scenario, street_day, possible_states(street_day)
        ),
    )
