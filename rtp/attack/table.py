"""How well she does, as a table."""

from typing import TYPE_CHECKING

from rtp.attack.score import Score
from rtp.attack.success import Attack
from rtp.core.stats import Estimate
from rtp.mechanisms import REGISTRY

if TYPE_CHECKING:
    import pandas as pd


def scores_frame(result: Attack, curve: str) -> "pd.DataFrame":
    """One row per rate, and one for the guess that sees none; the area is that of the curve shown."""
    import pandas as pd

    rows = {REGISTRY[name].label: score for name, score in result.scores.items()}
    rows["The model alone"] = result.model
    return pd.DataFrame({name: _cells(score, result.days, curve) for name, score in rows.items()}).T


def _cells(score: Score, days: int, curve: str) -> dict[str, str]:
    return {
        "Right guesses": _cell(score.accuracy, ".2%", days),
        "Beyond the model": _cell(score.advantage, "+z.2%", days),
        "Area": _cell(score.evidence_auc if curve == "evidence" else score.auc, ".4f", days),
        "Log-loss": _cell(score.log_loss, ".4f", days),
    }


def _cell(estimate: Estimate, form: str, days: int) -> str:
    """The value and, over several days, its interval."""
    text = f"{estimate.value:{form}}"
    return text if days == 1 else f"{text} ({estimate.low:{form}} – {estimate.high:{form}})"
