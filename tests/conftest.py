"""The suite's ground rules: floating-point errors raise, and hypothesis gives the same examples every run."""

import numpy as np
from hypothesis import HealthCheck, settings

np.seterr(all="raise", under="ignore")

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")
