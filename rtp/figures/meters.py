"""Meter readings: the feeder's days, what was learned, what would have been published and betrayed."""

import numpy as np

from rtp.core.formatting import change, distinct, percent, plain, shown_name
from rtp.core.language import say
from rtp.figures import daytime, style
from rtp.figures.attack import TRUTH, belief_name, truth_area
from rtp.figures.style import Mark, Picture, Spec, Trace
from rtp.mechanisms import UNPROTECTED
from rtp.meters.answering import ObservedHouse
from rtp.meters.check import AtHome, Check
from rtp.meters.learned import Learned, laws_by_group
from rtp.meters.learning import decode
from rtp.meters.readings import MINUTES_PER_DAY, Readings
from rtp.meters.replaying import Replay
from rtp.output.exposure import houses_words
from rtp.scenario.habits import HOME, STATES
from rtp.scenario.units import titled

_FEEDER_HEIGHT, _PROFILE_HEIGHT, _DECODED_HEIGHT, _REPLAY_HEIGHT = 310, 340, 380, 380
_HOME_HEIGHT, _READINGS_HEIGHT, _RELIABILITY_HEIGHT = 430, 260, 340
_DISTRIBUTIONS_HEIGHT, _OBSERVED_HEIGHT, _BILLS_HEIGHT = 320, 520, 320
_HOURS = np.arange(24)
_COLOURS = [[0, "#1f1030"], [0.5, style.SIMULATED.colour], [1, "#f0c8f8"]]  # of use; amber is truth
_HEATMAP = {"hovermode": "closest", "margin": {"t": 16}, "yaxis": {"autorange": "reversed"}}
_BRIGHTEST = 0.98  # of the readings: a kettle would leave all others dark
_MAX_DAYS = 400  # shown at once, or houses
_DECODED_DAYS = 7
_TALLEST = 900
GIVEN_NAME, NOBODY_NAME = "In, as the readings say", "Nobody in"


def feeder_figure(readings: Readings) -> Picture:
    """The mean use of a house at every time of every day: a line of colour for each day."""
    read = np.isfinite(readings.power)
    total = np.where(read, readings.power, 0.0).sum(axis=0, dtype=float)
    count = read.sum(axis=0)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    days = mean.reshape(readings.days, -1)[-_MAX_DAYS:]
    dates = [readings.date(day) for day in range(readings.days)][-_MAX_DAYS:]
    trace = {
        "type": "heatmap",
        "x": np.arange(readings.steps_per_day) * readings.minutes / 60,
        "y": dates,
        "z": days,
        "zmin": 0,
        "zmax": float(np.nanquantile(days, _BRIGHTEST)) or None,
        "colorscale": _COLOURS,
        "colorbar": {"title": {"text": "kW"}, "thickness": 12},
        "hovertemplate": "%{y}, %{x:.2f} h: %{z:.3f} kW<extra></extra>",
    }
    axis = {"xaxis": {"dtick": 4, "ticksuffix": ":00"}}
    layout = style.layout(_FEEDER_HEIGHT, style.axes("Time of day", "Date"), _HEATMAP, axis)
    words = (
        f"Mean use of a house at every time of {len(dates)} days, at most {np.nanmax(days):.2f} kilowatts."
    )
    return Picture([trace], layout, words)


def profile_figure(learned: Learned) -> Picture:
    """Each group's mean use in every hour, as read and as the learned model says. Where occupied is at home,
    asleep and up are one state, which no use tells: then how often its houses are that, in every hour."""
    at_home, houses = learned.meaning == HOME, learned.houses
    kinds = [(houses.used, ", read", "solid"), (houses.fitted, ", fitted", "dash")]
    if at_home:
        kinds = [(houses.profile, "", "solid")]
    traces, hover = [], style.SHARE_HOVER if at_home else "%{y:.3f} kW"
    for group, colour in zip(learned.groups, style.MODEL_COLOURS, strict=False):
        name = f"{group.name} ({houses_words(len(group.houses))})"
        for values, kind, dash in kinds:
            mean = values[:, group.houses].mean(axis=1)
            traces.append(style.line(_HOURS, mean, f"{name}{kind}", Mark(colour, dash), hover=hover))
    up: Spec = {"range": [0, 1.03], **style.HALVES} if at_home else {"rangemode": "tozero"}
    titles = style.axes("Hour of the day", "At home" if at_home else "Mean use, kW")
    listed = {"showlegend": True} if at_home else {}
    own = {"xaxis": {"dtick": 4, "ticksuffix": ":00"}, "yaxis": up} | listed
    many = f"{len(learned.groups)} groups"
    words = f"Mean use by hour of {many}, as read and as the model fits it."
    if at_home:
        words = f"How often houses of {many} are at home, by hour."
    return Picture(traces, style.layout(_PROFILE_HEIGHT, titles, own), words)


def average_days_figure(readings: Readings, learned: Learned) -> Picture:
    """Every learned house's average day, a row for each, those of one verdict together: use in every hour
    over the house's mean."""
    order = sorted(range(len(learned.which)), key=lambda house: learned.verdicts[house])[:_MAX_DAYS]
    used = learned.houses.used[:, order].T
    labels = [learned.verdicts[house] for house in order]
    trace = {
        "type": "heatmap",
        "x": _HOURS,
        "y": distinct(style.name(readings.houses[learned.which[house]]) for house in order),
        "z": used / np.maximum(used.mean(axis=1, keepdims=True), 1e-9),
        "customdata": used,
        "text": [[label] * len(_HOURS) for label in labels],
        "colorscale": _COLOURS,
        "colorbar": {"title": {"text": "× mean"}, "thickness": 12},
        "hovertemplate": "%{y} (%{text}), %{x}:00: %{customdata:.3f} kW<extra></extra>",
    }
    axis = {"xaxis": {"dtick": 6, "ticksuffix": ":00"}, "yaxis": {"type": "category", "automargin": True}}
    height = max(_FEEDER_HEIGHT, min(90 + 16 * len(order), _TALLEST))
    layout = style.layout(height, style.axes("Hour of the day", "House"), _HEATMAP, axis)
    counts = ", ".join(f"{labels.count(label)} {label}" for label in dict.fromkeys(labels))
    return Picture([trace], layout, f"The average day of {len(order)} houses, by verdict: {counts}.")


def decoded_figure(readings: Readings, learned: Learned, house: int) -> Picture:
    """The last days of a learned house: its readings, and beneath them the probability of its upper state,
    guessed from its whole record."""
    days, state = min(learned.days, _DECODED_DAYS), STATES[learned.meaning][1]
    steps = days * MINUTES_PER_DAY // learned.minutes
    power, occupied = (np.asarray(each[-steps:], float) for each in decode(readings, learned, house))
    x = daytime.dates(readings.first_day + (learned.first + learned.days - days), steps, learned.minutes)
    use = style.line(x, power, "Use", style.SIMULATED, hover="%{y:.3f} kW", shape="hv", width=1)
    guess = style.line(x, occupied, f"Chance to be {state}", style.EXPECTED, hover="%{y:.2f}", shape="hv")
    own = {
        "yaxis": {"domain": [0.45, 1.0], "rangemode": "tozero"},
        "yaxis2": {"domain": [0.0, 0.35], "range": [0, 1.02], "title": {"text": "Guess"}},
        "xaxis": {"anchor": "y2"},
    }
    sure = percent(float(np.nanmean(np.maximum(occupied, 1 - occupied))))
    name = shown_name(readings.houses[learned.which[house]])
    words = f"Readings of {name} over {days} days, and the guessed chance to be {state}: certain to {sure}."
    layout = style.layout(_DECODED_HEIGHT, style.axes("", "kW"), own)
    return Picture([use, style.filled(guess, 0.25) | {"yaxis": "y2"}], layout, words)


def home_figure(home: AtHome, house: int, first: int, days: int, *, learned: bool = True) -> Picture:
    """Some days of a home on one clock: its readings; beneath, the learned probability that somebody was in,
    and of that up; lowest what was true, where somebody said it. Readings alone unless it is `learned`."""
    per_day = MINUTES_PER_DAY // home.minutes
    some = slice(first * per_day, min(first + days, home.days) * per_day)
    power, inside, up = (each[house, some].astype(float) for each in (home.power, home.at_home, home.up))
    said = None if home.truth is None or not learned else home.truth[house, some]
    x = daytime.dates(np.datetime64(home.first_date) + first, len(power), home.minutes)
    traces = [style.line(x, power, say("Use"), style.SIMULATED, hover="%{y:.3f} kW", shape="hv", width=1.5)]
    beneath = []
    if learned:
        beneath.append(("y2", say("Learned")))
        states = (say("Learned: at home"), inside, 1.5, 0.2), (say("Learned: up and about"), up, 0, 0.4)
        for name, chance, width, opacity in states:
            curve = style.line(x, chance, name, TRUTH, hover=style.SHARE_HOVER, width=width, shape="hv")
            traces.append(style.filled(curve, opacity) | {"yaxis": "y2"})
    if said is not None:
        beneath.append(("y3", say("True")))
        names = (1, say("True: somebody in"), TRUTH.colour), (0, say("True: nobody in"), style.LIMIT)
        for state, name, colour in names:
            shown, mark = np.where(said == state, 1.0, 0.0), Mark(colour)
            stripe = style.line(x, shown, name, mark, width=0, shape="hv")
            traces.append(style.filled(stripe, 0.55) | {"yaxis": "y3", "hoverinfo": "skip"})
    height = _HOME_HEIGHT if learned else _READINGS_HEIGHT
    layout = style.layout(
        height, style.axes(say(daytime.NIGHTS), "kW"), _stacked(beneath), {"shapes": daytime.nights(x)}
    )
    use = power[np.isfinite(power)]
    words = f"use of {use.min():.2f} to {use.max():.2f} kilowatts" if len(use) else "no reading"
    if learned:
        words += (
            f", somebody at home in {percent(float(home.at_home[house, some].mean()))} of the time as learned"
        )
    if said is not None:
        known = said[said >= 0]
        true = percent(float(known.mean())) if len(known) else "no"
        words += f", in {true} of the labelled moments as the family says"
    return Picture(traces, layout, f"{shown_name(home.houses[house])} from {x[0]}: {words}.")


def _stacked(panels: list[tuple[str, str]]) -> Spec:
    """Readings above, each of the others beneath: what is learned, and lowest and lower what was true."""
    bare = {"range": [0, 1.02], "tickvals": [0, 1], "showgrid": False}
    share = bare | style.HALVES
    room = {"y2": [0.2, 0.46], "y3": [0.0, 0.1]} if len(panels) == 2 else {"y2": [0.0, 0.34]}
    spec: Spec = {"yaxis": {"domain": [0.54 if panels else 0.0, 1.0], "rangemode": "tozero"}}
    for axis, title in panels:
        look = share if axis == "y2" else bare | {"showticklabels": False}
        spec[f"yaxis{axis[1:]}"] = look | {"domain": room[axis], "title": {"text": title}}
    return spec | {"xaxis": {"anchor": panels[-1][0] if panels else "y", "tickformat": "%a %-d %b\n%H:%M"}}


def reliability_figure(found: Check) -> Picture:
    """How often its answer is right where it is so sure, and how often somebody was at home where it states
    so much: on the diagonal it is calibrated."""
    kinds = (
        ("Its answer is right", found.sureness, style.SIMULATED.colour),
        ("Somebody was in", found.reliability, style.GREY),
    )
    traces = [style.line([0, 1], [0, 1], "As often as it says", Mark(style.GREY, "dash"), width=1.5)]
    words = []
    for name, bins, colour in kinds:
        stated, shares = (
            np.array([each.stated for each in bins]),
            [percent(each.right.value, 2) for each in bins],
        )
        right, low, high = np.array([each.right for each in bins]).T
        ranges = {"type": "data", "array": high - right, "arrayminus": right - low, "symmetric": False}
        dot = {"color": colour, "size": 9}
        measured = style.points(stated, right, name, dot, hover="%{text} of %{customdata:,}")
        measured |= {"error_y": ranges, "customdata": [each.moments for each in bins], "text": shares}
        traces.append(measured)
        pairs = [f"states {percent(s, 2)}, {share}" for s, share in zip(stated, shares, strict=True)]
        words.append(f"{name}: {'; '.join(pairs)}.")
    share = {"range": [-0.03, 1.03], **style.HALVES}
    own = {"xaxis": share, "yaxis": share, "hovermode": "closest"}
    layout = style.layout(_RELIABILITY_HEIGHT, style.axes("It states", "It was so"), own)
    return Picture(traces, layout, f"Stated probabilities against what was true. {' '.join(words)}")


def replay_figure(replay: Replay, shown: list[str]) -> Picture:
    """The rates that would have been published."""
    x = daytime.dates(np.datetime64(replay.first_date), len(replay.demand), replay.scenario.step_minutes)
    traces = [
        style.line(x, replay.rate(name), style.title(name), style.mark(name), hover="%{y:.4~g}", shape="hv")
        for name in shown
    ]
    layout = style.layout(_REPLAY_HEIGHT, style.axes("", "Rate"))
    names = ", ".join(style.title(name) for name in shown)
    return Picture(traces, layout, f"Rates on the feeder's own demand over {replay.days} days: {names}.")


def bills_figure(replay: Replay, shown: list[str]) -> Picture:
    """A point for every house and rate: by how much its bill differs from that at optimal rates. A ring is a
    house of whose readings some are filled in."""
    filled = [f"; {percent(share)} filled in" if share else "" for share in replay.filled_of.tolist()]
    symbols = ["circle-open" if share else "circle" for share in replay.filled_of.tolist()]
    optimal, others = replay.paid[UNPROTECTED], [name for name in shown if name != UNPROTECTED]
    traces, words = [], []
    for name in others:
        share = replay.bill_share(name)
        dot = {"color": style.mark(name).colour, "size": 6, "opacity": 0.75, "symbol": symbols}
        hover = "%{customdata[0]}: %{x:.4~g}, %{y:+.2f} %%{customdata[1]}"
        points = style.points(optimal, 100 * share, style.title(name), dot, hover=hover)
        traces.append(points | {"customdata": list(zip(map(style.name, replay.houses), filled, strict=True))})
        words.append(f"{style.title(name)} from {change(share.min())} to {change(share.max())}")
    titles = style.axes(titled("Bill at optimal rates", replay.scenario, "money"), "Change of the bill")
    own = {"hovermode": "closest", "yaxis": style.PERCENT_TICKS | {"tickformat": "+,~r"}}
    told = f"Bills of {len(replay.houses):,} houses and their change: {'; '.join(words)}."
    return Picture(traces, style.layout(_BILLS_HEIGHT, titles, own), told)


def use_distributions_figure(learned: Learned) -> Picture:
    """The share of the time up to any power, two lines for each group: in either of its states."""
    traces, medians, (empty, occupied) = [], [], STATES[learned.meaning]
    for (name, law), colour in zip(laws_by_group(learned).items(), style.MODEL_COLOURS, strict=False):
        for state, masses, dash in ((occupied, law.occupied, "solid"), (empty, law.empty, "dash")):
            share = np.concatenate([[0.0], np.cumsum(masses)])
            words, mark = f"{name}, {state}", Mark(colour, dash)
            traces.append(style.line(law.edges, share, words, mark, hover=style.SHARE_HOVER))
            half = float(np.interp(0.5, share, law.edges))
            medians.append(f"{name} while {state}, half of the time at most {half:.2g} kilowatts")
    own = {"yaxis": {"range": [0, 1.03], **style.HALVES}, "xaxis": {"rangemode": "tozero"}}
    layout = style.layout(_DISTRIBUTIONS_HEIGHT, style.axes("Use, kW", "Share of the time"), own)
    return Picture(traces, layout, f"How much the houses of each group use: {'; '.join(medians)}.")


def observed_figure(observed: ObservedHouse) -> Picture:
    """Above what she believes from each rate, with who was at home behind it where the readings say so;
    beneath it the readings, and how far all rates together can shift the log-odds of each moment. What is
    infinite is left out."""
    x = daytime.dates(
        np.datetime64(observed.first_date), len(observed.occupied), observed.day.scenario.step_minutes
    )
    alone = next(iter(observed.seen.values())).model_only[:, 0]
    use = observed.day.street_day.use_of(np.array([observed.house]))[:, 0]
    read = style.line(x, use, "Use", style.SIMULATED, hover="%{y:.3f} kW", shape="hv", width=1.5)
    habits = style.line(x, alone, "Habits alone", style.EXPECTED, hover=style.SHARE_HOVER, width=1.5)
    traces: list[Trace] = [read | {"yaxis": "y3"}, habits]
    if observed.given:
        said = np.where(observed.judged, observed.occupied, np.nan)
        nobody = style.line(x, 1 - said, NOBODY_NAME, Mark(style.LIMIT), width=0, shape="hv")
        traces[:0] = [truth_area(x, said, GIVEN_NAME), style.filled(nobody, 0.25)]
    for name, seen in observed.seen.items():
        colour, leak = style.mark(name).colour, style.finite(observed.leak[name].whole)
        belief = style.line(x, seen.belief[:, 0], belief_name(name), Mark(colour), hover=style.SHARE_HOVER)
        below = style.line(x, leak, f"Leak, {style.title(name)}", Mark(colour, "dot"), hover="%{y:.3f}")
        traces += [belief, below | {"yaxis": "y2", "showlegend": False}]
    own = {
        "yaxis": {"domain": [0.52, 1.0], "range": [-0.03, 1.05], **style.HALVES},
        "yaxis3": {"domain": [0.27, 0.46], "rangemode": "tozero", "title": {"text": "kW"}},
        "yaxis2": {"domain": [0.0, 0.19], "rangemode": "tozero", "title": {"text": "Leak"}},
        "xaxis": {"anchor": "y2"},
    }
    each = ", ".join(
        f"{style.title(name)} {percent(observed.right(name))}, "
        f"worst moment {plain(observed.leak[name].worst)}"
        for name in observed.seen
    )
    right = "Right at" if observed.given else "Agrees with a guess at"
    words = (
        f"Beliefs about {shown_name(observed.name)} and what each moment can leak. {right}, by rate: {each}."
    )
    return Picture(traces, style.layout(_OBSERVED_HEIGHT, style.axes("", "Belief"), own), words)
