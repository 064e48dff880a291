"""The parameters of the address that say what a screen shows: one table, a new one is one line.

Each has its name in the session, the screen it belongs to, its name in the address, how its text is read, and
its value until somebody changes it: None where the screen decides, because that depends on the scenario. A
reader gives a value, or refuses in one sentence.
"""

import json
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from rtp.attack.adversary import BY_HORIZON, BY_KNOWLEDGE
from rtp.core.language import LANGUAGES
from rtp.core.time import FINEST_STEP, Weekday, steps_per_day
from rtp.decision.frontier import INTERVALS
from rtp.decision.requirement import FROM, SECRETS, Wish
from rtp.decision.requirement import SHOWN as SHOWN_SECRET
from rtp.figures.paper import VIEWS
from rtp.figures.story import VIEWS as SEALED_VIEWS
from rtp.leakage.composition import TOTAL
from rtp.mechanisms import FEATURED, MOST_ACCURATE, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.meters.learned import FUSE, LAW_CHOICES, STANDBY
from rtp.meters.learning import GROUPS
from rtp.meters.replaying import SPANS
from rtp.paper.comparison import FIRST_DAYS, MAX_DAYS
from rtp.play.rooms import CODE_LENGTH, CODE_LETTERS
from rtp.scenario import BOUNDS, MAX_GROUPS, MAX_MODELS, Bounds, must_be_one_of, must_be_within, refusal
from rtp.scenario.habits import HOME, MEANINGS
from rtp.scenario.share import must_be_short
from rtp.sweep.measures import ASKED
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.experiments import KEYS
from rtp.teaching.plan import PLAN, STOPS, predictions_of, predictions_text
from rtp.teaching.sealed import LAST_NUMBER, votes_of, votes_text
from rtp.teaching.stage import LAST, MAX_STAGE_HOUSES, MIN_STAGE_HOUSES
from rtp.tradeoff.curves import TARGETS

Reader = Callable[[str, str], object]  # (name of the parameter, its text) → value
MAX_WORDS = 80  # characters of words
_SEPARATOR = "."  # between several of which no name has one


def to_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return _SEPARATOR.join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def within(bounds: Bounds) -> Reader:
    def read(name: str, text: str) -> object:
        value = _json(text)
        must_be_within(name, value, bounds)
        return value

    return read


def whole(low: int, high: int) -> Reader:
    return within(Bounds(low, high, ""))


def one_of(options: Collection[str]) -> Reader:
    def read(name: str, text: str) -> object:
        must_be_one_of(name, text, options)
        return text

    return read


def some_of(options: Collection[str]) -> Reader:
    """Some of the options, or none, in their own order."""

    def read(name: str, text: str) -> object:
        chosen = text.split(_SEPARATOR) if text else []
        for each in chosen:
            must_be_one_of(name, each, options)
        return [each for each in options if each in chosen]

    return read


def flag(name: str, text: str) -> object:
    value = _json(text)
    if not isinstance(value, bool):
        raise refusal(name, text, "be true or false")
    return value


def room_code(name: str, text: str) -> object:
    if len(text) != CODE_LENGTH or not set(text) <= set(CODE_LETTERS):
        raise refusal(name, text, f"be the {CODE_LENGTH} letters of a room")
    return text


def words(name: str, text: str) -> object:
    """One of what only the screen knows; what it does not know gives way to its first."""
    if not 0 < len(text) <= MAX_WORDS:
        raise refusal(name, text, f"have 1 to {MAX_WORDS} characters")
    return text


def names(name: str, text: str) -> object:
    """Names that a user may have given, as a list in JSON; those that are gone are passed over."""
    value = _json(text)
    if not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        raise refusal(name, text, "be a list of names")
    return value


def _json(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


class UrlParam(NamedTuple):
    """A setting of a screen that stands in the address."""

    name: str
    screen: str
    link: str
    read: Reader
    default: object = None
    text: Callable[[Any], str] = to_text
    secret: bool = False  # a key: in its owner's address, and never in one that is passed on

    def value(self, text: str) -> Any:
        """What a text of an address means; refuses in one sentence."""
        must_be_short(self.link, text)
        return self.read(self.link, text)


EVERY_SCREEN = "every screen"
LANGUAGE = "language"  # of Play and of the story
KNOWLEDGE: tuple[str, ...] = tuple(BY_KNOWLEDGE)
_HORIZONS: tuple[str, ...] = tuple(BY_HORIZON)
_HOUSES = int(BOUNDS["households"].high)
EPSILON_GRID = tuple(float(f"{10 ** (k / 10 - 2):.2g}") for k in range(31))  # ten a decade, 0.01 to 10
MAX_READING_DAYS = 100 * 366
STEPS_A_DAY = steps_per_day(FINEST_STEP)
_STEP = whole(0, int(BOUNDS["days"].high) * STEPS_A_DAY - 1)
HOUSE = whole(0, _HOUSES - 1)
KINDS_OF_DAY: Mapping[str, Weekday] = MappingProxyType(  # each with a day such as it
    {"Monday to Friday": "Monday", "Weekend": "Saturday", "Sunday": "Sunday"}
)
WORKING_DAYS = next(iter(KINDS_OF_DAY))
ANY_NUMBER = Bounds(-1e12, 1e12, "Any number")  # a parameter's own bounds are the map's to refuse
MAP_VALUES = Bounds(2, 25, "Values")
MAP_DAYS = Bounds(2, 1000, "Days at every point")
PAPER_DAYS = Bounds(FIRST_DAYS, MAX_DAYS, "Days to simulate")

SHOWN_FIRST = (UNPROTECTED, YARDSTICK, FEATURED, MOST_ACCURATE)  # the paper's three, and the best of ours

PARAMS: tuple[UrlParam, ...] = (
    UrlParam("presenting", EVERY_SCREEN, "present", flag, False),
    UrlParam(LANGUAGE, EVERY_SCREEN, "lang", one_of(LANGUAGES)),
    UrlParam("lesson:step", EVERY_SCREEN, "lesson", whole(1, len(PLAN)), secret=True),  # the teacher's own
    UrlParam("lesson:room", EVERY_SCREEN, "class", room_code, secret=True),
    UrlParam("lesson:host", EVERY_SCREEN, "key", words, secret=True),
    UrlParam("lesson:beamer", EVERY_SCREEN, "beamer", room_code, secret=True),  # of that room
    UrlParam("shown", "Explore", "rates", some_of(REGISTRY), SHOWN_FIRST),
    UrlParam("explore:group", "Explore", "group", whole(0, MAX_GROUPS - 1), 0),
    UrlParam("shown model", "Street", "model", whole(0, MAX_MODELS - 1), 0),
    UrlParam("street:tab", "Street", "tab", words),
    UrlParam("shown group", "Street", "group", whole(0, MAX_GROUPS - 1), 0),
    UrlParam("shown day", "Street", "cards", one_of(tuple(KINDS_OF_DAY)), WORKING_DAYS),
    UrlParam("houses:groups", "Street", "only", names, (), json.dumps),
    UrlParam("new model", "Street", "source", words),
    UrlParam("algorithm:houses", "Paper", "houses", whole(MIN_STAGE_HOUSES, MAX_STAGE_HOUSES)),
    UrlParam("algorithm:step", "Paper", "step", whole(0, STEPS_A_DAY - 1), 0),
    UrlParam("algorithm:line", "Paper", "line", whole(1, LAST), LAST),
    UrlParam("algorithm:experiment", "Paper", "experiment", one_of(KEYS)),
    UrlParam("algorithm:linked", "Paper", "linked", flag, False),
    UrlParam("algorithm:truth", "Paper", "truth", flag, False),
    UrlParam("algorithm:theta", "Paper", "model", words),
    UrlParam("algorithm:tab", "Paper", "below", words),
    UrlParam("paper:tab", "Paper", "tab", words),
    UrlParam("paper:part", "Paper", "part", words),
    UrlParam("paper:run", "Paper", "run", whole(0, MAX_DAYS)),
    UrlParam("paper:view", "Paper", "view", one_of(VIEWS), VIEWS[0]),
    UrlParam("paper:reading", "Paper", "reading", words),
    UrlParam("paper:choice", "Paper", "choice", words),
    UrlParam("paper:days", "Paper", "simulated", within(PAPER_DAYS)),
    UrlParam("decide:tab", "Decide", "tab", words),
    UrlParam("map:first", "Decide", "map", words),
    UrlParam("map:first:From", "Decide", "from", within(ANY_NUMBER)),
    UrlParam("map:first:To", "Decide", "to", within(ANY_NUMBER)),
    UrlParam("map:first:count", "Decide", "values", within(MAP_VALUES)),
    UrlParam("map:second", "Decide", "by", words),
    UrlParam("map:second:From", "Decide", "byfrom", within(ANY_NUMBER)),
    UrlParam("map:second:To", "Decide", "byto", within(ANY_NUMBER)),
    UrlParam("map:second:count", "Decide", "byvalues", within(MAP_VALUES)),
    UrlParam("map:days", "Decide", "runs", within(MAP_DAYS)),
    UrlParam("map:secret", "Decide", "told", one_of(["none", *ASKED]), "none"),
    UrlParam("map:measure", "Decide", "measure", words),
    UrlParam("map:mechanism", "Decide", "of", one_of(REGISTRY)),
    UrlParam("map:point", "Decide", "point", whole(0, int(MAP_VALUES.high) ** 2 - 1)),
    UrlParam("attack:tab", "Attack", "tab", words),
    UrlParam("attacker:knows", "Attack", "knows", one_of(KNOWLEDGE), KNOWLEDGE[0]),
    UrlParam("attacker:horizon", "Attack", "horizon", one_of(_HORIZONS), _HORIZONS[0]),
    UrlParam("attacker:model", "Attack", "model", words),
    UrlParam("attacker:house", "Attack", "house", HOUSE),
    UrlParam("attacker:step", "Attack", "step", _STEP),
    UrlParam("paper:published", "Paper", "published", whole(1, 10**9)),
    UrlParam("attacker:all", "Attack", "all", flag, False),
    UrlParam("overtime:step", "Attack", "when", _STEP),
    UrlParam("overtime:total", "Attack", "total", within(TOTAL)),
    UrlParam("meters:sample", "Street", "sample", flag, False),
    UrlParam("meters:home", "Street", "home", flag, False),
    UrlParam("meters:meaning", "Street", "learn", one_of(MEANINGS), HOME),
    UrlParam("meters:labels", "Street", "labels", flag),
    UrlParam("meters:seen", "Street", "seen", whole(0, MAX_READING_DAYS), 0),
    UrlParam("meters:tab", "Street", "readings", words),
    UrlParam("meters:groups", "Street", "kinds", whole(0, int(GROUPS.high)), 0),
    UrlParam("meters:house", "Street", "house", HOUSE, 0),
    UrlParam("meters:span", "Street", "span", one_of(SPANS), "A week"),
    UrlParam("meters:shown", "Street", "rates", some_of(REGISTRY), (UNPROTECTED, FEATURED)),
    UrlParam("meters:watched", "Street", "watched", HOUSE),
    UrlParam("meters:use", "Street", "use", one_of(LAW_CHOICES), next(iter(LAW_CHOICES))),
    UrlParam("meters:knows", "Street", "knows", one_of(KNOWLEDGE), "others"),
    UrlParam("meters:day", "Street", "from", whole(0, MAX_READING_DAYS)),
    UrlParam("meters:occupied_max", "Street", "fuse", within(BOUNDS["occupied_max"]), FUSE),
    UrlParam("meters:empty_max", "Street", "standby", within(BOUNDS["empty_max"]), STANDBY),
    UrlParam("class:tab", "Class", "tab", words),
    UrlParam("lesson:exercise", "Class", "exercise", whole(1, len(EXERCISES)), 1),
    UrlParam("lesson:said", "Class", "said", predictions_of, {}, predictions_text),
    UrlParam("lesson:own", "Class", "own", flag, False),
    UrlParam("cheat:number", "Class", "sealed", whole(1, LAST_NUMBER), 1),
    UrlParam("cheat:votes", "Class", "votes", votes_of, {}, votes_text),
    UrlParam("cheat:view", "Class", "shown", one_of(SEALED_VIEWS), SEALED_VIEWS[0]),
    UrlParam("play:room", "Class", "room", words),
    UrlParam("play:host", "Class", "host", words, secret=True),
    UrlParam("play:player", "Class", "player", words, secret=True),
    UrlParam("play:view", "Class", "view", one_of(("beamer",))),
)
# What one decides for holds on every screen that asks for it.
RATE, ACCEPTED = "rate", "accepted error"
PARAMS += tuple(
    UrlParam(RATE, screen, "rate", one_of(REGISTRY), FEATURED) for screen in ("Explore", "Attack", "Street")
)
HIDE, HIDE_FROM, HIDE_OF, NOTHING = "decide:hide", "decide:from", "decide:of", "nothing"
HIDE_EVERY, COMPARED = "decide:every", "compared"
PARAMS += (
    UrlParam(ACCEPTED, "Decide", "target", within(TARGETS)),
    UrlParam(HIDE, "Decide", "hide", one_of([*SECRETS, NOTHING]), SHOWN_SECRET),
    UrlParam(HIDE_FROM, "Decide", "observer", one_of(FROM), Wish.observer),
    UrlParam(HIDE_EVERY, "Decide", "every", one_of([*map(str, INTERVALS), COMPARED])),
    UrlParam(HIDE_OF, "Decide", "whose", names, (), json.dumps),
)
DEFAULTS = {each.name: each.default for each in PARAMS}

TOUR = "story"  # the parameter that says at which stop of the guided tour the session is
TOUR_STOP = UrlParam("tour", EVERY_SCREEN, TOUR, whole(1, len(STOPS)))


def of_screen(screen: str) -> list[UrlParam]:
    return [each for each in PARAMS if each.screen in (screen, EVERY_SCREEN)]


def is_default(param: UrlParam, value: object) -> bool:
    """Whether a value need not be said; a choice of several is the same in any order of clicks."""
    if isinstance(value, list | tuple) and isinstance(param.default, list | tuple):
        return sorted(value) == sorted(param.default)
    return value is None or value == param.default
