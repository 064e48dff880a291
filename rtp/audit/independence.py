"""What rates can prove against the way noise is drawn: used again, known in sum, or following a secret.

Each check is wrong about a kept promise with probability `level` at most. Noise is (n, T): a row a day, in
the unit of what is needed, NaN where it is not seen. Whatever a mechanism promises, its noise is Laplace
noise of a scale that is public, drawn anew for every rate; what follows holds for that noise, if it is as
wide as is needed or wider.

* Noise used at two steps. Noise is as often positive as negative, and independent from rate to rate: two
  rates' signs agree like a fair coin. Of n releases, agreements less disagreements exceed √(2n·ln(2/p)) with
  probability p at most (Hoeffding). Each step is also compared with "always positive", so that fixed noise is
  found.
* Noise that two steps decide for a third. Any two of three signs may be free while the third is their
  product. It agrees with that like a fair coin, too: all triples of steps within TRIPLE_STEPS are counted.
* Noise whose sizes go together. On one street noise is as wide in one release as in another, so which of the
  two is larger at a step is a fair coin, independent from step to step and of the signs. Each release is
  compared with the next of its street: coins of two steps, size with size and size with sign, agree like one.
* Noise used on two days. Two draws fall into the same of cells of width δ with probability δ/2 at most, as
  Laplace's density is nowhere above ½, and independent steps do so one by one. That two of n days agree at m
  of T steps has probability at most C(n, 2)·C(T, m)·(δ/2)ᵐ: δ is where that is the level.
* Noise of few values. Two draws lie within w of each other with probability w at most. So among M of them
  the expected number of sets of k disjoint pairs that do so is at most λᵏ/k!, λ = M²w/2, and that bounds the
  probability that there is one. Noise made of coarse random numbers has many such pairs.
* Noise whose sum is known. Any combination Σ vₜxₜ with Σ vₜ² = 1 has a log-concave density with a variance of
  at least 2, nowhere above ½: it is at most y with probability y at most. Two combinations are tried: the sum
  over the day, and the one that varies least on held-out days.
* Noise that follows a secret. Of the same street and step what is public is the same, so noise is equally
  wide whoever is in. The sums of its sizes over k releases in one world and m in another are gamma
  distributed, and the share of the first in both is Beta(k, m), whatever the scale: sub-Gaussian with the
  variance 1/(4(k + m + 1)) (Marchal and Arbel, 2017). A weighted sum of shares, less their means, exceeds
  √(2V·ln(2/p)) with probability p at most. Weights are 1, where a house is in or out, and how many more are
  in, or how much more is used, where two days are compared. And whatever it follows, at whichever step: if
  it follows nothing, −2·Σ ln p of the shares' own probabilities is χ² distributed (Fisher).
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rtp.audit.checks import DETECTION_POWER, FINEST, HELD_OUT, ROUNDINGS, Finding, chance_of_as_many
from rtp.audit.worlds import PAIRED_DAYS, Secrets
from rtp.core.types import Floats, Ints

TRIPLE_STEPS = 96  # a triple of steps lies within so many
STEPS_ALIKE = 3  # at which two days have the same noise before it counts as used again
DAYS_PER_STEP = 2  # held out, at least, for choosing a combination


def repeat_test(noise: Floats, resolution: float, level: float) -> Finding[tuple[int, int]]:
    """Return the first two days that share their noise, (n, T), which was read to within `resolution`; and
    how many sequences, or fewer, noise may be drawn from to be found."""
    n, steps = len(noise), int(np.count_nonzero(~np.isnan(noise).all(axis=0)))
    width = cell_width(n, steps, level)
    if width <= 2 * resolution:  # too coarse to tell two draws apart, or not two days to compare
        return Finding(None, 0.0)
    cells = np.floor(noise / width)
    cells[np.abs(noise) <= width] = np.nan  # no noise is no noise used again
    both = []
    for column in cells.T:
        order = np.argsort(column, kind="stable")
        same = np.flatnonzero(np.diff(column[order]) == 0)
        both.append(order[same] * n + order[same + 1])
    pairs, counts = np.unique(np.concatenate(both), return_counts=True)
    pairs = pairs[counts >= min(STEPS_ALIKE, steps)]
    first = divmod(int(pairs[0]), n) if len(pairs) else None
    return Finding(first, n * (n - 1) / 2 / -np.log(1 - DETECTION_POWER))


def cell_width(n: int, steps: int, level: float) -> float:
    """Return δ at which two of n days agree at STEPS_ALIKE steps by luck with probability `level` at most."""
    alike = min(STEPS_ALIKE, steps)
    ways = comb(n, 2) * comb(steps, alike)
    return 2 * float((level / ways) ** (1 / alike)) if ways and alike else 0.0


Steps = Finding[tuple[int, ...]]  # whose noise goes together; −1 stands for "always the same"
NOTHING_SEEN = Steps(None, np.inf)


def independence_test(noise: Floats, level: float) -> Steps:
    """Return the two steps whose noise, (n, T), agrees most in its signs, if that proves anything; and the
    share of releases with such noise that would be found, above 1: none."""
    steps = np.flatnonzero(~np.isnan(noise).all(axis=0))
    if not len(steps):
        return NOTHING_SEEN
    signs = _signs(noise[:, steps])
    signs = np.column_stack([np.ones(len(signs), dtype=np.float32), signs])
    informative = np.abs(signs)
    agree, together = np.abs(signs.T @ signs), informative.T @ informative
    np.fill_diagonal(agree, 0)
    each = level / (len(signs.T) * (len(signs.T) - 1) / 2)
    excess = agree - coin(together, each)
    one, other = np.unravel_index(int(excess.argmax()), excess.shape)
    names = [-1, *steps.tolist()]
    pair = (names[one], names[other]) if excess.max() > 0 else None
    return Steps(pair, _detectable(float(together[0, 1:].min()), each))


def _signs(noise: Floats) -> NDArray[np.float32]:
    """1 where noise is above 0, else −1; 0 where it is not seen."""
    return np.where(np.isnan(noise), 0, np.where(noise > 0, 1, -1)).astype(np.float32)


def _detectable(n: float, level: float) -> float:
    """Return the share of n releases with noise that goes together that would be found."""
    if n <= 0:
        return np.inf
    return float((coin(np.array(n), level) + coin(np.array(n), 2 * (1 - DETECTION_POWER))) / n)


def parity_test(noise: Floats, level: float) -> Steps:
    """Return the three steps of which one's sign most follows the other two's, if that proves anything."""
    steps = np.flatnonzero(~np.isnan(noise).all(axis=0))
    signs = _signs(noise[:, steps])
    reach = [min(TRIPLE_STEPS, len(steps) - first) - 1 for first in range(len(steps) - 2)]
    triples = sum(comb(later, 2) for later in reach)
    if not triples:
        return NOTHING_SEEN
    each, most, found, fewest = level / triples, 0.0, None, np.inf
    for first, count in enumerate(reach):
        later = signs[:, first + 1 : first + 1 + count]
        products = signs[:, first : first + 1] * later
        together = np.abs(products).T @ np.abs(later)
        excess = np.triu(np.abs(products.T @ later) - coin(together, each), k=1)
        fewest = min(fewest, float(together[np.triu_indices(count, k=1)].min()))
        if excess.max() > most:
            second, third = np.unravel_index(int(excess.argmax()), excess.shape)
            most, found = float(excess.max()), (first, first + 1 + int(second), first + 1 + int(third))
    named = None if found is None else tuple(steps[list(found)].tolist())
    return Steps(named, _detectable(fewest, each))


def sizes_test(noise: Floats, street: Ints, level: float) -> Steps:
    """Return the two steps of which the size of noise, (n, T), at one goes with the size or the sign at the
    other, if that proves anything; `street`, (n,), is whose noise it is."""
    steps = np.flatnonzero(~np.isnan(noise).all(axis=0))
    if len(steps) < 2:
        return NOTHING_SEEN
    own = [np.flatnonzero(street == each) for each in np.unique(street)]
    one, other = (
        noise[np.concatenate([of[k : len(of) // 2 * 2 : 2] for of in own])][:, steps] for k in (0, 1)
    )
    larger = _coins(np.abs(one) - np.abs(other))
    coins = np.hstack([larger, _coins(np.sign(one) - np.sign(other))])
    agree, together = np.abs(larger.T @ coins), np.abs(larger).T @ np.abs(coins)
    count = len(steps)
    tried = np.hstack([np.triu(np.ones((count, count)), k=1), np.ones((count, count))]) > 0
    each = level / np.count_nonzero(tried)
    excess = np.where(tried, agree - coin(together, each), 0.0)
    first, second = np.unravel_index(int(excess.argmax()), excess.shape)
    found = (int(steps[first]), int(steps[second % count])) if excess.max() > 0 else None
    return Steps(found, _detectable(float(together[:, :count][tried[:, :count]].min()), each))


def _coins(differences: Floats) -> NDArray[np.float32]:
    """Their signs, 0 where nothing is seen."""
    return np.nan_to_num(np.sign(differences)).astype(np.float32)


def coin(n: Floats, probability: float) -> Floats:
    """Return by how much heads and tails of n fair throws differ with that probability (Hoeffding)."""
    return np.asarray(np.sqrt(2 * n * np.log(2 / probability)))


def values_test(noise: Floats, resolution: float, level: float) -> Finding[bool]:
    """Return whether too many values of noise, (n, T), are the same, which was read to within `resolution`;
    and how many equally likely values, or fewer, noise may have to be found."""
    values = np.sort(noise[~np.isnan(noise)])
    n = len(values)
    if not n:
        return Finding(None, 0.0)
    width = max(2 / n**2, 2 * ROUNDINGS * resolution)
    expected = n**2 / 2 * (width + ROUNDINGS * resolution)
    if expected > n / 8:  # read too coarsely to tell two draws apart
        return Finding(None, 0.0)
    pairs = pairs_by_luck(expected, level)
    values = values[np.abs(values) > width]  # no noise is no noise used again
    found = close_pairs(values, width)
    power = -np.log(1 - DETECTION_POWER)
    surely = pairs + power + np.sqrt(power**2 + 2 * power * pairs)  # expected, for that many to be there
    few = 2 * surely < n / 2  # else hardly any pairs are disjoint
    return Finding(True if found >= pairs else None, n**2 / 2 / surely if few else 0.0)


def close_pairs(values: Floats, width: float) -> int:
    """Return how many disjoint pairs of values, sorted, lie within a width: every other gap of a run."""
    close = np.flatnonzero(np.diff(values) <= width)
    runs = np.split(close, np.flatnonzero(np.diff(close) > 1) + 1)
    return sum((len(run) + 1) // 2 for run in runs)


def pairs_by_luck(expected: float, level: float) -> int:
    """Return the smallest k with expectedᵏ/k! at most the level."""
    from scipy.special import gammaln

    k = np.arange(1, int(20 + 4 * expected - np.log(level)))
    return int(k[np.argmax(k * np.log(expected) - gammaln(k + 1) <= np.log(level))])


def known_sum(noise: Floats, resolution: float, level: float) -> bool:
    """Return whether some combination of a day's noise, (n, T), is too often near 0."""
    seen = noise[:, ~np.isnan(noise).any(axis=0)]
    steps = seen.shape[1]
    if steps < 2:
        return False
    chosen = np.arange(len(seen)) % HELD_OUT == 0
    combinations = [np.full(steps, 1 / np.sqrt(steps))]
    if np.count_nonzero(chosen) >= DAYS_PER_STEP * steps:
        combinations.append(np.linalg.eigh(seen[chosen].T @ seen[chosen])[1][:, 0])
    sizes = np.abs(seen[~chosen] @ np.column_stack(combinations))
    below = 2.0 ** -np.arange(1, FINEST + 1)
    counts = np.array([np.count_nonzero(sizes <= y, axis=0) for y in below])
    bound = np.minimum(below + ROUNDINGS * resolution * np.sqrt(steps), 1.0)
    chance = chance_of_as_many(counts, len(sizes), bound[:, None])
    return bool(chance.min() < level / chance.size)


def secret_test(noise: Floats, secrets: Secrets, level: float) -> Finding[str]:
    """Return which secret the size of noise, (n, T), follows, however wide it is; and how many times as wide
    where a house is in would be found, infinite: none."""
    from scipy.special import gammaincc

    sums, counts = _by_world(np.abs(noise), secrets)
    house = _shares(*((each[:, :, 1], each[:, :, 0]) for each in (sums, counts)))
    one, other = (np.array(side) for side in zip(*PAIRED_DAYS, strict=True))
    of_day = (each.sum(axis=2) for each in (sums, counts))
    day = _shares(*((each[:, one], each[:, other]) for each in of_day))
    chances = {
        "the house": house.together(np.ones_like(house.share)),
        "houses in": day.together(secrets.houses_in[:, one] - secrets.houses_in[:, other]),
        "demand": day.together(secrets.demand[:, one] - secrets.demand[:, other]),
        "the house, at some steps": float(gammaincc(*house.fisher())),
        "the day": float(gammaincc(*day.fisher())),
    }
    secret = min(chances, key=chances.__getitem__)
    each = level / len(chances)
    return Finding(secret if chances[secret] < each else None, house.detectable(each))


def _by_world(sizes: Floats, secrets: Secrets) -> tuple[Floats, Floats]:
    """Sums and counts, (streets, days, out and in, T) each."""
    streets, days, steps = secrets.demand.shape
    sums, counts = np.zeros((2, streets, days, 2, steps))
    for street, lived, occupied in np.ndindex(streets, days, 2):
        own = (secrets.street == street) & (secrets.lived == lived) & (secrets.occupied == occupied)
        sums[street, lived, occupied] = np.nansum(sizes[own], axis=0)
        counts[street, lived, occupied] = np.count_nonzero(~np.isnan(sizes[own]), axis=0)
    return sums, counts


class Shares(NamedTuple):
    """By how much sizes in one of two worlds exceed their share in both; arrays of one shape."""

    share: Floats  # less its mean; 0 where nothing can be compared
    one: Floats  # how many sizes there are
    other: Floats

    @property
    def variance(self) -> Floats:
        """What no share exceeds, as a sub-Gaussian variable."""
        return 1 / (4 * (self.one + self.other + 1))

    def together(self, weight: Floats) -> float:
        """Return with which probability, at most, the weighted sum is as far from 0."""
        weight = np.where(self.one * self.other > 0, weight, 0.0)
        spread = float((weight**2 * self.variance).sum())
        return 2 * float(np.exp(-((weight * self.share).sum() ** 2) / (2 * spread))) if spread else 1.0

    def fisher(self) -> tuple[float, float]:
        """Return how many shares there are, and the sum of −ln of their probabilities."""
        from scipy.special import betainc, betaincc

        there = self.one * self.other > 0
        if not there.any():
            return 1.0, 0.0
        k, m = self.one[there], self.other[there]
        share = np.clip(self.share[there] + k / (k + m), 0.0, 1.0)
        chance = np.minimum(2 * np.minimum(betainc(k, m, share), betaincc(k, m, share)), 1.0)
        with np.errstate(divide="ignore"):
            return float(len(k)), float(-np.log(chance).sum())

    def detectable(self, level: float) -> float:
        """Return the ratio of two scales that would be found, of one sign at all steps."""
        there = self.one * self.other > 0
        spread = float(self.variance[there].sum())
        needed = np.sqrt(2 * spread) * (np.sqrt(np.log(2 / level)) + np.sqrt(-np.log(1 - DETECTION_POWER)))
        most = float(np.count_nonzero(there)) / 2  # as the ratio r grows, each share nears 1, from 1/2
        return float((most + needed) / (most - needed)) if needed < most else np.inf


def _shares(sums: tuple[Floats, Floats], counts: tuple[Floats, Floats]) -> Shares:
    """Those of sums of sizes in two worlds, beside how many there are."""
    (one, other), (k, m) = sums, counts
    there = (k > 0) & (m > 0) & (one + other > 0)
    k, m = np.where(there, k, 0), np.where(there, m, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Shares(np.where(there, one / (one + other) - k / (k + m), 0.0), k, m)
