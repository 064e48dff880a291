"""Calibrated noise, then the best linear guess of the optimal rate from everything published so far.

State: per group, how far the demand of those at home is from what the model expects (see `rtp.outlook`). It
is a linear chain: each step carries over the share `carried/presence` and adds fresh variance so that its
total stays what independent houses have. The noisy rate observes the sum of the groups, blurred by the
consumption's own variance and the noise's 2b². The published rate is α·E[demand] + β: a function of noisy
rates and the public model alone, so it costs no privacy. It leans on the model for accuracy only.
"""

import numpy as np

from rtp.mechanisms import calibrated
from rtp.mechanisms.base import Mechanism, Public, Publisher
from rtp.occupancy import Floats


def publisher(public: Public, scale: Floats) -> Publisher:
    """The Kalman filter as a step function; steps must be taken in order."""
    outlook = public.outlook
    alpha, beta, fixed = public.alpha, public.beta, public.inelastic_demand
    mean = outlook.expected_demand.tolist()
    blur = outlook.consumption.sum(axis=0).tolist()
    blind = (2 * (scale / alpha) ** 2).tolist()
    presence = outlook.presence
    carry = np.divide(outlook.carried, presence, out=np.zeros_like(presence), where=presence > 0)
    fresh = np.maximum(presence[:, 1:] - carry[:, :-1] ** 2 * presence[:, :-1], 0.0)
    ones, deviation = np.ones(len(presence)), np.zeros(len(presence))
    spread = np.diag(presence[:, 0])

    def publish(step: int, noisy: float, response: float) -> tuple[float, float]:
        nonlocal deviation, spread
        if step:
            carried = carry[:, step - 1]
            deviation = carried * deviation
            spread = carried[:, None] * spread * carried
            spread.flat[:: len(carried) + 1] += fresh[:, step - 1]
        toward = spread @ ones
        at_home = float(toward @ ones)
        expected = response * (mean[step] + float(deviation @ ones)) + fixed
        surprise = (noisy - beta) / alpha - expected
        demand_variance = response**2 * (at_home + blur[step])
        observed_variance = demand_variance + blind[step]
        if observed_variance == 0:
            return alpha * expected + beta, 0.0
        gain = demand_variance / observed_variance
        deviation = deviation + response * toward / observed_variance * surprise
        spread = spread - toward[:, None] * (response**2 / observed_variance * toward)
        return alpha * (expected + gain * surprise) + beta, alpha**2 * gain * blind[step]

    return publish


MECHANISM = Mechanism(
    name="filtered",
    label="Filtered",
    promise="The same promise as Calibrated: smoothing afterwards costs no privacy.",
    relies_on="consumption being uniform as modelled; its accuracy leans on the assumed habits",
    noise=calibrated.noise,
    publisher=publisher,
)
