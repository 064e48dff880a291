"""The mechanisms, one per file. To add one: write its file, add it to this tuple."""

from rtp.mechanisms import blowfish, calibrated, filtered, forecast, naive, optimal
from rtp.mechanisms.base import Mechanism, Noise, Public, Publisher

REGISTRY: dict[str, Mechanism] = {
    module.MECHANISM.name: module.MECHANISM
    for module in (optimal, naive, blowfish, calibrated, filtered, forecast)
}
PRIVATE = tuple(name for name in REGISTRY if name != "optimal")  # those that promise something

__all__ = ["PRIVATE", "REGISTRY", "Mechanism", "Noise", "Public", "Publisher"]
