"""The sentences of the guided tour, each of the numbers that its picture shows."""

from collections.abc import Mapping
from datetime import date, timedelta

from rtp.core.formatting import plain, whole_percent
from rtp.meters.real_home import LICENCE, SOURCE
from rtp.scenario import Scenario
from rtp.teaching.home import CONTRACT, DAYS, Home


def asked_words(home: Home) -> str:
    """What the first stop asks."""
    first, last = (f"{day:%A}" for day in _ends(home))
    return (
        f"A real home, {first} to {last}, {_ends(home)[0]:%B %Y}: the power it used. When was nobody in? "
        "Drag over these times, or choose them below."
    )


def answered_words(home: Home, guessed: float | None, observer: float) -> str:
    """Who was right about it: you, where you have said anything; its usual hours; who reads the meter."""
    you = "" if guessed is None else f"you {whole_percent(guessed)}, "
    return (
        f"Right about these days: {you}the home's usual hours {whole_percent(home.right(home.usual))}, an "
        f"observer of the meter {whole_percent(observer)}."
    )


def judged_words(home: Home) -> str:
    """By what everybody is judged, and whose home it is."""
    whose = SOURCE.partition(" (")[0]
    return (
        f"Judged by the family's diary, {home.labelled:,} quarter-hours. *Usual hours*: as on most other "
        f"days at that hour. *Observer*: by the meter's {home.days_read} days alone. Data: {whose}, "
        f"{LICENCE}."
    )


def _ends(home: Home) -> tuple[date, date]:
    """The first and the last of its days."""
    first: date = home.first_date.astype("datetime64[D]").item()
    return first, first + timedelta(days=DAYS - 1)


def price_words(right: float, habits: float) -> str:
    """How well the price alone tells."""
    return (
        "An electricity rate (price) that follows use is a second meter: from it alone an observer is right "
        f"{whole_percent(right)} of these days; {_by_habits(right, habits)}."
    )


def noise_words(right: Mapping[float, float], habits: float) -> str:
    """How often the observer is right by the ε of the private rate."""
    (first, share), *others = right.items()
    said = f"at ε = {first:g} an observer is right {whole_percent(share)} of these days"
    said += "".join(f"; at ε = {epsilon:g}, {whole_percent(other)}" for epsilon, other in others)
    last = others[-1][1] if others else share
    return f"Noise in the rate hides the home: {said}; {_by_habits(last, habits)}."


def street_words(right: Mapping[int, float], habits: float) -> str:
    """How often the observer is right about the home by the price of streets of so many houses."""
    (first, share), *others = right.items()
    said = "".join(f"; of {houses:,}, {whole_percent(other)}" for houses, other in others)
    last = others[-1][1] if others else share
    return (
        f"Neighbours blur the rate, without noise: by that of {first:,} houses an observer is right "
        f"{whole_percent(share)} of these days{said}; {_by_habits(last, habits)}."
    )


def crowd_words(houses: int, outsider: float, insider: float) -> str:
    """Whom a crowd hides the home from."""
    return (
        f"A crowd of {houses:,} hides the home from an outsider: right {whole_percent(outsider)} of these "
        f"days. An insider, who knows what all others use, is right {whole_percent(insider)}."
    )


def crowd_note(moved: float) -> str:
    """What the home itself has to do with what is believed of it, and who the crowd is."""
    return (
        "The rate of a crowd shows when such homes are usually in. Had this one used nothing on all these "
        f"days, the outsider's belief would differ by at most {plain(100 * moved, 1)} points. {NEIGHBOURS}"
    )


def _by_habits(right: float, habits: float) -> str:
    """What habits alone come to, and whether the rate told more."""
    more = round(100 * right) - round(100 * habits)
    return f"{'by habits' if more > 0 else 'no more than by habits'}, {whole_percent(habits)}"


def alone_note(scenario: Scenario) -> str:
    """How the rate follows use."""
    alpha, beta = plain(scenario.alpha), plain(scenario.beta)
    return f"The rate is {alpha} × what the street uses, in kW, + {beta}; here the street is the home alone."


NEIGHBOURS = (
    "Every neighbour is the same home on other days of that summer. An observer knows how it lives, and none "
    "of these days."
)
YOURS_WORDS = (
    "More noise hides more and makes the price less accurate; in the grey it hides nothing more. End the "
    "story, and change the street."
)


def noise_note() -> str:
    """What the noise is made for."""
    return f"The noise is made for a home that may use {plain(CONTRACT)} kW, as its contract says."


def hour_words(home: Home, hour: int) -> str:
    """An hour since the first midnight, with its day."""
    at = _ends(home)[0] + timedelta(days=hour // 24)
    return f"{at:%a} {at.day}, {hour % 24:02d}:00"
