"""How well she does, as a table."""

from rtp import Scenario
from rtp.attack.success import attack
from rtp.attack.words import scores_frame


def test_a_row_for_every_rate_and_one_for_the_model_with_intervals_over_days() -> None:
    result = attack(Scenario(households=4), 2, mechanisms=["naive", "optimal"])
    table = scores_frame(result, "belief")
    assert list(table.index) == ["Naive", "Optimal", "The model alone"]
    assert list(table.columns) == ["Right guesses", "Beyond the model", "Area", "Log-loss"]
    naive, model = result.scores["naive"], result.model
    assert table.loc["Naive", "Right guesses"] == (
        f"{naive.accuracy.value:.2%} ({naive.accuracy.low:.2%} – {naive.accuracy.high:.2%})"
    )
    assert table.loc["Naive", "Area"] == f"{naive.auc.value:.4f} ({naive.auc.low:.4f} – {naive.auc.high:.4f})"
    assert table.loc["The model alone", "Log-loss"] == (
        f"{model.log_loss.value:.4f} ({model.log_loss.low:.4f} – {model.log_loss.high:.4f})"
    )
    assert table.loc["The model alone", "Beyond the model"] == "+0.00% (+0.00% – +0.00%)"
    by_evidence = scores_frame(result, "evidence").loc["Naive", "Area"]
    assert str(by_evidence).startswith(f"{naive.evidence_auc.value:.4f} (")
