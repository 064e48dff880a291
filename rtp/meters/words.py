"""Sentences and tables: readings, the habits learned from them, their replay, an observer at one house."""

from typing import TYPE_CHECKING

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import REGISTRY, UNPROTECTED
from rtp.meters.readings import Readings
from rtp.meters.replaying import Replay

if TYPE_CHECKING:
    import pandas as pd

from typing import TYPE_CHECKING

from rtp.core.stats import LEVEL_WORDS
from rtp.meters.hmm import STARTS
from rtp.meters.learned import WEEKEND_DAYS, Learned
from rtp.scenario.habits import period_probabilities

if TYPE_CHECKING:
    import pandas as pd

from typing import TYPE_CHECKING

from rtp.attack.adversary import AdversaryKind
from rtp.leakage.words import WHO, surest
from rtp.meters.watching import Watched

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
        leak = moment_leakage(day, name)
        rows.append((mechanism.label, plain(leak.worst), plain(leak.theorem_2)))
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


PRESENCE = (
    "Learned are two ways of using power that follow each other as habits do. That they mean somebody is at "
    "home is a guess: a heater on a timer looks the same."
)

LOOK_ALIKE = (
    "A short absence looks like low use of an occupied house, a short visit like high use of an empty one: "
    "their chances have wide intervals. Use that an empty house shows only once can be taken for a visit."
)
COARSE_READINGS = (
    "With readings as far apart as these, some of their intervals hold the truth less often than they say."
)
COARSE = 30  # minutes
NAMED = 6  # houses that a sentence names
MOVES = "leaving", "arriving"
FAINT = 0.5  # of what counting would tell


def verdict(learned: Learned) -> list[str]:
    """What was learned, and how far to believe it."""
    houses, count = learned.houses, len(learned.which)
    if learned.counted:
        counted = "The readings say who is at home: habits were counted, and nothing was guessed."
        return [counted, *days_words(learned), weekend_words(learned), *heterogeneity_words(learned)]
    separable = int(houses.separable.sum())
    sentences = [
        f"**{separable:,} of {count:,} houses show two states**: on days that were not learned from, two "
        "states predict their readings better than one."
    ]
    if not learned.two_states:
        sentences[0] = (
            f"**Occupancy cannot be told from these readings**: in {count - separable:,} of {count:,} houses "
            "two states predict new days no better than one."
        )
    if learned.groups:
        sure = float(houses.certainty[houses.separable].mean())
        sentences.append(
            f"Decoded occupancy is a guess: if the model is right, so is the likelier state in "
            f"{percent(sure)} of the steps."
        )
        sentences += [PRESENCE, *days_words(learned), weekend_words(learned)]
        sentences += faint(learned) + heterogeneity_words(learned)
    agree = int(houses.starts_agree.sum())
    if agree < count:
        sentences.append(
            f"From {len(STARTS)} starting points {agree:,} of {count:,} houses end at the same explanation; "
            "of the others the likeliest is shown."
        )
    return sentences


def days_words(learned: Learned) -> list[str]:
    """Which days were learned from, which houses were not, and of which groups only some were."""
    first, last = learned.span
    sentences = [f"Learned from {learned.days:,} of {learned.all_days:,} days: {first} to {last}."]
    if learned.left_out:
        names = ", ".join(learned.left_out[:NAMED])
        more = f" and {len(learned.left_out) - NAMED:,} more" if len(learned.left_out) > NAMED else ""
        sentences.append(f"**Too few readings on these days**, so not learned from: {names}{more}.")
    sampled = [
        f"{group.name} {group.pooled:,} of {len(group.houses):,}"
        for group in learned.groups
        if group.pooled < len(group.houses)
    ]
    if sampled:
        sentences.append(f"Common habits come from a sample of the houses: {', '.join(sampled)}.")
    return sentences


def weekend_words(learned: Learned) -> str:
    if learned.weekend_apart:
        return f"Weekends have habits of their own, learned from {learned.weekend_days} days of them."
    return (
        f"The readings have {learned.weekend_days} days of weekends, too few to learn their habits apart "
        f"(at least {WEEKEND_DAYS}): they are taken to be those of the other days."
    )


def faint(learned: Learned) -> list[str]:
    """The moves that readings hardly show, and why."""
    moves = [
        f"{group.name} {verb} in {name} ({share[k]:.0%})"
        for group in learned.groups
        for verb, share in zip(MOVES, group.information_fraction, strict=True)
        for k, name in enumerate(learned.names)
        if share[k] < FAINT
    ]
    if not moves:
        return []
    coarse = f" {COARSE_READINGS}" if learned.minutes > COARSE else ""
    return [
        f"**Readings tell less than half of what counting these moves would**: {', '.join(moves)}. "
        f"{LOOK_ALIKE}{coarse}"
    ]


def heterogeneity_words(learned: Learned) -> list[str]:
    """Whether houses of a group are alike."""
    count = 2 * len(learned.names)
    counts = [(group.name, int(np.sum(group.heterogeneity))) for group in learned.groups]
    groups = [f"{name} in {differ} of its {count} chances" for name, differ in counts if differ]
    if not groups:
        return []
    return [
        f"**Houses of a group differ more than by chance**: {', '.join(groups)}. A chance is then the mean "
        "of the houses, and its interval is as wide as they differ; more groups may tell them apart. "
        "Occupied is taken to be the state that uses more: a house that uses more while empty is the wrong "
        "way round."
    ]


def chances_frame(learned: Learned) -> "pd.DataFrame":
    """The chance that it happens during a period, by group, with intervals."""
    import pandas as pd

    rows = []
    for group in learned.groups:
        for k, name in enumerate(learned.names):
            steps = learned.steps()[k % len(learned.periods)]
            cells = []
            for chance in (group.leave, group.arrive):
                value, low, high = (
                    period_probabilities(float(x[k]), 0.5, steps)[0]
                    for x in (chance.value, chance.low, chance.high)
                )
                cells.append(f"{value:.1%} ({low:.1%} – {high:.1%})")
            rows.append((group.name, name, *cells))
    return pd.DataFrame(rows, columns=["Group", "Period", "Leaves", "Arrives"]).set_index("Group")


CHANCES_MEAN = (
    f"The chance that it happens during the period, and its {LEVEL_WORDS} interval. A move that no reading "
    "could show has an interval up to 100 %."
)


def held_out_frame(learned: Learned) -> "pd.DataFrame":
    """How well each model predicts days that it was not learned from."""
    import pandas as pd

    judged = learned.houses.held_out
    readings = max(float(judged.readings.sum()), 1.0)
    models = {
        "Two states, with periods": judged.two_states,
        "Two states, the same all day": judged.no_periods,
        "One state": judged.one_state,
    }
    base = judged.one_state.sum()
    rows = [
        (name, plain(float(value.sum()) / readings, 4), f"{np.exp((value.sum() - base) / readings) - 1:+.1%}")
        for name, value in models.items()
    ]
    columns = ["Model", "Log-likelihood of a reading", "A reading is likelier by"]
    return pd.DataFrame(rows, columns=columns).set_index("Model")


COLUMNS = ("Rate", "She is right at", "Beyond the model", "Spent in a step, at most", "Worst moment")
WORST_MEANS = (
    "Spent: what a rate leaves an insider to learn about this house, in the unit of ε. Worst moment: the "
    "most that all rates together shift the log-odds of one moment of it."
)


def watched_frame(watched: Watched) -> "pd.DataFrame":
    """One row per rate, and one for the guess that sees none."""
    import pandas as pd

    rows = []
    for name, score in watched.attack.scores.items():
        rows.append(
            (
                REGISTRY[name].label,
                percent(float(score.accuracy.value), 3),
                f"{score.advantage.value:+z.1%}",
                plain(float(watched.spent[name].max())),
                plain(watched.leak[name].worst),
            )
        )
    alone = percent(float(watched.attack.model.accuracy.value), 3)
    rows.append(("The model alone", alone, f"{0:+z.1%}", plain(0.0), plain(0.0)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).set_index(COLUMNS[0])


def watched_words(watched: Watched) -> str:
    """Who watches whom, by what she is judged, and what comes of it."""
    adversary: AdversaryKind = next(iter(watched.seen.values())).adversary
    judged = (
        "She is judged by the occupancy that the readings give."
        if watched.given
        else "Nobody knows who was at home: she is judged by **a guess**, the likelier state given all "
        "readings of the house's day."
    )
    words = f"**{watched.name}**, watched by {WHO[adversary]}. {judged}"
    exact = watched.attack.scores.get(UNPROTECTED)
    if exact is None:
        return words
    words += f" From the unprotected rates she is right at **{percent(float(exact.accuracy.value), 3)}**"
    words += (
        f" of the moments, by the model alone at {percent(float(watched.attack.model.accuracy.value), 3)}."
    )
    private = {name: leak for name, leak in watched.leak.items() if REGISTRY[name].adds_noise}
    if private:
        name = max(private, key=lambda each: private[each].worst)
        words += (
            f" From the private rates shown, an even guess about one moment becomes "
            f"{surest(private[name].worst)} to an insider ({REGISTRY[name].label})."
        )
    return words
