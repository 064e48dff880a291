"""What the Algorithm screen says: Algorithm 1 as the paper prints it, what each line did, what a step means;
linked houses: what three ways to add noise protect, let an observer learn, and cost.

Lines 3 to 8 and 15 are said for one θ, the others for all. Every number is one of a step of the stage.
"""

from collections.abc import Mapping
from math import exp, isfinite
from typing import NamedTuple

import numpy as np

from rtp.algorithm1 import ModelStep, Step
from rtp.core.formatting import percent, plain
from rtp.core.types import Floats, Frame, data_frame
from rtp.scenario import Scenario
from rtp.teaching import stage as steps
from rtp.teaching.linked import NOISE_NAMES, SURE_BELIEF, LinkedDay, Noise, pair_of, sure_by_habits
from rtp.teaching.stage import Stage, period_end

INPUT = (
    r"privacy parameter $\epsilon$, time horizon $T$, rate function parameters $(\alpha, \beta)$, "
    r"consumption bound for each household $u_i$, set of data generating models $\Theta$"
)
OUTPUT = r"published rates $\hat r^1, \cdots, \hat r^T$"
LINE_FORMULAS = (
    r"At each time step $t \in \{1, \cdots, T\}$:",
    r"**for** $\theta = (\mathbf A^{t,\theta}, \Pi^\theta) \in \Theta$ **do**",
    r"initialize: $P^{1|0,\theta} \gets \Pi^\theta$",
    r"$P^{t|t-1,\theta} \gets P^{t-1|t-1,\theta}\,\mathbf A^{t,\theta}$",
    r"$\mu^{t,\theta} \gets \{M^i \mid P_i^{t|t-1,\theta} \neq 0\}$",
    r"$\nu^{t,\theta} \gets \{(M^i, M^j) \in \mu^{t,\theta} \times \mu^{t,\theta} \mid$ "
    r"$\lVert M^i - M^j\rVert_1 = 1\}$",
    r"$\kappa^{t,\theta} \gets \{$*Entries that differ between pairs in* $\nu^{t,\theta}\}$",
    r"$\lambda^{t,\theta} \gets \alpha \times \max_{h \in \kappa^{t,\theta}} u_h$",
    r"**end for**",
    r"$\lambda^t \gets \max_{\theta \in \Theta} \lambda^{t,\theta}$",
    r"$r^t \gets \alpha \textstyle\sum_{i=1}^N X_i^t + \beta$",
    r"$N^t \sim Lap(\lambda^t / \epsilon)$",
    r"$\hat r^t \gets r^t + N^t$",
    r"**return** $\hat r^t$",
    r"Derive $P^{t|t,\theta}\ \forall \theta \in \Theta$ by Equation (3)",
    r"Go to time step $t + 1$",
)
JUMPS = (9, 16)  # lines that only say where to go on
NAMES = (
    "At each time step",
    "For each model θ",
    "First prior",
    "Prior",
    "Possible states μ",
    "Neighbouring pairs ν",
    "Protected houses κ",
    "Sensitivity λ",
    "Next model",
    "Largest sensitivity",
    "Optimal rate r",
    "Noise",
    "Noisy rate",
    "Publish",
    "Posterior",
    "Next step",
)
# What the lab does otherwise than printed, and what a line leaves open.
NOTES = (
    "Line 4: the paper prints Aᵗ, but its Section II defines Aᵗ as driving step t to t + 1; so the prior of "
    "step t uses the matrix of step t − 1.",
    "Line 5 is decided by what is impossible, never by a number that has become too small for the computer: "
    "Laplace noise explains any rate.",
    "Line 15 is Bayes' rule, state by state: the prior times Pr[r̂|state], divided by the sum over all "
    "states. Pr[r̂|state] is exact, the density of a sum of uniform consumptions plus Laplace noise.",
)

DISTRIBUTIONS_ASIDE = "Here every house uses uniformly up to its bounds, not by the street's distributions."

LARGE = 20.0  # a factor of e^20 and more is easier to read as a power


class AlgorithmLine(NamedTuple):
    number: int
    name: str
    formula: str  # Markdown with LaTeX, as the paper prints it; none where the name says as much
    value: str  # what it did just now


def lines(stage: Stage, t: int, model: int) -> list[AlgorithmLine]:
    """All lines at step t (from 0), for the given θ where a line is about one."""
    s, learned = stage.scenario, _learned(stage.scenario, stage.at(t).models[model])
    following = f"t = {t + 2}" if t + 1 < s.steps else "the day is over"
    values = [*_for_each_model(stage, t, model), *_for_all(stage, t), learned, following]
    return [
        AlgorithmLine(n, name, "" if n in JUMPS else formula, value)
        for n, (name, formula, value) in enumerate(zip(NAMES, LINE_FORMULAS, values, strict=True), 1)
    ]


def _for_each_model(stage: Stage, t: int, model: int) -> list[str]:
    """Lines 1 to 9."""
    own, models = stage.at(t).models[model], stage.scenario.models
    several, others = len(models) > 1, " and ".join(m.name for i, m in enumerate(models) if i != model)
    return [
        f"t = {t + 1}, {stage.scenario.when(t)}",
        f"θ = {models[model].name}" + (f", one of {len(models)}" if several else ""),
        _likely(own.prior) if t == 0 else "only at t = 1",
        f"{_likely(own.prior)}, by the matrix of {stage.scenario.when(t - 1)}" if t else "from t = 2 on",
        f"{own.possible.sum()} of {len(own.possible)} states",
        f"{len(own.neighbours)} pair{'s' if len(own.neighbours) != 1 else ''}",
        _protected(stage, own),
        _sensitivity(stage, own),
        f"then {others}" if several else "no other model",
    ]


def _protected(stage: Stage, own: ModelStep) -> str:
    if own.protected:
        return steps.house_list(stage.scenario, own.protected)
    return "empty: no pair differs in one house" if stage.linked else "empty: no house is uncertain"


def _sensitivity(stage: Stage, own: ModelStep) -> str:
    if not own.protected:
        return "0: nobody to protect"
    alpha = stage.scenario.alpha
    largest = max(own.protected, key=stage.street.bound.__getitem__)
    house = stage.scenario.house(largest)
    return f"{alpha:g} × {own.sensitivity / alpha:.4g} ({house}) = {own.sensitivity:.4g}"


def _cut(scenario: Scenario, noisy: float) -> str:
    if scenario.clip_at_zero and noisy < 0:
        return ", cut at 0"
    return ", cut at the cap" if scenario.price_cap is not None and noisy > scenario.price_cap else ""


def _for_all(stage: Stage, t: int) -> list[str]:
    """Lines 10 to 14."""
    step, s = stage.at(t), stage.scenario
    optimal, noise, demand = (
        float(values[t]) for values in (stage.release.optimal, stage.noise, stage.release.demand)
    )
    drawn = f"{'−' if noise < 0 else '+'} {abs(noise):.4f}"
    return [
        f"{step.sensitivity:.4g}" + (f", from {noisiest_models(stage, step)}" if len(s.models) > 1 else ""),
        f"{s.alpha:g} × {demand:.4f} + {s.beta:g} = {steps.rate_text(optimal)}",
        f"scale {step.sensitivity:.4g} / {s.epsilon:g} = {step.scale:.4g}; drew {drawn}"
        if step.scale
        else "scale 0: no noise",
        f"{steps.rate_text(optimal)} {drawn} = {steps.rate_text(optimal + noise)}",
        steps.rate_text(step.published) + _cut(s, optimal + noise),
    ]


def noisiest_models(stage: Stage, step: Step) -> str:
    """The models that ask for the most noise, by name."""
    most = [m.sensitivity == step.sensitivity for m in step.models]
    return " and ".join(m.name for m, yes in zip(stage.scenario.models, most, strict=True) if yes)


def _likely(distribution: Floats) -> str:
    """A likeliest joint state, and how many others are as likely."""
    houses, best = len(distribution).bit_length() - 1, int(np.argmax(distribution))
    alike = np.count_nonzero(np.isclose(distribution, distribution[best], rtol=1e-9, atol=0.0)) - 1
    others = f", like {alike} more" if alike else ""
    return f"likeliest {steps.state_label(best, houses)} with {distribution[best]:.4g}{others}"


def _learned(scenario: Scenario, own: ModelStep) -> str:
    before, after = steps.occupied_probabilities(own.prior), steps.occupied_probabilities(own.posterior)
    house = int(np.argmax(np.abs(after - before)))
    return f"{scenario.house(house)} moves most: {before[house]:.4g} → {after[house]:.4g}"


def opening_words(stage: Stage) -> str:
    """Which houses the stage made certain before it opened."""
    return (
        f"Everybody knows that {steps.house_list(stage.scenario, list(stage.changes))} is empty until "
        f"{stage.scenario.when(period_end(stage, 0))}, so lines 5 to 7 leave it out."
    )


def protection_claim(stage: Stage, t: int) -> str:
    """Who is protected at step t, in one sentence."""
    step = stage.at(t)
    protected = steps.protected_by_any_model(step)
    if stage.linked is not None:
        noise = f"noise of scale {step.scale:.4g}, for others" if protected else "no noise at all"
        both = steps.house_list(stage.scenario, sorted(stage.linked))
        return (
            f"{both[0].upper()}{both[1:]} come and go together: no two possible states differ in one of "
            f"them, so Algorithm 1 protects neither. It adds {noise}."
        )
    if not protected:
        return "No house is uncertain, so the optimal rate is published as it is."
    return (
        f"{len(protected)} of {stage.houses} houses are protected; "
        f"{stage.scenario.house(step.noise_setting_house)}, their largest, sets the noise."
    )


def step_words(before: Stage, after: Stage, t: int) -> list[str]:
    """What else step t means for the people on the street, against the street the stage opened on."""
    sentences = [_linked_words(after, t) if after.linked else _certain_words(after, t)]
    if after.changes != before.changes:
        was = before.at(t)
        sentences.append(
            f"Before the experiment {len(steps.protected_by_any_model(was))} of {before.houses} houses were "
            f"protected, with noise of scale {was.scale:.4g}."
        )
    if pairs := steps.neighbouring_pairs(after.at(t)):
        most = factor_text(steps.largest_log_ratio(after.at(t), pairs))
        promised = factor_text(after.scenario.epsilon)
        sentences.append(
            f"Over all {len(pairs)} neighbouring pairs, this rate is at most {most} times as likely under "
            f"one state as under its neighbour; the promise allows e^ε = {promised}."
        )
    return sentences


def _linked_words(stage: Stage, t: int) -> str:
    """How much more likely the rate is with the linked houses both in, or both out."""
    linked = sorted(stage.linked or ())
    both, pairs = steps.house_list(stage.scenario, linked), steps.linked_pairs(stage.at(t), linked)
    if not pairs:
        return f"Every model is certain about {both} now."
    factor = factor_text(steps.largest_log_ratio(stage.at(t), pairs))
    return (
        f"With {both} both in, this rate is up to {factor} times as likely as with both out, or less likely."
    )


def _certain_words(stage: Stage, t: int) -> str:
    """For whom no noise is spent, or what a rate without noise gives away."""
    protected = steps.protected_by_any_model(stage.at(t))
    if not protected:
        return (
            f"The rate {steps.rate_text(stage.at(t).published)} gives away the street's demand, "
            f"{stage.release.demand[t]:.4f}. Whoever does what the models call impossible is not protected."
        )
    if certain := [house for house in range(stage.houses) if house not in protected]:
        sure = steps.house_list(stage.scenario, certain)
        return f"Every model is certain about {sure}: no noise is spent there."
    return "No model is certain about any house."


def factor_text(log: float) -> str:
    """e to that power; left as a power where the number would be hard to read, or no float."""
    return f"{exp(log):.4g}" if log < LARGE else f"e^{log:.6g}"


def definitions(stage: Stage, t: int, model: int) -> list[str]:
    """The paper's notions in its order, in plain English, each with what it is at step t under one model."""
    own, houses, epsilon = stage.at(t).models[model], stage.houses, stage.scenario.epsilon
    possible, states, pairs = int(own.possible.sum()), len(own.possible), len(own.neighbours)
    single = houses * states // 2
    return [
        "**Secrets and secret pairs.** A secret is whether one house is occupied now. A secret pair (the "
        "paper: discriminative pair) is “house i is empty” and “house i is occupied”: an observer shall not "
        f"tell which of the two is true. *Here: {houses} houses, so {houses} secrets and {houses} secret "
        "pairs.*",
        "**The constraint Qᵗ.** What everybody knows already. A joint state satisfies Qᵗ if its prior "
        "probability at this step is not zero. Line 5 collects these states as μ; nothing needs to be hidden "
        f"about the others. *Here: {possible} of {states} joint states satisfy it.*",
        "**Definition 1, differential privacy.** For any two joint states that differ in one house, no set "
        "of rates is more than e^ε times as likely under one as under the other. It knows nothing of Qᵗ. "
        f"*Here: {single} pairs of the {states} states differ in one house; e^ε = {factor_text(epsilon)}.*",
        "**Definition 2, Blowfish neighbours.** Two joint states are Blowfish neighbours if both satisfy Qᵗ "
        "and they differ in one house, that is in one secret pair. Line 6 collects these as ν, line 7 the "
        f"houses they differ in as κ. *Here: {pairs} of those {single} pairs are neighbours; κ holds "
        f"{steps.house_list(stage.scenario, own.protected)}.*",
        "**Definition 3, Blowfish privacy.** The inequality of Definition 1, asked only of Blowfish "
        "neighbours. Fewer pairs may need less noise: only the houses in κ count, and the largest of them "
        f"sets it. *Here: it spares {single - pairs} of {single} pairs under this model, and λ = "
        f"{own.sensitivity:.4g}.*",
    ]


NOBODY = "Here no two houses are uncertain, so there is nothing to link. Choose another preset."
EXPERIMENTS_OFF = "Experiments are about independent houses: switch off *come and go together* first."
SURE = f"Observer at least {percent(SURE_BELIEF)} sure, on average"


def question(street: Stage) -> str:
    """What the switch supposes."""
    both = steps.house_list(street.scenario, sorted(pair_of(street) or ()))
    return (
        f"Suppose everybody knows that {both} always come and go together, like a flat and its "
        "workshop. Whom does Algorithm 1 protect then?"
    )


def linked_frame(days: Mapping[Noise, LinkedDay], t: int) -> Frame:
    """Return what each way to add noise does at step t, and over the day, one row each."""
    rows = {
        NOISE_NAMES[noise]: {
            "Noise scale": plain(float(day.scale[t])),
            "One rate favours “both in” by up to": odds(float(day.loss[t])),
            SURE: f"{day.sure:.0f} of {len(day.scale)} steps",
            "RMSRE, on average": percent(day.error),
        }
        for noise, day in days.items()
    }
    return data_frame(rows).T


def odds(loss: float) -> str:
    """Return by which factor a rate may move the odds."""
    return f"{factor_text(loss)} : 1" if isfinite(loss) else "any odds: proof"


def linked_words(stage: Stage, days: Mapping[Noise, LinkedDay], t: int) -> str:
    """Return what the table means at step t."""
    linked, both = sorted(stage.linked or ()), days["both"]
    if not both.loss[t]:
        return "Now every model is certain about both: there is nothing to hide."
    alone = f"Habits alone make an observer so sure at {sure_by_habits(stage)}."
    bounds = " + ".join(plain(float(stage.street.bound[house])) for house in linked)
    times = plain(float(both.scale[t] / days["not told"].scale[t]))
    return (
        f"The promise allows {odds(stage.scenario.epsilon)}. Noise for both together is made for the sum of "
        f"their bounds, {bounds}: it keeps the promise, with {times} times the noise that Algorithm 1 adds "
        f"when it is not told. {alone}"
    )
