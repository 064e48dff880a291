"""What is found by searching the street: the claim above the windows, and the bars of a moment, a day and a
week away. Until there is another answer the last one stays, pale."""

from contextlib import AbstractContextManager
from functools import partial

import streamlit as st

from pages.ui import cache, jobs
from pages.ui.attack.observer import Observer
from pages.ui.cache import Told
from pages.ui.session import button, lab
from pages.ui.show import chart, items
from rtp.attack.joint_filter import MAX_JOINT_HOUSES
from rtp.core.formatting import kept_together
from rtp.exposure import Observer as Who
from rtp.exposure import Secret
from rtp.figures.leakage import dimmed, verdict_figure
from rtp.mechanisms import UNPROTECTED
from rtp.output.attack import MEASURE, places_words, verdict_words
from rtp.output.exposure import SECRETS
from rtp.scenario import LIBRARY, Scenario

SMALL = "tiny street"
LAST, DRAWN = "verdict:last", "verdict:drawn"  # what was said, and drawn, last
SHOWN = "verdict:shown"  # the same as it stands there: pale where it no longer holds
LOOKING = "Looking for the house that shows most …"
CLAIM = "verdict"  # the work that finds it
SEARCHED: tuple[list[Secret], ...] = (["moment"], ["day", "week"])  # a moment first


class Claim:
    """The claim's place, filled from what is known, and then from what a search has found. Until then it says
    what it said before: it is never empty, and in no container, or all beneath it would move up and down."""

    def __init__(self) -> None:
        self.words = st.title(lab().extras.get(SHOWN, LOOKING), anchor=False, help=items(MEASURE))

    def say(self, scenario: Scenario, observer: Observer) -> None:
        """What is known of the street by now."""
        found = cache.known_exposures(scenario, [*SECRETS])
        if all(("moment", who) in found for who in cache.OBSERVERS):
            lab().extras[LAST] = _claimed(found, observer.adversary, observer.private, scenario)
            self._show(lab().extras[LAST])
        else:
            self._show(f":gray[{lab().extras.get(LAST, LOOKING)}]")

    def _show(self, words: str) -> None:
        lab().extras[SHOWN] = words
        self.words = self.words.title(words, anchor=False, help=items(MEASURE))

    def search(self, aside: AbstractContextManager[object], scenario: Scenario, observer: Observer) -> None:
        """Look for what is not known yet, with progress aside; say what is found at once."""
        before = _known(scenario)
        with aside:
            searched = all(cache.exposures(CLAIM, [scenario], secrets) for secrets in SEARCHED)
            if searched and scenario.households > MAX_JOINT_HOUSES:
                button(
                    f"Try {LIBRARY[SMALL].scenario.households} houses",
                    "attack:small",
                    "compress",
                    lab().open,
                    LIBRARY[SMALL].scenario,
                    SMALL,
                    type="tertiary",
                    help="Five houses take the place of your street; Undo brings it back.",
                )
        if _known(scenario) > before:
            self.say(scenario, observer)


def _known(scenario: Scenario) -> int:
    return len(cache.known_exposures(scenario, [*SECRETS]))


def _searching() -> bool:
    """Whether the claim is still waited for: one search at a time, and one progress."""
    job: jobs.Job[bool] | None = jobs.current(CLAIM)
    return job is not None and job.running


def bars(scenario: Scenario, observer: Observer) -> None:
    """How often either observer tells each secret: of the house that is looked at, else of the worst."""
    house, rates = observer.house, [UNPROTECTED, observer.private]
    if house is not None and not _searching():
        for secrets in SEARCHED:
            if cache.exposures("bars", [scenario], secrets, house) is None:
                break
    found = cache.known_exposures(scenario, [*SECRETS], house)
    if not all(("moment", who) in found for who in cache.OBSERVERS):
        chart(dimmed(lab().extras.get(DRAWN) or verdict_figure({}, [], scenario)), "verdict")
        return
    make = partial(verdict_figure, found, rates, scenario)
    drawn = lab().extras[DRAWN] = cache.picture(make, "verdict", scenario, rates, house, _parts(found))
    chart(drawn, "verdict")
    st.caption(_places(found, observer.private, scenario, house))


def _parts(found: Told) -> str:
    """Of what something is known: it sets apart what may be kept of a street."""
    return " ".join(f"{secret} {who}" for secret, who in found)


@cache.shared(key=lambda found, *depends_on: cache.key_of_words(_parts(found), *depends_on))
def _claimed(found: Told, observer: Who, private: str, scenario: Scenario) -> str:
    return kept_together(verdict_words(found, observer, private, scenario))


@cache.shared(key=lambda found, *depends_on: cache.key_of_words(_parts(found), *depends_on))
def _places(found: Told, private: str, scenario: Scenario, house: int | None) -> str:
    return places_words(found, private, scenario)
