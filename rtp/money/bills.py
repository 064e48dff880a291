"""What privacy costs in money: the generator's objective, and every household's bill.

The generator minimises J(Z) − r·Z (the paper's Section II); its profit is the negative of that. Publishing r̂
instead of r does two different things to it:

* money changes hands: profit moves by Σ(r̂ − r)·Z, now for and now against the generator. Noise is centred, so
  over many days this averages to nothing, unless prices move demand or are clipped at zero;
* the price no longer fits the demand: at the price r̂ the generator would rather serve (r̂ − β)/α, and serving
  Z instead costs it (r̂ − r)²/2α. This *mismatch* is never negative and never averages out.

A household pays Σ r̂ₜ·gₜ·xₜ for its own consumption, where g is the response to the last price. Houses are
walked through again in blocks, and only one bill per house and mechanism is kept, never N·T numbers. Where
consumption is power, all of this is multiplied by the hours of a step: a bill is rate × power × hours.
Without units it is a rate times a step's consumption, as in the paper.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.parallel import Progress
from rtp.core.types import Floats
from rtp.scenario import Scenario
from rtp.scenario.units import column
from rtp.simulation import Day
from rtp.street.simulate import replay_blocks
from rtp.tariff import Tariff

if TYPE_CHECKING:
    import pandas as pd

MONTH = 30  # days


def profit_and_mismatch(demand: Floats, rate: Floats, tariff: Tariff) -> tuple[Floats, Floats]:
    """Return the generator's profit r̂·Z − J(Z), and what it costs to serve Z and not what r̂ asks for.

    Steps run along the first axis.
    """
    gap = rate - tariff.rate(demand)
    profit = tariff.hours * np.asarray(np.sum(rate * demand - tariff.cost(demand), axis=0))
    return profit, tariff.hours * np.asarray(np.sum(gap**2, axis=0) / (2 * tariff.alpha))


def bills(day: Day, progress: Progress | None = None) -> dict[str, Floats]:
    """Return every household's bill over the scenario's days, (N,), by mechanism. `progress` is given the
    fraction done and may raise to stop."""
    tariff = day.market.tariff
    # what a unit of full consumption costs at every step, once households have responded to prices
    prices = np.column_stack([tariff.hours * r.rate * tariff.responses(r.rate) for r in day.release.values()])
    paid = np.empty((day.scenario.households, prices.shape[1]))
    for block, chunks in replay_blocks(day.street_day.spec, day.street):
        paid[block.houses] = sum(used.T @ prices[now] for now, _, used in chunks)
        if progress is not None:
            progress(block.stop / len(paid))
    return dict(zip(day.release, paid.T, strict=True))


def house_bills_frame(
    houses: Sequence[str], groups: Sequence[str], paid: Mapping[str, Floats], scenario: Scenario
) -> "pd.DataFrame":
    """Return a row for each house: its name and group, and what it pays at every mechanism's rates."""
    import pandas as pd

    bills_paid = {column(f"{name}_bill", scenario, "money"): paid[name] for name in paid}
    return pd.DataFrame({"house": houses, "group": groups, **bills_paid})
