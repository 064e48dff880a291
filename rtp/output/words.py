"""What the numbers of a day mean, in sentences built from those numbers; and the lab's words, each explained
once, which screens show on hover."""

import re

import numpy as np

from rtp.core.formatting import percent, plain
from rtp.core.language import noted, say
from rtp.mechanisms import FEATURED, NO_DATA, REGISTRY, YARDSTICK, Mechanism, short, title
from rtp.scenario import OccupiedMeans, Scenario
from rtp.scenario.describe import differences
from rtp.scenario.habits import SENTENCES, UP
from rtp.scenario.units import with_unit
from rtp.simulation import Day

GLOSSARY = {
    "observer": "Anyone who reads the published rate, “she” on these screens. She knows how people usually "
    "live, tries to find out when a house is occupied, and never sees a meter.",
    "outsider": "An observer who knows habits, bounds and every published rate, and nothing else.",
    "insider": noted("An observer who also knows what every other house used: the worst case."),
    noted("Algorithm 1"): noted(
        "The paper's private rate: its noise is made for the largest house whose state is still uncertain."
    ),
    "Blowfish": noted(
        "Differential privacy that counts only what is still uncertain: a house whose whereabouts everybody "
        "knows needs no noise."
    ),
    "curator": "Who reads all meters and publishes the rate: the utility. The curator adds the noise.",
    "RMSRE": noted(
        "Root mean square relative error: by how much of its value the rate is off in a typical step. The "
        "paper prints it divided by √T, T being the number of steps: (1/T)·√Σ((r̂ − r)/r)²."
    ),
    "ε": noted(
        "The privacy budget of one step: its rate may shift the odds that a house is occupied by at most the "
        "factor e^ε. Small is private."
    ),
    "κ": "The houses that need protection now: those that could still be empty as well as occupied.",
    "λ": "The most that one house of κ can move the rate: α times the largest bound among them. The noise "
    "has the scale λ/ε.",
    "Θ": "The set of models of how people live that the curator guards against. Each is called θ; the first "
    "one generates the day.",
    noted("occupied"): "",  # by the scenario
}
_FORMS = {term: re.compile(rf"(?<!\w){re.escape(term)}s?(?!\w)", re.IGNORECASE) for term in GLOSSARY}
NO_MEAN = (
    "The optimal rate can be 0 here, so an error relative to it has no bound, and no mean over days: what is "
    "said of days in general leaves out demand next to 0. With a β above 0 there is one."
)


def help_for(text: str, means: OccupiedMeans = UP) -> str | None:
    """Every word of the glossary that an English text uses, explained in the language that is spoken; None
    where it uses none. `means` is what occupied does in the scenario."""
    used = [term for term, form in _FORMS.items() if form.search(text)]
    return (
        "\n\n".join(f"**{say(term)}** — {say(GLOSSARY[term] or SENTENCES[means])}" for term in used) or None
    )


LIMITS = (
    "The promise is per step: a whole day of T steps may cost up to T·ε (Theorem 2).",
    "It holds within each model: two models that are each certain but disagree protect nothing.",
    "Where no house is uncertain, the optimal rate is published.",
    "It assumes independent houses: of two that are known to come and go together it may protect neither.",
    "Simulated noise is made of ordinary floating-point numbers: fine for study, not for a live tariff.",
)
_MAX_EVENTS = 8
_MAX_EDITS = 3


def noise_story(day: Day, mechanism: str = FEATURED) -> list[str]:
    """When the noise of a mechanism changes over the day, and why."""
    release = day.release[mechanism]
    changes = np.flatnonzero(np.diff(release.scale) != 0) + 1
    if not len(changes):
        return [_steady(day, mechanism)]
    events = [_event(day, mechanism, int(step)) for step in changes[:_MAX_EVENTS]]
    more = len(changes) - len(events)
    return events + ([f"… and {more} more changes."] if more else [])


def _steady(day: Day, mechanism: str) -> str:
    """A noise that never changes."""
    release = day.release[mechanism]
    steady, setter = release.scale[0], int(release.setter[0])
    if steady == 0:
        return "No house is ever uncertain, so the optimal rate is published."
    scale = with_unit(plain(steady, 4), day.scenario, "rate")
    sets = "the largest bound, whoever has it" if setter < 0 else f"{_setter(day, setter)}, always uncertain"
    return f"The noise keeps the scale {scale}: it is made for {sets}."


def _event(day: Day, mechanism: str, step: int) -> str:
    """A change of the noise at a step: when, from what to what, and because of whom."""
    release = day.release[mechanism]
    before, after = release.scale[step - 1], release.scale[step]
    counts = f"{release.protected[step - 1]:,} → {release.protected[step]:,} protected houses"
    if after == 0:
        why = "no house is uncertain any more, so the optimal rate is published"
    elif after < before:
        why = f"{_setter(day, int(release.setter[step - 1]))} is no longer uncertain"
    else:
        why = f"{_setter(day, int(release.setter[step]))} becomes uncertain"
    at = day.scenario.when(step)
    scales = with_unit(f"{plain(before, 4)} → {plain(after, 4)}", day.scenario, "rate")
    return f"**{at[:1].upper()}{at[1:]}** — {scales}: {why} ({counts})."


def _setter(day: Day, house: int) -> str:
    """The house that sets the noise, its group and its bound."""
    group = day.scenario.groups[day.street.group[house]].name
    bound = with_unit(plain(day.street.bound[house]), day.scenario, "power")
    return f"{day.scenario.house(house)} ({group}, bound {bound})"


def day_headline(day: Day, mechanism: str = FEATURED) -> str:
    """The day in one paragraph, of one rate."""
    scenario, release = day.scenario, day.release
    error = {name: r.expected_error for name, r in release.items()}
    baseline, own = error[YARDSTICK], error[mechanism]
    promising = [name for name in error if REGISTRY[name].adds_noise and not REGISTRY[name].neglects]
    best = min(promising, key=error.__getitem__)
    saved = 1 - own / baseline
    other = short(YARDSTICK)
    text = (
        f"At ε = {scenario.epsilon:g} per step the {short(mechanism)} rate is off by "
        f"{percent(release[mechanism].error)} (RMSRE) on this day and by {percent(own)} on average, "
    )
    text += f"{percent(saved, 2)} less than" if saved >= 5e-4 else "no better than"
    text += f" the {other} rate. The {best} rate keeps the same ε with "
    text += f"{percent(error[best] / baseline, 2)} of the {other} error. "
    if error[best] > error[NO_DATA]:
        text += (
            "Publishing the model's forecast, which looks at no data at all, would be more accurate still. "
        )
    budget = plain(total_budget(day), 6)
    return text + f"Over the {scenario.steps} steps the budget adds up to at most ε·T = {budget}."


def edited(name: str, preset: Scenario, scenario: Scenario) -> str:
    """What was changed since a preset was chosen; nothing where nothing was."""
    changes = [f"{row.setting} {' → '.join(row.values)}" for row in differences([preset, scenario])]
    if not changes:
        return ""
    more = len(changes) - _MAX_EDITS
    listed = "; ".join(changes[:_MAX_EDITS]) + (f"; and {more} more" if more > 0 else "")
    return f"**Edited from {name.capitalize()}:** {listed}."


def promise_words(mechanism: Mechanism) -> str:
    """What a mechanism promises, and what that relies on."""
    return f"**{title(mechanism.name)}**: {mechanism.promise} It relies on {mechanism.relies_on}."


def total_budget(day: Day) -> float:
    """ε·T, what T steps may cost together (Theorem 2)."""
    return day.scenario.epsilon * day.scenario.steps
