"""What an adversary infers about every house from the published rates."""

from rtp.attack.adversary import Posterior, posterior
from rtp.attack.success import Attack, attack, attacks

__all__ = ["Attack", "Posterior", "attack", "attacks", "posterior"]
