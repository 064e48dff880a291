"""Meter readings: the feeder's days, what was learned, and what would have been published.

What the houses of each group use, as learned: the share of their use up to any power, in either state.

The observer at one house of a feeder: her beliefs, who was at home, and what every moment can leak.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rtp.core.formatting import percent, plain
from rtp.core.types import Floats
from rtp.figures import style
from rtp.figures.attack import TRUTH, belief_name
from rtp.figures.picture import Picture
from rtp.figures.style import Mark, Trace
from rtp.meters.learned import Learned
from rtp.meters.readings import MINUTES_PER_DAY, Powers, Readings
from rtp.meters.replaying import Replay
from rtp.meters.watching import Watched
from rtp.scenario import Law

FEEDER_HEIGHT, PROFILE_HEIGHT, DECODED_HEIGHT, REPLAY_HEIGHT = 310, 340, 380, 380
HOURS = np.arange(24)
COLOURS = [[0, "#00224e"], [0.5, "#7c7b78"], [1, "#fee838"]]  # the ends and the middle of cividis
MOST_DAYS = 400  # shown at once


def feeder_figure(readings: Readings) -> Picture:
    """The mean use of a house at every time of every day: a line of colour for each day."""
    known = np.isfinite(readings.power)
    total = np.where(known, readings.power, 0.0).sum(axis=0, dtype=float)
    count = known.sum(axis=0)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    days = mean.reshape(readings.days, -1)[-MOST_DAYS:]
    dates = [readings.date(day) for day in range(readings.days)][-MOST_DAYS:]
    trace = {
        "type": "heatmap",
        "x": np.arange(readings.steps_per_day) * readings.minutes / 60,
        "y": dates,
        "z": days,
        "colorscale": COLOURS,
        "colorbar": {"title": {"text": "kW"}, "thickness": 12},
        "hovertemplate": "%{y}, %{x:.2f} h: %{z:.3f} kW<extra></extra>",
    }
    own = {"hovermode": "closest", "margin": {"t": 16}, "yaxis": {"autorange": "reversed"}}
    axis = {"xaxis": {"dtick": 4, "ticksuffix": ":00"}}
    layout = style.layout(FEEDER_HEIGHT, style.axes("Time of day", ""), own, axis)
    return Picture(
        [trace],
        layout,
        f"Mean use of a house at every time of {len(dates)} days, at most {np.nanmax(days):.2f} kilowatts.",
    )


def profile_figure(learned: Learned) -> Picture:
    """Each group's mean use in every hour, as read and as the learned model says."""
    traces = []
    for g, group in enumerate(learned.groups):
        colour = style.MODEL_COLOURS[g % len(style.MODEL_COLOURS)]
        name = f"{group.name} ({len(group.houses):,} houses)"
        used, fitted = (
            values[:, group.houses].mean(axis=1) for values in (learned.houses.used, learned.houses.fitted)
        )
        traces += [
            style.line(HOURS, used, f"{name}, read", Mark(colour), hover="%{y:.3f} kW"),
            style.line(HOURS, fitted, f"{name}, fitted", Mark(colour, "dash"), hover="%{y:.3f} kW"),
        ]
    layout = style.layout(
        PROFILE_HEIGHT,
        style.axes("Hour of the day", "Mean use, kW"),
        {"xaxis": {"dtick": 4, "ticksuffix": ":00"}, "yaxis": {"rangemode": "tozero"}},
    )
    return Picture(
        traces, layout, f"Mean use by hour of {len(learned.groups)} groups, as read and as the model fits it."
    )


def decoded_figure(power: Powers, chance: Floats, first: np.datetime64, minutes: int, house: str) -> Picture:
    """One house: its readings, and beneath them the guess whether somebody was at home."""
    x = clock(first, len(power), minutes)
    use = style.line(x, power.astype(float), "Use", style.SIMULATED, hover="%{y:.3f} kW", shape="hv", width=1)
    guess = style.line(x, chance, "Chance to be occupied", style.EXPECTED, hover="%{y:.2f}", shape="hv")
    guess |= {"yaxis": "y2", "fill": "tozeroy", "fillcolor": style.rgba(style.EXPECTED.colour, 0.25)}
    layout = style.layout(
        DECODED_HEIGHT,
        style.axes("", "kW"),
        {
            "yaxis": {"domain": [0.45, 1.0], "rangemode": "tozero"},
            "yaxis2": {"domain": [0.0, 0.35], "range": [0, 1.02], "title": {"text": "Guess"}},
            "xaxis": {"anchor": "y2"},
        },
    )
    sure = percent(float(np.nanmean(np.maximum(chance, 1 - chance))))
    return Picture(
        [use, guess], layout, f"Readings of {house} and its guessed occupancy, certain to {sure} on average."
    )


def replay_figure(replay: Replay, shown: list[str]) -> Picture:
    """The rates that would have been published."""
    x = clock(np.datetime64(replay.first_date), len(replay.demand), replay.scenario.step_minutes)
    traces = [
        style.line(
            x,
            replay.rate(name),
            style.label(name),
            style.mark(name),
            hover="%{y:.4~g}",
            shape="hv",
            width=1.5,
        )
        for name in shown
    ]
    layout = style.layout(REPLAY_HEIGHT, style.axes("", "Rate"))
    names = ", ".join(style.label(name) for name in shown)
    return Picture(traces, layout, f"Rates on the feeder's own demand over {replay.days} days: {names}.")


def clock(first: np.datetime64, steps: int, minutes: int) -> NDArray[np.datetime64]:
    """The times of steps, from midnight of the first day."""
    assert MINUTES_PER_DAY % minutes == 0
    return np.asarray(first.astype("datetime64[m]") + minutes * np.arange(steps))


DISTRIBUTIONS_HEIGHT = 320


def laws_figure(laws: Mapping[str, Law]) -> Picture:
    """By the group's name: one line while occupied, one while empty; a point mass is a step."""
    traces, said = [], []
    for g, (name, law) in enumerate(laws.items()):
        colour = style.MODEL_COLOURS[g % len(style.MODEL_COLOURS)]
        for state, masses, dash in (("occupied", law.occupied, "solid"), ("empty", law.empty, "dash")):
            share = np.concatenate([[0.0], np.cumsum(masses)])
            traces.append(
                style.line(law.edges, share, f"{name}, {state}", Mark(colour, dash), hover="%{y:.1%}")
            )
            half = float(np.interp(0.5, share, law.edges))
            said.append(f"{name} while {state}, half of the time at most {half:.2g} kilowatts")
    layout = style.layout(
        DISTRIBUTIONS_HEIGHT,
        style.axes("Use, kW", "Share of the time"),
        {"yaxis": {"tickformat": ".0%", "range": [0, 1.03]}, "xaxis": {"rangemode": "tozero"}},
    )
    return Picture(traces, layout, f"How much the houses of each group use: {'; '.join(said)}.")


WATCHED_HEIGHT = 460
GIVEN_NAME, GUESS_NAME = "Occupied, as the readings say", "Guess: occupied"


def watched_figure(found: Watched) -> Picture:
    """Above what she believes from each rate, with who was at home behind it; below how far all rates
    together can shift the log-odds of each moment. What is infinite is left out."""
    x = clock(np.datetime64(found.first_date), len(found.occupied), found.day.scenario.step_minutes)
    alone = next(iter(found.seen.values())).model_only[:, 0]
    name = GIVEN_NAME if found.given else GUESS_NAME
    truth = style.line(x, found.occupied.astype(float), name, TRUTH, width=0, shape="hv")
    traces: list[Trace] = [
        truth | {"fill": "tozeroy", "fillcolor": style.rgba(TRUTH.colour, 0.38)},
        style.line(x, alone, "The model alone", style.EXPECTED, hover="%{y:.1%}", width=1.5),
    ]
    for name, seen in found.seen.items():
        own = Mark(style.mark(name).colour)
        traces.append(style.line(x, seen.belief[:, 0], belief_name(name), own, hover="%{y:.1%}"))
        leak = found.leak[name].whole
        shown = np.where(np.isfinite(leak), leak, np.nan)
        below = style.line(x, shown, f"Leak, {style.label(name)}", Mark(own.colour, "dot"), hover="%{y:.3f}")
        traces.append(below | {"yaxis": "y2", "showlegend": False})
    layout = style.layout(
        WATCHED_HEIGHT,
        style.axes("", "Her belief"),
        {
            "yaxis": {
                "domain": [0.42, 1.0],
                "range": [-0.03, 1.05],
                "tickformat": ".0%",
                "tickvals": [0, 0.5, 1],
            },
            "yaxis2": {"domain": [0.0, 0.32], "rangemode": "tozero", "title": {"text": "Leak"}},
            "xaxis": {"anchor": "y2"},
        },
    )
    return Picture(traces, layout, _words(found))


def _words(found: Watched) -> str:
    told = ", ".join(
        f"{style.label(name)} {percent(float(score.accuracy.value), 3)}, worst moment "
        f"{plain(found.leak[name].worst)}"
        for name, score in found.attack.scores.items()
    )
    return f"Beliefs about {found.name} and what each moment can leak. Right at, by rate: {told}."
