"""The mechanisms, one per file. To add one: write its file, name it in the loop below."""

from collections.abc import Collection

from rtp.core.language import say
from rtp.mechanisms import blowfish, calibrated, filtered, forecast, naive, optimal, threshold
from rtp.mechanisms.base import Mechanism, NoiseScale, Public, Role, noise_scales

REGISTRY: dict[str, Mechanism] = {}


def register(mechanism: Mechanism) -> None:
    """Add a mechanism to the registry, and so to the whole lab.

    Parameters
    ----------
    mechanism : Mechanism
        It is known by its name; one of the same name is replaced.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from rtp.mechanisms import REGISTRY, register
    >>> register(replace(REGISTRY["naive"], name="mine", label="Mine"))
    >>> "mine" in REGISTRY
    True
    >>> del REGISTRY["mine"]
    """
    REGISTRY[mechanism.name] = mechanism


def private() -> list[str]:
    """The names of the mechanisms that promise something."""
    return [name for name, mechanism in REGISTRY.items() if mechanism.protects != "nobody"]


def offered(negligible: float, chosen: Collection[str] = ()) -> list[str]:
    """The names to choose from: one that neglects something only where there is something, or if chosen."""
    return [name for name, each in REGISTRY.items() if not each.neglects or negligible > 0 or name in chosen]


def with_role(role: Role) -> str:
    """The name of the mechanism that plays this part in the lab's sentences and first pictures."""
    return next(name for name, mechanism in REGISTRY.items() if mechanism.role == role)


def short(mechanism: str) -> str:
    """What the mechanism's rate is called in a sentence: the private rate is the one that is featured."""
    return say("private") if mechanism == FEATURED else say(REGISTRY[mechanism].label).lower()


def title(mechanism: str) -> str:
    """The same where it begins a line."""
    return short(mechanism).capitalize()


for module in (optimal, naive, blowfish, calibrated, filtered, forecast, threshold):
    register(module.MECHANISM)

UNPROTECTED, YARDSTICK = with_role("unprotected"), with_role("yardstick")
FEATURED, NO_DATA = with_role("featured"), with_role("no data")
MOST_ACCURATE = with_role("most accurate")

__all__ = [
    "FEATURED",
    "MOST_ACCURATE",
    "NO_DATA",
    "REGISTRY",
    "UNPROTECTED",
    "YARDSTICK",
    "Mechanism",
    "NoiseScale",
    "Public",
    "noise_scales",
    "offered",
    "private",
    "register",
    "short",
    "title",
]
