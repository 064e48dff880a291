"""The stated chances beside those that the drawn houses have, and what their differing makes of a chance.

The paper gives the chance P that something happens at some point during a period of n steps, per step
p = 1 − (1 − P)^(1/n), and lets households differ by Gaussian noise. A chance cannot leave [0, 1], and the
chance over the period is not linear in p; so the mean over the houses is not P but

    E[1 − (1 − p_σ)^n],    p_σ = p + σ·N(0, 1), kept inside (0, 1).

That mean is computed from the published number and σ alone. Where ours differs from the published chance, it
must be that: with any other habits the row is open.
"""

import numpy as np

from rtp.core.stats import spread
from rtp.paper import published
from rtp.paper.published import Printed
from rtp.paper.reproduction import PAPER, Days, say
from rtp.paper.rows import Row, row
from rtp.street.occupancy import INTERIOR

QUANTILES = 4000


def habits(days: Days) -> list[Row]:
    """The chance of something happening at some point during a period, mean over the houses."""
    steps = PAPER.models[0].habits[0].steps()
    rows = []
    for p, (period, numbers) in enumerate(published.CHANCES.items()):
        for kind, (verb, number) in enumerate(zip(_verbs(period), numbers, strict=True)):
            mean, ours = differing(number, steps[p], PAPER.habit_spread), spread(days.chances[:, p, kind])
            why = (
                f"Households differ by ±{PAPER.habit_spread:g} per step, and a chance cannot fall below 0: "
                f"so the published {number.text} become {say(mean, '.2%')} on average."
            )
            quantity = f"{period}: chance to {verb}"
            explained = ours.covers(mean)
            rows.append(row("Habits", quantity, number, ours, ".2%", why, explained=explained))
    return rows


def differing(number: Printed, steps: int, sd: float) -> float:
    """What a chance over a period becomes, mean over many houses that differ by `sd` per step."""
    from scipy.special import ndtri

    per_step = -np.expm1(np.log1p(-number.value) / steps)
    normal = ndtri((np.arange(QUANTILES) + 0.5) / QUANTILES)
    return float(np.mean(1 - (1 - np.clip(per_step + sd * normal, INTERIOR, 1 - INTERIOR)) ** steps))


def _verbs(period: str) -> tuple[str, str]:
    leave = "go to sleep" if period == "Night" else "leave"
    return leave, {"Morning": "wake up", "Night": "get up"}.get(period, "come home")
