"""The verdict above the tabs: how often each observer tells a moment, a day and a week away of a house, and
where that shows most."""

from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer
from pages.ui.session import button, lab
from pages.ui.show import chart, items
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.formatting import kept_together
from rtp.core.workers import Progress, partial_progress
from rtp.exposure import Exposure, Secret
from rtp.exposure import Observer as Who
from rtp.exposure import exposure as find_exposure
from rtp.figures.leakage import SECRETS, Found, dimmed, verdict_figure
from rtp.mechanisms import UNPROTECTED
from rtp.output.attack import MEASURE, places_words, verdict_words
from rtp.scenario import LIBRARY, Scenario

SMALL = "tiny street"
LAST = "verdict:last"  # what was said and drawn last
WHO: tuple[Who, ...] = ("outsider", "insider")
Key = tuple[Secret, Who]


def verdict(scenario: Scenario, observer: Observer) -> None:
    """The claim and its picture; until there are others, the last ones stay, dimmed."""
    claim, aside = st.columns([4, 1], vertical_alignment="center")
    with aside:
        found = _found(scenario, observer.house)
        if found and scenario.households > MAX_JOINT_HOUSES:
            button(
                "Tiny street",
                "attack:small",
                "compress",
                lab().open,
                LIBRARY[SMALL].scenario,
                SMALL,
                help="Five houses take the place of your street; Undo brings it back.",
            )
    if not found:
        nothing = "Looking for the house that shows most …", verdict_figure({}, [], scenario)
        words, drawn = lab().extras.get(LAST, nothing)
        claim.markdown(f"## :gray[{words}]")
        chart(dimmed(drawn), "verdict")
        return
    words = kept_together(verdict_words(found, observer.private, scenario))
    drawn = verdict_figure(found, [UNPROTECTED, observer.private], scenario)
    lab().extras[LAST] = words, drawn
    claim.markdown(f"## {words}", help=items(MEASURE))
    chart(drawn, "verdict")
    st.caption(places_words(found, observer.private, scenario))


def _found(scenario: Scenario, house: int | None) -> Found:
    """What has been found of this street or house so far. No budget and no rate moves that."""
    keys: list[Key] = [(secret, who) for secret in SECRETS for who in WHO]
    if all(_known(scenario, *key, house) for key in keys):
        return {key: _exposure(scenario, *key, house) for key in keys}
    text = " ".join(_key(scenario, *key, house) for key in keys)
    job = jobs.run("verdict", text, partial(_find, scenario, keys, house), "Compute it", auto=True)
    return {} if job is None or job.result is None else job.result


def _find(scenario: Scenario, keys: list[Key], house: int | None, report: jobs.Report[Found]) -> Found:
    """Look for one after the other. What is told of a moment by both is shown as soon as it is known."""
    found: Found = {}
    for number, key in enumerate(keys):
        part = partial_progress(report, number / len(keys), (number + 1) / len(keys))
        found = found | {key: _exposure(scenario, *key, house, part)}
        if number + 1 == len(WHO):
            report((number + 1) / len(keys), found)
    return found


def _exposure(
    scenario: Scenario, secret: Secret, who: Who, house: int | None, progress: Progress | None = None
) -> Exposure:
    if house is None:
        return cache.exposure(scenario, secret, who, progress=progress)
    return _of_house(scenario, secret, who, house, progress)


def _known(scenario: Scenario, secret: Secret, who: Who, house: int | None) -> bool:
    if house is None:
        return cache.exposure.known(scenario, secret, who)
    return _of_house.known(scenario, secret, who, house)


def _key(
    scenario: Scenario, secret: Secret, who: Who, house: int | None, progress: Progress | None = None
) -> str:
    return f"{cache.exposure_key(scenario, secret, who)} {house}"


@cache.shared(key=_key)
def _of_house(
    scenario: Scenario, secret: Secret, who: Who, house: int, progress: Progress | None = None
) -> Exposure:
    """The same of one house."""
    return jobs.call(find_exposure, scenario, secret, who, houses=[house], progress=progress)
