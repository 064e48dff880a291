"""The stage: a street small enough to watch Algorithm 1 on all its joint states.

It is the scenario's own with few houses, on its first day. An experiment changes single houses and nothing
else. Houses are independent, so a changed one is replayed in a scenario whose whole group has its habits; the
random draws are the same, so a change has no effect but what follows from it. The fast mechanism publishes
the day; `rtp.algorithm1` follows it, state by state.

*The opening.* On the paper's own street every house is uncertain at every step, so lines 5 to 7 keep all
states, pairs and houses, and a class sees nothing of what the algorithm is about. The stage therefore opens
with one house that everybody knows to be empty in the first period of the day: the one with the smallest
bound, so that the noise is still the street's own. Where the models are certain about some house already, or
about all, nothing is done.

*The lines* of Algorithm 1, "Rate Publication Mechanism", are numbered as in `rtp.algorithm1`; what is counted
of one of its steps stands here, what each line did is said in `rtp.output.algorithm`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from rtp import algorithm1
from rtp.algorithm1 import Linked, Step, all_states
from rtp.core.random import Stream, seed_of
from rtp.core.types import Bools, Floats, Frame, data_frame
from rtp.mechanisms import Mechanism, NoiseScale, Public, blowfish
from rtp.probability.laplace_uniform import log_ratio
from rtp.probability.markov import Chains
from rtp.scenario import Scenario, edit
from rtp.simulation import Day, Release, publish_day, street_spec, unit_noise
from rtp.street.draw import Street, StreetSpec, group_sizes
from rtp.street.prior_marginals import SupportClasses, support_classes
from rtp.street.schedule import DemandMoments, block_moments, personal_habits
from rtp.street.simulate import StreetDay, count_by_group, replay_houses

MIN_STAGE_HOUSES, MAX_STAGE_HOUSES, DEFAULT_STAGE_HOUSES = 2, 5, 3
STAGE_MECHANISM = blowfish.MECHANISM.name


@dataclass(frozen=True, kw_only=True)
class HouseChange:
    """What is otherwise about one house, and known to everybody."""

    away: frozenset[int] = frozenset()  # periods in which it never comes home; it then starts the day empty
    bound: float | None = None  # the most it can use in any state


Changes = Mapping[int, HouseChange]  # by house


def with_group_away(scenario: Scenario, group: int, away: Collection[int]) -> Scenario:
    """The scenario in which everyone in a group starts empty and never comes home in these periods.

    Under every model; one that has fewer periods is changed in those that it has.
    """
    if not away:
        return scenario
    for m, model in enumerate(scenario.models):
        for index, period in enumerate(model.habits[group].all_periods):
            if index in away:
                certain = edit.set_entry(period, 0, 1, 0.0)
                scenario = edit.put_period(scenario, m, group, index, certain)
        scenario = edit.set_habits_field(scenario, m, group, "initial_occupied", 0.0)
    return scenario


def with_bounds(street: Street, changes: Changes) -> Street:
    """The street with the changed bounds: such a house uses more or less in both states alike."""
    occupied, empty = street.occupied_bound.copy(), street.empty_bound.copy()
    for house, change in changes.items():
        if change.bound is not None:
            factor = change.bound / street.bound[house]
            occupied[house], empty[house] = factor * occupied[house], factor * empty[house]
    return replace(street, occupied_bound=occupied, empty_bound=empty)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One day of a small street, and Algorithm 1 on it."""

    scenario: Scenario
    spec: StreetSpec  # of the street before any change
    street: Street
    changes: Changes
    states: Bools  # (T, N) who is really at home
    release: Release
    protected: Bools  # (T, N) uncertain under some model, by the fast mechanism
    noise: Floats  # (T,) what line 12 drew
    steps: Sequence[Step]
    street_day: StreetDay
    own: list[StreetSpec]  # of every house, with its own changes
    linked: Linked = None  # two houses that are known to come and go together

    @property
    def houses(self) -> int:
        return len(self.street.group)

    def at(self, step: int) -> Step:
        """The algorithm at that step."""
        return self.steps[step]


def small_street(scenario: Scenario, houses: int) -> Scenario:
    """The scenario with few houses and its first day; where they suffice, no group is left out.

    Algorithm 1 is about sums of uniforms: distributions of use are left aside, and the screen says so.
    """
    same = houses == scenario.households
    small = edit.without_laws(scenario if same else edit.of_size(scenario, houses)).replace(days=1)
    sizes = group_sizes([g.share for g in scenario.groups], houses)
    if same or houses < len(sizes) or min(sizes) > 0:
        return small
    while min(sizes) == 0:
        sizes[sizes.index(max(sizes))] -= 1
        sizes[sizes.index(0)] += 1
    groups = [g.replace(share=size / houses) for g, size in zip(small.groups, sizes, strict=True)]
    return small.replace(groups=tuple(groups))


def open_stage(small: Scenario, changes: Changes, linked: Linked = None) -> Stage:
    """The small street after the changes, its day, and Algorithm 1 that follows it.

    Of two linked houses the second lives as the first, and the algorithm is told so.
    """
    spec = street_spec(small)
    street = with_bounds(spec.draw(), changes)
    own = [
        street_spec(with_group_away(small, int(group), changes.get(house, HouseChange()).away))
        for house, group in enumerate(street.group)
    ]
    states, used = _lived(own, street, linked)
    true_moments, assumed = _moments(own, street, 0), spec.assumed_index
    street_day = StreetDay(
        spec=spec,
        street=street,
        support_classes=_support_classes(own, street, linked),
        occupied_by_group=count_by_group(states, spec, street),
        demand=used.sum(axis=1),
        true_moments=true_moments,
        assumed_moments=_moments(own, street, assumed) if assumed else true_moments,
    )
    mechanism = blowfish.MECHANISM if linked is None else told_of(linked)
    day = publish_day(small, street_day, [mechanism])
    release, classes = day.release[STAGE_MECHANISM], street_day.support_classes
    unit = unit_noise(seed_of(small.seed, Stream.NOISE), small.steps, small.independent_noise)
    return Stage(
        scenario=small,
        spec=spec,
        street=street,
        changes=changes,
        states=states,
        release=release,
        protected=(classes if linked is None else leaving_out(classes, linked)).protected,
        noise=unit[STAGE_MECHANISM] * release.scale,
        steps=[*follow(day, own, linked)],
        street_day=street_day,
        own=own,
        linked=linked,
    )


def _lived(own: list[StreetSpec], street: Street, linked: Linked) -> tuple[Bools, Floats]:
    """States and use of every house, (T, N) both; what a house uses follows its state."""
    ones = np.ones(len(street.group))  # of houses that use the uniform numbers themselves
    unit = replace(street, occupied_bound=ones, empty_bound=ones)
    replayed = [replay_houses(of_house, unit, [house]) for house, of_house in enumerate(own)]
    states, uniform = (np.column_stack(each) for each in zip(*replayed, strict=True))
    if linked is not None:
        states[:, linked[1]] = states[:, linked[0]]
    return states, street.at(states, uniform)


def told_of(linked: tuple[int, int]) -> Mechanism:
    """Blowfish as Algorithm 1 has it where it is told of linked houses: neither is ever in κ."""

    def scale(public: Public) -> NoiseScale:
        return blowfish.scale(replace(public, support_classes=leaving_out(public.support_classes, linked)))

    return replace(blowfish.MECHANISM, scale=scale)


def leaving_out(classes: SupportClasses, houses: Collection[int]) -> SupportClasses:
    """The stage's classes, a house each, without some houses among the uncertain ones."""
    possible = classes.both_states_possible.copy()
    possible[:, :, list(houses)] = False
    return replace(classes, both_states_possible=possible)


def _support_classes(own: list[StreetSpec], street: Street, linked: Linked) -> SupportClasses:
    """Every house a class of its own, by what its own habits leave possible; the second of two linked ones by
    the first one's."""
    alone = [support_classes(spec, street) for spec in own]
    possible = [each.both_states_possible[:, :, each.of_house[house]] for house, each in enumerate(alone)]
    if linked is not None:
        possible[linked[1]] = possible[linked[0]]
    return SupportClasses(
        members=tuple(slice(house, house + 1) for house in range(len(own))),
        both_states_possible=np.stack(possible, axis=2),
    )


def _moments(own: list[StreetSpec], street: Street, model: int) -> DemandMoments:
    """What a model expects of the demand, each house by its own habits."""
    total = np.zeros((len(own[0].groups), 5, own[0].steps))
    for house, spec in enumerate(own):
        group, alone = int(street.group[house]), slice(house, house + 1)
        schedule = spec.schedules[model][group]
        habits = personal_habits(schedule, street.habit_draws[alone], spec.habit_spread)
        total[group] += block_moments(schedule, *habits, *street.moments(alone), spec.steps)
    return DemandMoments(*total.swapaxes(0, 1))


def follow(day: Day, own: list[StreetSpec], linked: Linked = None) -> Iterator[Step]:
    """Algorithm 1 on the rates of the day."""
    release, tariff = day.release[STAGE_MECHANISM], day.market.tariff
    rate = release.rate
    chains = [
        [spec.chains(day.street, model, slice(house, house + 1)) for house, spec in enumerate(own)]
        for model in range(len(day.scenario.models))
    ]
    return algorithm1.algorithm(
        epsilon=day.scenario.epsilon,
        alpha=tariff.alpha,
        beta=tariff.beta,
        occupied_bound=day.street.occupied_bound,
        empty_bound=day.street.empty_bound,
        initial=[np.concatenate([house.initial for house in model]) for model in chains],
        matrices=[list(np.stack([_matrices(house) for house in model], axis=1)) for model in chains],
        published=rate.tolist(),
        fixed_demand=tariff.inelastic_demand,
        response=tariff.responses(rate).tolist(),
        linked=linked,
    )


def _matrices(house: Chains) -> Floats:
    """(T − 1, 2, 2): A of one house, from each step to the next."""
    leave, arrive = house.leave[house.row, 0], house.arrive[house.row, 0]
    return np.array([[1 - arrive, arrive], [leave, 1 - leave]]).transpose(2, 0, 1)


def opening(small: Scenario) -> Changes:
    """The changes with which the stage opens on a small street."""
    spec = street_spec(small)
    street = spec.draw()
    uncertain = [any(0 < model[g].initial < 1 for model in spec.schedules) for g in street.group.tolist()]
    if not all(uncertain):
        return {}
    house = int(street.bound.argmin())
    return {house: surely_empty(spec, street, house, 0)}


def surely_empty(spec: StreetSpec, street: Street, house: int, step: int) -> HouseChange:
    """Surely empty at the start, and not arriving in any period up to that step, under any model."""
    group = int(street.group[house])
    so_far = {int(period) for model in spec.schedules for period in model[group].period[: step + 1]}
    return HouseChange(away=frozenset(so_far))


def period_end(stage: Stage, step: int) -> int:
    """The step at which the first of the houses' periods that contain this one is over."""
    groups = {int(g) for g in stage.street.group}
    runs = [run for model in stage.spec.schedules for g in groups for run in model[g].runs]
    return min(end for start, end, _ in runs if start <= step < end)


LAST = 16  # lines


class LineNumber(IntEnum):
    """The line that works out each value."""

    PRIOR = 4
    POSSIBLE = 5
    NEIGHBOURS = 6
    PROTECTED = 7
    OPTIMAL = 11
    NOISE = 12
    NOISY = 13
    PUBLISHED = 14
    POSTERIOR = 15


def rate_text(value: float) -> str:
    """A rate with four decimals."""
    return f"{value:,.4f}".replace("-", "−")


def state_label(state: int, houses: int) -> str:
    """A joint state as the houses' digits, the first house first: 0 is empty, 1 occupied."""
    return f"{state:0{houses}b}"


def house_list(scenario: Scenario, houses: Sequence[int]) -> str:
    """Houses in words: "house 2", "houses 1, 2 and 4"; listed ones by their names alone."""
    if not houses:
        return "no house"
    if len(houses) == 1:
        return scenario.house(houses[0])
    *names, last = map(scenario.house_label, houses)
    return f"{'houses ' if scenario.houses is None else ''}{', '.join(names)} and {last}"


def occupied_probabilities(distribution: Floats) -> Floats:
    """Pr[occupied] of every house under a distribution over joint states."""
    houses = len(distribution).bit_length() - 1
    return np.asarray(distribution @ all_states(houses).astype(float))


def step_table(stage: Stage, t: int, model: int | None = None) -> Frame:
    """One row per joint state: how likely before, how well it explains the rate, how likely after; under one
    model, or under each."""
    step = stage.at(t)
    states = [f"({', '.join(map(str, row))})" for row in all_states(stage.houses).tolist()]
    columns: dict[str, Floats | Bools | list[str]] = {"state": states}
    for number, own in enumerate(step.models):
        if model not in (None, number):
            continue
        tail = f", {stage.scenario.models[number].name}" if model is None and len(step.models) > 1 else ""
        columns[f"possible{tail}"] = own.possible
        columns[f"prior{tail}"] = own.prior
        columns["Pr[r̂|state]"] = step.likelihood
        columns[f"posterior{tail}"] = own.posterior
    return data_frame(columns)


def state_index(occupied: Iterable[bool]) -> int:
    """The place of a joint state in counting order, as in `rtp.algorithm1.all_states`."""
    return int("".join("01"[bool(house)] for house in occupied), 2)


def protected_by_any_model(step: Step) -> set[int]:
    """The houses protected under some model."""
    return set().union(*(model.protected for model in step.models))


def neighbouring_pairs(step: Step) -> list[tuple[int, int]]:
    """The pairs of joint states that are neighbours under some model."""
    return sorted({(i, j) for model in step.models for i, j, _ in model.neighbours})


def linked_pairs(step: Step, linked: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of joint states, both possible under some model, that differ in the linked houses alone."""
    houses = len(step.log_likelihood).bit_length() - 1
    bits = sum(1 << (houses - 1 - house) for house in linked)
    both_out = [state for state in range(2**houses) if not state & bits]
    possible = [model.possible for model in step.models]
    return [(i, i | bits) for i in both_out if any(own[i] and own[i | bits] for own in possible)]


def largest_log_ratio(step: Step, pairs: Sequence[tuple[int, int]]) -> float:
    """The largest |ln Pr[r̂|M] − ln Pr[r̂|M′]| over some pairs of states; 0 for two that cannot be."""
    one, other = (step.log_likelihood[list(states)] for states in zip(*pairs, strict=True))
    return float(np.abs(log_ratio(one, other)).max())
