"""The pieces of the Attacker screen: what she watches, one house through the day, the whole street."""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui import state
from pages.ui.show import chart
from rtp.attacker import roc
from rtp.attacker.observer import Knowledge, Posterior, posterior
from rtp.clock import STEPS_PER_DAY, hhmm, when
from rtp.figures import style
from rtp.figures.attacker import FIRST, belief_alt, belief_figure, street_alt, street_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.scenario import Scenario
from rtp.simulation import Day
from rtp.street.days import households
from rtp.tables import to_csv

QUICK = 2_000  # houses × days × models that she follows while one waits
TICK, STRIDE, FORGOTTEN = 1.0, 2, 10.0  # seconds per tick, steps per tick, seconds after which play has ended
FEW = 5
KNOWS = {"model": "the model only", "others": "everyone else's consumption"}
RATE, BEFORE = "attacker:rate", "attacker:before"


@dataclass
class Cursor:
    """Where in the day one looks; mutable, one per session."""

    step: int | None = None  # None: the end
    playing: bool = False
    ticked: float = 0.0

    def play(self, last: int) -> None:
        """From here, or from the start of the day where it is over."""
        self.playing, self.ticked = True, time.monotonic()
        self.step = 0 if self.step is None or self.step >= last else self.step

    def stop(self) -> None:
        self.playing, self.ticked = False, time.monotonic()

    def move(self, step: int) -> None:
        """By hand. While playing, and just after, a busy browser may hand back where it stood before."""
        if not self.playing and time.monotonic() - self.ticked > TICK:
            self.step = step

    def tick(self, last: int) -> None:
        """On, if it is due; the end of the day, or of anyone's watching, ends the play."""
        waited = time.monotonic() - self.ticked
        if self.playing and waited >= 0.7 * TICK:
            self.playing, self.ticked = waited <= FORGOTTEN, time.monotonic()
            if self.playing:
                self.step = min((self.step or 0) + STRIDE, last)
                self.playing = self.step < last


def cursor() -> Cursor:
    here: Cursor = st.session_state.setdefault("attacker:cursor", Cursor())
    return here


def time_slider(scenario: Scenario, label: str) -> int:
    """The step one looks at; the same on every tab."""
    here, last, key = cursor(), scenario.steps - 1, f"slider:{label}"
    here.step = last if here.step is None else min(here.step, last)
    st.session_state[key] = here.step
    st.select_slider(
        label,
        range(scenario.steps),
        key=key,
        format_func=lambda step: when(step, scenario.days),
        on_change=lambda: here.move(int(st.session_state[key])),
        disabled=here.playing,
    )
    return here.step


def controls(scenario: Scenario) -> tuple[str, Knowledge, int | None]:
    """Which rate she sees, what she knows, which house: None for the most exposed."""
    st.session_state.setdefault(RATE, FEATURED)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rate = st.selectbox(
            "The rate she sees",
            list(REGISTRY),
            format_func=style.label,
            key=RATE,
            persist_state="session",
            width=190,
        )
        house = st.number_input(
            "House",
            0,
            scenario.households - 1,
            None,
            key="attacker:house",
            placeholder="the most exposed",
            persist_state="session",
            help="Empty: the house about which this rate tells her most.",
            width=190,
        )
        knows = st.segmented_control(
            "She knows",
            list(KNOWS),
            format_func=KNOWS.__getitem__,
            default="model",
            required=True,
            key="attacker:knows",
            persist_state="session",
            help="The model: habits and bounds of every house; of several models the one that is worst for "
            "privacy. Everyone else's consumption too: what is left is one house and the noise.",
        )
    return rate, "others" if knows == "others" else "model", house


def follows_all(scenario: Scenario) -> bool:
    return scenario.households * scenario.days * len(scenario.models) <= QUICK


def watch(day: Day, rate: str, knows: Knowledge, house: int | None) -> Posterior:
    """What she makes of every house, or of one where the street is too long to wait for."""
    if follows_all(day.scenario):
        return _posterior(day.scenario.to_json(None), rate, knows, None, day)
    if house is None:
        house = int(np.abs(day.street.occupied_bound - day.street.empty_bound).argmax())
    return _posterior(day.scenario.to_json(None), rate, "others", house, day)


@st.cache_resource(max_entries=12, show_spinner=False)
def _posterior(key: str, rate: str, knows: Knowledge, house: int | None, _day: Day) -> Posterior:
    return posterior(_day, rate, knows=knows, house=house)


def column_of(seen: Posterior, house: int | None) -> int:
    return int(seen.exposure.argmax() if house is None else np.flatnonzero(seen.houses == house)[0])


def who(day: Day, seen: Posterior, column: int) -> str:
    """The house, and how far the rates give it away, in words."""
    house, street = int(seen.houses[column]), day.street
    proofs = int(np.isinf(seen.log_evidence[:, column]).sum())
    return (
        f"**House {house}** ({day.scenario.groups[street.group[house]].name}) uses up to "
        f"{street.occupied_bound[house]:.3g} when occupied and {street.empty_bound[house]:.3g} when empty. "
        f"The {style.label(seen.mechanism).lower()} rates move her belief by {seen.exposure[column]:.1%} on "
        f"average; over all {len(seen.houses):,} houses she follows by {seen.exposure.mean():.1%}."
        + (f" **At {proofs} of {day.scenario.steps} steps the rate is proof.**" if proofs else "")
    )


def one_house(day: Day, seen: Posterior, column: int) -> None:
    """One house through the day, with a play button."""
    here, last, playing = cursor(), day.scenario.steps - 1, cursor().playing
    occupied = households(day.life.spec, day.street, [int(seen.houses[column])])[0][:, 0]

    @st.fragment(run_every=TICK if playing else None)
    def through_the_day() -> None:
        here.tick(last)
        if here.playing != playing:
            st.rerun()  # the clock of a fragment is set from outside
        with st.container(horizontal=True, vertical_alignment="center"):
            if playing:
                st.button("Stop", key="attacker:stop", icon=":material/stop:", on_click=here.stop)
            else:
                play = ":material/play_arrow:"
                st.button("Play", key="attacker:play", icon=play, on_click=here.play, args=(last,))
            step = time_slider(day.scenario, "Time")
        told = numbers(day, seen, column, occupied.tolist(), step)
        with st.grid(len(told), min_column_width=150):
            for label, (value, beside) in told.items():
                st.metric(label, value, beside, delta_color="off", delta_arrow="off", border=True)
        arguments = day, seen, column, occupied, step
        chart(belief_figure(*arguments), belief_alt(*arguments), key="belief")

    through_the_day()


def numbers(
    day: Day, seen: Posterior, column: int, occupied: list[bool], step: int
) -> dict[str, tuple[str, str]]:
    """The moment, and the day so far: label → value and what to compare it with."""
    now, mine = slice(step + 1), slice(column, column + 1)
    truth, told = np.array(occupied)[now, None], seen.log_evidence[now, mine]
    hers, alone = (
        roc.tally(truth, belief[now, mine], seen.prior[now, mine], told).right / (step + 1)
        for belief in (seen.belief, seen.model_only)
    )
    promised = REGISTRY[seen.mechanism].promised(day.scenario.epsilon)
    limit = f"promised: at most {promised:g}" if np.isfinite(promised) else "nothing is promised"
    return {
        "Truth": ("occupied" if occupied[step] else "empty", f"at {when(step, day.scenario.days)}"),
        "She says": (
            f"{seen.belief[step, column]:.1%} occupied",
            f"the model alone {seen.model_only[step, column]:.1%}",
        ),
        "Right so far": (f"{hers:.1%}", f"the model alone {alone:.1%}"),
        "Largest evidence": (number(float(np.abs(told).max())), limit),
    }


def number(value: float) -> str:
    return "∞" if np.isinf(value) else f"{value:.3f}"


def street(day: Day, seen: Posterior) -> None:
    """Every house by time, with the truth on top."""
    n = len(seen.houses)
    with st.container(horizontal=True):
        by_exposure = st.toggle("Most exposed first", True, key="attacker:sort")
        gain = st.toggle("Only what the rates added", key="attacker:gain", help="Her belief less the model's")
        truth = st.toggle("Truth on top", True, key="attacker:truth")
        every = n <= FIRST or st.toggle(f"All {n:,} houses", key="attacker:all")
    order = np.argsort(-seen.exposure, kind="stable") if by_exposure else np.arange(n)
    columns = order if every else order[:FIRST]
    occupied = households(day.life.spec, day.street, seen.houses.tolist())[0]
    figure = street_figure(day, seen, columns, occupied if truth else None, gain)
    chart(figure, street_alt(seen, columns), key="street")


def download(day: Day, seen: Posterior) -> None:
    st.download_button(
        "Beliefs as CSV",
        lambda: to_csv(beliefs_frame(day, seen)),
        "beliefs.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
        help="Every house she follows, every step: truth, the model alone, her belief, the evidence.",
    )


def beliefs_frame(day: Day, seen: Posterior) -> pd.DataFrame:
    """One row per house and step."""
    steps, n = seen.belief.shape
    columns = {
        "occupied": households(day.life.spec, day.street, seen.houses.tolist())[0].astype(int),
        "model_alone": seen.model_only,
        "belief_before_the_rate": seen.prior,
        "belief": seen.belief,
        "log_evidence": seen.log_evidence,
    }
    return pd.DataFrame(
        {
            "house": np.repeat(seen.houses, steps),
            "day": np.tile(np.arange(steps) // STEPS_PER_DAY + 1, n),
            "time": [hhmm(hour) for hour in day.hours % 24] * n,
        }
        | {name: values.T.ravel() for name, values in columns.items()}
    )


def try_this(scenario: Scenario) -> None:
    """One click to a street of few houses and the unprotected rate; one click back."""
    before = st.session_state.get(BEFORE) if scenario.households == FEW else None
    if before:
        words = (
            f"Which of {FEW} houses can still deny being at home? And what if she saw the calibrated rate?"
        )
        label, icon, act = f"Back to {before[0]:,} houses", "undo", _back
    else:
        words = (
            f"Let her see the unprotected rate of {FEW} houses only: how soon does she know who is at home?"
        )
        label, icon, act = f"Shrink to {FEW} houses", "compress", _shrink
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            label,
            icon=f":material/{icon}:",
            on_click=act,
            disabled=act is _shrink and scenario.households <= FEW,
        )
        st.markdown(f"**Try this.** {words}", width="content")


def _shrink() -> None:
    st.session_state[BEFORE] = state.current().households, st.session_state[RATE]
    st.session_state[RATE] = UNPROTECTED
    state.apply(households=FEW)


def _back() -> None:
    houses, st.session_state[RATE] = st.session_state.pop(BEFORE)
    state.apply(households=houses)
