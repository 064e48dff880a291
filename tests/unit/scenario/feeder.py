"""A feeder of 180 houses, as an analyst describes it: built here by hand, in the browser by clicks."""

from rtp import PRESETS, Group, Scenario

# One line per group, as it is copied from a spreadsheet: kilowatts, decimal points.
TABLE = (
    "group\thouses\toccupied_min\toccupied_max\tempty_min\tempty_max\n"
    "Office\t90\t4\t4.5\t0.1\t0.1\n"
    "Home\t60\t0.9\t1.2\t0.1\t0.1\n"
    "Shift\t30\t4\t4.5\t0.1\t0.1\n"
)


def feeder() -> Scenario:
    """60 pensioners at home at noon, 90 office workers who are surely away, 30 shift workers of whom the
    curator is unsure: under a second model they leave otherwise."""
    mixed = PRESETS["mixed street"]
    (model,) = mixed.models
    office, home, shift = model.habits
    first, *rest = shift.periods
    other = shift.replace(periods=(first.replace(matrix=(first.matrix[0], (0.5, 0.5))), *rest))
    return mixed.replace(
        households=180,
        alpha=0.0004,
        beta=0.11,
        power_unit="kW",
        currency="EUR",
        groups=(
            _group("Office", 90, 4.0, 4.5),
            _group("Home", 60, 0.9, 1.2),
            _group("Shift", 30, 4.0, 4.5),
        ),
        models=(model, model.replace(name=f"{model.name} 2", habits=(office, home, other))),
    )


def _group(name: str, houses: int, low: float, high: float) -> Group:
    """Standby is a tenth of a kilowatt for all."""
    return Group(
        name=name,
        share=houses / 180,
        occupied_min=low,
        occupied_max=high,
        empty_min=0.1,
        empty_max=0.1,
    )
