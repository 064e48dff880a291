"""What is handed over, in tables: the timetable, or the noise of every step beside a sample day; and the
hours that it rests on."""

from rtp.core.formatting import percent, plain
from rtp.core.time import days_words, hhmm
from rtp.core.types import Frame, data_frame
from rtp.decision import Answer
from rtp.decision.handover import DayPlan, plans
from rtp.mechanisms import REGISTRY
from rtp.scenario import Period, Scenario
from rtp.scenario.units import column, titled

PRICE_DIGITS = 4
NOISE = "noise"


def price_frame(answer: Answer) -> Frame:
    """Return a row for each step of the day: the price or, where it has noise, its scale and a sample."""
    scenario, made = answer.scenario, plans(answer)
    steps = range(scenario.steps_per_day)
    columns: dict[str, list[float] | list[str]] = {
        "from": [hhmm(step * scenario.step_minutes / 60) for step in steps]
    }
    for plan in made:
        for name, values in _columns(plan).items():
            columns[column(name, scenario, "rate")] = [float(plain_number(v)) for v in values]
    return data_frame(columns)


def _columns(plan: DayPlan) -> dict[str, list[float]]:
    name = plan.kind.replace(" ", "_")
    if plan.scale is None or plan.sample is None:
        return {f"price_{name}": plan.expected.tolist()}
    return {f"{NOISE}_{name}": plan.scale.tolist(), f"sample_{name}": plan.sample.tolist()}


def plain_number(value: float) -> str:
    """Return a price in as many digits as it is charged."""
    return f"{value:.{PRICE_DIGITS}g}"


def shown_prices(answer: Answer) -> Frame:
    """Return the same with words for its columns, for screen and paper."""
    scenario, rows = answer.scenario, {}
    made = plans(answer)
    for step in range(scenario.steps_per_day):
        cells = {}
        for plan in made:
            kind = plan.kind.capitalize()
            if plan.scale is None or plan.sample is None:
                cells[titled(kind, scenario, "rate")] = plain_number(plan.expected[step])
            else:
                cells[f"{kind}: noise"] = plain(plan.scale[step])
                cells[f"{kind}: a sample"] = plain_number(plan.sample[step])
        rows[hhmm(step * scenario.step_minutes / 60)] = cells
    return data_frame(rows).T.rename_axis("From")


def handed_words(answer: Answer) -> str:
    """Return what is published, and how it is made."""
    every = f"Every {answer.chosen.minutes} minutes"
    if answer.choice is None:
        return f"{every} the rate that habits let expect: the same on every day of a kind. No meter is read."
    smooth = ", smoothed by what habits let expect" if REGISTRY[answer.rate].postprocess is not None else ""
    return (
        f"{every} the optimal rate of the demand that is metered, with Laplace noise of the scale that "
        f"stands at its step, drawn anew each time{smooth}. The sample is one day that was drawn."
    )


def hours(scenario: Scenario) -> list[str]:
    """Return for each group and kind of day when each period begins, and how likely it is to arrive and to
    leave during it."""
    lines = []
    for group, habits in zip(scenario.groups, scenario.models[0].habits, strict=True):
        kinds = habits.day_kinds()
        for field, periods in kinds.items():
            day = f", {days_words(habits.days_of(field))}" if len(kinds) > 1 else ""
            lines.append(f"**{group.name}{day}** (arriving / leaving): {'; '.join(map(_hours, periods))}.")
    return lines


def _hours(period: Period) -> str:
    likely = f"{percent(period.arrive)} / {percent(period.leave)}"
    return f"from {hhmm(period.start)} {likely}{' a step' if period.basis == 'step' else ''}"
