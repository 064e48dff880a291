"""The pieces of the Explore screen: the story, the cards, the rates, the promise, files to take away."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

import streamlit as st

from pages.ui import cache, jobs, pins, show, tour
from pages.ui.params import RATE
from pages.ui.session import lab
from pages.ui.show import items, lazy_expander
from pages.ui.sidebar import link_to
from pages.ui.versions import as_switch, versioned
from pages.ui.widgets import offered_rates, url_pills, url_segmented, url_select
from rtp.core.formatting import change, in_markdown, plain, shown_name, signed
from rtp.core.stats import LEVEL_WORDS
from rtp.figures import style
from rtp.figures.day import VIEWS, day_figure, flat_words
from rtp.figures.households import models_figure
from rtp.figures.story import dots_figure, threat_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK, private
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.metrics import ERROR_MEANS, error_lines
from rtp.output import story as output
from rtp.output.glossary import help_for
from rtp.output.report import report
from rtp.output.words import LIMITS, day_headline, noise_story, total_budget, unusual_words
from rtp.scenario import MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.describe import span_stem
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.fields import sentence
from rtp.simulation import Day, publish_day
from rtp.teaching import threat
from rtp.teaching.headline import TYPICAL_EPSILONS, PrivateDays, PublicDays, typical_seeds
from rtp.tradeoff import one_day_range

Value = TypeVar("Value")
OWN, MOMENT, GROUP = "story:own", "story:step", "story:group"
SHOWN = "shown"  # the rates that are


class Scene(NamedTuple):
    """The street on which the story is told, and the group of the house that is watched; None: any."""

    street: Scenario
    group: int | None
    whole: bool  # whether it is the scenario's own street

    def at(self, **what: float) -> "Scene":
        return self._replace(street=self.street.replace(**what))


def story(scenario: Scenario) -> Callable[[], None]:
    """On two houses, or on the whole street. Gives what draws the headline, to be called when the rest of the
    screen is drawn: it is counted meanwhile."""
    scene = _scene(scenario)
    counted = _counted(scene)
    headline_place = st.container(key="headline", gap="small")
    seed = _typical_seed(scene, counted)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _switch(scenario)
        tour.start()
    day = _priced(scene.street if seed is None else scene.street.replace(seed=seed))
    found = tour.threat_of(day, scene.group)
    chosen: int | None = lab().chosen(MOMENT)
    step = chosen if chosen is not None and chosen < day.scenario.steps else None
    moment = day.scenario.steps * 3 // 4 if step is None else step
    left, right = st.columns([2, 1], gap="small")
    with left:
        title = output.day_title(day.scenario, typical=seed is not None)
        make = partial(threat_figure, day, found, moment, title)
        drawn = cache.picture(make, "threat", day, scene.group, moment, title)
        show.clickable(drawn, "threat", _choose)
    with right, st.container(border=True):
        _chances(day, found, moment)
    return partial(_headline, headline_place, scene, seed)


def _scene(scenario: Scenario) -> Scene:
    names = [group.name for group in scenario.groups]
    chosen = lab().chosen(GROUP)
    group = names.index(chosen) if chosen in names else threat.showing_group(scenario)
    if scenario.households <= threat.STORY_HOUSES:
        return Scene(scenario.replace(days=1), None, True)
    if lab().setting(OWN, False) and scenario.households <= threat.MAX_FOLLOWED_HOUSES:
        return Scene(scenario.replace(days=1), group, True)
    return Scene(threat.story_street(scenario, group), 0, False)


def _switch(scenario: Scenario) -> None:
    """Two houses or all of them; and whose house, where there are several groups."""
    if threat.STORY_HOUSES < scenario.households <= threat.MAX_FOLLOWED_HOUSES:
        words = {False: output.houses_words(threat.STORY_HOUSES), True: f"all {scenario.households:,}"}
        own = lab().setting(OWN, False)
        here = versioned(OWN, own, partial(lab().show, OWN), as_switch)
        st.segmented_control(
            "Street",
            [False, True],
            default=own,
            key=here.key,
            format_func=words.__getitem__,
            required=True,
            on_change=here.changed,
            label_visibility="collapsed",
        )
    names = [group.name for group in scenario.groups]
    if len(names) > 1 and scenario.households > threat.STORY_HOUSES:
        url_select("A house of", names, GROUP, default=names[threat.showing_group(scenario)], width=180)


class Counted(NamedTuple):
    """What she gets right without noise, at the ε in use, and at those that say which day is typical."""

    public: cache.Beside[PublicDays]
    private: cache.Beside[PrivateDays]
    at_fixed: tuple[cache.Beside[PrivateDays], ...]

    @property
    def done(self) -> bool:
        return self.public.done and all(each.done for each in (self.private, *self.at_fixed))


def _counted(scene: Scene, patience: float = 0.0) -> Counted:
    """Counted beside the page, as far as it is done."""
    without = scene.at(epsilon=1.0, seed=0)
    fixed = () if scene.whole else TYPICAL_EPSILONS
    return Counted(
        tour.public_days_of.beside(0.0, without.street, without.group),
        _private(scene, patience),
        tuple(_private(scene.at(epsilon=epsilon)) for epsilon in fixed),
    )


def _private(scene: Scene, patience: float = 0.0) -> cache.Beside[PrivateDays]:
    return tour.private_days_of.beside(patience, scene.street.replace(seed=0), scene.group)


def _typical_seed(scene: Scene, counted: Counted) -> int | None:
    """The seed of a typical day once it is known."""
    public, known = counted.public.value, [each.value for each in counted.at_fixed if each.value is not None]
    if public is None or len(known) < len(TYPICAL_EPSILONS):
        return None
    seeds = typical_seeds(public, known)
    return seeds[scene.street.seed % len(seeds)]


def _headline(place: AbstractContextManager[object], scene: Scene, drawn: int | None) -> None:
    """The averages; what takes longer than the rest of the screen is looked for again. Where the typical day
    became known while the screen was drawn, the picture still shows another: the screen is drawn again."""
    with place:
        cache.draw_when_made(partial(_counted, scene), partial(_averages, scene))
    if drawn is None and _typical_seed(scene, _counted(scene)) is not None:
        st.rerun()


def _averages(scene: Scene, counted: Counted) -> None:
    public, private = counted.public.value, counted.private.value
    st.markdown(f"### {output.headline(public, private)}")
    st.caption(output.margin_words(scene.street, public, private), help=output.OBSERVER_WORDS)


@cache.shared()
def _priced(scenario: Scenario) -> Day:
    """The day, at the two prices that the story tells of."""
    return publish_day(scenario, cache.street_day(scenario), (UNPROTECTED, FEATURED))


@cache.shared()
def _ranges(day: Day) -> Mapping[str, tuple[float, float]]:
    return jobs.call(one_day_range, day)


def _choose(point: show.Point) -> None:
    if (step := show.number_of(point)) is not None:
        lab().show(MOMENT, int(step))


def _chances(day: Day, found: threat.Threat, step: int) -> None:
    here, epsilon = threat.beliefs_at(day, found.stake, step), day.scenario.epsilon
    rows = [(f"Worst case, ε = {epsilon:g}", threat.worst_case(epsilon))]
    if here is not None:
        rows.insert(
            0, (f"{day.scenario.house(found.stake.house, capital=True)}, {day.scenario.when(step)}", here)
        )
    drawn = dots_figure(rows)
    st.markdown(
        f"**What ε means**, on {output.houses_words(day.scenario.households)}", help=output.BELIEVER_WORDS
    )
    st.image(drawn.svg, alt=drawn.words, width="content")
    st.caption(output.price_words(found, day, step, here))


LESS = f"What a whole day of {REGISTRY[FEATURED].label} rates reveals of one moment is less: see Over time."


def metrics(day: Day, pinned: Mapping[PinMark, Day]) -> None:
    """Of the rates that are shown, against the pinned run while there is one; several are compared in the
    table."""
    baseline = next(iter(pinned.values())) if len(pinned) == 1 else None
    shown = [name for name in private() if name in lab().chosen(SHOWN)]
    ranges = _ranges(day)
    with st.grid(len(shown) + 1, min_column_width=165):  # or "to naive" is cut
        for name in shown:
            _error(name, day, baseline, *ranges[name])
        show.metric(
            "Budget for the day" if day.scenario.days == 1 else f"Budget for {day.scenario.days} days",
            f"ε·T = {plain(total_budget(day), 6)}",
            f"{signed(total_budget(day) - total_budget(baseline))} to pinned" if baseline else None,
            f"ε = {day.scenario.epsilon:g} at each of {day.scenario.steps} steps; Theorem 2 adds up. {LESS}",
            beneath=_street(day),
        )
    show.caption(unusual_words(day, {name: ranges[name] for name in shown}))
    show.warn_of_prices(day, shown)


def _street(day: Day) -> str:
    """Which street a card is about."""
    words = output.houses_words(day.scenario.households)
    return f"all {words}" if day.scenario.households > threat.STORY_HOUSES else words


NO_CHANGE = "the same"


def _error(name: str, day: Day, baseline: Day | None, low: float, high: float) -> None:
    release, steps = day.release[name], day.scenario.steps
    error = error_lines(release.rmsre, steps)
    expected, least, most = (error_lines(e, steps).percent for e in (release.expected_rmsre, low, high))
    compared = baseline is not None or name != YARDSTICK
    beside = _change(name, day, baseline) if compared else "baseline"
    moved = compared and not beside.startswith(NO_CHANGE)
    show.metric(
        f"{style.label(name)} error",
        error.percent,
        beside,
        f"{REGISTRY[name].promise}\n\nOn average: {expected}; {LEVEL_WORDS} of draws of other noise give "
        f"{least} to {most}.\n\n{error.rmsre}. {ERROR_MEANS}",
        beneath=_street(day),
        colour="inverse" if moved else "off",
        arrow="auto" if moved else "off",
    )


def _change(name: str, day: Day, baseline: Day | None) -> str:
    rival, words = (baseline.release[name], "pinned") if baseline else (day.release[YARDSTICK], YARDSTICK)
    share = change(day.release[name].error / rival.error - 1 if rival.error else 0.0)
    return f"{NO_CHANGE} as {words}" if share == change(0.0) else f"{share} to {words}"


def rates(day: Day, pinned: Mapping[PinMark, Day]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = url_pills("Rates", offered_rates(day.scenario, SHOWN), SHOWN, style.label)
        kind = url_segmented("View", VIEWS, "view")
    make = partial(day_figure, day, order, kind, pinned)
    show.chart(cache.picture(make, "day", day, order, kind, *pins.texts()), key="day")
    show.caption(flat_words(day, order, pinned))
    pins.controls()
    link_to("Over time", "What a whole day reveals")
    if len(day.scenario.models) > 1:
        st.markdown("**Which model sets the noise**", help=help_for("Θ"))
        by_model = sensitivity_by_model(day.market.public)
        show.chart(models_figure(day.scenario, day.hours, by_model), key="models")


def promise(day: Day) -> None:
    with st.container(border=True):
        title = "What this day says" if day.scenario.days == 1 else f"What these {day.scenario.days} days say"
        st.subheader(title, anchor=False)
        rate = _decided()
        st.markdown(
            f"{day_headline(day, rate)}\n\n**Noise of the {REGISTRY[rate].label} rate**\n"
            f"{items(noise_story(day, rate))}"
        )
    lazy_expander("The exact promise", _promises, ":material/shield:")


def _decided() -> str:
    """The rate that was decided for, where it has noise to speak of."""
    rate: str = lab().chosen(RATE)
    return rate if REGISTRY[rate].adds_noise else FEATURED


def _promises() -> None:
    mechanisms = [REGISTRY[name] for name in private()]
    promises = [f"**{m.label}.** {m.promise} It relies on {m.relies_on}." for m in mechanisms]
    st.markdown("\n\n".join([*promises, f"**What it does not cover**\n{items(LIMITS)}"]))
    st.latex(
        r"r = \alpha Z + \beta \qquad \hat r = r + \mathrm{Lap}(\lambda/\varepsilon) \qquad "
        r"\lambda = \alpha \max_{h \in \kappa} u_h",
        help=help_for("ε, κ, λ"),
    )


UPLOAD, REFUSED = "upload:scenario", "upload refused"
FILES = "Download or upload"


def takeaway(day: Day) -> None:
    if not lab().presenting:
        show.lazy_expander(FILES, partial(_both_ways, day), ":material/download:")


def _both_ways(day: Day) -> None:
    query = urlencode(lab().link())
    _files(day, query)
    st.caption("The address of this page holds the whole scenario, seed included.")
    if query:
        st.code(f"?{query}", language=None, wrap_lines=True)
    st.file_uploader(
        "Load a scenario (JSON, at most 1 MB)",
        type="json",
        key=UPLOAD,
        on_change=_load,
        max_upload_size=show.upload_limit(MAX_JSON_BYTES),
    )
    if sentence := lab().memo.pop(REFUSED, None):
        st.error(sentence, icon=":material/error:")


def _files(day: Day, query: str) -> None:
    scenario = day.scenario
    with st.grid(5, min_column_width=150):
        stem = span_stem(scenario)
        label = "Day as CSV" if scenario.days == 1 else "Days as CSV"
        show.csv(label, day.frame, f"{stem}.csv", wide=True)
        json = "application/json"
        show.download(
            "Scenario as JSON", partial(to_file, scenario), "scenario.json", json, "data_object", wide=True
        )
        script = partial(to_script, scenario, lab().preset)
        show.download("Python script", script, f"run_{stem}.py", "text/x-python", "code", wide=True)
        notebook = partial(to_notebook, scenario, lab().preset)
        kind = "application/x-ipynb+json"
        show.download("Jupyter notebook", notebook, f"run_{stem}.ipynb", kind, "menu_book", wide=True)
        page = partial(report, day, query, _decided())
        show.download("Report", page, "report.html", "text/html", "description", wide=True)


def _load() -> None:
    if (file := show.uploaded(UPLOAD)) is None:
        return
    try:
        lab().open(Scenario.from_json(file.getvalue()))
    except ScenarioError as error:
        lab().memo[REFUSED] = in_markdown(f"{shown_name(file.name)} was not loaded: {sentence(error)}")
