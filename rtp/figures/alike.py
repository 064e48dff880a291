"""What a picture of a day need not, or cannot, show: rates that coincide, and noise that never changes."""

from collections.abc import Sequence

import numpy as np

from rtp.core.formatting import plain
from rtp.figures import style
from rtp.mechanisms import REGISTRY
from rtp.simulation import Day

ALIKE = 0.005  # of the range of all rates shown: curves that never differ by more cannot be told apart


def coinciding(day: Day, shown: Sequence[str]) -> list[list[str]]:
    """Groups of rates that cannot be told apart in one picture, each in the order shown."""
    rates = [day.release[name].rate for name in shown]
    if not rates:
        return []
    width = ALIKE * float(np.ptp(np.concatenate(rates)))
    groups: list[list[str]] = []
    for name in shown:
        rate = day.release[name].rate
        for group in groups:
            if float(np.abs(rate - day.release[group[0]].rate).max()) <= width:
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def coinciding_words(day: Day, shown: Sequence[str]) -> str:
    """“Naive and Blowfish coincide”, or nothing."""
    groups = [" and ".join(map(style.label, group)) for group in coinciding(day, shown)]
    return "; ".join(f"{group} coincide" for group in groups)


def flat(day: Day, shown: Sequence[str]) -> bool:
    """Whether no noise scale and no number of protected houses changes over the day."""
    noisy = [day.release[name] for name in shown if REGISTRY[name].adds_noise]
    return all(np.ptp(each.scale) == 0 and np.ptp(each.protected) == 0 for each in noisy)


def flat_words(day: Day, shown: Sequence[str]) -> str:
    """What is folded away, in numbers; empty where nothing is."""
    noisy = [name for name in shown if REGISTRY[name].adds_noise]
    if not noisy or not flat(day, shown):
        return ""
    told = ", ".join(f"{style.label(name)} {plain(day.release[name].scale[0], 4)}" for name in noisy)
    houses = sorted({int(day.release[name].protected[0]) for name in noisy})
    return (
        f"Noise scale and protected houses never change here and are folded away: {told}; "
        f"{' or '.join(f'{n:,}' for n in houses)} of {day.scenario.households:,} houses protected."
    )
