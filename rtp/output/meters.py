"""Words and tables of meter readings: what was read, and what was learned from them."""

from collections import Counter

import numpy as np

from rtp.core.formatting import in_markdown, percent, plain, shown_name
from rtp.core.stats import LEVEL_WORDS
from rtp.core.time import hhmm
from rtp.core.types import Frame, data_frame
from rtp.meters import house_fit
from rtp.meters.four_states import TESTED
from rtp.meters.house_fit import CLOSE_CALL, WITHIN
from rtp.meters.learned import NO_TWO_STATES, Learned
from rtp.meters.readings import Readings
from rtp.meters.rhythm import USUAL_REST, hours_slow, rest_begins
from rtp.output.exposure import houses_words
from rtp.scenario import OccupiedMeans
from rtp.scenario.habits import HOME, MOVES, STATES, UP, moves, restated_probabilities

PRIVATE = "Readings stay in memory, for this session: in no file and no link."
LEAKS = (
    "Take the limits from the fuse or the contract. Do not derive the limit from the readings: the noise "
    "would then reveal them."
)
CHANCES_MEAN = (
    f"The chance that it happens during the period, and its {LEVEL_WORDS} interval. A move that no reading "
    "could show has an interval up to 100 %; with readings over 30 minutes apart some hold less often."
)
LAWS_MEAN = (
    "As learned: every house of a group draws from the mean of its houses' distributions, cut at the "
    "bound. Uniformly: as in the paper, up to the bound of its state. A fuse is a bound far above what is "
    "used."
)
SURE_MEANS = (
    "Sure: how often days of this house, drawn anew, lead to the same choice, to learn from it or not. It "
    "does not say how often a guess of who is in is right."
)
REASONS = {
    house_fit.GIVEN: "the readings say who is at home",
    house_fit.FOLLOWS: "{state} at {:.0%} of the evening, {:.0%} of noon, {:.0%} of the night",
    house_fit.AT_NIGHT: "upper state at {:.0%} of the evening, {:.0%} of noon, {:.0%} of the night: heater?",
    house_fit.WEEKS_DIFFER: "its working weeks keep different hours: shift work?",
    house_fit.SILENT_EVENINGS: "silent from ten before working days, and not on weekends: work by night?",
    house_fit.BUSY_NIGHTS: "busy on some nights, quiet on most: an appliance that runs on some days?",
    house_fit.APPLIANCE: "its states are too near, or do not follow the clock",
    house_fit.ONE_STATE: "two states predict new days no better than one",
    house_fit.VACANT: "it uses hardly anything",
    house_fit.ENDED: "too few readings on the days learned from",
    house_fit.UNUSABLE: "too few readings, or they never change",
    house_fit.EXPORTS: "its meter runs backwards at times, so what it uses is not read",
}
SHOWS: dict[OccupiedMeans, str] = {
    UP: "two states that follow the clock",
    HOME: "when somebody is at home",
}
NOTHING = f"The readings {NO_TWO_STATES}"
NEAR_VERDICT = 0.95  # of the time that days drawn anew give the same verdict: less is said
PRESENCE: dict[OccupiedMeans, str] = {
    UP: "That the upper state means somebody is up and about is a guess: a heater on a timer looks the same.",
    HOME: "The model is a guess: little use at night counts as sleep, so who always works nights is taken to "
    "be at home, and a heater on a timer looks like somebody up.",
}
NAMES_LISTED = 6  # names that a sentence lists


def read_words(readings: Readings) -> str:
    """How much was read, and how many houses can be learned from."""
    usable = int(readings.usable.sum())
    return (
        f"{houses_words(len(readings.houses))}, {readings.days:,} days, {percent(readings.present_share)} of "
        f"the readings: {houses_words(usable)} can be learned from."
    )


def untold_words(house: str) -> str:
    """That of one house nothing is learned, where of others something is."""
    return f"Nothing is learned of {in_markdown(shown_name(house))}: “Every house” says why."


def findings_frame(readings: Readings) -> Frame:
    """One row for everything that was found in the readings."""
    rows = [(each.words, each.done) for each in readings.findings] or [("Nothing to remark", "all is used")]
    return data_frame(rows, columns=["Found", "What is done"]).set_index("Found")


def renamed_words(houses: dict[str, str]) -> str:
    """What houses are called in the scenario whose names in the readings it cannot have."""
    some = ", ".join(f"'{shown_name(name)}' is {now!r}" for name, now in list(houses.items())[:NAMES_LISTED])
    more = f" and {len(houses) - NAMES_LISTED:,} more" if len(houses) > NAMES_LISTED else ""
    return f"Renamed in the scenario: {some}{more}."


def learned_words(learned: Learned) -> list[str]:
    """What was learned, and how far to believe it."""
    return [verdicts_words(learned), *doubt_words(learned)]


def doubt_words(learned: Learned) -> list[str]:
    """From what it was learned, and how far to believe it."""
    first, last = learned.span
    weekends = "weekends apart" if learned.weekend_apart else "weekends taken to be like other days"
    days = f"Learned from {learned.days:,} of {learned.all_days:,} days, {first} to {last}, {weekends}."
    return [days, *groups_words(learned), *doubts_words(learned)]


def verdicts_words(learned: Learned) -> str:
    """How many houses show states that can be what is asked, and what the others are."""
    if learned.counted:
        return "The readings say who is at home: habits were counted, and nothing was guessed."
    if not learned.groups:
        return NOTHING
    ended = len(learned.left_out)
    exporting = len(learned.exporting)
    unusable = learned.all_houses - len(learned.verdicts) - ended - exporting
    unlearned = {house_fit.ENDED: ended, house_fit.UNUSABLE: unusable, house_fit.EXPORTS: exporting}
    labels = Counter(learned.verdicts) + Counter(unlearned)
    usable = labels.pop(house_fit.FOLLOWS, 0)
    others = ", ".join(f"{label} {many:,}" for label, many in labels.most_common())
    show = "shows" if usable == 1 else "show"
    words = f"{usable:,} of {houses_words(learned.all_houses)} {show} {SHOWS[learned.meaning]}."
    return f"{words} The others: {others}." if others else words


def groups_words(learned: Learned) -> list[str]:
    """How many groups there are and how many the readings show, where there are several."""
    count, shown = len(learned.groups), learned.groups_shown
    if count < 2:
        return []
    asked = "" if count <= shown else f"; the readings show {shown}"
    return [
        f"**{count} groups**{asked}. Houses were sorted by every other week; habits come from the weeks "
        "between."
    ]


def clock_words(learned: Learned) -> list[str]:
    """A question, where use falls to rest when few homes do: whether times are local."""
    begins, shift = rest_begins(learned.houses.used), hours_slow(learned.houses.used)
    if not shift:
        return []
    quarters = (round(4 * hour) / 4 % 24 for hour in (*USUAL_REST, begins, begins + shift))
    first, last, own, then = map(hhmm, quarters)
    hours = "1 hour" if abs(shift) == 1 else f"{abs(shift)} hours"
    pace = "slow" if shift > 0 else "fast"
    differs = f", and who is in would be said otherwise at {percent(learned.otherwise, 2)} of the moments"
    then += differs * (learned.otherwise > 0)
    return [
        f"**Are these times local?** Use falls to rest at about {own}, where most homes do between {first} "
        f"and {last}. If the clock is {hours} {pace} it would be {then}. "
        "Say so beside the unit, or by --shift, and habits are learned again."
    ]


def doubts_words(learned: Learned) -> list[str]:
    """Which verdicts are near, what is a guess, and which houses are not alike."""
    doubts = clock_words(learned)
    if near := int((learned.houses.sureness < NEAR_VERDICT).sum()):
        doubts.append(
            f"**{near:,} of {len(learned.verdicts):,} verdicts are near.** With days drawn anew each would "
            f"come out the same less than {percent(NEAR_VERDICT)} of the time; “Sure” says how often."
        )
    if learned.groups and not learned.counted:
        doubts += [f"{tested_words(learned)} {PRESENCE[learned.meaning]}", *close_words(learned)]
    if learned.groups and learned.meaning == HOME:
        doubts.append("The street's houses are away or at home: asleep, they use what they use by day.")
    counts = {group.name: int(np.sum(group.heterogeneity)) for group in learned.groups}
    unlike = [
        f"{name} in {many} of its {2 * len(learned.names)} chances" for name, many in counts.items() if many
    ]
    if unlike:
        doubts.append(
            f"**Houses of a group differ more than by chance**: {', '.join(unlike)}. Intervals are as wide "
            "as they differ; more groups may tell them apart."
        )
    return doubts


def tested_words(learned: Learned) -> str:
    """How sure what is said of who is in may be, and by what that was tested."""
    stated = learned.taught[learned.houses.stated[learned.taught]]
    if not len(stated):
        return f"How sure it may be is **not stated for this home**: {_unstated(learned)}."
    sure = percent(float(learned.houses.certainty[stated].mean()))
    if learned.meaning == HOME:
        told, taught = len(stated), len(learned.taught)
        some = "" if told == taught else f" {told:,} of {houses_words(taught)}"
        return (
            f"It is **{sure} sure** of who is in{some}, less than that where it says otherwise once every "
            "other week is held out. No label tests it on this home."
        )
    return (
        f"If the model is right, the likelier state is right in {sure} of the steps; without labels that "
        "is **not tested on this home**."
    )


def _unstated(learned: Learned) -> str:
    """Why it is not stated how sure it is."""
    if learned.days < TESTED:
        return "that takes four weeks of readings, of which some can be held out"
    if np.isinf(learned.houses.off[learned.taught]).all():
        return "use falls to rest when it does in few homes, so times may not be local"
    return f"a number learned from these weeks may be off by more than {100 * WITHIN:g} points"


def close_words(learned: Learned) -> list[str]:
    """Of how many houses that habits were learned from it is a close call who is in."""
    houses, taught = learned.houses, learned.taught
    close, unstated = (int(each[taught].sum()) for each in (houses.close_call, ~houses.stated))
    little = f"it is less than {percent(CLOSE_CALL)} sure"
    why = [little] * (close > unstated) + [_unstated(learned)] * (unstated > 0)
    return (
        [f"**Of {houses_words(close)} it is a close call** who is in: {'; or '.join(why)}."] if close else []
    )


def houses_frame(readings: Readings, learned: Learned) -> Frame:
    """The verdict on every house of the readings, and the reason for it."""
    position = {house: place for place, house in enumerate(learned.which.tolist())}
    rows = []
    for house, name in enumerate(readings.houses):
        if house not in position:
            verdict = house_fit.ENDED if name in learned.left_out else house_fit.UNUSABLE
            verdict = house_fit.EXPORTS if name in readings.exporting else verdict
            rows.append((shown_name(name), verdict, REASONS[verdict], "", "", "", ""))
            continue
        place, houses = position[house], learned.houses
        verdict = learned.verdicts[place]
        times = house_fit.times_of_day(houses.profile[:, place])
        reason = REASONS[verdict].format(*times, state=STATES[learned.meaning][1])
        empty, occupied = (plain(float(mean), 3) for mean in houses.mean[:, place])
        correlation = f"{houses.correlation[place]:.2f}"
        sure = percent(float(houses.sureness[place]), 2)
        rows.append((shown_name(name), verdict, reason, sure, empty, occupied, correlation))
    lower, upper = (f"{state.capitalize()}, kW" for state in STATES[learned.meaning])
    columns = ["House", "Verdict", "Why", "Sure", lower, upper, "Correlation"]
    return data_frame(rows, columns=columns).set_index("House")


def chances_frame(learned: Learned) -> Frame:
    """The chance of either move during a period, by group, with intervals; what the move is called then."""
    rows, parts = [], learned.periods
    for group in learned.groups:
        for k, name in enumerate(learned.names):
            at, steps = k % len(parts), learned.steps()[k % len(parts)]
            cells = []
            called = moves(learned.meaning, parts[at].start, parts[(at + 1) % len(parts)].start)
            for move, chance in zip(called, (group.leave, group.arrive), strict=True):
                value, low, high = (
                    restated_probabilities(float(x[k]), 0.5, steps)[0]
                    for x in (chance.value, chance.low, chance.high)
                )
                name_of = "" if move in MOVES else f"{move} "
                cells.append(f"{name_of}{value:.1%} ({low:.1%} – {high:.1%})")
            rows.append((group.name, name, *cells))
    return data_frame(rows, columns=["Group", "Period", *(move.capitalize() for move in MOVES)]).set_index(
        "Group"
    )
