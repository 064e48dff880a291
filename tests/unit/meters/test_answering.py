"""The answer for an analyst: every part over the same days, with numbers that are checked by hand."""

from dataclasses import replace

import numpy as np
import pytest

import rtp
from rtp.core.formatting import percent
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters import learn, replay, watch
from rtp.meters.answering import answer, answer_cards, answer_words, bills_frame, replay_frame
from rtp.meters.replaying import with_bounds
from rtp.scenario import Group, House, edit
from tests.unit.meters.streets import as_readings, known_street

pytestmark = pytest.mark.slow

STREET = rtp.Scenario(
    alpha=0.5, beta=10.0, currency="EUR", groups=(Group(name="Row", occupied_max=3.0, empty_max=1.0),)
)


def test_each_house_pays_rate_times_power_times_hours() -> None:
    """Two houses in groups that turn their order round, a day of hours at 1 and 2 kW."""
    first = Group(name="First", share=0.5, occupied_max=3.0, empty_max=1.0)
    model = STREET.models[0].replace(habits=2 * STREET.models[0].habits)
    two = STREET.replace(
        households=2, power_unit="kW", groups=(first, first.replace(name="Second")), models=(model,)
    )
    houses = [
        House(name=f"h{i}", group=g, occupied=3.0, empty=1.0) for i, g in enumerate(("Second", "First"))
    ]
    found = replay(as_readings(np.array([[1.0] * 24, [2.0] * 24]), 60), edit.with_houses(two, houses))
    table = bills_frame(found).set_index("house")
    assert list(table["group"]) == ["Second", "First"]
    np.testing.assert_allclose(table["energy_kWh"], [24.0, 48.0])
    np.testing.assert_allclose(table["optimal_bill_EUR"], [24 * (0.5 * 3 + 10), 48 * (0.5 * 3 + 10)])
    for name in REGISTRY:
        np.testing.assert_allclose(
            table[f"{name}_bill_EUR"], [24 * found.rate(name).mean(), 48 * found.rate(name).mean()]
        )


def test_bills_change_with_a_sign_unless_by_nothing_that_shows() -> None:
    """Noise beside a price of a million changes bills by some millionths, up or down."""
    readings = as_readings(np.array([[1.0] * 24, [2.0] * 24]), 60)
    street = STREET.replace(households=2, power_unit="kW")
    found, dear = replay(readings, street), replay(readings, street.replace(beta=1e6))
    table = replay_frame(found)
    for name, mechanism in REGISTRY.items():
        share = found.bill_change(name) / found.paid[UNPROTECTED]
        assert table.loc[mechanism.label, "Worst house"] == f"{share.max():+z.2%}"
    assert any("-" in cell for cell in table["Change"])
    assert any(dear.bill_change(name).sum() < 0 for name in REGISTRY)
    assert set(replay_frame(dear)["Change"]) == {"+0.00%"}


def test_without_learned_habits_every_group_has_the_stated_bounds() -> None:
    group = STREET.groups[0].replace(occupied_min=2.0, occupied_max=2.0, empty_min=0.5, empty_max=0.5)
    assert with_bounds(STREET, None, 2.0, 0.5) == STREET.replace(groups=(group,))


@pytest.mark.long
def test_the_answer_is_of_the_last_weeks_learned_from() -> None:
    street = known_street(4, 42, 60, 11, empty_share=(0.05, 0.1))
    learned = learn(street.readings, resamples=0)
    scenario = learned.scenario(STREET, 1.0, 0.5)
    assert with_bounds(STREET, learned, 1.0, 0.5) == scenario
    done: list[float] = []
    result = answer(street.readings, scenario, learned, progress=done.append)
    assert (result.replay.days, result.replay.first_date) == (28, street.readings.date(14))
    assert done == sorted(done)
    assert done[-1] == 1.0
    told, rates, bills, seen = answer_words(result)
    assert "houses" in told
    assert f"Blowfish by {percent(result.replay.error('blowfish'))}" in rates
    assert f"{result.replay.paid[UNPROTECTED].mean():,.0f} EUR" in bills
    most = watch(result.replay)
    assert seen.startswith(f"**The house that shows most is {most.name}.**")
    scores = most.attack.scores
    exact, private = (percent(float(scores[name].accuracy.value), 3) for name in (UNPROTECTED, "blowfish"))
    assert f"right about it at {exact} of the moments from unprotected rates, at {private} from" in seen
    assert seen.endswith("nobody knows who was at home.")
    assert answer_cards(result) == {
        "Houses that show occupancy": (f"{int(learned.can_be_occupancy.sum())} of 4", "by two states of use"),
        "Error of Blowfish": (percent(result.replay.error("blowfish")), "in a typical step"),
        "Mean bill": answer_cards(result)["Mean bill"],
        "Observer is right at": (private, f"{exact} unprotected"),
    }


@pytest.mark.long
def test_days_and_the_house_can_be_chosen() -> None:
    readings = as_readings(np.tile([[0.5, 1.5], [1.0, 0.2]], 12 * 35), 60)
    result = answer(readings, STREET, first=3, days=32, house="h1")
    assert (result.learned, result.replay.days, result.watched.name) == (None, 32, "h1")
    assert "**Of the houses, h1 is watched.**" in answer_words(result)[-1]
    assert "over the first four weeks." in answer_words(result)[-1]
    assert answer_cards(result)["Houses that show occupancy"][0] == "–"
    with pytest.raises(rtp.ScenarioError, match="house is 'h7'"):
        answer(readings, STREET, house="h7")


def test_houses_whose_states_are_no_occupancy_cannot_be_told() -> None:
    """States that are less than 100 W apart are an appliance's: the house shows two, and cannot be told."""
    street = known_street(3, 14, 60, 11, empty_share=(0.05, 0.1))
    power = street.readings.power.copy()
    power[0] *= 0.2
    readings = replace(street.readings, power=power)
    learned = learn(readings, resamples=0)
    assert learned.houses.separable.sum() > learned.can_be_occupancy.sum()
    result = answer(readings, learned.scenario(STREET, 1.0, 0.5), learned)
    told = f"{int(learned.can_be_occupancy.sum())} of 3"
    assert answer_cards(result)["Houses that show occupancy"][0] == told
