"""Words and tables of how often a learner is right where readings say who was at home."""

from rtp.core.formatting import kept_together, percent, plain, shown_name
from rtp.core.stats import LEVEL_WORDS, Range
from rtp.core.types import Frame, data_frame
from rtp.meters.check import THREE, AtHome, Bin, Check, HouseCheck, score
from rtp.meters.house_fit import OCCUPANCY

CHECK_MEANS = (
    "Right: the share of labelled moments. Balanced: the mean of how often it is right while somebody is in "
    "and while nobody is; 50 % is guessing. Matthews: 1 is always right, 0 is guessing. By day: 7 to 23 h. "
    f"In brackets: {LEVEL_WORDS} intervals over days."
)


ALL_HOUSES = "all houses"


def check_words(check: Check) -> str:
    """How often the learner is right, beside the best of the plain guesses, and on how many moments."""
    learned = check.scores[THREE].all.accuracy
    plain = {name: own.all.accuracy.value for name, own in check.scores.items() if name != THREE}
    best = max(plain, key=plain.__getitem__)
    return (
        f"From the readings alone it is right at {_share(learned)} of {check.labelled:,} labelled moments; "
        f"“{best}” at {percent(plain[best], 3)}. {check.moments - check.labelled:,} moments have no label "
        "and count for nothing."
    )


def home_words(home: AtHome, house: int) -> str:
    """How often what is learned of a house is right, or that nobody said who was in."""
    if home.truth is None or not home.labelled(house):
        return "Learned from the readings alone. Nobody said who was in, so nothing judges it."
    said, truth = (each[house].reshape(home.days, -1) for each in (home.at_home >= 0.5, home.truth))
    known = truth >= 0
    right = _share(score(said, truth == 1, known).accuracy)
    always = percent(float(truth[known].mean()), 3)
    return (
        f"Learned from the readings alone, it is right at {right} of {known.sum():,} labelled moments of "
        f"{home.days:,} days; “always at home” at {always}."
    )


def scores_frame(check: Check) -> Frame:
    """One row for every house, and for all of them, and for every answer: numbers, to be taken away."""
    alike = set(check.found.verdicts)
    whole = HouseCheck(
        ALL_HOUSES, alike.pop() if len(alike) == 1 else "", False, check.labelled, check.sure, check.scores
    )
    rows = [
        {
            "house": own.house,
            "verdict": own.verdict,
            "answer": answer,
            "labelled": own.labelled,
            "sure": own.sure if answer == THREE else float("nan"),
            **_flat("right", scores.all.accuracy),
            **_flat("balanced", scores.all.balanced),
            **_flat("matthews", scores.all.matthews),
            **_flat("right_by_day", scores.by_day.accuracy),
        }
        for own in (*check.houses, whole)
        for answer, scores in own.scores.items()
    ]
    return data_frame(rows)


def _flat(name: str, found: Range) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def house_words(own: HouseCheck) -> str:
    """Which house, what its verdict is, and how sure the learner is of it."""
    taught = "" if own.verdict in OCCUPANCY else " Nothing is learned of it, and its scores are not promised."
    close = ", a close call" if own.close_call else ""
    return f"{shown_name(own.house)}: {own.verdict}; sure at {percent(own.sure, 3)}{close}.{taught}"


def check_frame(check: Check | HouseCheck) -> Frame:
    """One row for the learner and for each of the plain guesses."""
    rows = {
        name: {
            "Right": _share(own.all.accuracy),
            "Balanced": _share(own.all.balanced),
            "Matthews": _number(own.all.matthews),
            "Right by day": _share(own.by_day.accuracy),
            "Matthews by day": _number(own.by_day.matthews),
        }
        for name, own in check.scores.items()
    }
    return data_frame(rows).T.rename_axis("Says who is in")


def hours_frame(check: Check) -> Frame:
    """Which share of the labelled moments of every hour each is right at."""
    frame = data_frame(
        {
            name: [_share(Range(*hour)) for hour in zip(own.value, own.low, own.high, strict=True)]
            for name, own in check.by_hour.items()
        }
    )
    return frame.set_axis([f"{hour}:00" for hour in range(24)]).rename_axis("Hour")


def reliability_frame(check: Check) -> Frame:
    """How often somebody was at home where about so much was stated."""
    return _stated(check.reliability, "It states", "Somebody was at home at")


def sureness_frame(check: Check) -> Frame:
    """How often its answer is right where it is about so sure of it."""
    return _stated(check.sureness, "It is so sure", "It is right at")


def _stated(bins: tuple[Bin, ...], stated: str, right: str) -> Frame:
    rows = [(percent(own.stated, 2), _share(own.right), f"{own.moments:,}") for own in bins]
    return data_frame(rows, columns=[stated, right, "Moments"]).set_index(stated)


def _share(found: Range) -> str:
    if found.value != found.value:  # nothing is labelled
        return "–"
    low, high = (plain(100 * each, 2) for each in found[1:])
    return kept_together(f"{percent(found.value, 3)} ({low}–{high})")


def _number(found: Range) -> str:
    return f"{found.value:.2f} ({found.low:.2f} – {found.high:.2f})".replace("-", "−")
