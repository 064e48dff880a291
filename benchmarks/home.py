"""Who is at home, from readings alone: a real home, and ten simulated ones, at 15 and 30 minutes, beside what
needs no model; learned beside counted chances; an observer on eleven days that nothing was learned from.

Labels are hidden from the learner and judge it. Every table is printed; what is wrong by the three states has
the rule known from the literature as its target.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.measure import Result
from rtp.core.types import Bools
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.meters import Learned, Readings, learn, replay, watch
from rtp.meters.check import RULE, THREE, check
from rtp.meters.four_states import STARTS
from rtp.meters.house_fit import OCCUPANCY, WITHIN
from rtp.meters.readings import in_steps_of
from rtp.meters.real_home import real_home
from rtp.output.check import check_frame, check_words, reliability_frame, sureness_frame
from rtp.output.meters import chances_frame
from rtp.scenario import PAPER_PERIODS, Scenario
from tests.help.simulated_home import simulated_homes

# two dozen homes, of kinds that differ
HARD = {
    "usual": 4,
    "things left on": 4,
    "night shifts": 3,
    "always by night": 2,
    "lodger": 3,
    "a week's holiday": 3,
    "appliance at random": 3,
}
HOMES, HELD_OUT, EPSILON, FUSE, STANDBY = 10, 11, 0.5, 14.5, 0.5


def results() -> Iterator[Result]:
    home = real_home()
    for name, readings in (
        ("the real home, 15 minutes", home),
        ("the real home, 30 minutes", in_longer_steps(home, 30)),
        (f"{HOMES} simulated homes, 15 minutes", simulated_homes(HOMES)),
        (f"{HOMES} simulated homes, 30 minutes", simulated_homes(HOMES, minutes=30)),
    ):
        yield from _checked(name, readings)
    learned, counted = (learn(each, meaning="at home") for each in (home.without_labels(), home))
    print(
        "\nlearned",
        chances_frame(learned).to_string(),
        "counted",
        chances_frame(counted).to_string(),
        sep="\n",
    )
    yield Result(
        subject="learned intervals of the real home that miss what is counted",
        value=100 * (1 - held(learned, counted)),
        unit=" %",
        target=40.0,
    )
    yield from _observed(home)
    yield from _periods(home)
    yield from _hard_homes()


def _checked(name: str, readings: Readings) -> Iterator[Result]:
    found = check(readings)
    print(f"\n{name}: {check_words(found)}", check_frame(found).to_string(), sep="\n")
    print(sureness_frame(found).to_string(), reliability_frame(found).to_string(), sep="\n")
    ours, rule = (found.scores[each].all.accuracy.value for each in (THREE, RULE))
    yield Result(
        subject=f"wrong by three states, {name}", value=100 * (1 - ours), unit=" %", target=100 * (1 - rule)
    )


def in_longer_steps(readings: Readings, minutes: int) -> Readings:
    """The same home's readings and labels in steps of so many minutes."""
    assert readings.occupied is not None
    share = in_steps_of(np.where(readings.occupied < 0, np.nan, readings.occupied), readings.minutes, minutes)
    occupied = np.where(np.isnan(share), -1, share >= 0.5).astype(np.int8)
    power = in_steps_of(readings.power, readings.minutes, minutes).astype(np.float32)
    return replace(readings, minutes=minutes, power=power, occupied=occupied)


def held(learned: Learned, counted: Learned) -> float:
    """The share of learned intervals that hold the counted chance, where there were moves to count."""
    hits: list[Bools] = []
    for own, truth in zip(learned.groups, counted.groups, strict=True):
        for guess, known in ((own.leave, truth.leave), (own.arrive, truth.arrive)):
            seen = known.low > 0
            hits.append(((guess.low <= known.value) & (known.value <= guess.high))[seen])
    return float(np.concatenate(hits).mean())


def _observed(home: Readings) -> Iterator[Result]:
    """She has learned from the first days, labels hidden, and watches the last ones."""
    before, after = home.only_days(0, home.days - HELD_OUT), home.only_days(home.days - HELD_OUT, HELD_OUT)
    scenario = Scenario(epsilon=EPSILON)
    for name, learned in (
        ("three states", learn(before.without_labels(), meaning="at home", resamples=0)),
        ("two states", learn(before.without_labels(), resamples=0)),
        ("counted", learn(before, meaning="at home", resamples=0)),
    ):
        replayed = replay(after, learned.scenario(scenario, FUSE, STANDBY), learned)
        seen = watch(replayed, mechanisms=[UNPROTECTED, FEATURED, "calibrated"])
        right = {rate: seen.right(rate) for rate in seen.seen}
        for rate, share in (right | {"habits alone": seen.right_alone}).items():
            print(f"observer, {name}, {rate}: {share:.3f}")
        if name == "three states":
            for rate in (UNPROTECTED, FEATURED):
                wrong = 100 * (1 - right[rate])
                yield Result(subject=f"observer wrong, {rate}", value=wrong, unit=" %", target=25.0)


def _periods(home: Readings) -> Iterator[Result]:
    """By how much labelled moves of the weeks that were not counted are likelier than with one period a day,
    on the real home and on simulated ones, all with ten weeks: in nats, of leaving and of arriving."""
    chosen = {
        "one": (0,),
        "the paper's": tuple(part.start for part in PAPER_PERIODS),
        "6/9/16/22": STARTS,
        "every hour": tuple(range(24)),
    }
    for name, readings in (("the real home", home), ("simulated homes", simulated_homes(HOMES))):
        fits = {each: np.array(_held_out(readings, starts)) for each, starts in chosen.items()}
        for each, fit in fits.items():
            gain = fit - fits["one"]
            print(f"periods, {name}, {each}: leaving {gain[0]:+.0f}, arriving {gain[1]:+.0f} nats held out")
        behind = float((fits["the paper's"] - fits["6/9/16/22"]).sum())
        subject = f"nats held out that 6/9/16/22 is behind the paper's periods, {name}"
        yield Result(subject=subject, value=behind, unit=" nats", target=0.0)


def _held_out(readings: Readings, starts: Sequence[float]) -> tuple[float, float]:
    """ln Pr of labelled leaving and arriving in each half of the weeks by chances counted in the other."""
    assert readings.occupied is not None
    steps = readings.steps_per_day
    period = (np.searchsorted(starts, np.arange(steps) * 24 / steps, side="right") - 1) % len(starts)
    total = [0.0, 0.0]
    for labels in readings.occupied:
        now, then = labels[:-1], labels[1:]
        step = np.arange(len(now))
        half = step // (7 * steps) % 2
        for kind, state in enumerate((1, 0)):
            can = (now == state) & (then >= 0)
            counts = np.zeros((2, len(starts), 2))
            np.add.at(counts, (half[can], period[step[can] % steps], (then != now)[can].astype(int)), 1)
            chance = (counts + 0.5) / (counts.sum(axis=2, keepdims=True) + 1)
            total[kind] += float((counts[::-1] * np.log(chance)).sum())
    return total[0], total[1]


def _hard_homes() -> Iterator[Result]:
    """Homes that each have something a learner may stumble over, one by one, beside the rule."""
    gaps: list[float] = []
    learned = behind = 0
    for minutes in (15, 60):
        for kind, count in HARD.items():
            for own in check(simulated_homes(count, 63, minutes, seed=57, kind=kind)).houses:
                ours, rule = (own.scores[each].all for each in (THREE, RULE))
                off = own.sure - ours.accuracy.value
                close = " (a close call)" * own.close_call
                print(
                    f"{kind}, {own.house}, {minutes} min, {own.verdict}: right {ours.accuracy.value:.3f}, "
                    f"sure {own.sure:.3f}{close} ({off:+.3f}), balanced {ours.balanced.value:.3f}; "
                    f"the rule {rule.accuracy.value:.3f}, balanced {rule.balanced.value:.3f}"
                )
                if own.verdict in OCCUPANCY:
                    learned += 1
                    behind += ours.balanced.value < rule.balanced.value
                    gaps += [] if own.close_call else [off]
    print(f"{learned} homes are learned from, {behind} behind the rule; of {len(gaps)} certainty is stated")
    for name, far in (("too sure", max(gaps)), ("too little sure", -min(gaps))):
        value, allowed = 100 * far, 100 * WITHIN
        yield Result(subject=f"the home that is most {name}", value=value, unit=" points", target=allowed)
