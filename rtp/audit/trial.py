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
from numpy.random import Generator

from rtp.arrays import Floats
from rtp.audit.event import Event, choose
from rtp.density.loss import worst_loss, worst_loss_any_use
from rtp.mechanisms import Mechanism, Public
from rtp.scenario import Bounds, Scenario, must_be_within
from rtp.simulation import live, market, price
from rtp.statistics import clopper_pearson
from rtp.streams import Stream, generators, seed_of
from rtp.street.life import Life, Progress

Shape = Literal["point", "uniform"]

DRAWS = Bounds(1_000, 100_000_000, "Releases per side")
CONFIDENCE = 0.999
BATCH = 1_000_000
HELD_OUT = 0.1  # of the draws, to choose the event
LEAST_HELD_OUT = 1_000

BlackBox = Callable[[bool, int, Generator], Floats]  # (occupied, how many, rng) → rates


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the trial proves."""

    mechanism: str
    promised: float
    lower_bound: float  # the mechanism gives away at least so much, at the confidence
    house: int
    step: int
    shape: Shape
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
    must_be_within("n", n, DRAWS)
    public = market(scenario, life or live(scenario)).public
    public = replace(public, tariff=replace(public.tariff, elasticity=0.0))  # full use: nothing shows better
    shape = shape or ("uniform" if mechanism.assumes == "uniform" else "point")
    scale = mechanism.noise(public).scale
    target = _easiest(mechanism, public, scale, shape)
    if target is None:
        return None
    step, house = target
    box = _black_box(mechanism, public, scale, step, house, shape)
    held_out, fresh = generators(seed_of(scenario.seed if seed is None else seed, Stream.AUDIT), 2)
    tries = max(int(n * HELD_OUT), LEAST_HELD_OUT)
    event = choose([box(side, tries, held_out) for side in (False, True)], confidence)
    hits = _hits(box, event, n, fresh, progress)
    return Verdict(
        mechanism=mechanism.name,
        promised=mechanism.promised(scenario.epsilon),
        lower_bound=_lower_bound(*hits, n, confidence),
        house=house,
        step=step,
        shape=shape,
        n=n,
        confidence=confidence,
    )


def _hits(box: BlackBox, event: Event, n: int, rng: Generator, progress: Progress | None) -> tuple[int, int]:
    """How many of n releases fall into the event, on the side where it is likelier and on the other."""
    hits, done = np.zeros(2, dtype=int), 0
    while done < n:
        size = min(BATCH, n - done)
        hits += [event.count(box(side, size, rng)) for side in (event.likelier, not event.likelier)]
        done += size
        if progress is not None:
            progress(done / n)
    return int(hits[0]), int(hits[1])


def _lower_bound(likelier: int, unlikelier: int, n: int, confidence: float) -> float:
    """ln(p/q) at least, from how often the event came up on either side."""
    low, _ = clopper_pearson(likelier, n, confidence)
    _, high = clopper_pearson(unlikelier, n, confidence)
    return max(float(np.log(low / high)), 0.0) if low > 0 else 0.0


def _easiest(mechanism: Mechanism, public: Public, scale: Floats, shape: Shape) -> tuple[int, int] | None:
    """(step, house) where noise of these scales hides least, among open houses that the promise covers."""
    street = public.street
    best: tuple[float, int, int] | None = None
    seen: set[tuple[float, bytes]] = set()
    scales = (scale / public.tariff.alpha).tolist()
    for step, (b, covered) in enumerate(zip(scales, mechanism.covers(public), strict=True)):
        if (b, covered.tobytes()) in seen:
            continue
        seen.add((b, covered.tobytes()))
        if shape == "point":
            losses = worst_loss_any_use(b, street.bound)
        else:
            losses = worst_loss(b, street.occupied_bound, street.empty_bound)
        losses = np.where(covered, losses, -1.0)
        house = int(losses.argmax())
        if losses[house] >= 0 and (best is None or losses[house] > best[0]):
            best = float(losses[house]), step, house
    return None if best is None else best[1:]


def _black_box(
    mechanism: Mechanism, public: Public, scale: Floats, step: int, house: int, shape: Shape
) -> BlackBox:
    """The mechanism at one step, all but one house's demand fixed at what is expected."""
    street, tariff, expected = public.street, public.tariff, public.outlook.expected_demand

    def ask(occupied: bool, n: int, rng: Generator) -> Floats:
        if shape == "point":
            used = np.full(n, street.bound[house] if occupied else 0.0)
        else:
            used = rng.random(n) * (street.occupied_bound if occupied else street.empty_bound)[house]
        demand, added = expected[step] + used, scale[step] * rng.laplace(size=n)
        if mechanism.publisher is None:
            return price(mechanism, public, demand, added, np.full(n, scale[step])).rate
        publish, one = mechanism.publisher(public, list(scale[:, None])), np.ones(1)
        for earlier in range(step):
            publish(earlier, tariff.optimal(expected[earlier : earlier + 1]), one)
        rate, _ = publish(step, tariff.optimal(demand) + added, one)
        return np.broadcast_to(tariff.published(rate), n)

    return ask
