"""Sentences and tables: readings, and the habits learned from them."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.stats import LEVEL_WORDS
from rtp.meters.hmm import STARTS
from rtp.meters.house_fit import ENDED, FOLLOWS, UNUSABLE
from rtp.meters.learned import WEEKEND_DAYS, Learned
from rtp.meters.readings import Readings
from rtp.scenario.habits import restated_probabilities

if TYPE_CHECKING:
    import pandas as pd

PRIVATE = (
    "Readings stay on the machine that runs the lab: in memory, for this session, not written to disk, "
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
UNCORRELATED = 0.1  # smaller correlations are not worth a number


def learned_verdict(learned: Learned) -> list[str]:
    """What was learned, and how far to believe it."""
    houses, count = learned.houses, len(learned.which)
    if learned.counted:
        counted = "The readings say who is at home: habits were counted, and nothing was guessed."
        own = groups_words(learned) + heterogeneity_words(learned)
        return [counted, *days_words(learned), weekend_words(learned), *own]
    sentences = [verdicts_words(learned)]
    if learned.groups:
        sure = float(houses.certainty[houses.separable].mean())
        sentences.append(
            f"Decoded occupancy is a guess: if the model is right, so is the likelier state in "
            f"{percent(sure)} of the steps."
        )
        sentences += [PRESENCE, *days_words(learned), weekend_words(learned)]
        sentences += groups_words(learned) + faint(learned) + heterogeneity_words(learned)
    sentences.append(correlation_words(learned))
    agree = int(houses.starts_agree.sum())
    if agree < count:
        sentences.append(
            f"From {len(STARTS)} starting points {agree:,} of {count:,} houses end at the same explanation; "
            "of the others the likeliest is shown."
        )
    return sentences


def verdicts_words(learned: Learned) -> str:
    """How many houses show two states that can be occupancy, and what the others are."""
    labels = Counter(each.label for each in learned.verdicts)
    count, usable = learned.all_houses, labels.pop(FOLLOWS, 0)
    ended = len(learned.left_out)
    labels += Counter({ENDED: ended, UNUSABLE: count - len(learned.verdicts) - ended})
    others = ", ".join(f"{label} {many:,}" for label, many in labels.most_common())
    if 2 * usable < count:
        return (
            f"**Most houses do not show occupancy** in these readings: {usable:,} of {count:,} show "
            f"two states that follow the clock. The others: {others}."
        )
    words = (
        f"**{usable:,} of {count:,} houses show two states** that follow the clock and predict days that "
        "were not learned from better than one."
    )
    return f"{words} The others: {others}." if others else words


def groups_words(learned: Learned) -> list[str]:
    """How many groups the readings show, and what was done where there are several."""
    count, shown = len(learned.groups), learned.groups_shown
    if count < 2:
        return []
    split = "Houses were sorted by every other week; each group's habits come from the weeks between."
    if count <= shown:
        return [split]
    return [
        f"**The readings show {'one group' if shown == 1 else f'{shown} groups'} of houses, not {count}**: "
        f"so many predict other weeks no better. {split}"
    ]


def houses_frame(readings: Readings, learned: Learned) -> "pd.DataFrame":
    """The verdict on every house of the readings, and the reason for it."""
    import pandas as pd

    position = {house: place for place, house in enumerate(learned.which.tolist())}
    rows = []
    for house, name in enumerate(readings.houses):
        if house not in position:
            ended = name in learned.left_out
            reason = "too few readings on the days learned from" if ended else "too few, or they never change"
            rows.append((name, ENDED if ended else UNUSABLE, reason, "", "", ""))
            continue
        place = position[house]
        verdict = learned.verdicts[place]
        empty, occupied = (plain(float(mean), 3) for mean in learned.houses.mean[:, place])
        correlation = f"{learned.houses.model.correlation[place]:.2f}"
        rows.append((name, verdict.label, verdict.reason, empty, occupied, correlation))
    columns = ["House", "Verdict", "Why", "Lower state, kW", "Upper state, kW", "Correlation"]
    return pd.DataFrame(rows, columns=columns).set_index("House")


def correlation_words(learned: Learned) -> str:
    """How alike two readings in a row are, whatever the state, and what is done about it."""
    middle = float(np.median(learned.houses.model.correlation))
    if abs(middle) < UNCORRELATED:
        return "Beyond what the states explain, two readings in a row are hardly alike."
    return (
        "Two readings in a row are alike beyond what the states explain: the correlation of a house is "
        f"{plain(middle, 1)} in the middle one. It is part of the model, so a run of high use is not "
        "taken for visits."
    )


def named(houses: Sequence[str]) -> str:
    """The first of some houses by name, and how many more there are."""
    more = f" and {len(houses) - NAMED:,} more" if len(houses) > NAMED else ""
    return f"{', '.join(houses[:NAMED])}{more}"


def days_words(learned: Learned) -> list[str]:
    """Which days were learned from, which houses were not, and of which groups only some were."""
    first, last = learned.span
    sentences = [f"Learned from {learned.days:,} of {learned.all_days:,} days: {first} to {last}."]
    if learned.left_out:
        sentences.append(
            f"**Too few readings on these days**, so not learned from: {named(learned.left_out)}."
        )
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
        f"**Readings show less than half of what counting these moves would**: {', '.join(moves)}. "
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
                    restated_probabilities(float(x[k]), 0.5, steps)[0]
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
        (
            name,
            plain(float(value.sum()) / readings, 4),
            f"{np.exp((value.sum() - base) / readings) - 1:+z.1%}",
        )
        for name, value in models.items()
    ]
    columns = ["Model", "Log-likelihood of a reading", "A reading is likelier by"]
    return pd.DataFrame(rows, columns=columns).set_index("Model")
