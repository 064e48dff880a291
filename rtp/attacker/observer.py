"""What an observer infers about each house from the published rates: the paper's adversary (Section II).

She knows a model θ and every house's bounds, and keeps one chance per house (see `beliefs`), moved by the
evidence of each rate (see `evidence`). Two kinds of knowledge:

* "model": nothing else. The joint law of all houses has 2^N entries; keeping marginals drops what past rates
  said about several houses together. What is left is bounded as promised: one rate's evidence on one house,
  whatever the others do, never exceeds ε. (With the joint law it may: houses that share a known sum are no
  longer independent, while the promise compares streets that differ in one house only.) On streets of 2 to 8
  houses her beliefs differ from those of the joint filter by 0.03 at most over a day, at ε = 0.5, and by less
  than 0.005 on average; without any noise by 0.25 and 0.025; from the first rate, by nothing.
* "others": also what everyone else used, the worst case that differential privacy guards against. The house
  is then a hidden Markov chain of its own, and her belief is exact.

She first undoes whatever is public: the filter, the tariff, the response to the last price. A rate clipped
at 0 is to her one at 0: consumption is positive, so every noisy rate below carries the same evidence. (A
filtered rate clipped at 0 is taken as 0 too; that is an approximation: the filter's state is lost behind it.)
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rtp import life, simulation
from rtp.attacker import evidence
from rtp.attacker.beliefs import follow, habits_of, model_only
from rtp.attacker.evidence import Listener
from rtp.life import Progress
from rtp.mechanisms import REGISTRY, Mechanism, Public
from rtp.occupancy import Floats, Ints
from rtp.scenario import STEPS_PER_DAY, STEPS_PER_HOUR, ScenarioError
from rtp.simulation import Day, Tariff
from rtp.street import Street

if TYPE_CHECKING:
    import pandas as pd

Knowledge = Literal["model", "others"]


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """What she believes of some houses under one model, or under the worst of several. Arrays are (T, n)."""

    mechanism: str
    knows: Knowledge
    model: str | None  # None: the worst
    houses: Ints  # (n,)
    belief: Floats  # Pr[occupied | rates so far]
    prior: Floats  # the same before the step's own rate
    log_evidence: Floats  # ln Pr[rate | occupied] − ln Pr[rate | empty]; 0 where the state is certain anyway
    model_only: Floats  # Pr[occupied] with no rate at all
    by_model: tuple["Posterior", ...] = ()  # one for each θ, where there are several

    @property
    def exposure(self) -> Floats:
        """(n,): how far the rates move her belief from the model's, on average over the day."""
        return np.asarray(np.abs(self.belief - self.model_only).mean(axis=0))

    def frame(self) -> "pd.DataFrame":
        """One row per step and house."""
        import pandas as pd

        from rtp.files import clock

        steps, houses = self.belief.shape
        step = np.arange(steps)
        return pd.DataFrame(
            {
                "day": np.repeat(step // STEPS_PER_DAY + 1, houses),
                "time": np.repeat([clock(s / STEPS_PER_HOUR) for s in step.tolist()], houses),
                "house": np.tile(self.houses, steps),
                "model_only": self.model_only.ravel(),
                "prior": self.prior.ravel(),
                "log_evidence": self.log_evidence.ravel(),
                "belief": self.belief.ravel(),
            }
        )


@dataclass(frozen=True, kw_only=True)
class Observed:
    """The street's consumption as rates show it, Z + Lap(b), both (T,); b is infinite where they do not."""

    total: Floats
    b: Floats


def posterior(
    day: Day,
    mechanism: str,
    *,
    knows: Knowledge = "model",
    house: int | None = None,
    model: str | None = None,
    progress: Progress | None = None,
) -> Posterior:
    """Her belief about one house, or all, over the day.

    Without `model`, and with several in Θ, it is the worst: at each step and house that of the θ under which
    the rate tells most. `progress` is told the fraction done and may raise to stop.
    """
    scenario, street = day.scenario, day.street
    names = [m.name for m in scenario.models]
    check("mechanism", mechanism, day.release)
    check("knows", knows, get_args(Knowledge))
    check("model", model, [None, *names])
    check("house", house, [None, *range(scenario.households)])
    everyone = np.arange(scenario.households)
    houses = everyone if house is None else np.array([house])
    release = day.release[mechanism]
    public = simulation.public_knowledge(scenario, day.life)
    rules = simulation.tariff(scenario, day.life)
    seen = observe(REGISTRY[mechanism], public, rules, release.rate, release.scale)
    tracked = houses if knows == "others" else everyone
    if knows == "others":
        _, used = life.households(scenario, street, houses.tolist())
        hear = one_by_one(seen, street, day.life.demand, houses, used)
    else:
        hear = all_at_once(street)(seen)
    chosen = range(len(names)) if model is None else [names.index(model)]
    results: list[Posterior] = []
    for m in chosen:
        habits = habits_of(scenario, street, m, tracked)
        keep = np.isin(tracked, houses)
        told = _part(progress, len(results), len(chosen))
        belief, prior, log_evidence = follow(hear, habits, scenario.steps, keep, told)
        results.append(
            Posterior(
                mechanism=mechanism,
                knows=knows,
                model=names[m],
                houses=houses,
                belief=belief,
                prior=prior,
                log_evidence=log_evidence,
                model_only=model_only(habits_of(scenario, street, m, houses), scenario.steps),
            )
        )
    return results[0] if len(results) == 1 else worst(results)


def worst(posteriors: Sequence[Posterior]) -> Posterior:
    """At each step and house the belief of the model under which the rate tells most."""
    most = np.abs([p.log_evidence for p in posteriors]).argmax(axis=0)[None]

    def pick(arrays: list[Floats]) -> Floats:
        return np.asarray(np.take_along_axis(np.array(arrays), most, axis=0)[0])

    return Posterior(
        mechanism=posteriors[0].mechanism,
        knows=posteriors[0].knows,
        model=None,
        houses=posteriors[0].houses,
        belief=pick([p.belief for p in posteriors]),
        prior=pick([p.prior for p in posteriors]),
        log_evidence=pick([p.log_evidence for p in posteriors]),
        model_only=pick([p.model_only for p in posteriors]),
        by_model=tuple(posteriors),
    )


def observe(mechanism: Mechanism, public: Public, rules: Tariff, rate: Floats, scale: Floats) -> Observed:
    """Undo filter, tariff and price response."""
    if not mechanism.reads_demand:
        return Observed(total=np.zeros_like(rate), b=np.full_like(rate, np.inf))
    response = simulation.responses(rules, rate)
    noisy = rate if mechanism.undo is None else mechanism.undo(public, scale, rate, response)
    demand = (noisy - rules.beta) / rules.alpha - rules.inelastic_demand
    rounding = 1e-15 * ((np.abs(noisy) + rules.beta) / rules.alpha + rules.inelastic_demand)
    demand = np.where((scale == 0) & (np.abs(demand) <= rounding), 0.0, demand)
    moved = response > 0  # a price so dear that nobody uses anything shows nothing
    divisor = np.where(moved, response, 1.0)
    return Observed(total=demand / divisor, b=np.where(moved, scale / rules.alpha / divisor, np.inf))


def all_at_once(street: Street) -> Callable[[Observed], Listener]:
    """Knowing the model only, she hears a rate for all houses of the street together."""
    hearing = evidence.hearing(street.occupied_bound, street.empty_bound)

    def listener(seen: Observed) -> Listener:
        heard = np.isfinite(seen.b)
        hear = hearing(seen.total, np.where(heard, seen.b, 1.0))
        return lambda step, *chances: hear(step, *chances) if heard[step] else np.zeros_like(chances[0])

    return listener


def one_by_one(seen: Observed, street: Street, demand: Floats, houses: Ints, used: Floats) -> Listener:
    """Knowing everyone else's consumption, she sees what each house used, (T, n), through the noise alone."""
    heard = np.isfinite(seen.b)
    noise = np.where(heard & (seen.b > 0), seen.total - demand, 0.0)
    b = np.where(heard, seen.b, 1.0)[:, None]
    told = evidence.alone(used + noise[:, None], b, street.occupied_bound[houses], street.empty_bound[houses])
    told[~heard] = 0.0
    return lambda step, occupied, empty: told[step]


def check(field: str, value: object, allowed: Collection[object]) -> None:
    """Refuse, in one sentence, what is not one of these."""
    if value in allowed:
        return
    known = [str(each) for each in allowed if each is not None]
    words = ", ".join(known) if len(known) <= 12 else f"{known[0]} to {known[-1]}"
    raise ScenarioError(field, f"is {value!r}; it must be one of {words}.")


def _part(progress: Progress | None, done: int, of: int) -> Progress | None:
    return None if progress is None else lambda fraction: progress((done + fraction) / of)
