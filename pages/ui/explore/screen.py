"""The Explore screen: turn a knob, see rates and RMSRE move, and what an observer then learns.

The first window has the claim, rates and their error, the bend of error against exposure, occupancy,
consumption, and the matrices that move them. Beneath it: which rates, pins, files to take away.
"""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.ui import cache, pins, show, sidebar, tour
from pages.ui.bend import Seen, bend, compared, costs, enough, seen
from pages.ui.matrices import matrices
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import items, lazy_expander
from pages.ui.widgets import offered_rates, url_pills, url_segmented
from rtp.core.formatting import in_markdown, kept_together
from rtp.figures import style
from rtp.figures.day import CONSUMPTION, OCCUPANCY, mean_figure, rates_figure
from rtp.figures.style import Picture
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, YARDSTICK
from rtp.output import exposure as exposed
from rtp.output import exposure as output
from rtp.output.report import report
from rtp.output.words import LIMITS, noise_story, promise_words
from rtp.scenario import LIBRARY, MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.describe import span_stem
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.fields import sentence
from rtp.simulation import Day, street_key

GROUP, SHOWN = "explore:group", "shown"  # the group and the rates that are shown
NARROW = 280  # pixels: a chart that would have fewer stands in a row of its own
BETTER = "mansions"  # a preset on which the private rate wins
COMPARED = YARDSTICK, FEATURED
UPLOAD, REFUSED = "upload:scenario", "upload refused"
COMPARE, FILES = "Compare", "Download or upload"
JSON, NOTEBOOK = "application/json", "application/x-ipynb+json"


def draw() -> None:
    scenario = sidebar.begin("Explore", titled=False, first=pictures)
    matrices(scenario, 0, _group(scenario), lead=partial(_choose_group, scenario))
    rates(cache.day(scenario))


# The first window


def pictures(scenario: Scenario) -> None:
    """What moves when a knob is turned."""
    pins.offer()
    tour.offer()
    day, before = cache.day(scenario), _before(scenario)
    shown = [name for name in lab().chosen(SHOWN) if name in day.release]
    with st.container(key="claim", horizontal=True, vertical_alignment="top"):
        claim = st.container(gap="xxsmall")
        with st.container(key="search", gap="xxsmall", width="content"):
            found = seen(scenario)
        with claim:
            _claim(day, found, compared(shown))
    left, right = st.columns([5, 4], gap="small")
    with left:
        make = partial(rates_figure, day, shown, pins.days(), before)
        _chart("rates", make, day, before, shown, *pins.texts())
    with right:
        drawn = bend(day, compared(shown), found, " · a click sets ε")
        show.chart(drawn, key="bend", card=False, click=_set_epsilon)
    group = _group(scenario)
    lives = list(dict.fromkeys(_lived(each.scenario) for each in (day, before) if each))
    pale = before if len(lives) > 1 else None  # the same life twice is one line
    with st.grid(2, min_column_width=NARROW):
        for panel in (OCCUPANCY, CONSUMPTION):
            _chart(panel, partial(mean_figure, day, panel, group, pale), lives, group)


def _chart(key: str, make: Callable[[], Picture], *depends_on: object) -> None:
    """A chart without a card, of which there is no room for so many."""
    show.chart(cache.picture(make, key, *depends_on), key=key, card=False)


def _before(scenario: Scenario) -> Day | None:
    """What stood there before the last change."""
    earlier = lab().before
    return None if earlier is None or earlier == scenario else cache.day(earlier)


def _lived(scenario: Scenario) -> str:
    """All that occupancy and consumption depend on: no price, unless demand responds to it."""
    if scenario.elasticity:
        return scenario.to_json(None)
    return street_key(scenario) + scenario.power_unit + scenario.occupied_means


def _set_epsilon(point: show.Point) -> None:
    """Where somebody clicks a curve; another line says no ε."""
    if (epsilon := show.number_of(point)) is not None:
        lab().set("epsilon", epsilon)


def _claim(day: Day, found: Seen | None, names: tuple[str, ...]) -> None:
    """What each observer tells here, and what privacy costs; a street where it costs less than naive, if it
    does not. An answer that no longer holds is pale, and so is its price."""
    if found is None:
        st.title(output.LOOKING, anchor=False)
        return
    of = cache.day(found.scenario) if found.old else day
    words = _claimed(of, names, found)
    title = f":gray[{words}]" if found.old else words
    st.title(title, anchor=False, help=_claim_help(of, _decided(), found))
    if output.as_naive(of, costs(of, (*COMPARED, NO_DATA))):
        st.caption(output.as_naive_words(BETTER, costs(cache.day(LIBRARY[BETTER].scenario), COMPARED)))


@cache.shared(key=lambda day, names, found: cache.key_of_words(day, names))
def _claimed(day: Day, names: tuple[str, ...], found: Seen) -> str:
    cost = costs(day, (*COMPARED, NO_DATA))
    return kept_together(
        exposed.claim(found.insider, found.outsider, cost, day.scenario, enough(day, names, found))
    )


@cache.shared(key=lambda day, decided, found: cache.key_of_words(day, decided))
def _claim_help(day: Day, decided: str, found: Seen) -> str:
    """How the claim was found, what the noise follows, what is promised, and what is not."""
    rate = REGISTRY[decided]
    return (
        f"{items(exposed.about(found.insider, found.outsider, day.scenario))}\n\n"
        f"**Noise of the {style.short(rate.name)} rate**\n"
        f"{items(noise_story(day, rate.name))}\n\n{promise_words(rate)}\n\n"
        f"**What the promise does not cover**\n{items(LIMITS)}"
    )


def _group(scenario: Scenario) -> int:
    """The group whose habits are shown and edited."""
    chosen: int = lab().chosen(GROUP)
    return chosen if chosen < len(scenario.groups) else 0


def _choose_group(scenario: Scenario) -> None:
    names = [group.name for group in scenario.groups]
    if len(names) > 1:
        url_segmented("Habits of", range(len(names)), GROUP, names.__getitem__, hidden=True)


# Beneath it


def rates(day: Day) -> None:
    """What the shown rates and pinned days are chosen by, and files."""
    show.warn_of_prices(day, [name for name in lab().chosen(SHOWN) if name in day.release])
    chosen = bool(lab().pins) or SHOWN in lab().view
    lazy_expander(COMPARE, partial(_compare, day), ":material/compare_arrows:", opened=chosen)
    if not lab().presenting:
        tour.start()
        lazy_expander(FILES, partial(_files, day), ":material/download:")


def _compare(day: Day) -> None:
    url_pills("Rates", offered_rates(day.scenario, SHOWN), SHOWN, style.title)
    pins.controls()
    pins.table(day)


def _decided() -> str:
    """The rate that was decided for, where it has noise to speak of."""
    rate: str = lab().chosen(RATE)
    return rate if REGISTRY[rate].adds_noise else FEATURED


def _report(day: Day, link: str, rate: str) -> str:
    seen = [cache.exposure(day.scenario, "moment", who) for who in cache.OBSERVERS]
    return report(day, link, rate, seen)


def _files(day: Day) -> None:
    scenario, stem = day.scenario, span_stem(day.scenario)
    own = scenario, lab().preset
    page = partial(_report, day, urlencode(lab().link()), _decided())
    with st.grid(5, min_column_width=150):
        label = "Day as CSV" if scenario.days == 1 else "Days as CSV"
        show.csv(label, day.frame, f"{stem}.csv", wide=True)
        for label, make, name, kind, icon in (
            ("Scenario as JSON", partial(to_file, scenario), "scenario.json", JSON, "data_object"),
            ("Python script", partial(to_script, *own), f"run_{stem}.py", "text/x-python", "code"),
            ("Jupyter notebook", partial(to_notebook, *own), f"run_{stem}.ipynb", NOTEBOOK, "menu_book"),
            ("Report", page, "report.html", "text/html", "description"),
        ):
            show.download(label, make, name, kind, icon, wide=True)
    show.upload("Load a scenario (JSON, at most 1 MB)", "json", UPLOAD, MAX_JSON_BYTES, _load)
    if refused := lab().extras.pop(REFUSED, None):
        st.error(refused, icon=":material/error:")


def _load(name: str, content: bytes) -> None:
    try:
        lab().open(Scenario.from_json(content))
    except ScenarioError as error:
        lab().extras[REFUSED] = in_markdown(f"{name} was not loaded: {sentence(error)}")
