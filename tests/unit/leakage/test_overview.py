"""Three secrets, two observers, one scale."""

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from pages.ui.overtime import FEW
from rtp import Scenario, simulate
from rtp.leakage.hypothesis import given_moment, one_row_per_step
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import OBSERVERS, VISIBLE, overview, visibility_word
from rtp.leakage.words import moment_words, overview_frame, overview_words
from rtp.probability.markov import Chains
from tests.unit.tradeoff.streets import certain_street

chance = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.05, 0.95))


@drawn(data=st.data(), steps=st.integers(2, 5))
def test_the_chain_given_a_moment_has_bayes_law(data: st.DataObject, steps: int) -> None:
    links = st.lists(chance, min_size=steps - 1, max_size=steps - 1)
    chain = one_row_per_step(
        initial=np.array([data.draw(st.floats(0.05, 0.95))]),
        leave=np.reshape(data.draw(links), (-1, 1)),
        arrive=np.reshape(data.draw(links), (-1, 1)),
    )
    at = data.draw(st.integers(0, steps - 1))
    paths = np.array(list(np.ndindex(*[2] * steps)))

    def weight(of: Chains) -> np.ndarray:
        total = np.where(paths[:, 0] == 1, of.initial, 1 - of.initial)
        for t in range(steps - 1):
            stays = np.where(paths[:, t] == 1, 1 - of.leave[t], of.arrive[t])
            total = total * np.where(paths[:, t + 1] == 1, stays, 1 - stays)
        return total

    before = weight(chain)
    for state in (0, 1):
        if (kept := np.where(paths[:, at] == state, before, 0.0)).sum() > 1e-9:
            np.testing.assert_allclose(
                weight(given_moment(chain, at, bool(state))), kept / kept.sum(), atol=1e-9
            )


@pytest.mark.slow
def test_secrets_that_last_show_more_and_without_data_nothing_shows() -> None:
    scenario = Scenario(households=60, epsilon=1.0)
    found = overview(scenario, "blowfish", 40, repetitions=100).areas
    for adversary in OBSERVERS:
        moment, history = found["moment", adversary], found["history", adversary]
        assert history.value > moment.value - (moment.high - moment.value)
    for name in ("moment", "holiday", "history"):
        assert found[name, "insider"].value >= found[name, "outsider"].low
    assert {cell.value for cell in overview(scenario, "forecast", 40, repetitions=40).areas.values()} == {0.5}


def test_words_follow_the_area() -> None:
    assert [visibility_word(area) for area in (0.5, 0.6, 0.61, 0.89, 0.9, 1.0)] == [
        "hidden", "hidden", "blurred", "blurred", "visible", "visible",
    ]  # fmt: skip


@pytest.mark.slow
def test_what_the_page_says_to_try_is_so() -> None:
    """A tenth of the budget, a street of twenty, the paper's own day; 120 lives tell areas to about 0.07."""
    street = Scenario()
    day, tenth = simulate(street), simulate(street.replace(epsilon=street.epsilon / 10))
    assert moment_leakage(tenth, "blowfish").worst < moment_leakage(day, "blowfish").worst / 5
    whole = overview(street, "blowfish", 40).areas
    assert whole["holiday", "insider"].low > VISIBLE
    few = overview(street.replace(households=FEW), "blowfish", 40).areas
    for name in ("moment", "holiday", "history"):
        assert few[name, "outsider"].high > few[name, "insider"].low
        assert few[name, "insider"].value - few[name, "outsider"].value < 0.1
    assert whole["holiday", "insider"].value - whole["holiday", "outsider"].value > 0.2


def test_a_certain_street_has_no_secret_that_shows() -> None:
    street = certain_street()
    day = simulate(street)
    assert "nobody learns anything" in moment_words(day, moment_leakage(day, "blowfish"))
    shown = overview(street, "blowfish", 40, repetitions=40)
    assert set(shown.areas) == {("holiday", adversary) for adversary in OBSERVERS}
    cells = overview_frame(street, shown).to_numpy().ravel().tolist()
    assert not any("visible" in cell for cell in cells)
    assert cells.count("no secret: the habits say it") == 4


@pytest.mark.slow
def test_table_and_sentence_say_why_their_houses_differ() -> None:
    """Each names its own house, and by what it was chosen among all of them."""
    street = Scenario(households=30)
    day = simulate(street)
    leak, shown = moment_leakage(day, "blowfish"), overview(street, "blowfish", 40, repetitions=5)
    worst = int(leak.house[leak.step])
    assert worst != shown.house
    caption = overview_words(street, shown, "blowfish", chosen=False)
    assert caption.startswith(f"House {shown.house}, whose use differs most between its states, from")
    at = street.when(leak.step)
    assert f"The most exposed moment of all houses is **{at}** of house {worst}" in moment_words(day, leak)
    alone, asked = (
        moment_leakage(day, "blowfish", 3),
        overview(street, "blowfish", 40, house=3, repetitions=5),
    )
    assert overview_words(street, asked, "blowfish", chosen=True).startswith("House 3, from")
    assert f"The most exposed moment is **{street.when(alone.step)}** of house 3" in moment_words(day, alone)
