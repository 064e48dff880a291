"""Several scenarios side by side: which settings differ, and what comes of it.

The results are those of each scenario's own day: the error and the noise of every mechanism, and what an
attacker gets out of one rate. She is the strongest there is, who knows what everyone else used, and
looks at the house whose mean use differs most between its states: an exact belief that costs no time.
"""

from collections.abc import Callable, Sequence

from rtp.attack.adversary import largest_gap, posterior
from rtp.attack.success import right_so_far
from rtp.core.formatting import percent, plain
from rtp.core.types import Frame, data_frame
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.scenario.describe import Difference, differences, more_settings
from rtp.simulation import Day
from rtp.street.simulate import replay_houses

MAX_SETTINGS = 12  # rows of settings; the others are only counted


InsiderResult = Callable[[Day], tuple[str, str]]  # what the insider gets out of a day, in two texts


def insider_words(mechanism: str = FEATURED) -> str:
    """What she sees and knows."""
    return (
        f"The insider sees the {REGISTRY[mechanism].label} rates, knows what everyone else used, and looks "
        "at the house whose mean use differs most between its states; her belief is exact."
    )


def insider_result(day: Day, mechanism: str = FEATURED) -> tuple[str, str]:
    """How far the insider's belief moves on average, and how often she is right."""
    house = largest_gap(day.street)
    seen = posterior(day, mechanism, adversary="insider", house=house)
    occupied = replay_houses(day.street_day.spec, day.street, [house])[0][:, 0]
    hers, model_only = right_so_far(seen, 0, occupied, day.scenario.steps - 1)
    return percent(float(seen.exposure[0])), f"{percent(hers)} (habits alone {percent(model_only)})"


def result_rows(days: Sequence[Day], attack: InsiderResult = insider_result) -> list[Difference]:
    """What comes of every scenario, row by row; `attack` says what the insider gets."""
    rows = [
        Difference(f"Error, {REGISTRY[name].label}", tuple(percent(day.release[name].error) for day in days))
        for name in private()
    ]
    rows += [
        Difference(
            f"Mean noise scale, {REGISTRY[name].label}",
            tuple(plain(float(day.release[name].scale.mean())) for day in days),
        )
        for name in private()
        if REGISTRY[name].adds_noise
    ]
    moved, right = zip(*map(attack, days), strict=True)
    return [*rows, Difference("Insider: belief moves by", moved), Difference("Insider: right guesses", right)]


def setting_rows(days: Sequence[Day]) -> list[Difference]:
    """The settings that differ; where they are many, the first of them and how many more there are."""
    rows = differences([day.scenario for day in days])
    more = len(rows) - MAX_SETTINGS
    if more <= 0:
        return rows
    return [*rows[:MAX_SETTINGS], Difference(f"… and {more_settings(more)}", ("",) * len(days))]


def side_by_side(names: Sequence[str], days: Sequence[Day], attack: InsiderResult = insider_result) -> Frame:
    """One column for each scenario, one row for each setting that differs and for each result."""
    rows = [*setting_rows(days), *result_rows(days, attack)]
    return data_frame([row.values for row in rows], [row.setting for row in rows], list(names))
