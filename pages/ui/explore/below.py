"""Beneath the first window of Explore: which rates, pins, the noise, the promise, files to take away."""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.ui import cache, pins, show
from pages.ui.params import RATE
from pages.ui.screens import OVER_TIME
from pages.ui.session import lab
from pages.ui.show import items, lazy_expander
from pages.ui.sidebar import link_to
from pages.ui.widgets import offered_rates, url_pills
from rtp.core.formatting import in_markdown
from rtp.figures import style
from rtp.figures.day import noise_figure
from rtp.figures.households import models_figure
from rtp.figures.rates import flat_words, is_flat
from rtp.mechanisms import FEATURED, REGISTRY, private
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.output.glossary import help_for
from rtp.output.report import report
from rtp.output.words import LIMITS, day_headline, noise_story
from rtp.scenario import MAX_JSON_BYTES, Scenario, ScenarioError
from rtp.scenario.describe import span_stem
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.fields import sentence
from rtp.simulation import Day

SHOWN = "shown"  # the rates that are


def rates(day: Day) -> None:
    """Which rates are shown, and what is pinned to compare with."""
    shown = url_pills("Rates", offered_rates(day.scenario, SHOWN), SHOWN, style.label)
    show.warn_of_prices(day, shown)
    pins.controls()
    pins.table(day)
    if not is_flat(day, shown) or pins.days():
        make = partial(noise_figure, day, shown, pins.days())
        show.chart(cache.picture(make, "noise", day, shown, *pins.texts()), key="noise")
    show.caption(flat_words(day, shown))
    if len(day.scenario.models) > 1:
        st.markdown("**Which model sets the noise**", help=help_for("Θ"))
        by_model = sensitivity_by_model(day.market.public)
        show.chart(models_figure(day.scenario, day.hours, by_model), key="models")
    link_to("Attack", "What a whole day reveals", tab=OVER_TIME)


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
    show.upload("Load a scenario (JSON, at most 1 MB)", "json", UPLOAD, MAX_JSON_BYTES, _load)
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


def _load(name: str, content: bytes) -> None:
    try:
        lab().open(Scenario.from_json(content))
    except ScenarioError as error:
        lab().memo[REFUSED] = in_markdown(f"{name} was not loaded: {sentence(error)}")
