"""A stretch of days: are they on holiday? How well the rates of k days tell a secret from an ordinary life.

The score is the likelihood ratio of `observer`, the best there is for the insider; how well it tells is
`detection`'s. Households that respond to prices use less, so full use, taken here, is the worst case.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from rtp.attack.choice import largest_gap
from rtp.attack.observer import Knowledge
from rtp.core.stats import Estimate
from rtp.core.types import Floats
from rtp.leakage.detection import Detection, detection, judge
from rtp.leakage.observer import Observer
from rtp.leakage.secret import SECRETS
from rtp.leakage.shared import Shared, watched_house, width
from rtp.mechanisms import REGISTRY
from rtp.scenario import Bounds, Scenario, must_be_house, must_be_one_of, must_be_within
from rtp.simulation import live, market
from rtp.street.life import Life, Progress

if TYPE_CHECKING:
    import pandas as pd

HORIZONS = (1, 2, 3, 7, 14, 30)  # days after which it is told how well she does
DAYS = Bounds(1, HORIZONS[-1], "Days watched")
REPETITIONS = Bounds(40, 20_000, "Lives watched")
USUAL = 1000  # repetitions of either life


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """What has been watched so far."""

    secret: str
    house: int
    repetitions: int
    done: int  # days watched so far
    found: Mapping[tuple[str, Knowledge], Detection]  # by mechanism and what the observer knows


def stretch(
    scenario: Scenario,
    mechanism: str,
    secret: str,
    days: int,
    attacker: Knowledge,
    *,
    house: int | None = None,
    repetitions: int = USUAL,
    life: Life | None = None,
    progress: Progress | None = None,
) -> Detection:
    """One observer of one mechanism. `progress` is told the fraction done and may raise to stop."""
    must_be_one_of("attacker", attacker, get_args(Knowledge))
    steps = stretches(
        scenario, secret, days, mechanisms=[mechanism], house=house, repetitions=repetitions,
        attackers=(attacker,), life=life,
    )  # fmt: skip
    for result in steps:
        if progress is not None:
            progress(result.done / days)
    return result.found[mechanism, attacker]


def stretches(
    scenario: Scenario,
    secret: str,
    days: int,
    *,
    mechanisms: Sequence[str] | None = None,
    attackers: Sequence[Knowledge] = get_args(Knowledge),
    house: int | None = None,
    repetitions: int = USUAL,
    life: Life | None = None,
) -> Iterator[Stretch]:
    """Every mechanism and observer, day by day: whoever stops keeps what there is; `life` has the days."""
    must_be_one_of("secret", secret, SECRETS)
    must_be_within("days", days, DAYS)
    must_be_within("repetitions", repetitions, REPETITIONS)
    must_be_house("house", house, scenario.households)
    names = list(REGISTRY) if mechanisms is None else list(mechanisms)
    for name in names:
        must_be_one_of("mechanism", name, REGISTRY)
    longer = scenario.replace(days=days)
    known = market(longer, life or live(longer))
    number = largest_gap(known.life.street) if house is None else house
    watched = watched_house(known, number, SECRETS[secret])
    widths = {name: width(known, REGISTRY[name], scenario.epsilon) for name in names}
    shared = Shared(watched, scenario.seed, repetitions)
    return _stretches(shared, widths, list(attackers), secret, number)


def stretch_frame(found: Stretch) -> "pd.DataFrame":
    """One row per rate, observer and horizon."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"rate": name, "knows": knows, "days": days}
            | {"area": seen.area.value[i], "area_low": seen.area.low[i], "area_high": seen.area.high[i]}
            | {"hits": seen.hits.value[i], "hits_low": seen.hits.low[i], "hits_high": seen.hits.high[i]}
            for (name, knows), seen in found.found.items()
            for i, days in enumerate(seen.days)
        ]
    )


def _stretches(
    shared: Shared, widths: Mapping[str, Floats], attackers: list[Knowledge], secret: str, number: int
) -> Iterator[Stretch]:
    unlike = {b.tobytes(): b for b in widths.values()}  # mechanisms with the same noise show the same
    observers = {
        (key, knows): Observer(shared.house, b, knows, shared.count)
        for key, b in unlike.items()
        for knows in attackers
    }
    found: dict[tuple[bytes, Knowledge], list[tuple[Estimate, Estimate]]] = {key: [] for key in observers}
    done: list[int] = []
    first = 0
    for day, seen in enumerate(shared.days(), start=1):
        horizon = day in HORIZONS or first + len(seen.used) == shared.house.steps
        done += [day] if horizon else []
        for key, observer in observers.items():
            score = observer.watch(seen, first)
            if horizon:
                found[key].append(judge(score))
        first += len(seen.used)
        yield Stretch(
            secret=secret,
            house=number,
            repetitions=shared.count,
            done=day,
            found={
                (name, knows): detection(done, found[b.tobytes(), knows])
                for name, b in widths.items()
                for knows in attackers
            },
        )
