"""One house at one moment."""

import numpy as np
import pytest

from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.attack.success import moment_summary
from rtp.street.simulate import replay_houses

DAY = simulate(Scenario(households=5))
TRUTH = replay_houses(DAY.street_day.spec, DAY.street, range(5))[0]


@pytest.mark.parametrize("step", [0, 40, 95])
def test_a_moment_is_the_beliefs_and_the_day_so_far(step: int) -> None:
    seen = posterior(DAY, "calibrated")
    now = moment_summary(seen, 3, TRUTH[:, 3], step)
    assert now.occupied == TRUTH[step, 3]
    assert now.belief == seen.belief[step, 3]
    assert now.model_alone == seen.model_only[step, 3]
    so_far = seen.log_likelihood_ratio[: step + 1, 3]
    assert now.largest_evidence == max(abs(e) for e in so_far)
    right = [
        0.5 if b == 0.5 else float((b > 0.5) == t)
        for b, t in zip(seen.belief[: step + 1, 3], TRUTH[: step + 1, 3], strict=True)
    ]
    assert now.right == pytest.approx(np.mean(right), rel=1e-12)


def test_steps_at_which_the_rate_is_proof_are_counted() -> None:
    seen, private = (posterior(DAY, name, adversary="insider") for name in ("optimal", "blowfish"))
    counts = [moment_summary(seen, house, TRUTH[:, house], 95).proofs for house in range(5)]
    assert counts == [sum(np.isinf(e) for e in seen.log_likelihood_ratio[:, c]) for c in range(5)]
    assert max(counts) > 0
    assert moment_summary(private, 0, TRUTH[:, 0], 95).proofs == 0
