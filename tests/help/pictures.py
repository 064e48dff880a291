"""One picture of every figure function, as drawn: all that a visitor sees of it, to be recorded.

The tests in `tests/unit/figures` say what the curves are; here axes, colours, sizes, hover texts and words
are held. The streets are small, and each is computed once.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from rtp import PRESETS, Day, Scenario, simulate
from rtp.attack.adversary import Posterior, posterior
from rtp.attack.success import Attack, attack
from rtp.audit.exact import exact_losses
from rtp.core.types import Bools
from rtp.figures import algorithm, households, leakage, meters, paper, tradeoff
from rtp.figures import attack as attacker
from rtp.figures import story as story_pictures
from rtp.figures.day import VIEWS, day_figure
from rtp.figures.style import PIN_COLOURS, Diagram, Picture, PinMark
from rtp.figures.theme import large, themed
from rtp.leakage.budget import price_of_a_moment
from rtp.leakage.composition import compositions, privacy_account
from rtp.leakage.crowd import noise_still_needed
from rtp.leakage.detection import detect_daily
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.meters import Learned, Readings, learn, replay
from rtp.meters.answering import watch
from rtp.meters.learned import laws_by_group
from rtp.meters.learning import decode
from rtp.money.summary import Summary, money_of_runs, simulate_runs, summarise
from rtp.paper import published
from rtp.paper.reproduction import PAPER, PaperDays, many_days
from rtp.paper.state_dependent import most_exposed
from rtp.street.simulate import replay_houses
from rtp.sweep.plan import make
from rtp.sweep.whatif import Map, compute
from rtp.teaching.lines import LAST, LineNumber
from rtp.teaching.moves import Move, Never
from rtp.teaching.stage import Stage, open_stage, small_street
from rtp.teaching.threat import PriceBeliefs, Threat, stake, story_street
from rtp.teaching.threat import threat as threat_of
from rtp.tradeoff import Curve, curve
from tests.help.streets import STREETS
from tests.proofs.test_extremes import ZERO
from tests.unit.meters.streets import known_street

EVERYONE = list(REGISTRY)
PIN = PinMark("Tight", PIN_COLOURS[1])
ASLEEP = Move(start=0, never=frozenset({Never(3, 0, 1)}))
STEP = 50


@cache
def day_of(preset: str, households: int = 30, days: int = 1) -> Day:
    return simulate(PRESETS[preset].replace(households=households, days=days))


@cache
def stage(houses: int) -> Stage:
    return open_stage(small_street(PRESETS["paper"], houses), {0: ASLEEP})


@cache
def seen(mechanism: str) -> Posterior:
    return posterior(day_of("paper"), mechanism, adversary="insider")


@cache
def states() -> Bools:
    day = day_of("paper")
    return replay_houses(day.street_day.spec, day.street, range(30))[0]


@cache
def attacked() -> Attack:
    return attack(Scenario(households=20), 2)


@cache
def lines() -> Curve:
    return curve(Scenario(households=20), (0.1, 0.5, 1.0), 20)


@cache
def bills() -> Summary:
    day = day_of("mixed street")
    return summarise(day, money_of_runs(day, FEATURED, simulate_runs(day.street_day, 8, 20)), 1.0)


@cache
def swept(*fields: str) -> Map:
    grid = {"epsilon": [0.1, 0.5, 2.0], "alpha": [1.0, 2.0]}
    return compute(make(Scenario(households=20), {name: grid[name] for name in fields}, days=2), _ignore)


def _ignore(done: float, found: Map) -> None: ...


@cache
def readings() -> Readings:
    return known_street(5, 21, 60, 4, empty_share=(0.05, 0.1)).readings


@cache
def learned() -> Learned:
    return learn(readings(), resamples=1)


@cache
def paper_days() -> PaperDays:
    return many_days(PAPER, 6)


@cache
def story() -> tuple[Day, Threat]:
    day = simulate(story_street(Scenario()))
    return day, threat_of(day, stake(day))


def occupancy() -> Picture:
    day, houses = day_of("unsure curator"), np.arange(0, 30, 10)
    own, _ = replay_houses(day.street_day.spec, day.street, houses.tolist())
    classes = day.street_day.support_classes
    given = (np.array([0.0, 0.25, 12.0]), np.array([0.2, 0.3, 0.4]))
    whose = day.scenario.models[1].habits[0]
    return households.occupancy_figure(day, houses, own, classes.protected_under(0), given, whose)


def habits() -> Picture:
    spec, street = day_of("paper").street_day.spec, day_of("paper").street
    names = households.period_names(day_of("paper").scenario.models[0].habits[0])
    probabilities = spec.transition_probabilities(street, 0, spec.blocks[0])
    return households.habits_figure(spec.schedules[0][0], names, *probabilities)


def account() -> Picture:
    day = day_of("paper")
    losses = exact_losses(day)
    return attacker.privacy_account_figure(day, losses, privacy_account(day, losses[FEATURED]))


def moment() -> Picture:
    day = day_of("tiny street", 5)
    found = moment_leakage(day, FEATURED)
    gives = giveaway(day, FEATURED, int(found.house[found.step]), found.step)
    return leakage.moment_figure(day, found, found.step, gives)


def detection() -> Picture:
    *_, found = detect_daily(day_of("tiny street", 5).scenario, "holiday", 2, repetitions=40)
    return leakage.detection_figure(found, "insider")


def watched() -> Picture:
    scenario = learned().scenario(Scenario(), 1.0, 0.1)
    replayed = replay(readings(), scenario, learned(), days=1)
    return meters.watched_figure(watch(replayed, "h3", mechanisms=[UNPROTECTED, FEATURED]))


def decoded() -> Picture:
    power, probability = decode(readings(), learned(), 2)
    return meters.decoded_figure(power, probability, readings().first_day, 60, "h2")


def beliefs(pins: bool) -> Picture:
    pair = seen(UNPROTECTED).only(4), seen(FEATURED).only(4)
    pinned = {PIN: seen(FEATURED).belief[:, 5]} if pins else None
    return attacker.belief_figure(day_of("paper"), pair, states()[:, 4], STEP, pinned)


def _day(view: str, preset: str) -> Picture:
    return day_figure(day_of(preset), EVERYONE, view)


def _states(houses: int, line: int, truth: int | None = None) -> Picture:
    own, tabs = stage(houses).at(8).models[0], truth is not None
    return algorithm.states_figure(stage(houses), own, line, truth, under_tabs=tabs)


def _beliefs(line: int) -> Picture:
    return algorithm.beliefs_figure(stage(4), stage(4).at(8).models[0], line)


def _noise(line: int) -> Picture:
    return algorithm.noise_figure(stage(4), 8, line)


@cache
def free_stage() -> Stage:
    return open_stage(small_street(PRESETS["paper"], 5), {})


def noiseless() -> Picture:
    """Nothing is drawn around a rate that is exact."""
    asleep = open_stage(small_street(PRESETS["paper"], 2), {0: ASLEEP, 1: ASLEEP})
    return algorithm.noise_figure(asleep, 8, LAST)


def believed(price: bool) -> Picture:
    day, told = story()
    own = told.stake
    hers = [
        story_pictures.Believed(story_pictures.HABITS, own.guess, "#101010"),
        story_pictures.Believed("Hers", own.unprotected, "#202020"),
    ]
    return story_pictures.story_beliefs_figure(day, own, hers, price)


def _map(measure: str) -> Picture:
    return tradeoff.lines_figure(swept("epsilon"), measure)


PICTURES: Mapping[str, Callable[[], Picture | Diagram]] = {
    **{
        f"day {view} {preset}": partial(_day, view, preset)
        for view, preset in zip(VIEWS, ("elastic demand", "mansions"), strict=True)
    },
    "day pinned": lambda: day_figure(day_of("mansions"), EVERYONE, "Rates", {PIN: day_of("mansions", 31)}),
    "day folded": lambda: day_figure(day_of("paper", 9, 8), EVERYONE, "Error"),
    "day week": lambda: day_figure(day_of("paper", 9, 7), EVERYONE),
    "day weekend": lambda: day_figure(simulate(STREETS["weekend"]), EVERYONE),
    "day in euros": lambda: day_figure(simulate(STREETS["half hours"]), EVERYONE, "Error"),
    "day without use": lambda: day_figure(simulate(ZERO), EVERYONE),
    **{
        f"states of {houses} at line {line}": partial(_states, houses, line)
        for houses, line in ((2, LAST), (3, LAST), (4, LineNumber.NEIGHBOURS), (5, LAST))
    },
    "beliefs of the algorithm": lambda: algorithm.beliefs_figure(stage(4), stage(4).at(8).models[0], LAST),
    "noise of the algorithm": lambda: algorithm.noise_figure(stage(4), 8, LAST),
    **{
        f"states of {houses} at line {line}, with the truth": partial(_states, houses, line, 2)
        for houses, line in (
            (4, LineNumber.PRIOR - 1),
            (4, LineNumber.PRIOR),
            (3, LineNumber.POSSIBLE),
            (3, LineNumber.PROTECTED),
            (5, LineNumber.POSTERIOR - 1),
            (4, LineNumber.POSTERIOR),
        )
    },
    "states of 5, all possible": lambda: algorithm.states_figure(
        free_stage(), free_stage().at(8).models[0], LAST
    ),
    **{
        f"beliefs at line {line}": partial(_beliefs, line)
        for line in (
            LineNumber.PRIOR - 1,
            LineNumber.PRIOR,
            LineNumber.PROTECTED - 1,
            LineNumber.PROTECTED,
            LineNumber.POSTERIOR - 1,
            LineNumber.POSTERIOR,
        )
    },
    **{
        f"noise at line {line}": partial(_noise, line)
        for line in (
            LineNumber.OPTIMAL - 1,
            LineNumber.OPTIMAL,
            LineNumber.NOISE,
            LineNumber.NOISY,
        )
    },
    "no noise": noiseless,
    "belief": lambda: beliefs(False),
    "belief pinned": lambda: beliefs(True),
    "street": lambda: attacker.street_figure(day_of("paper"), seen(FEATURED), np.arange(30), states()),
    "street gain": lambda: attacker.street_figure(
        day_of("paper"), seen(FEATURED), np.arange(9), states(), gain=True
    ),
    "roc evidence": lambda: attacker.roc_figure(attacked(), "evidence", {PIN: attacked().scores["naive"]}),
    "roc belief": lambda: attacker.roc_figure(attacked(), "belief"),
    "roc insider": lambda: attacker.roc_figure(replace(attacked(), adversary="insider"), "evidence"),
    "privacy account": account,
    "occupancy": occupancy,
    "habits": habits,
    "bounds": lambda: households.bounds_figure(day_of("mixed street"), 7),
    "models": lambda: households.models_figure(
        day_of("unsure curator").scenario,
        day_of("unsure curator").hours,
        sensitivity_by_model(day_of("unsure curator").market.public),
    ),
    "state diagram": lambda: households.state_diagram(((0.75, 0.25), (1.0, 0.0))),
    "moment price": lambda: leakage.price_figure(
        price_of_a_moment(Scenario(households=6, epsilon=0.3), [0.1, 0.3, 1.0]), 96, 0.3, True, 2.0
    ),
    "moment": moment,
    "detection": detection,
    "crowd": lambda: leakage.crowd_figure(
        noise_still_needed(day_of("tiny street", 5), 0.5, 1e-3, sizes=(5, 100)), 5
    ),
    "compositions": lambda: leakage.composition_figure(
        compositions(day_of("tiny street", 5).scenario, 2.0), 2.0, 96
    ),
    "feeder": lambda: meters.feeder_figure(readings()),
    "profile": lambda: meters.profile_figure(learned()),
    "average days": lambda: meters.average_days_figure(readings(), learned()),
    "decoded": decoded,
    "replay": lambda: meters.replay_figure(replay(readings(), Scenario(), days=2), EVERYONE),
    "bills of a replay": lambda: meters.bills_figure(replay(readings(), Scenario(), days=2), EVERYONE),
    "use distributions": lambda: meters.use_distributions_figure(laws_by_group(learned())),
    "watched": watched,
    "paper occupancy": lambda: paper.mean_occupancy_figure(simulate(PAPER), paper_days()),
    "paper consumption": lambda: paper.mean_consumption_figure(simulate(PAPER), paper_days()),
    "paper rates": lambda: paper.rates_figure(simulate(PAPER), "Rates"),
    "paper errors": lambda: paper.rates_figure(simulate(PAPER), "Error"),
    "paper alternatives": lambda: paper.alternatives_figure(
        {"ours": simulate(PAPER).expected_occupancy, "flat": np.zeros(96)},
        published.figure2()[1],
        simulate(PAPER),
    ),
    "paper state dependent": lambda: paper.state_dependent_figure(
        most_exposed(simulate(PAPER).street), PAPER.epsilon, alpha=2.0
    ),
    "paper distribution": lambda: paper.distribution_figure(paper_days()),
    "threat": lambda: story_pictures.threat_figure(*story(), 72, "One day of 2 houses"),
    "story beliefs": lambda: believed(False),
    "story beliefs and price": lambda: believed(True),
    "story noise": lambda: story_pictures.story_noise_figure(day_of("quiet night")),
    "story cost": lambda: story_pictures.cost_figure(lines(), [YARDSTICK, FEATURED], 0.5),
    "story shares": lambda: story_pictures.shares_figure(
        {"Habits": story_pictures.Bar(0.81, 0.01), "Price": story_pictures.Bar(0.92, 0.02, "#303030")},
        "An insider is right",
    ),
    "dots": lambda: story_pictures.dots_figure(
        [("House 1", PriceBeliefs(0.44, 0.54)), ("Worst", PriceBeliefs(0.38, 0.62))]
    ),
    "curve": lambda: tradeoff.curve_figure(
        lines(), 0.5, True, 1.5, lines(), {PIN: tradeoff.PinnedCurve(lines(), 0.1)}
    ),
    "curve linear": lambda: tradeoff.curve_figure(lines(), 0.5, False),
    "bills": lambda: tradeoff.change_figure(bills(), FEATURED, "a day", day_of("mixed street").scenario),
    **{f"map of {measure}": partial(_map, measure) for measure in ("rmsre", "bill_change")},
    "heat": lambda: tradeoff.heat_figure(swept("epsilon", "alpha"), "rmsre", FEATURED),
}


def look(name: str) -> dict[str, Any]:
    """All that is drawn, and once also as a theme and a large screen have it; arrays are left to sum up."""
    drawn = PICTURES[name]()
    if isinstance(drawn, Diagram):
        return drawn._asdict()
    shown = {"words": drawn.words, **drawn.spec}
    if name == "moment":
        shown |= {"themed": themed(drawn.layout), "large": large(drawn.spec)}
    ends = [{key: _end(trace[key]) for key in ("x", "y") if key in trace} for trace in drawn.traces]
    return {key: _arrays(value) for key, value in shown.items()} | {"ends": ends}


def _end(row: Any) -> list[Any]:
    """How many there are in a row, and the last of them."""
    return [len(row), *(str(each) if isinstance(each, np.datetime64) else each for each in row[-1:])]


def _arrays(value: Any) -> Any:
    """The same with longer rows of numbers as arrays, and moments as text."""
    if isinstance(value, Mapping):
        return {key: _arrays(each) for key, each in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "MOU":
        return [str(each) for each in value.ravel().tolist()][:8]
    if isinstance(value, list | tuple):
        if len(value) > 8 and all(isinstance(each, float | int) for each in value):
            return np.array(value)
        return [_arrays(each) for each in value]
    return value
