"""What is said of readings and of their replay: sentences and tables."""

from typing import TYPE_CHECKING

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.readings import Readings
from rtp.meters.replaying import Replay

if TYPE_CHECKING:
    import pandas as pd

PRIVATE = (
    "Readings never leave this process: they are kept in the memory of this session, not written to disk, "
    "in no link, and gone when the page is closed."
)
LEAKS = (
    "State bounds from the fuse or the contract. A bound taken from the readings follows the data, and the "
    "noise that is made from it gives the data away."
)


def findings_frame(readings: Readings) -> "pd.DataFrame":
    import pandas as pd

    rows = [(each.words, each.done) for each in readings.findings] or [("Nothing to remark", "all is used")]
    return pd.DataFrame(rows, columns=["Found", "What is done"]).set_index("Found")


def replay_frame(replay: Replay) -> "pd.DataFrame":
    """Every mechanism on the real demand."""
    import pandas as pd

    rows = []
    for name, mechanism in REGISTRY.items():
        bill = float(replay.paid[UNPROTECTED].sum())
        change = float(replay.bill_change(name).sum())
        worst = replay.bill_change(name) / np.maximum(replay.paid[UNPROTECTED], 1e-12)
        rows.append(
            (
                mechanism.label,
                percent(replay.error(name)),
                plain(float(replay.scale(name).mean())),
                plain(bill + change, 5),
                f"{change / bill if bill else 0.0:+.2%}",
                f"{worst.max():+.2%}",
            )
        )
    columns = ["Rate", "Error in a typical step", "Mean noise scale", "All bills", "Change", "Worst house"]
    return pd.DataFrame(rows, columns=columns).set_index("Rate")


def moment_frame(replay: Replay) -> "pd.DataFrame":
    """What all rates of the first days tell an insider about one moment, under every mechanism."""
    import pandas as pd

    day, rows = replay.pieces[0], []
    for name, mechanism in REGISTRY.items():
        found = moment_leakage(day, name)
        rows.append((mechanism.label, plain(found.worst), plain(found.theorem_2)))
    return pd.DataFrame(rows, columns=["Rate", "Worst moment, exactly", "Theorem 2 allows"]).set_index("Rate")


def replay_words(replay: Replay) -> str:
    """What was cut and what was filled in."""
    cut = "No reading is above its bound"
    if replay.cut:
        cut = (
            f"**Cut, because above the bound: {replay.cut:,} readings**, in {replay.cut_houses:,} of the "
            f"houses, {percent(replay.cut_energy)} of the energy"
        )
    filled = (
        f"{percent(replay.filled)} of the readings are missing and were filled with the house's usual use"
    )
    return f"{cut}; {filled}."


def promise_words(learned: bool) -> str:
    """Whose promise stands on real use."""
    names = " and ".join(m.label for m in REGISTRY.values() if m.assumes == "uniform")
    if not learned:
        return (
            f"{names} rely on use that is uniform up to the bounds, which real use is not: on real demand "
            "their promise stands only for who lives so. The others rely on the bounds alone."
        )
    return (
        f"{names} use noise made for the learned consumption laws, which are taken as public: their promise "
        "is exact for those laws. The others rely on the bounds alone."
    )
