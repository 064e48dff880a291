"""The sentences of the guided tour, each of the numbers that its picture shows."""

from collections.abc import Mapping
from datetime import date, timedelta

from rtp.core.formatting import plain, whole_percent
from rtp.core.language import noted, say
from rtp.core.time import day_name, day_text, month_name
from rtp.meters.real_home import LICENCE, SOURCE
from rtp.scenario import Scenario
from rtp.teaching.home import CONTRACT, DAYS, Home


def asked_words(home: Home) -> str:
    """What the first stop asks."""
    begins, ends = _ends(home)
    return say(
        "A real home, {first} to {last}, {month} {year}: the power it used. When was nobody in? Drag over "
        "these times, or choose them below.",
        first=day_name(begins),
        last=day_name(ends),
        month=month_name(begins),
        year=str(begins.year),
    )


def answered_words(home: Home, guessed: float | None, observer: float) -> str:
    """Who was right about it: you, where you have said anything; its usual hours; who reads the meter."""
    shares = {"usual": whole_percent(home.right(home.usual)), "observer": whole_percent(observer)}
    if guessed is None:
        return say(
            "Right about these days: the home's usual hours {usual}, an observer of the meter {observer}.",
            **shares,
        )
    return say(
        "Right about these days: you {you}, the home's usual hours {usual}, an observer of the meter "
        "{observer}.",
        you=whole_percent(guessed),
        **shares,
    )


def judged_words(home: Home) -> str:
    """By what everybody is judged, and whose home it is."""
    whose = SOURCE.partition(" (")[0]
    return say(
        "Judged by the family's diary, {n} quarter-hours. *Usual hours*: as on most other days at that hour. "
        "*Observer*: by the meter's {days} days alone. Data: {whose}, {licence}.",
        n=home.labelled,
        days=home.days_read,
        whose=whose,
        licence=LICENCE,
    )


def _ends(home: Home) -> tuple[date, date]:
    """The first and the last of its days."""
    first: date = home.first_date.astype("datetime64[D]").item()
    return first, first + timedelta(days=DAYS - 1)


def price_words(right: float, habits: float) -> str:
    """How well the price alone tells."""
    return say(
        "An electricity rate (price) that follows use is a second meter: from it alone an observer is right "
        "{right} of these days; {habits}.",
        right=whole_percent(right),
        habits=_by_habits(right, habits),
    )


def noise_words(right: Mapping[float, float], habits: float) -> str:
    """How often the observer is right by the ε of the private rate."""
    (first, share), *others = right.items()
    told = [
        say(
            "at ε = {epsilon} an observer is right {right} of these days",
            epsilon=float(first),
            right=whole_percent(share),
        )
    ]
    told += [
        say("at ε = {epsilon}, {right}", epsilon=float(epsilon), right=whole_percent(other))
        for epsilon, other in others
    ]
    told.append(_by_habits(others[-1][1] if others else share, habits))
    return say("Noise in the rate hides the home: {told}.", told="; ".join(told))


def street_words(right: Mapping[int, float], habits: float) -> str:
    """How often the observer is right about the home by the price of streets of so many houses."""
    (first, share), *others = right.items()
    told = [say("of {n}, {right}", n=houses, right=whole_percent(other)) for houses, other in others]
    told.append(_by_habits(others[-1][1] if others else share, habits))
    return say(
        "Neighbours blur the rate, without noise: by that of {n} houses an observer is right {right} of "
        "these days; {more}.",
        n=first,
        right=whole_percent(share),
        more="; ".join(told),
    )


def crowd_words(houses: int, outsider: float, insider: float) -> str:
    """Whom a crowd hides the home from."""
    return say(
        "A crowd of {n} hides the home from an outsider: right {outsider} of these days. An insider, who "
        "knows what all others use, is right {insider}.",
        n=houses,
        outsider=whole_percent(outsider),
        insider=whole_percent(insider),
    )


def crowd_note(moved: float) -> str:
    """What the home itself has to do with what is believed of it."""
    return say(
        "The rate of a crowd shows when such homes are usually in. Had this one used nothing on all these "
        "days, the outsider's belief would differ by at most {points} points.",
        points=plain(100 * moved, 1),
    )


def _by_habits(right: float, habits: float) -> str:
    """What habits alone come to, and whether the rate told more."""
    more = round(100 * right) - round(100 * habits)
    if more > 0:
        return say("by habits, {right}", right=whole_percent(habits))
    return say("no more than by habits, {right}", right=whole_percent(habits))


def alone_note(scenario: Scenario) -> str:
    """How the rate follows use."""
    alpha, beta = plain(scenario.alpha), plain(scenario.beta)
    return say(
        "The rate is {alpha} × what the street uses, in kW, + {beta}; here the street is the home alone.",
        alpha=alpha,
        beta=beta,
    )


NEIGHBOURS = noted(
    "Every neighbour is the same home on other days of that summer. An observer knows how it lives, and none "
    "of these days."
)
YOURS_WORDS = noted(
    "More noise hides more and makes the price less accurate; in the grey it hides nothing more. End the "
    "story, and change the street."
)


def noise_note() -> str:
    """What the noise is made for."""
    return say(
        "The noise is made for a home that may use {bound} kW, as its contract says.", bound=plain(CONTRACT)
    )


def hour_words(home: Home, hour: int) -> str:
    """An hour since the first midnight, with its day."""
    at = _ends(home)[0] + timedelta(days=hour // 24)
    return f"{day_text(at)}, {hour % 24:02d}:00"
