"""Exposure beside its slow twin, and the twin beside itself.

The twin follows what is exact by the textbook. It is held by brute force against numbers of alike houses, by
all paths of two houses, by labels against beliefs, and by two limits that are known without it.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from rtp.scenario import Group, Law, Scenario
from tests.help import exposure_twin as twin
from tests.help.exposure_streets import random_street, widths

ALIKE = Group(occupied_max=1.0, occupied_min=1.0, empty_max=0.3, empty_min=0.3)
ONE_OR_NONE = Law(edges=(0.0, 0.0, 1.0, 1.0), empty=(1.0, 0.0, 0.0), occupied=(0.0, 0.0, 1.0))


def street(houses: int, law: Law | None = None) -> Scenario:
    """Alike houses of the paper's habits, hour by hour."""
    return Scenario(
        households=houses, step_minutes=60, habit_spread=0.0, groups=(ALIKE.replace(law=law),), alpha=1.0
    )


@pytest.mark.parametrize("b", [0.0, 0.2])
def test_all_joint_states_and_numbers_of_alike_houses_believe_the_same(b: float) -> None:
    known, rng = twin.record(street(5)), default_rng(1)
    _, used = twin.live(known, 50, rng)
    read = twin.seen(known, used, noise := known.noise(b), rng)
    apart, together = twin.all_apart(known), twin.alike(known, 0)
    assert [len(part) for part in together] == [1, 4]
    said, every = twin.believe(known, apart, twin.sums_of(known, apart, noise), *read)
    also, two = twin.believe(known, together, twin.sums_of(known, together, noise), *read)
    np.testing.assert_allclose(said, also, atol=1e-9)
    np.testing.assert_allclose(every[0], two[0], atol=1e-9)
    np.testing.assert_allclose(sum(every[1:]), two[1], atol=1e-9)


def test_beliefs_are_those_of_all_paths() -> None:
    known, rng, b = twin.record(street(2)), default_rng(2), 0.2
    known = replace(known, leave=known.leave[6:8], arrive=known.arrive[6:8], start=np.array([0.2, 0.7]))
    _, used = twin.live(known, 4, rng)
    noise = known.noise(b)
    y, low, high = twin.seen(known, used, noise, rng)
    parts = twin.all_apart(known)
    sums = twin.sums_of(known, parts, noise)
    _, believed = twin.believe(known, parts, sums, y, low, high)
    weight = {}
    for path in product(product((0, 1), repeat=2), repeat=3):
        chance = np.ones(len(y))
        for h in range(2):
            chance *= known.start[h] if path[0][h] else 1 - known.start[h]
            for t in range(2):
                move = (known.arrive[t, h], 1 - known.leave[t, h])[path[t][h]]
                chance *= move if path[t + 1][h] else 1 - move
        for t, (one, other) in enumerate(path):
            chance *= sums[t].density(y[:, t])[:, 2 * one + other]
        weight[path] = chance
    for h, t in product(range(2), range(3)):
        occupied = sum(chance for path, chance in weight.items() if path[t][h])
        np.testing.assert_allclose(believed[h][:, t], occupied / sum(weight.values()), atol=1e-12)


def test_what_two_uniform_houses_use_has_its_closed_form() -> None:
    """Without noise a trapezium; far above it the noise alone decays."""
    known = twin.record(street(2))
    y = np.array([0.05, 0.5, 1.0, 1.25])
    density = twin.Sums(known, twin.all_apart(known), 0.0).density(y)
    u = 0.3
    trapezium = np.minimum(np.minimum(y / u, 1), np.maximum(1 + u - y, 0) / u)
    np.testing.assert_allclose(density[:, 1], trapezium, atol=0.02)
    np.testing.assert_allclose(density[:, 3], np.minimum(y, 2 - y), atol=0.02)


def test_point_masses_decode_without_noise_and_tell_nothing_under_much() -> None:
    known = twin.record(street(4, ONE_OR_NONE))
    one = twin.record(street(1, ONE_OR_NONE))
    known = replace(known, edges=known.edges * np.array([[1.0], [2.0], [4.0], [8.0]]))
    for told in twin.told_moments(known, "outsider", known.noise(0), 2, 60):
        assert np.isnan(told.labels) or told.labels == told.pairs == 1.0
    assert twin.told_away(known, "outsider", known.noise(0), 2, 60).labels == 1.0
    assert twin.told_away(one, "insider", one.noise(500), 0, 200).pairs == pytest.approx(0.5, abs=0.01)


def agree(told: twin.Told, runs: float) -> bool:
    """Whether labels and beliefs say the same; `runs` is how often the rarer answer is expected. No area
    varies more than A(1 − A) over that (van Dantzig 1915)."""
    spread = np.sqrt(max(told.pairs * (1 - told.pairs), 1 / runs) / runs)
    return bool(abs(told.labels - told.pairs) <= 4.5 * (spread + told.error))


@pytest.mark.parametrize("seed", range(4))
def test_labels_and_beliefs_tell_the_same_on_random_streets(seed: int) -> None:
    scenario, runs = random_street(seed), 150
    known = twin.record(scenario)
    chance = known.occupied()[:, 0]
    rare = np.minimum(chance, 1 - chance)
    for b, observer in product(widths(scenario)[:3:2], ("outsider", "insider")):
        moments = twin.told_moments(known, observer, known.noise(b), 0, runs, seed)
        assert all(agree(told, runs * p) for told, p in zip(moments, rare, strict=True) if p > 0.1)
        assert agree(twin.told_away(known, observer, known.noise(b), 0, runs, seed), runs)
