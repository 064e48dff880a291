"""What the rates of a day have in common: which look alike, whether their noise changes, and the axis that
holds them at every ε."""

from collections.abc import Sequence

import numpy as np

from rtp.mechanisms import REGISTRY, UNPROTECTED, YARDSTICK
from rtp.scenario import PRESETS
from rtp.simulation import Day

RATE, ERROR = "Rate", "Error, % of the optimal rate"  # the panels whose axes stand still
ALIKE = 0.005  # of the range of all rates shown: curves that never differ by more look the same
USUAL_EPSILON = PRESETS["paper"].epsilon  # whose noise the axes have room for
FAR = 5.0  # scales of noise that a day of it hardly exceeds
ROOM = (0.12, 1.5)  # of the optimal rates' own range: the least and the most that noise is given beside it


def coinciding(day: Day, shown: Sequence[str]) -> list[list[str]]:
    """Groups of rates that look the same in one picture, each in the order shown."""
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


def is_flat(day: Day, shown: Sequence[str]) -> bool:
    """Whether no noise scale and no number of protected houses changes over the day."""
    noisy = [day.release[name] for name in shown if REGISTRY[name].adds_noise]
    return all(np.ptp(each.scale) == 0 and np.ptp(each.protected) == 0 for each in noisy)


def still_range(day: Day, panel: str) -> tuple[float, float]:
    """From where to where a panel reaches, whatever ε is and whenever people are at home: all rates of houses
    that are away or at home, and the noise at the usual ε."""
    optimal = day.release[UNPROTECTED].rate
    usual = float(day.release[YARDSTICK].scale.max()) * day.scenario.epsilon / USUAL_EPSILON
    if panel == ERROR:
        middle = float(np.median(np.abs(optimal)))
        most = 100 * FAR * usual / middle if usual and middle else 1.0
        return -most, most
    whole = day.market.tariff.optimal(day.street.moments()[0].sum(axis=-1))  # while all are away, or at home
    low, high = (float(end(np.append(whole, optimal))) for end in (np.min, np.max))
    room = min(max(FAR * usual, ROOM[0] * (high - low)), ROOM[1] * (high - low)) if high > low else 0.0
    return low - (room or FAR * usual or 1.0), high + (room or FAR * usual or 1.0)
