"""Which house sets the noise."""

from rtp.simulation.release import Release


def loudest_house(release: Release) -> int:
    """The house that sets the noise where it is widest, for the first time; −1 where none does."""
    return int(release.setter[release.scale.argmax()])
