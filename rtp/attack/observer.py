"""What an observer infers about each house from the published rates: the paper's adversary (Section II).

She knows a model θ and every house's bounds, and undoes all that is public (see `observed`). What else she
knows, and how long she waits before she judges, is hers to choose (see `methods`). With several models in Θ
each gives a belief of its own; the worst is that of the model under which the rates move her beliefs
furthest from what that model alone says, on average over the day and the houses she watches. It is one
model's belief from the first step to the last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, get_args

import numpy as np

from rtp.attack.methods import Horizon, Knowledge, Known, Method, Watcher, method_for, watcher
from rtp.attack.observed import Observed, observe
from rtp.core.time import PAPER_STEP, hhmm, steps_per_day
from rtp.core.types import Bools, Floats, Ints
from rtp.mechanisms import REGISTRY
from rtp.scenario import must_be_house, must_be_one_of
from rtp.simulation import Day
from rtp.street.simulate import Progress

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Horizon", "Knowledge", "Posterior", "posterior", "worst"]

Keep = Callable[[str, Callable[[], Watcher]], Watcher]  # who watches under that key: made, or as kept


def make(key: str, watching: Callable[[], Watcher]) -> Watcher:
    return watching()


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """What she believes of some houses under one model. Arrays are (T, n)."""

    mechanism: str
    knows: Knowledge
    method: Method
    horizon: Horizon
    model: str
    houses: Ints  # (n,)
    belief: Floats  # Pr[occupied | rates so far], or of the whole day
    prior: Floats  # before the step's own rate
    log_evidence: Floats  # ln Pr[rate | occupied] − ln Pr[rate | empty]; 0 where the state is certain anyway
    model_only: Floats  # Pr[occupied] with no rate at all
    by_model: tuple["Posterior", ...] = ()  # one for each θ, where this is the worst of several

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

    def frame(self, occupied: Bools, step_minutes: int = PAPER_STEP) -> "pd.DataFrame":
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
                "day": np.tile(step // steps_per_day(step_minutes) + 1, n),
                "time": [hhmm(s * step_minutes / 60) for s in step.tolist()] * n,
            }
            | {name: values.T.ravel() for name, values in columns.items()}
        )


def posterior(
    day: Day,
    mechanism: str,
    *,
    knows: Knowledge = "model",
    horizon: Horizon = "so far",
    house: int | None = None,
    model: str | None = None,
    method: Method | None = None,
    progress: Progress | None = None,
    keep: Keep = make,
) -> Posterior:
    """Her belief about one house, or all, over the day.

    Without `model`, and with several in Θ, it is that of the worst. `method` forces one that is not the
    strongest. `progress` is told the fraction done and may raise to stop. What no rate changes is asked of
    `keep`.
    """
    names = day.scenario.model_names
    must_be_one_of("mechanism", mechanism, day.release)
    must_be_one_of("knows", knows, get_args(Knowledge))
    must_be_one_of("horizon", horizon, get_args(Horizon))
    must_be_one_of("model", model, [None, *names])
    must_be_house("house", house, day.scenario.households)
    houses = np.arange(day.scenario.households) if house is None else np.array([house])
    release = day.release[mechanism]
    seen = observe(REGISTRY[mechanism], day.market.public, release.rate, release.scale)
    known = None
    if knows == "others":
        known = Known(day.life.demand, day.life.use_of(houses))
    chosen = range(len(names)) if model is None else [names.index(model)]
    how = method or method_for(knows, day.street)
    results: list[Posterior] = []
    for m in chosen:
        part = progress and partial(_part, progress, len(results), len(chosen))
        watching = partial(watcher, day.life.spec, day.street, m, houses, how, horizon)
        who = keep(f"{m} {house} {how} {horizon}", watching)
        results.append(_believed(who, mechanism, names[m], seen, known, part))
    return results[0] if len(results) == 1 else worst(results)


def _believed(
    who: Watcher, mechanism: str, model: str, seen: Observed, known: Known | None, progress: Progress | None
) -> Posterior:
    """What she believes if she takes one θ for true."""
    return Posterior(
        mechanism=mechanism,
        knows="model" if known is None else "others",
        method=who.method,
        horizon=who.horizon,
        model=model,
        houses=who.houses,
        **who.watch(seen, known, progress)._asdict(),
        model_only=who.model_only,
    )


def _part(progress: Progress, done: int, of: int, fraction: float) -> None:
    progress((done + fraction) / of)


def worst(posteriors: Sequence[Posterior]) -> Posterior:
    """That of the model under which the rates move her beliefs furthest; of equals the first."""
    most = max(posteriors, key=_moved)
    return replace(most, by_model=tuple(posteriors))


def _moved(seen: Posterior) -> float:
    return float(seen.exposure.mean())
