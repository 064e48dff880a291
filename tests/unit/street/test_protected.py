"""How many houses one model alone would protect."""

from rtp import PRESETS, simulate
from rtp.street.protected import protected_under


def test_each_model_counts_the_houses_it_is_uncertain_about() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=40))
    kinds = day.life.kinds
    for model in range(2):
        uncertain = kinds.uncertain[model]
        by_hand = [sum(bool(uncertain[t, k]) for k in kinds.of_house) for t in range(96)]
        assert protected_under(kinds, model).tolist() == by_hand
    assert protected_under(kinds, 0).tolist() != protected_under(kinds, 1).tolist()
