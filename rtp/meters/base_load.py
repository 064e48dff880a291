"""What a house uses without what was left on: that which goes on for longer than anybody is up.

A computer or a heater that is left on for two days raises every reading, and a learner of levels takes these
days for busy ones. Nobody is up for `AWAKE` hours without a rest, so what does not fall for so long tells
of no one. The base is the opening of the hourly means by a window of that length (the largest level that some
window of `AWAKE` hours around the moment never falls below), as in the removal of a background from pictures.
"""

import numpy as np

from rtp.core.types import Floats
from rtp.meters.readings import Powers

AWAKE = 18  # hours
HOUR = 60  # minutes: over which a refrigerator's cycle is levelled out


def base_load(power: Powers, minutes: int) -> Floats:
    """Return the base of every house's use, (n, T) kW in steps of so many minutes; no reading is looked at
    that is missing."""
    from scipy.ndimage import grey_opening, uniform_filter1d

    present = np.isfinite(power)
    usual = np.nanmedian(np.where(present.any(axis=1, keepdims=True), power, 0.0), axis=1, keepdims=True)
    whole = np.where(present, power, usual).astype(float)
    level = uniform_filter1d(whole, max(HOUR // minutes, 1), axis=1, mode="nearest")
    return np.asarray(grey_opening(level, size=(1, AWAKE * HOUR // minutes), mode="nearest"))


def without_left_on(power: Powers, minutes: int) -> Powers:
    """Return what every house uses, (n, T) kW, less that by which its base exceeds its usual (median) one."""
    base = base_load(power, minutes)
    excess = np.maximum(base - np.median(base, axis=1, keepdims=True), 0.0)
    return np.maximum(power - excess, 0.0).astype(np.float32)
