"""How often the observer is right: days side by side against days one by one, and what is claimed of them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from rtp import PRESETS, Group, House, Scenario, simulate
from rtp.attack.adversary import smoothed_beliefs
from rtp.core.formatting import percent, whole_percent
from rtp.core.random import Stream, random_generator
from rtp.core.stats import mean_interval
from rtp.core.types import Floats
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.metrics import ERROR_DIGITS
from rtp.output.story import as_naive, claim
from rtp.scenario import BOUNDS, Law, edit
from rtp.simulation import Day, market, street_spec
from rtp.simulation.publish import release
from rtp.street.prior_marginals import support_classes
from rtp.street.schedule import DemandMoments
from rtp.street.simulate import StreetDay
from rtp.teaching import exposure as counted
from rtp.teaching.exposure import NOTICED, ExposedDays, between, exposure, private_beliefs, watched_days
from rtp.teaching.threat import right_share, story_street, watched_house
from rtp.tradeoff import cost
from tests.help.few import few
from tests.help.hourly import HOURLY

LAW = Law(edges=(0.0, 0.2, 0.5, 1.0), empty=(0.7, 0.2, 0.1), occupied=(0.1, 0.3, 0.6))
SOME = ("paper", "mixed street", "mansions", "unsure curator")
STREETS = HOURLY | {
    "one house": Scenario(households=1, step_minutes=60),
    "two listed": edit.with_houses(
        Scenario(step_minutes=60),
        (
            House(name="a", group="Households", occupied=1.0, empty=0.1),
            House(name="b", group="Households", occupied=0.4, empty=0.3),
        ),
    ),
    "half hours, clipped": Scenario(step_minutes=30, beta=0.2, clip_at_zero=True),
    "distributions": Scenario(step_minutes=60, groups=(Group(law=LAW),)),
    "a set reference": HOURLY["elastic demand"].replace(reference_rate=60.0),
}


@pytest.fixture
def few_days(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(counted, "DAYS", 6)
    monkeypatch.setattr(counted, "LAW_DAYS", 3)
    counted._watched_days.cache_clear()
    yield
    counted._watched_days.cache_clear()


def one_by_one(street: Scenario, days: ExposedDays, mechanism: str, group: int | None) -> Floats:
    """The same beliefs, (T, D): each day as a street of its own, priced and read as everywhere else."""
    steps, count = days.demand.shape
    units = random_generator(counted.SEED, Stream.NOISE).laplace(size=(steps, count))
    beliefs = []
    for d, (own, chains) in enumerate(zip(days.streets, days.chains, strict=True)):
        spec = street_spec(street)
        moments = np.zeros((5, 1, steps))
        moments[1, 0] = days.expected_demand[:, d]
        assert own.group.tolist() == spec.draw().group.tolist()
        drawn = StreetDay(
            spec=spec,
            street=own,
            support_classes=support_classes(spec, own),
            occupied_by_group=np.zeros((1, steps)),
            demand=days.demand[:, d],
            true_moments=DemandMoments(*moments),
            assumed_moments=DemandMoments(*moments),
        )
        context = market(street, drawn)
        chosen = REGISTRY[mechanism]
        published = release(chosen, context, chosen.scale(context.public), units[:, d])
        day = Day(scenario=street, market=context, release={mechanism: published})
        beliefs.append(smoothed_beliefs([day], mechanism, [watched_house(own, group)], [chains])[:, 0])
    return np.column_stack(beliefs)


@pytest.mark.usefixtures("few_days")
@pytest.mark.parametrize("name", few(STREETS, *SOME))
def test_days_side_by_side_are_the_days_one_by_one(name: str) -> None:
    scenario = STREETS[name].replace(epsilon=2.0)
    street, days = story_street(scenario), watched_days(scenario)
    group = 0 if scenario.households > 2 else None
    twin = one_by_one(street, days, FEATURED, group)
    np.testing.assert_allclose(private_beliefs(street, days), twin, atol=1e-9)
    np.testing.assert_allclose(days.optimal, one_by_one(street, days, UNPROTECTED, group), atol=1e-9)
    halved = replace(days, protected_bound=days.protected_bound / 2)
    assert np.abs(private_beliefs(street, halved) - twin).max() > 1e-3, "half the noise is noticed"


@pytest.mark.parametrize("name", few(STREETS, *SOME))
def test_probabilities_to_be_right_are_the_hits_on_average(name: str) -> None:
    """Three beliefs on 18 streets within four standard errors: one in 300 such suites would fail by luck."""
    scenario = STREETS[name].replace(epsilon=2.0)
    days = watched_days(scenario)
    for belief in (days.habits, private_beliefs(story_street(scenario), days), days.optimal):
        hits = np.array([right_share(*own) for own in zip(belief.T, days.occupied.T, strict=True)])
        off = hits - np.maximum(belief, 1 - belief).mean(axis=0)
        assert abs(off.mean()) <= 4 * off.std(ddof=1) / np.sqrt(len(off)) + 1e-12


def test_neither_seed_nor_tariff_changes_the_exposure_and_epsilon_does() -> None:
    scenario, (low, high, _) = HOURLY["mixed street"], BOUNDS["epsilon"]
    first = exposure(scenario)
    other = exposure(scenario.replace(seed=9, alpha=3.0, days=2))
    assert other.private == pytest.approx(first.private, abs=1e-9)
    assert other.habits == first.habits
    assert exposure(scenario.replace(epsilon=low)).verdict == "hidden"
    assert exposure(scenario.replace(epsilon=high)).verdict == "not hidden"


@given(st.tuples(*[st.floats(0.5, 1.0)] * 3), st.floats(1e-4, 0.1), st.integers(0, 9))
def test_a_verdict_agrees_with_the_intervals(
    shares: tuple[float, float, float], scatter: float, seed: int
) -> None:
    days = np.array(shares)[:, None] + scatter * np.random.default_rng(seed).normal(size=(3, 40))
    found = counted.compare(Scenario(), *days)

    def exceeds(more: int, less: int) -> bool:
        sure = ttest_1samp(days[more] - days[less], 0.0).confidence_interval(0.95).low > 0
        return bool(sure and days[more].mean() - days[less].mean() >= NOTICED)

    assert (found.verdict == "nothing to hide") == (not exceeds(2, 0))
    if exceeds(2, 0):
        assert (found.verdict == "hidden") == (not exceeds(1, 0))
        assert (found.verdict == "not hidden") == (exceeds(1, 0) and not exceeds(2, 1))
    assert mean_interval(days[0]) == found.habits


@pytest.mark.long
@pytest.mark.parametrize("name", HOURLY)
def test_the_claim_says_the_numbers_of_the_pictures(name: str) -> None:
    low, high, _ = BOUNDS["epsilon"]
    for seed, epsilon in enumerate((low, 0.05, 0.5, 5.0, high)):
        day = simulate(HOURLY[name].replace(epsilon=epsilon, seed=seed))
        missed, seen = cost(day), exposure(day.scenario)
        words = claim(missed, seen).replace("\u00a0", " ")
        shown = [whole_percent(each.value) for each in (seen.optimal, seen.private, seen.habits)]
        assert all(share in words for share in (*shown, percent(missed[FEATURED].value, ERROR_DIGITS)))
        if as_naive(day, missed):
            assert (day.release[FEATURED].protected == day.scenario.households).all()
            assert missed[FEATURED].value == pytest.approx(missed[YARDSTICK].value, rel=0.01)


@pytest.mark.parametrize("name", few(PRESETS, "paper", "mansions"))
@pytest.mark.parametrize("budget", few(["0.115", "0.45", "1.8"], "0.45"))
def test_between_two_stops_it_is_what_it_would_be_there(name: str, budget: str) -> None:
    """But for a twentieth of the interval that is said of it."""
    epsilon = float(budget)
    scenario = PRESETS[name].replace(epsilon=epsilon)
    below, true, above = (exposure(scenario.replace(epsilon=epsilon * 10**k)) for k in (-0.08, 0, 0.02))
    guessed = between(below, above, scenario)
    assert (guessed.street, guessed.days, guessed.verdict) == (true.street, true.days, true.verdict)
    for own, other in ((guessed.private, true.private), (guessed.taken_back, true.taken_back)):
        assert abs(own.value - other.value) < 0.05 * (other.high - other.low)
        assert own.high - own.low == pytest.approx(other.high - other.low, rel=0.2, abs=1e-4)
