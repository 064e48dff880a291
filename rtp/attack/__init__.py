"""What an observer infers about every house from the published rates."""

from rtp.attack.observer import Posterior, posterior
from rtp.attack.success import Attack, attack, attacks

__all__ = ["Attack", "Posterior", "attack", "attacks", "posterior"]
