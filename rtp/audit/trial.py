"""Is the promise kept? By experiment: the mechanism as a black box, asked many times on neighbouring streets.

The streets differ in one house's state; everyone else's demand is fixed, as for the strongest observer. The
house is the one that, by its bounds and the noise, should be easiest to see. Two ways to use energy:

* "point": its bound when occupied and nothing when empty. All that naive and Blowfish noise assume is the
  bound, and this is where they are tight.
* "uniform": up to the bound of its state, as the model says. Calibrated noise relies on it, and is tight
  there.

If releases fall into an event with chance p on one street and q on the other, ε ≥ ln(p/q). The event, a
threshold on the rate, is chosen on held-out draws; fresh ones bound p from below and q from above
(Clopper–Pearson, each at half of 1 − confidence). Where the promise is kept, the bound exceeds ε with chance
1 − confidence at most.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.random import Generator, SeedSequence

from rtp import pricing, simulation
from rtp.audit.exact import loss, promise
from rtp.life import Life, Progress, live
from rtp.mechanisms import Mechanism, Public
from rtp.occupancy import Floats, Ints
from rtp.scenario import Bounds, Scenario, ScenarioError
from rtp.simulation import Tariff
from rtp.street import streams

Shape = Literal["point", "uniform"]

DRAWS = Bounds(1_000, 100_000_000, "Releases per side")
CONFIDENCE = 0.999
STREAM = 7  # of the scenario's seed
BATCH = 1_000_000
HELD_OUT = 0.1  # of the draws, to choose the event
CANDIDATES = 400
UNIFORM = ("calibrated", "filtered")  # rely on consumption being uniform

BlackBox = Callable[[bool, int, Generator], Floats]  # (occupied, how many, rng) → rates


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the trial proves."""

    mechanism: str
    promised: float
    lower_bound: float  # the mechanism gives away at least so much, at the confidence
    estimate: float  # ln of the ratio of frequencies
    house: int
    step: int
    shape: Shape
    threshold: float
    above: bool  # the event is a rate above the threshold, or at most that
    hits: tuple[int, int]  # on the likelier side and on the other
    n: int  # fresh releases per side
    confidence: float

    @property
    def broken(self) -> bool:
        return self.lower_bound > self.promised


def trial(
    scenario: Scenario,
    mechanism: Mechanism,
    *,
    n: int = BATCH,
    seed: int | None = None,
    confidence: float = CONFIDENCE,
    shape: Shape | None = None,
    life: Life | None = None,
    progress: Progress | None = None,
) -> Verdict | None:
    """Ask the mechanism n times per side; None where every house is certain all day.

    `life` may be given where the day has been lived already; `progress` is told the fraction done and may
    raise to stop.
    """
    check_draws(n)
    life = life or live(scenario)
    public = simulation.public_knowledge(scenario, life)
    rules = replace(simulation.tariff(scenario, life), elasticity=0.0)  # full use: nothing shows better
    scale = mechanism.noise(public).scale
    shape = shape or ("uniform" if mechanism.name in UNIFORM else "point")
    target = _easiest(public, scale, shape)
    if target is None:
        return None
    step, house = target
    box = _black_box(mechanism, public, rules, scale, step, house, shape)
    root = SeedSequence(scenario.seed if seed is None else seed, spawn_key=(STREAM,))
    held_out, fresh = streams(root, 2)
    event = _choose([box(side, max(int(n * HELD_OUT), 1000), held_out) for side in (False, True)], confidence)
    hits, done = np.zeros(2, dtype=int), 0
    while done < n:
        size = min(BATCH, n - done)
        hits += [event.count(box(side, size, fresh)) for side in (event.likelier, not event.likelier)]
        done += size
        if progress is not None:
            progress(done / n)
    low, high = (
        clopper_pearson(int(hits[0]), n, confidence)[0],
        clopper_pearson(int(hits[1]), n, confidence)[1],
    )
    return Verdict(
        mechanism=mechanism.name,
        promised=promise(mechanism.name, scenario.epsilon),
        lower_bound=max(float(np.log(low / high)), 0.0) if low > 0 else 0.0,
        estimate=float(np.log((hits[0] + 0.5) / (hits[1] + 0.5))),
        house=house,
        step=step,
        shape=shape,
        threshold=event.threshold,
        above=event.above,
        hits=(int(hits[0]), int(hits[1])),
        n=n,
        confidence=confidence,
    )


def check_draws(n: int) -> None:
    if not DRAWS.low <= n <= DRAWS.high:
        raise ScenarioError("n", f"is {n!r}; it must be a whole number from {DRAWS.low:,} to {DRAWS.high:,}.")


def clopper_pearson(hits: int, n: int, confidence: float) -> tuple[float, float]:
    """Bounds on a chance that has come up so often: each is wrong with chance (1 − confidence)/2 at most."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return low, high


@dataclass(frozen=True, kw_only=True)
class _Event:
    threshold: float
    above: bool
    likelier: bool  # on which side: occupied or empty

    def count(self, rates: Floats) -> int:
        above = int(np.count_nonzero(rates > self.threshold))
        return above if self.above else len(rates) - above


def _choose(sides: list[Floats], confidence: float) -> _Event:
    """The threshold event whose frequencies differ most, less what chance may have done to them."""
    from scipy.special import ndtri

    n = len(sides[0])
    thresholds = np.unique(np.quantile(np.concatenate(sides), np.linspace(0, 1, CANDIDATES)))
    above = np.array([n - np.searchsorted(np.sort(side), thresholds, side="right") for side in sides])
    z = float(ndtri((1 + confidence) / 2))

    def gap(one: Ints, other: Ints) -> Floats:
        p, q = (one + 0.5) / (n + 1), (other + 0.5) / (n + 1)
        return np.log(p / q) - z * (np.sqrt((1 - p) / (n * p)) + np.sqrt((1 - q) / (n * q)))

    events = [
        (is_above, likelier, gap(counts[int(likelier)], counts[int(not likelier)]))
        for is_above, counts in ((True, above), (False, n - above))
        for likelier in (True, False)
    ]
    is_above, likelier, gaps = max(events, key=lambda event: float(event[2].max()))
    return _Event(threshold=float(thresholds[gaps.argmax()]), above=is_above, likelier=likelier)


def _easiest(public: Public, scale: Floats, shape: Shape) -> tuple[int, int] | None:
    """(step, house) where noise of these scales hides least, among houses whose state is open."""
    street, protected = public.street, public.kinds.protected
    best: tuple[float, int, int] | None = None
    seen: set[tuple[float, bytes]] = set()
    for step, b in enumerate((scale / public.alpha).tolist()):
        if (b, protected[step].tobytes()) in seen:
            continue
        seen.add((b, protected[step].tobytes()))
        if shape == "point":
            losses = loss(b, street.bound, np.zeros_like(street.bound)) if b == 0 else street.bound / b
        else:
            losses = loss(b, street.occupied_bound, street.empty_bound)
        losses = np.where(protected[step][public.kinds.of_house], losses, -1.0)
        house = int(losses.argmax())
        if losses[house] >= 0 and (best is None or losses[house] > best[0]):
            best = float(losses[house]), step, house
    return None if best is None else best[1:]


def _black_box(
    mechanism: Mechanism, public: Public, rules: Tariff, scale: Floats, step: int, house: int, shape: Shape
) -> BlackBox:
    """The mechanism at one step, all but one house's demand fixed at what is expected."""
    expected = public.outlook.expected_demand
    street = public.street

    def ask(occupied: bool, n: int, rng: Generator) -> Floats:
        if shape == "point":
            used = np.full(n, street.bound[house] if occupied else 0.0)
        else:
            used = rng.random(n) * (street.occupied_bound if occupied else street.empty_bound)[house]
        demand, added = expected[step] + used, scale[step] * rng.laplace(size=n)
        if mechanism.publisher is None:
            return simulation.run(mechanism, public, rules, demand, added, np.full(n, scale[step]))[1]
        publish = mechanism.publisher(public, scale)
        for earlier in range(step):
            publish(earlier, float(_rate(rules, expected[earlier])), 1.0)
        rate, _ = publish(step, _rate(rules, demand) + added, np.ones(n))
        return np.broadcast_to(pricing.not_negative(rate) if rules.clip_at_zero else rate, n)

    return ask


def _rate(rules: Tariff, demand: Floats) -> Floats:
    return pricing.rate(demand + rules.inelastic_demand, rules.alpha, rules.beta)
