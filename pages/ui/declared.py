"""The facts of the view that stand in the address: a new one is one line in `DECLARED`.

Each has its name in the session, the screen it belongs to, its name in the link, its value until somebody
changes it, and how its text is read.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pages.ui import readers
from pages.ui.readers import Reader
from rtp.attack.adversary import BY_HORIZON, BY_KNOWLEDGE
from rtp.core.time import FINEST_STEP, steps_per_day
from rtp.figures.attack import CURVES
from rtp.figures.day import VIEWS
from rtp.leakage.composition import TOTAL
from rtp.leakage.crowd import DELTA
from rtp.leakage.detection import DAYS, WEEK
from rtp.leakage.hypothesis import HYPOTHESES
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK, private
from rtp.meters.learned import FUSE, STANDBY, USES
from rtp.meters.learning import GROUPS
from rtp.meters.replaying import SPANS
from rtp.paper.reproduction import MAX_DAYS
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_MODELS
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.experiments import KEYS
from rtp.teaching.lines import LAST
from rtp.teaching.moves import MAX_LINKED_HOUSES, moves_text, parse_moves
from rtp.teaching.plan import predictions_of, predictions_text
from rtp.teaching.stage import MIN_STAGE_HOUSES
from rtp.tradeoff.answers import AGAINST, TARGETS


class Declared(NamedTuple):
    """A fact that stands in the address."""

    name: str
    screen: str
    link: str
    first: object  # until somebody changes it; `ASKED` where the screen knows better
    read: Reader
    text: Callable[[Any], str] = readers.to_text


EVERY = "every screen"
ASKED = object()  # the first value is the screen's: it depends on the scenario
KNOWLEDGE: tuple[str, ...] = tuple(BY_KNOWLEDGE)
HORIZONS: tuple[str, ...] = tuple(BY_HORIZON)
HOUSES = int(BOUNDS["households"].high)
LONGEST = 100 * 366  # days of readings
MOST_STEPS = steps_per_day(FINEST_STEP)  # of a day
STEPS = readers.whole(0, int(BOUNDS["days"].high) * MOST_STEPS - 1)

DECLARED = (
    Declared("presenting", EVERY, "present", False, readers.flag),
    Declared("shown", "Explore", "rates", (UNPROTECTED, YARDSTICK, FEATURED), readers.some_of(REGISTRY)),
    Declared("view", "Explore", "view", VIEWS[0], readers.one_of(VIEWS)),
    Declared("story:own", "Explore", "here", False, readers.flag),
    Declared("story:step", "Explore", "at", None, STEPS),
    Declared("shown model", "Households", "model", 0, readers.whole(0, MAX_MODELS - 1)),
    Declared("households:tab", "Households", "tab", ASKED, readers.words),
    Declared("houses:rate", "Households", "rate", FEATURED, readers.one_of(private())),
    Declared("shown group", "Households", "group", 0, readers.whole(0, MAX_GROUPS - 1)),
    Declared(
        "algorithm:houses", "Algorithm", "houses", None, readers.whole(MIN_STAGE_HOUSES, MAX_LINKED_HOUSES)
    ),
    Declared("algorithm:step", "Algorithm", "step", 0, readers.whole(0, MOST_STEPS - 1)),
    Declared("algorithm:line", "Algorithm", "line", 1, readers.whole(1, LAST)),
    Declared("algorithm:moves", "Algorithm", "moves", None, parse_moves, moves_text),
    Declared("algorithm:experiment", "Algorithm", "experiment", None, readers.one_of(KEYS)),
    Declared("algorithm:house", "Algorithm", "house", -1, readers.whole(-1, MAX_LINKED_HOUSES - 1)),
    Declared("algorithm:truth", "Algorithm", "truth", False, readers.flag),
    Declared("algorithm:theta", "Algorithm", "model", ASKED, readers.words),
    Declared("algorithm:tab", "Algorithm", "tab", ASKED, readers.words),
    Declared("paper:run", "Paper", "run", ASKED, readers.whole(0, MAX_DAYS)),
    Declared("paper:view", "Paper", "view", VIEWS[0], readers.one_of(VIEWS)),
    Declared("paper:choice", "Paper", "choice", ASKED, readers.words),
    Declared("tradeoff:tab", "Trade-off", "tab", ASKED, readers.words),
    Declared("tradeoff:target", "Trade-off", "target", ASKED, readers.within(TARGETS)),
    Declared("tradeoff:against", "Trade-off", "against", "ε", readers.one_of(AGAINST)),
    Declared("tradeoff:log", "Trade-off", "log", True, readers.flag),
    Declared("money:mechanism", "Trade-off", "rate", FEATURED, readers.one_of(private())),
    Declared("money:span", "Trade-off", "over", ASKED, readers.words),
    Declared("tradeoff:belief", "Trade-off", "belief", ASKED, readers.words),
    Declared("map:first", "Trade-off", "map", ASKED, readers.words),
    Declared("map:second", "Trade-off", "by", ASKED, readers.words),
    Declared("map:measure", "Trade-off", "measure", ASKED, readers.words),
    Declared("attacker:tab", "Attacker", "tab", ASKED, readers.words),
    Declared("attacker:rate", "Attacker", "rate", FEATURED, readers.one_of(REGISTRY)),
    Declared("attacker:knows", "Attacker", "knows", KNOWLEDGE[0], readers.one_of(KNOWLEDGE)),
    Declared("attacker:horizon", "Attacker", "horizon", HORIZONS[0], readers.one_of(HORIZONS)),
    Declared("attacker:model", "Attacker", "model", ASKED, readers.words),
    Declared("attacker:house", "Attacker", "house", None, readers.whole(0, HOUSES - 1)),
    Declared("attacker:step", "Attacker", "step", None, STEPS),
    Declared("attacker:curve", "Attacker", "curve", "evidence", readers.one_of(CURVES)),
    Declared("attacker:sort", "Attacker", "sorted", True, readers.flag),
    Declared("attacker:gain", "Attacker", "gain", False, readers.flag),
    Declared("attacker:truth", "Attacker", "truth", True, readers.flag),
    Declared("attacker:all", "Attacker", "all", False, readers.flag),
    Declared("overtime:tab", "Over time", "tab", ASKED, readers.words),
    Declared("overtime:rate", "Over time", "rate", FEATURED, readers.one_of(REGISTRY)),
    Declared("overtime:house", "Over time", "house", None, readers.whole(0, HOUSES - 1)),
    Declared("overtime:step", "Over time", "step", None, STEPS),
    Declared("overtime:secret", "Over time", "secret", ASKED, readers.one_of(HYPOTHESES)),
    Declared("overtime:knows", "Over time", "knows", "others", readers.one_of(KNOWLEDGE)),
    Declared("overtime:days", "Over time", "watch", WEEK, readers.within(DAYS)),
    Declared("overtime:delta", "Over time", "delta", ASKED, readers.within(DELTA)),
    Declared("overtime:total", "Over time", "total", None, readers.within(TOTAL)),
    Declared("meters:sample", "Your street", "sample", False, readers.flag),
    Declared("meters:tab", "Your street", "tab", ASKED, readers.words),
    Declared("meters:groups", "Your street", "kinds", 2, readers.within(GROUPS)),
    Declared("meters:house", "Your street", "house", 0, readers.whole(0, HOUSES - 1)),
    Declared("meters:span", "Your street", "span", "A week", readers.one_of(SPANS)),
    Declared("meters:shown", "Your street", "rates", (UNPROTECTED, FEATURED), readers.some_of(REGISTRY)),
    Declared("meters:watched", "Your street", "watched", 0, readers.whole(0, HOUSES - 1)),
    Declared("meters:use", "Your street", "use", next(iter(USES)), readers.one_of(USES)),
    Declared("meters:knows", "Your street", "knows", "others", readers.one_of(KNOWLEDGE)),
    Declared("meters:day", "Your street", "from", 0, readers.whole(0, LONGEST)),
    Declared("meters:occupied_max", "Your street", "fuse", FUSE, readers.within(BOUNDS["occupied_max"])),
    Declared("meters:empty_max", "Your street", "standby", STANDBY, readers.within(BOUNDS["empty_max"])),
    Declared("lesson:tab", "Lesson", "tab", ASKED, readers.words),
    Declared("lesson:exercise", "Lesson", "exercise", 1, readers.whole(1, len(EXERCISES))),
    Declared("lesson:said", "Lesson", "said", {}, predictions_of, predictions_text),
    Declared("lesson:own", "Lesson", "own", False, readers.flag),
)
FIRST = {each.name: each.first for each in DECLARED if each.first is not ASKED}
