"""Is the promise kept? By experiment: what the lab publishes, judged from outside.

The audit sees rates (`releases`), works out by itself whom a promise is about and how wide the noise must be
(`uncertain`, `need`), and asks three questions of them (`checks`): is the noise as wide as is needed, is it
drawn anew for every rate, and can a house be told apart by more than was promised? A mechanism that keeps its
promise is blamed, by whichever check, in at most one of 1/FALSE_ALARM audits: the level is shared out evenly
(Bonferroni) over mechanisms and checks, and within a check over steps and pairs of steps.

The first two take the noise to be Laplace's, as every mechanism here says of itself; the third does not.
"""

from dataclasses import dataclass

import numpy as np

from rtp.audit.checks import Narrow, Reused, narrow, proved_loss, reused
from rtp.audit.need import Shape, loss_at, shape_of
from rtp.audit.releases import BALANCED, Heard, listen
from rtp.audit.uncertain import uncertain
from rtp.core.formatting import percent, plain
from rtp.mechanisms import REGISTRY, Mechanism
from rtp.scenario import Bounds, Scenario, must_be_within, refusal
from rtp.simulation import live
from rtp.street.simulate import Progress, StreetDay

RELEASES = Bounds(4 * BALANCED, 100_000, "Days published")
DEFAULT = 25 * BALANCED
FALSE_ALARM = 1e-4  # the chance that an audit blames any mechanism that keeps its promise
ROUNDING = 1e-6  # noise below this share of what is needed is none
CHECKS = 4  # noise over all rates, noise step by step, noise used again, a house told apart


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the trial proves of one mechanism."""

    mechanism: str
    promised: float
    proved: float  # it gives away at least so much
    shape: Shape
    noise: Narrow
    reuse: Reused
    seen_loss: float  # what noise as narrow as would just be found gives away
    scenario: Scenario  # to say when

    @property
    def reasons(self) -> list[str]:
        """Why the promise is broken; nothing where no flaw was found."""
        if np.isinf(self.promised):
            return []
        found = []
        if self.noise.proved and self.noise.found < ROUNDING:
            found.append("it adds no noise")
        elif self.noise.proved:
            found.append(f"its noise is {percent(self.noise.found)} of what the promise needs")
        elif len(self.noise.steps):
            step = int(self.noise.steps[self.noise.by_step[self.noise.steps].argmin()])
            share = percent(round(float(self.noise.by_step[step]), 6))
            found.append(f"at {self.scenario.when(step)} its noise is {share} of what the promise needs")
        if self.reuse.pair is not None and not self.noise.found < ROUNDING:
            one, other = self.reuse.pair
            again = "in every release" if one < 0 else f"at {self.scenario.when(one)} and again"
            found.append(f"the same noise is used {again} at {self.scenario.when(other)}")
        if self.proved > self.promised:
            found.append(
                f"its rates prove a loss of {plain(self.proved)} where {plain(self.promised)} is promised"
            )
        return found

    @property
    def broken(self) -> bool:
        return bool(self.reasons)


Verdicts = dict[str, Verdict | None]  # None: every house is certain all day, so there is nothing to try


def must_be_releases(path: str, n: int) -> None:
    """A number of releases, as many in each world of each street."""
    must_be_within(path, n, RELEASES)
    if n % BALANCED:
        raise refusal(path, n, f"be a multiple of {BALANCED}")


def trial(
    scenario: Scenario,
    *,
    n: int = DEFAULT,
    seed: int | None = None,
    life: StreetDay | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Publish n days afresh and judge every mechanism.

    `life` may be given where the scenario's day has been lived already; `progress` is told the fraction done
    and may raise to stop: an audit that was stopped proves nothing.
    """
    must_be_releases("n", n)
    life = life or live(scenario)
    heard = listen(scenario, n, scenario.seed if seed is None else seed, life, progress)
    return {name: _judge(scenario, life, mechanism, heard[name]) for name, mechanism in REGISTRY.items()}


def _judge(scenario: Scenario, life: StreetDay, mechanism: Mechanism, heard: Heard) -> Verdict | None:
    level = FALSE_ALARM / (len(REGISTRY) * CHECKS)
    empty, occupied = (np.concatenate(side) for side in heard.position)
    noise, full = np.concatenate(heard.noise).astype(float), np.concatenate(heard.full)
    if np.isnan(noise).all() and np.isnan(empty).all():
        return None
    width = narrow(noise, full, scenario.clip_at_zero, level)
    share = width.seen or 1.0
    return Verdict(
        mechanism=mechanism.name,
        promised=mechanism.promised(scenario.epsilon),
        proved=proved_loss(empty, occupied, level),
        shape=shape_of(mechanism),
        noise=width,
        reuse=reused(noise, level),
        seen_loss=loss_at(share, mechanism, scenario, life, uncertain(life)),
        scenario=scenario,
    )
