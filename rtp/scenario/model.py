"""A scenario: every parameter of the lab, frozen and valid from birth.

What it refuses, it refuses in one sentence; nothing further in checks again. The defaults
are the day of "Privacy of Real-Time Pricing in Smart Grid" (CDC 2019), Section IV.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from rtp.core.time import PAPER_STEP, WEEKDAYS, StepMinutes, Weekday, hhmm, steps_per_day, weekday, when
from rtp.scenario.consumption import MAX_LISTED, MAX_WITH_LAWS, Group, House, must_agree, street_order
from rtp.scenario.habits import MEANINGS, UP, OccupancyModel, OccupiedMeans, Period
from rtp.scenario.validation import (
    MAX_GROUPS,
    MAX_MODELS,
    SCENARIO_VERSION,
    SUM_TOLERANCE,
    Flag,
    Frozen,
    JsonObject,
    Name,
    ScenarioError,
    added_field,
    at_most,
    number_field,
    read_object,
    refusal,
)

LAB_KEY = "lab"  # of a file taken away: the version that wrote it
GONE = {"habit_clip": "interior", "conversion": "geometric"}  # settings of 2.0, and the value that is left

Groups = Annotated[tuple[Group, ...], Field(fail_fast=True, min_length=1, max_length=MAX_GROUPS)]
Models = Annotated[tuple[OccupancyModel, ...], Field(fail_fast=True, min_length=1, max_length=MAX_MODELS)]
Price = Annotated[float, number_field("price")]
Houses = Annotated[tuple[House, ...], Field(fail_fast=True, min_length=1), at_most(MAX_LISTED)]


class Scenario(Frozen):
    """The whole what-if: the street, what the curator believes, the tariff and the promise.

    A scenario is frozen and checked when it is made. `replace` gives a checked copy with other values.

    Parameters
    ----------
    households : int
        Houses on the street.
    days : int
        Days that are simulated, one after the other.
    epsilon : float
        ε, the privacy budget of every published rate. Smaller is more private.
    alpha, beta : float
        The optimal rate is α times demand plus β.
    inelastic_demand : float
        Demand beside the houses', which nothing moves.
    elasticity : float
        η, how strongly use answers to the rate before; 0 where it does not.
    reference_rate : float or None
        The rate at which use is as modelled; None: the day's mean expected optimal rate.
    groups : tuple of Group
        Households that share habits and bounds. Their shares sum to 1.
    models : tuple of OccupancyModel
        Θ, what the curator guards against. The first one generates the day.
    assumed_model : str or None
        The model that filter and forecast believe in; None: the first.
    habit_spread : float
        σ, by how much the habits of single houses differ.
    naive_bound : {"nominal", "realised"}
        Which largest bound the naive rate takes.
    negligible : float
        The probability that the threshold rate neglects.
    independent_noise : bool
        Whether every mechanism draws noise of its own.
    clip_at_zero : bool
        Whether a published rate is at least 0.
    price_cap : float or None
        What a published rate is at most; None: anything.
    price_range : tuple of float or None
        The lowest and highest price of a typical day, where they are stated: α and β follow when the street
        changes. Another α or β takes their place.
    seed : int
        What everything random comes from.
    step_minutes : int
        Minutes between two rates.
    first_weekday : str
        The weekday of the first day.
    power_unit : {"", "kW"}
        The unit of consumption, if it has one.
    occupied_means : {"up and about", "at home"}
        What occupied means.
    currency : str
        Three letters, such as EUR, where rates are money per kWh.
    houses : tuple of House or None
        The houses, where they are listed and not drawn.
    version : int
        Of the scenario's form; `from_json` refuses another.

    Raises
    ------
    ScenarioError
        Where a value is none of those; its sentence names the field.

    Examples
    --------
    >>> import rtp
    >>> paper = rtp.Scenario()
    >>> paper.epsilon, paper.households, paper.steps
    (0.5, 1000, 96)
    >>> private = paper.replace(epsilon=0.1)
    >>> private == rtp.Scenario.from_json(private.to_json())
    True
    >>> paper.replace(epsilon=0)
    Traceback (most recent call last):
        ...
    rtp.scenario.validation.ScenarioError: epsilon is 0; it must be a number from 0.0001 to 10,000.
    """

    version: Annotated[int, number_field("version")] = SCENARIO_VERSION
    households: Annotated[int, number_field("households")] = 1000
    days: Annotated[int, number_field("days")] = 1
    epsilon: Annotated[float, number_field("epsilon")] = 0.5
    alpha: Annotated[float, number_field("alpha")] = 1.0
    beta: Annotated[float, number_field("beta")] = 62.5
    inelastic_demand: Annotated[float, number_field("inelastic_demand")] = 0.0
    elasticity: Annotated[float, number_field("elasticity")] = 0.0
    reference_rate: Annotated[float, number_field("reference_rate")] | None = None
    groups: Groups = (Group(),)
    models: Models = (OccupancyModel(),)
    assumed_model: Name | None = None
    habit_spread: Annotated[float, number_field("habit_spread")] = 0.01
    naive_bound: Literal["nominal", "realised"] = "nominal"
    negligible: Annotated[float, number_field("negligible")] = 0.0
    independent_noise: Flag = False
    clip_at_zero: Flag = False
    seed: Annotated[int, number_field("seed")] = 0
    step_minutes: StepMinutes = added_field(PAPER_STEP)
    first_weekday: Weekday = added_field("Monday")
    power_unit: Literal["", "kW"] = added_field("")
    occupied_means: OccupiedMeans = added_field(UP)
    houses: Houses | None = added_field(None)
    currency: Annotated[str, Field(strict=True, pattern=r"^([A-Z]{3})?$")] = added_field("")
    price_cap: Annotated[float, number_field("price_cap")] | None = added_field(None)
    price_range: tuple[Price, Price] | None = added_field(None)

    def __init__(self, /, **data: Any) -> None:
        """A file of 2.0 says what is no setting any more; only what the lab still does is read."""
        for name, left in GONE.items():
            if data.pop(name, left) != left:
                raise ScenarioError(name, f"can only be {left!r} and is no setting any more; remove it.")
        super().__init__(**data)

    @model_validator(mode="after")
    def _check(self) -> Self:
        for field, names in (
            ("groups", [g.name for g in self.groups]),
            ("models", self.model_names),
        ):
            if len(set(names)) < len(names):
                raise ScenarioError(field, f"are named {names}; each name may be used once.")
        total = sum(g.share for g in self.groups)
        if abs(total - 1) > SUM_TOLERANCE:
            raise ScenarioError("groups", f"have shares that sum to {total:.6g}; they must sum to 1.")
        for i, model in enumerate(self.models):
            if len(model.habits) != len(self.groups):
                raise ScenarioError(
                    f"models[{i}].habits",
                    f"has {len(model.habits)} entries; it must have one for each of the "
                    f"{len(self.groups)} groups.",
                )
        if self.assumed_model not in (None, *self.model_names):
            raise refusal("assumed_model", self.assumed_model, f"be empty or one of {self.model_names}")
        if self.price_range is not None and self.price_range[0] >= self.price_range[1]:
            raise refusal("price_range", list(self.price_range), "begin below its end")
        if self.has_laws and self.households > MAX_WITH_LAWS:
            most = f"be at most {MAX_WITH_LAWS:,} where groups have consumption distributions"
            raise refusal("households", self.households, most)
        if self.houses is not None:
            must_agree(self.houses, self.groups, self.households)
        for address, part in self._periods():
            if not part.starts_with_a_step(self.step_minutes):
                raise ScenarioError(
                    f"{address}.start",
                    f"is {part.start:.6g} ({part.name} begins at {hhmm(part.start)}); with a price every "
                    f"{self.step_minutes} minutes a period must start with one of them.",
                )
        return self

    def _periods(self) -> Iterator[tuple[str, Period]]:
        """Every period of every day, with its address."""
        for i, model in enumerate(self.models):
            for g, habits in enumerate(model.habits):
                for field, periods in habits.day_kinds().items():
                    for p, part in enumerate(periods):
                        yield f"models[{i}].habits[{g}].{field}[{p}]", part

    def replace(self, /, **changes: Any) -> Self:
        """A validated copy with some fields changed; prices that are stated end with their α and β."""
        if any(changes.get(name, getattr(self, name)) != getattr(self, name) for name in ("alpha", "beta")):
            changes = {"price_range": None} | changes
        return super().replace(**changes)

    @property
    def steps_per_day(self) -> int:
        return steps_per_day(self.step_minutes)

    @property
    def steps(self) -> int:
        return self.days * self.steps_per_day

    @property
    def step_hours(self) -> float:
        """What a step's consumption is multiplied by to be energy; 1 where it has no unit of power."""
        return self.step_minutes / 60 if self.power_unit else 1.0

    @property
    def spread_per_step(self) -> float:
        """The standard deviation of personal habits per step of this scenario.

        `habit_spread` σ is stated per step of 15 minutes. With steps r times as long a probability p per step
        becomes 1 − (1 − p)^r, so p + σ·N(0, 1) becomes 1 − (1 − p)^r + r·(1 − p)^(r − 1)·σ·N(0, 1) to first
        order in σ. Probabilities per step are small, so both are in proportion to r, and so is what clipping
        at 0 cuts off: r·σ describes the same houses up to a share of |r − 1|·p of it.
        """
        return self.habit_spread * (self.step_minutes / PAPER_STEP)

    @property
    def has_laws(self) -> bool:
        """Whether any group's use is not uniform up to the bounds."""
        return not all(group.is_uniform for group in self.groups)

    @cached_property
    def kinds_of_day(self) -> tuple[tuple[Weekday, ...], ...]:
        """The weekdays, those together on which everybody has the same habits; the first are working days."""
        kinds: dict[tuple[str, ...], list[Weekday]] = {}
        for day in WEEKDAYS:
            fields = tuple(habits.day_field(day) for model in self.models for habits in model.habits)
            kinds.setdefault(fields, []).append(day)
        return tuple(map(tuple, kinds.values()))

    @property
    def has_weekends(self) -> bool:
        """Whether habits of Saturday or Sunday differ from those of other days."""
        return len(self.kinds_of_day) > 1

    @property
    def has_sundays(self) -> bool:
        """Whether habits of Sunday alone differ from those of other days."""
        return ("Sunday",) in self.kinds_of_day

    def house(self, number: int, *, capital: bool = False, first: int = 1) -> str:
        """What a house of the street is called: its number or, where houses are listed, its name.

        `number` counts from 0, as everywhere in Python, links and files; people read it counted from 1. The
        command line, which is given numbers from 0, gives them back so, as `first`. `capital` where a
        sentence or a row begins with it; a name stays as somebody wrote it.
        """
        word = "" if self.houses is not None else "House " if capital else "house "
        return f"{word}{self.house_label(number, first)}"

    def house_label(self, number: int, first: int = 1) -> str:
        """The same in a column of houses: the bare number or, where houses are listed, the name."""
        return str(number + first) if self.listed_names is None else self.listed_names[number]

    @cached_property
    def listed_houses(self) -> list[House] | None:
        """The listed houses that are not left out, in the street's order; None where houses are drawn."""
        return None if self.houses is None else street_order(self.houses, self.groups)

    @cached_property
    def listed_names(self) -> tuple[str, ...] | None:
        """Their names."""
        return None if self.listed_houses is None else tuple(house.name for house in self.listed_houses)

    def when(self, step: int) -> str:
        """The clock at a step; the day too where there are several, and its weekday where that matters."""
        clock = when(step, self.days, self.step_minutes)
        if not self.has_weekends:
            return clock
        name = weekday(step // self.steps_per_day, self.first_weekday)
        return f"{name}, {clock}" if self.days == 1 else clock.replace(",", f" ({name}),", 1)

    @property
    def assumed_index(self) -> int:
        """The index of the model that filter and forecast assume; the true one unless another is set."""
        return 0 if self.assumed_model is None else self.model_names.index(self.assumed_model)

    @property
    def model_names(self) -> list[str]:
        return [model.name for model in self.models]

    def to_json(self, indent: int | None = 2) -> str:
        """Return the scenario as JSON, which `from_json` reads to the last digit.

        Parameters
        ----------
        indent : int or None
            Spaces of a level; None: all in one line.

        Returns
        -------
        str

        Examples
        --------
        >>> import rtp
        >>> rtp.Scenario(households=20).to_json(indent=None)[:33]
        '{"version":2,"households":20,"day'
        """
        return self.model_dump_json(indent=indent)

    def to_object(self) -> JsonObject:
        """The scenario as the object of a file, which always says what occupied means."""
        return {**self.model_dump(), "occupied_means": self.occupied_means}

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the scenario of a JSON text.

        A file may say which version of the lab wrote it: that is for people. Today's files always say what
        occupied means, so that one which does not is old.

        Parameters
        ----------
        text : str or bytes
            What `to_json` or a download wrote.

        Returns
        -------
        Scenario

        Raises
        ------
        ScenarioError
            Where the text is damaged, or has a key that is not understood.

        Examples
        --------
        >>> import rtp
        >>> rtp.Scenario.from_json('{"households": 20}').households
        20
        """
        return cls.from_object(read_object(text))

    @classmethod
    def from_object(cls, data: JsonObject) -> Self:
        """The same of a JSON object that has been read."""
        data = dict(data)
        if isinstance(data.get(LAB_KEY), str):
            del data[LAB_KEY]
            if "occupied_means" not in data:
                one_of = " or ".join(f"“{means}”" for means in MEANINGS)
                raise ScenarioError("occupied_means", f"is missing, as in files of 1.x: add {one_of} to it.")
        version = data.get("version")
        if isinstance(version, int) and version != SCENARIO_VERSION:
            raise ScenarioError(
                "version",
                f"is {version}; this lab reads {SCENARIO_VERSION}, by which a seed draws other days: write "
                f"{SCENARIO_VERSION} to have those."
                if version < SCENARIO_VERSION
                else f"is {version}, newer than this lab; it reads version {SCENARIO_VERSION}.",
            )
        return cls(**data)
