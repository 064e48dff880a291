"""What Explore claims of a street is so on every preset: each number, each judgement, the named house."""

import re

import pytest

from rtp import Scenario, simulate
from rtp.core.formatting import percent, whole_percent
from rtp.core.stats import Range
from rtp.exposure import HIDDEN, Exposure, exposure
from rtp.mechanisms import FEATURED, NO_DATA, UNPROTECTED
from rtp.output.exposure import ALWAYS, NOTICED, USELESS, claim, interval, share, visibility, where
from rtp.scenario import House, edit
from rtp.tradeoff import cost
from tests.help.few import few
from tests.help.hourly import HOURLY
from tests.help.streets import CERTAIN

SEEDS = (0, 7)


def said(scenario: Scenario, insider: Exposure, outsider: Exposure) -> tuple[str, dict[str, Range]]:
    costs = cost(simulate(scenario), [FEATURED, NO_DATA])
    return claim(insider, outsider, costs, scenario).replace("\u00a0", " "), costs


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(SEEDS, 0))
@pytest.mark.parametrize("name", few(HOURLY, "paper", "tiny street"))
def test_the_claim_is_true_on_every_preset_seed_and_budget(name: str, seed: int) -> None:
    street = HOURLY[name].replace(seed=seed)
    insider, outsider = (exposure(street, "moment", who) for who in ("insider", "outsider"))
    for epsilon in (0.01, street.epsilon, 10.0, 10_000.0):
        scenario = street.replace(epsilon=epsilon)
        words, costs = said(scenario, insider, outsider)
        bare, private = insider.at(UNPROTECTED), insider.at(FEATURED, epsilon)
        areas = [each.at(rate, epsilon) for each in (insider, outsider) for rate in (UNPROTECTED, FEATURED)]
        numbers = {whole_percent(area.value) for area in areas} | {"50 %"}
        numbers |= {percent(costs[rate].value, 3) for rate in (FEATURED, NO_DATA)}
        assert set(re.findall(r"[\d.,]+ %", words)) <= numbers, words
        assert ("always" in words) == (bare.value >= ALWAYS), words
        taken = bare.value - private.value >= NOTICED
        assert ("takes nothing away" in words) == (not taken), words
        useless = costs[FEATURED].value >= USELESS
        assert words.startswith("The private rate is useless") == useless, "it is judged before it is praised"
        hides = taken and private.high <= HIDDEN < bare.high and not useless
        assert ("private one hides it" in words) == hides, words
        if "from an outsider" in words:
            assert not useless, words
            assert outsider.at(FEATURED, epsilon).high <= HIDDEN, words
            assert outsider.exact or taken, "an approximation alone hides nothing"
        assert ("reads no meter" in words) == (costs[NO_DATA].value < costs[FEATURED].value), words


@pytest.mark.parametrize(("part", "wasted"), [(0.1, True), (0.999, False), (None, False)])
def test_an_error_that_hides_nothing_more_is_said_with_how_many_times(
    part: float | None, wasted: bool
) -> None:
    scenario = HOURLY["paper"].replace(households=20)
    found, costs = exposure(scenario, "moment", "insider"), cost(simulate(scenario), [FEATURED, NO_DATA])
    own = costs[FEATURED].value
    words = claim(found, found, costs, scenario, None if part is None else part * own).replace("\u00a0", " ")
    assert ("nothing more hidden" in words) == wasted
    if part and wasted:
        assert f"An error of {percent(part * own, 2)} hides as much: {1 / part:.0f} times" in words


@pytest.mark.slow
def test_the_house_that_is_named_shows_as_much_on_other_days() -> None:
    scenario = HOURLY["mixed street"].replace(households=40)
    found = exposure(scenario, "moment", "insider")
    words, _ = said(scenario, found, found)
    (number,) = re.findall(r"house (\d+), ", words)
    alone = exposure(scenario, "moment", "insider", houses=[int(number) - 1], seed=5)
    again, first = alone.at(FEATURED, scenario.epsilon), found.at(FEATURED, scenario.epsilon)
    assert again.high >= first.low
    assert again.low <= first.high


def test_where_habits_settle_all_there_is_nothing_to_tell() -> None:
    seen = [exposure(CERTAIN, "moment", who) for who in ("insider", "outsider")]
    words, _ = said(CERTAIN, seen[0], seen[1])
    assert "no rate can tell more" in words
    assert where(None, CERTAIN) == "no house"


def test_a_place_has_its_weekday_where_days_differ_and_the_name_that_somebody_wrote() -> None:
    quiet = Scenario(step_minutes=60, households=2)
    weekly = HOURLY["feeder"].replace(households=3)
    houses = tuple(House(name=name, group="Households", occupied=1.0, empty=0.1) for name in ("Mill", "c"))
    listed = edit.with_houses(quiet, houses)
    for scenario in (quiet, weekly, listed):
        found = exposure(scenario, "moment", "insider", houses=[0])
        worst = found.worst(FEATURED, 0.5)
        assert worst is not None
        words = where(worst, scenario)
        assert words.startswith("Mill, " if scenario is listed else "house 1, ")
        assert (worst.weekday in words) == scenario.has_weekends
        assert words.endswith(f"{worst.step:02}:00")
        assert where(worst, scenario, "week").endswith(scenario.house(0))
        claimed, _ = said(scenario.replace(epsilon=0.5), found, found)
        assert words in claimed


def test_an_area_amounts_to_what_its_whole_interval_says() -> None:
    areas = ((0.55, 0.52, 0.59), (0.59, 0.57, 0.61), (0.7, 0.65, 0.75), (0.92, 0.91, 0.95), (0.9, 0.85, 0.95))
    found = [visibility(Range(*area)) for area in areas]
    assert found == ["hidden", "on the edge of hidden", "partly hidden", "visible", "on the edge of visible"]
    assert share(Range(0.767, 0.7, 0.8), exact=False).startswith("at least 77")
    assert share(Range(0.997, 0.99, 1.0), exact=False) == share(Range(1.0, 1.0, 1.0))
    assert interval(Range(0.767, 0.754, 0.781)).replace("\u00a0", " ") == "75 to 78 %"
