"""Smart-meter readings: read them, learn habits from them, let their demand run through every mechanism."""

from rtp.meters.answering import Answer, ObservedHouse, answer, watch
from rtp.meters.learned import Learned
from rtp.meters.learning import learn
from rtp.meters.reading import read
from rtp.meters.readings import Finding, Readings
from rtp.meters.replaying import Replay, replay

__all__ = [
    "Answer",
    "Finding",
    "Learned",
    "ObservedHouse",
    "Readings",
    "Replay",
    "answer",
    "learn",
    "read",
    "replay",
    "watch",
]
