"""What an adversary infers about every house from the published rates."""

from rtp.attack.adversary import Posterior, posterior

__all__ = ["Posterior", "posterior"]
