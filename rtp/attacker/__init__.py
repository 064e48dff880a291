"""What an observer infers about every house from the published rates."""

from rtp.attacker.observer import Posterior, posterior
from rtp.attacker.success import Attack, attack, attacks

__all__ = ["Attack", "Posterior", "attack", "attacks", "posterior"]
