"""What rates tell about a house: ln Pr[x | occupied] − ln Pr[x | empty], where the observer knows the others.

x is the street's consumption as the published rate shows it, Z + Lap(b). If she knows what everyone else
used she sees one house's consumption plus noise. Closed form; for uniform use it is constant outside
[0, max(u₁, u₀)], at two limits, of which `calibrated` holds the larger at ε. A street with laws of its own
has theirs.
"""

import numpy as np

from rtp.attack.observed import Observed
from rtp.core.types import Floats, Ints
from rtp.probability.laplace_uniform import log_ratio, uniform_log_density
from rtp.street.draw import Street


def evidence_alone(seen: Observed, street: Street, demand: Floats, houses: Ints, used: Floats) -> Floats:
    """(T, n): knowing everyone else's consumption, she sees what each house used through the noise alone."""
    heard = seen.heard
    noise = np.where(heard & (seen.b > 0), seen.total - demand, 0.0)
    b = np.where(heard, seen.b, 1.0)[:, None]
    y = used + noise[:, None]
    if street.distributions is not None:
        log_evidence = street.distributions.only(houses).log_likelihood_ratio(y, b)
    else:
        log_evidence = alone(y, b, street.occupied_bound[houses], street.empty_bound[houses])
    log_evidence[~heard] = 0.0
    return log_evidence


def alone(y: Floats, b: Floats, occupied_bound: Floats, empty_bound: Floats) -> Floats:
    """The evidence in y = X + Lap(b) on one house of uniform use; arguments broadcast."""
    return log_ratio(uniform_log_density(y, b, occupied_bound), uniform_log_density(y, b, empty_bound))
