"""What an observer infers about each house from the published rates: the paper's adversary (Section II).

She knows a model θ and every house's bounds, and undoes all that is public (see `observed`). She keeps one
chance per house (see `beliefs`), moved by the evidence of each rate (see `evidence`). Two kinds of knowledge:

* "model": nothing else. The joint law of all houses has 2^N entries; keeping marginals drops what past rates
  said about several houses together. What is left is bounded as promised: one rate's evidence on one house,
  whatever the others do, never exceeds ε. (With the joint law it may: houses that share a known sum are no
  longer independent, while the promise compares streets that differ in one house only.) On streets of 2 to 8
  houses her beliefs differ from those of the joint filter by 0.03 at most over a day, at ε = 0.5, and by less
  than 0.005 on average; without any noise by 0.25 and 0.025; from the first rate, by nothing.
* "others": also what everyone else used, the worst case that differential privacy guards against. The house
  is then a hidden Markov chain of its own, and her belief is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rtp.arrays import Bools, Floats, Ints
from rtp.attacker.beliefs import chains_of, follow, model_only
from rtp.attacker.characteristic import Tables
from rtp.attacker.evidence import Evidence, EvidenceAlone, StreetEvidence
from rtp.attacker.observed import observe
from rtp.clock import STEPS_PER_DAY, STEPS_PER_HOUR, hhmm
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_house, must_be_one_of
from rtp.simulation import Day
from rtp.street.days import households
from rtp.street.life import Progress

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

    def only(self, column: int) -> "Posterior":
        """The same of one house alone, as a copy: the others need not be kept for it."""
        arrays = ("belief", "prior", "log_evidence", "model_only")
        return replace(
            self,
            houses=self.houses[[column]],
            by_model=tuple(part.only(column) for part in self.by_model),
            **{name: getattr(self, name)[:, [column]] for name in arrays},
        )

    def frame(self, occupied: Bools) -> "pd.DataFrame":
        """One row per house and step; `occupied`, (T, n), is the truth."""
        import pandas as pd

        steps, n = self.belief.shape
        step = np.arange(steps)
        columns = {
            "occupied": occupied.astype(int),
            "model_alone": self.model_only,
            "belief_before_the_rate": self.prior,
            "belief": self.belief,
            "log_evidence": self.log_evidence,
        }
        return pd.DataFrame(
            {
                "house": np.repeat(self.houses, steps),
                "day": np.tile(step // STEPS_PER_DAY + 1, n),
                "time": [hhmm(s / STEPS_PER_HOUR) for s in step.tolist()] * n,
            }
            | {name: values.T.ravel() for name, values in columns.items()}
        )


def posterior(
    day: Day,
    mechanism: str,
    *,
    knows: Knowledge = "model",
    house: int | None = None,
    model: str | None = None,
    tables: Tables | None = None,
    progress: Progress | None = None,
) -> Posterior:
    """Her belief about one house, or all, over the day.

    Without `model`, and with several in Θ, it is the worst: at each step and house that of the θ under which
    the rate tells most. `tables` are the street's, where they exist already. `progress` is told the fraction
    done and may raise to stop.
    """
    names = day.scenario.model_names
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_one_of("knows", knows, get_args(Knowledge))
    must_be_one_of("model", model, [None, *names])
    must_be_house("house", house, day.scenario.households)
    houses = np.arange(day.scenario.households) if house is None else np.array([house])
    evidence = _evidence(day, mechanism, knows, houses, tables)
    chosen = range(len(names)) if model is None else [names.index(model)]
    results: list[Posterior] = []
    for m in chosen:
        part = progress and partial(_part, progress, len(results), len(chosen))
        results.append(_under_model(day, mechanism, knows, houses, m, evidence, part))
    return results[0] if len(results) == 1 else worst(results)


def _under_model(
    day: Day,
    mechanism: str,
    knows: Knowledge,
    houses: Ints,
    model: int,
    evidence: Evidence,
    progress: Progress | None,
) -> Posterior:
    """What she believes if she takes one θ for true."""
    spec, street, steps = day.life.spec, day.street, day.scenario.steps
    tracked = houses if knows == "others" else np.arange(spec.households)
    chains = chains_of(spec, street, model, tracked)
    beliefs = follow(evidence, chains, steps, np.isin(tracked, houses), progress)
    return Posterior(
        mechanism=mechanism,
        knows=knows,
        model=day.scenario.model_names[model],
        houses=houses,
        **beliefs._asdict(),
        model_only=model_only(chains_of(spec, street, model, houses), steps),
    )


def _evidence(day: Day, mechanism: str, knows: Knowledge, houses: Ints, tables: Tables | None) -> Evidence:
    """What the rates tell about all houses or, knowing everyone else's consumption, about these."""
    release, street, life = day.release[mechanism], day.street, day.life
    seen = observe(REGISTRY[mechanism], day.market.public, release.rate, release.scale)
    if knows == "model":
        return StreetEvidence(seen, street, tables or Tables(street.occupied_bound, street.empty_bound))
    _, used = households(life.spec, street, houses.tolist())
    return EvidenceAlone(seen, street, life.demand, houses, used)


def _part(progress: Progress, done: int, of: int, fraction: float) -> None:
    progress((done + fraction) / of)


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
