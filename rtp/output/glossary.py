"""The lab's words, each explained once; screens show them on hover."""

import re

from rtp.scenario import OccupiedMeans
from rtp.scenario.occupancy import SENTENCES, UP

GLOSSARY = {
    "observer": "Anyone who reads the published rate, “she” on these screens. She knows how people usually "
    "live, tries to find out when a house is occupied, and never sees a meter.",
    "outsider": "An observer who knows habits, bounds and every published rate, and nothing else.",
    "insider": "An observer who also knows what every other house used: the worst case.",
    "Blowfish": "Differential privacy that counts only what is still uncertain: a house whose whereabouts "
    "everybody knows needs no noise.",
    "curator": "Who reads all meters and publishes the rate: the utility. The curator adds the noise.",
    "RMSRE": "Root mean square relative error: by how much of its value the rate is off in a typical step. "
    "The paper prints it divided by √T, T being the number of steps: (1/T)·√Σ((r̂ − r)/r)².",
    "ε": "The privacy budget of one step: its rate may shift the odds that a house is occupied by at most "
    "the factor e^ε. Small is private.",
    "κ": "The houses that need protection now: those that could still be empty as well as occupied.",
    "λ": "The most that one house of κ can move the rate: α times the largest bound among them. The noise "
    "has the scale λ/ε.",
    "Θ": "The set of models of how people live that the curator guards against. Each is called θ; the first "
    "one generates the day.",
    "occupied": "",  # by the scenario
}
_FORMS = {term: re.compile(rf"(?<!\w){re.escape(term)}s?(?!\w)", re.IGNORECASE) for term in GLOSSARY}


def help_for(text: str, means: OccupiedMeans = UP) -> str | None:
    """Every word of the glossary that a text uses, explained; None where it uses none. `means` is what
    occupied does in the scenario."""
    used = [term for term, form in _FORMS.items() if form.search(text)]
    return "\n\n".join(f"**{term}** — {GLOSSARY[term] or SENTENCES[means]}" for term in used) or None
