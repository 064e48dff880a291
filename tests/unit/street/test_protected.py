"""How many houses one model alone would protect."""

from rtp import PRESETS, simulate


def test_each_model_counts_the_houses_it_is_uncertain_about() -> None:
    day = simulate(PRESETS["unsure curator"].replace(households=40))
    kinds = day.life.support_classes
    for model in range(2):
        uncertain = kinds.both_states_possible[model]
        by_hand = [sum(bool(uncertain[t, k]) for k in kinds.of_house) for t in range(96)]
        assert kinds.protected_under(model).tolist() == by_hand
    assert kinds.protected_under(0).tolist() != kinds.protected_under(1).tolist()
