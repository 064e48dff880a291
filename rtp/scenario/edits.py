"""Changes that keep a scenario whole: shares sum to one, every group has habits, names stay true.

All are pure: scenario in, scenario out.
"""

from collections.abc import Mapping, Sequence

from rtp.scenario.conversion import period_chances, step_chances
from rtp.scenario.habits import (
    TOLERANCE,
    Basis,
    Group,
    Habits,
    OccupancyModel,
    Period,
    complement,
    matrix,
)
from rtp.scenario.model import Scenario

DIGITS = 12  # what is added or taken away leaves no dust behind
SHARE_DIGITS = 6  # of a share that the lab works out; a street has at most ten million houses


def set_entry(part: Period, row: int, column: int, value: float) -> Period:
    """Set one entry of a matrix; its row's other entry becomes the complement."""
    entries = (value, complement(value)) if column == 0 else (complement(value), value)
    return part.replace(matrix=(entries, part.matrix[1]) if row == 0 else (part.matrix[0], entries))


def set_basis(part: Period, steps: int, basis: Basis, conversion: str = "geometric") -> Period:
    """State the same habits in the other basis; what is impossible or certain stays exactly so."""
    if part.basis == basis:
        return part
    if basis == "step":
        leave, arrive = step_chances(part, steps, conversion)
    else:
        leave, arrive = period_chances(part.leave, part.arrive, steps)
    return part.replace(
        matrix=matrix(still_open(leave, part.leave), still_open(arrive, part.arrive)), basis=basis
    )


def still_open(chance: float, stated: float) -> float:
    """A converted chance that rounding has not made impossible or certain, unless it was stated so."""
    return stated if stated in (0, 1) else min(max(chance, 1e-300), 1 - 2**-53)


def put_habits(scenario: Scenario, model: int, group: int, habits: Habits) -> Scenario:
    theta = scenario.models[model]
    changed = theta.replace(habits=(*theta.habits[:group], habits, *theta.habits[group + 1 :]))
    return put_model(scenario, model, changed)


def put_period(scenario: Scenario, model: int, group: int, index: int, part: Period) -> Scenario:
    """Replace a period; those of the weekend are counted after the others."""
    habits = scenario.models[model].habits[group]
    parts = (*habits.all_periods[:index], part, *habits.all_periods[index + 1 :])
    ordinary = len(habits.periods)
    changed = habits.replace(periods=parts[:ordinary], weekend=parts[ordinary:] or None)
    return put_habits(scenario, model, group, changed)


def put_group(scenario: Scenario, index: int, group: Group) -> Scenario:
    groups = scenario.groups
    return scenario.replace(groups=(*groups[:index], group, *groups[index + 1 :]))


def put_model(scenario: Scenario, index: int, model: OccupancyModel) -> Scenario:
    """Replace a model; the belief of filter and forecast follows a new name."""
    models = scenario.models
    renamed = scenario.assumed_model == models[index].name
    return scenario.replace(
        models=(*models[:index], model, *models[index + 1 :]),
        assumed_model=model.name if renamed else scenario.assumed_model,
    )


def set_share(scenario: Scenario, index: int, share: float) -> Scenario:
    """Weigh one group; the others keep their proportions and share the rest."""
    return scenario if len(scenario.groups) == 1 else set_some_shares(scenario, {index: share})


def set_some_shares(scenario: Scenario, stated: Mapping[int, float]) -> Scenario:
    """Weigh some groups; the others keep their proportions and share the rest.

    Shares that leave less than nothing, or something and nobody to take it, are refused with their sum.
    """
    shares = [stated.get(i, 0.0) for i in range(len(scenario.groups))]
    rest = 1 - sum(stated.values())
    others = [i for i in range(len(shares)) if i not in stated]
    if others and rest > TOLERANCE:
        for i, part in zip(others, _proportions([scenario.groups[i].share for i in others]), strict=True):
            shares[i] = part * rest
    return set_shares(scenario, shares)


def set_shares(scenario: Scenario, shares: Sequence[float]) -> Scenario:
    """Weigh all groups; the shares must add up."""
    groups = zip(scenario.groups, shares, strict=True)
    return scenario.replace(groups=tuple(group.replace(share=share) for group, share in groups))


def proportions(weights: Sequence[float]) -> list[float]:
    """Counts or shares scaled to sum to one, with few digits; the largest takes what rounding leaves."""
    scaled = [round(share, SHARE_DIGITS) for share in _proportions(list(weights))]
    largest = scaled.index(max(scaled))
    scaled[largest] = round(scaled[largest] + 1 - sum(scaled), SHARE_DIGITS)
    return scaled


def add_group(scenario: Scenario, like: int = 0) -> Scenario:
    """One more group with the bounds and habits of another, and half of its share."""
    groups = scenario.groups
    half = groups[like].replace(share=groups[like].share / 2)
    new = half.replace(name=unused_name("Group", [g.name for g in groups]))
    return scenario.replace(
        groups=(*groups[:like], half, *groups[like + 1 :], new),
        models=tuple(m.replace(habits=(*m.habits, m.habits[like])) for m in scenario.models),
    )


def remove_group(scenario: Scenario, index: int) -> Scenario:
    """One group fewer; the one before it, or else the next, takes its share."""
    groups = list(scenario.groups)
    share = groups.pop(index).share
    heir = max(index - 1, 0)
    groups[heir] = groups[heir].replace(share=round(groups[heir].share + share, DIGITS))
    return scenario.replace(
        groups=tuple(groups),
        models=tuple(m.replace(habits=(*m.habits[:index], *m.habits[index + 1 :])) for m in scenario.models),
    )


def _proportions(shares: list[float]) -> list[float]:
    """Scaled to sum to one; alike where there is nothing to scale."""
    total = sum(shares)
    return [share / total for share in shares] if total > 0 else [1 / len(shares)] * len(shares)


def add_model(scenario: Scenario, model: OccupancyModel) -> Scenario:
    """One more model to guard against, under a name not yet taken."""
    names = [m.name for m in scenario.models]
    name = model.name if model.name not in names else unused_name(model.name[:34], names)
    return scenario.replace(models=(*scenario.models, model.replace(name=name)))


def remove_model(scenario: Scenario, index: int) -> Scenario:
    """One model fewer; if filter and forecast believed in it, they believe in the true one again."""
    gone = scenario.models[index].name
    return scenario.replace(
        models=(*scenario.models[:index], *scenario.models[index + 1 :]),
        assumed_model=None if scenario.assumed_model == gone else scenario.assumed_model,
    )


def generate_with(scenario: Scenario, index: int) -> Scenario:
    """Let another model generate the day: it moves to the front."""
    models = scenario.models
    return scenario.replace(models=(models[index], *models[:index], *models[index + 1 :]))


def unused_name(stem: str, taken: list[str]) -> str:
    return next(name for n in range(2, len(taken) + 3) if (name := f"{stem} {n}") not in taken)
