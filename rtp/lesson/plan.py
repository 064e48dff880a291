"""The teacher's hour: eleven stops in 45 minutes, each with where to be and what to say."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rtp.mechanisms import UNPROTECTED

HOUR = 45  # minutes


@dataclass(frozen=True, kw_only=True)
class Stop:
    minutes: int
    title: str
    say: str
    exercise: int | None = None  # its number, from 1
    screen: str = "Lesson"  # where else, without an exercise
    link: Mapping[str, str] = field(default_factory=dict)


PLAN = (
    Stop(
        minutes=4,
        title="A price that tells on people",
        say="A public price follows what a street uses, so it can be read backwards. Show five houses, the "
        "unprotected rate, one house: what is she sure of?",
        screen="Attacker",
        link={"preset": "tiny street", "tab": "One house", "rate": UNPROTECTED, "knows": "others"},
    ),
    Stop(minutes=5, title="Noise, and its price", say="Let them predict before anyone moves ε.", exercise=1),
    Stop(
        minutes=4,
        title="The paper's algorithm, line by line",
        say="Which joint states are still possible, who is uncertain, how large is the noise?",
        screen="Algorithm",
        link={"preset": "tiny street"},
    ),
    Stop(minutes=4, title="Whom it drops", say="On the paper's own street: nobody.", exercise=2),
    Stop(minutes=4, title="A night of certainty", say="What is certain needs no noise.", exercise=3),
    Stop(minutes=4, title="Less noise, same promise", say="What does it lean on instead?", exercise=4),
    Stop(minutes=4, title="The forecast", say="Privacy for nothing: what is data worth?", exercise=5),
    Stop(minutes=5, title="The insider", say="Whom does the promise protect from?", exercise=6),
    Stop(minutes=5, title="One moment", say="96 rates, one secret moment.", exercise=7),
    Stop(minutes=5, title="The holiday", say="Start the work first, then collect predictions.", exercise=8),
    Stop(
        minutes=1,
        title="What to take home",
        say="ε is a promise about one rate. Ask of every promise: about what, against whom, for how long?",
        screen="Over time",
    ),
)
