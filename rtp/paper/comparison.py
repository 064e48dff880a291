"""Published against ours, number by number: results, figures, habits and settings."""

from rtp.core.stats import Range, spread
from rtp.core.time import STEPS_PER_DAY, STEPS_PER_HOUR, hhmm
from rtp.core.types import Floats
from rtp.paper import published
from rtp.paper.choices import NOISE_QUESTION
from rtp.paper.habits import habits
from rtp.paper.picture import blur_weight, blurred, unrest
from rtp.paper.published import Printed
from rtp.paper.reproduction import MECHANISMS, PAPER, Days, say
from rtp.paper.rows import Row, lies_in, row


def table(days: Days) -> list[Row]:
    """Every number of the paper's simulation section."""
    return [*results(days), *figures(days), *habits(days), *settings()]


def results(days: Days) -> list[Row]:
    naive, blowfish = (spread(days.errors(name)) for name in MECHANISMS[:2])
    own, one_day = spread(days.excess(luck=False)), spread(days.excess(luck=True))
    quotient = published.NAIVE_RMSRE / published.BLOWFISH_RMSRE - 1
    luck = f"{say(one_day.low, '.0%')} to {say(one_day.high, '.0%')}"
    return [
        row("Results", "RMSRE, Blowfish", published.BLOWFISH, blowfish, ".3e", "One day's RMSRE."),
        row("Results", "RMSRE, naive", published.NAIVE, naive, ".3e", "One day's RMSRE."),
        row(
            "Results",
            "Naive error above Blowfish's",
            published.EXCESS,
            own,
            ".2%",
            f"Ours has luck removed. One day with independent noise gives anything from {luck}.",
            explained=lies_in(published.EXCESS, one_day),
        ),
        row(
            "Results",
            "The same, from the two printed errors",
            published.EXCESS,
            Range(quotient, quotient, quotient),
            ".2%",
            "Arithmetic on the paper's own numbers.",
            kind="arithmetic",
        ),
        _dropping(days),
    ]


def _dropping(days: Days) -> Row:
    """The claim that houses are dropped and the noise is smaller for it "in some time steps"."""
    dropping, smaller = spread(days.dropping), spread(days.smaller)
    below = say(1 - float(days.scale[:, 1].mean() / days.scale[:, 0].mean()), ".2%")
    return Row(
        section="Results",
        quantity="Steps in which Blowfish drops houses and needs less noise",
        published=f"some of {STEPS_PER_DAY}",
        ours=dropping,
        form=".0f",
        verdict="agrees" if dropping.high > 0 else "open",
        why=(
            f"Its noise is smaller at {smaller.value:.0f} steps, by {below}, dropped houses or not: the "
            f"naive noise covers the nominal maximum, and the largest of {PAPER.households:,} drawn bounds "
            f"is {days.largest_bound.mean():.4f} on average. A reading that would make it smaller in some "
            f"steps leaks: see “{NOISE_QUESTION}” below."
        ),
    )


def figures(days: Days) -> list[Row]:
    """Figures 2a and 2b where the day and its periods begin, and at the last step; read off the picture."""
    _, occupancy, consumption = published.figure2()
    weight = blur_weight(days)
    begins = [round(start.value) * STEPS_PER_HOUR for start in published.STARTS.values()]
    rows = []
    for name, theirs, ours in (
        ("2a, mean occupancy", occupancy, days.occupancy),
        ("2b, mean consumption", consumption, days.consumption),
    ):
        seen = blurred(ours, weight)
        for step in (0, *begins, STEPS_PER_DAY - 1):
            quantity = f"{name} at {hhmm(step / STEPS_PER_HOUR)}"
            rows.append(_reading(quantity, float(theirs[step]), ours[:, step], seen[:, step], weight))
    jumps = unrest(days.occupancy, days.consumption)
    seen_jumps = unrest(blurred(days.occupancy, weight), blurred(days.consumption, weight))
    scatter = float(unrest(occupancy, consumption))
    return [*rows, _reading("2b, scatter from step to step", scatter, jumps, seen_jumps, weight)]


def _reading(quantity: str, theirs: float, ours: Floats, seen: Floats, weight: float) -> Row:
    through = spread(seen)
    why = (
        f"Read off a picture: with {say(weight, '.0%')} of either neighbouring step blurred in, ours lies "
        f"between {through.low:.4f} and {through.high:.4f}."
    )
    number = Printed(f"{theirs:.4f}", theirs, 0.5e-4)
    explained = lies_in(number, through)
    return row("Figures", quantity, number, spread(ours), ".4f", why, explained=explained)


def settings() -> list[Row]:
    """What the paper sets and we set the same."""
    group, starts = PAPER.groups[0], {p.name: p.start for p in PAPER.models[0].habits[0].periods}
    scale = published.ALPHA.value * published.OCCUPIED_MAX.value / published.EPSILON.value
    pairs: list[tuple[str, Printed, float]] = [
        ("Households N", published.HOUSEHOLDS, PAPER.households),
        ("Time steps T", published.STEPS, PAPER.steps),
        ("Hours simulated", published.HOURS, PAPER.steps / STEPS_PER_HOUR),
        ("Steps per hour", published.STEPS_PER_HOUR, STEPS_PER_HOUR),
        ("Models in Θ", published.MODELS, len(PAPER.models)),
        ("Different transition matrices", published.MATRICES, len(starts)),
        *((f"{name} starts at hour", hour, starts[name]) for name, hour in published.STARTS.items()),
        ("u_max, occupied", published.OCCUPIED_MAX, group.occupied_max),
        ("u_max, empty", published.EMPTY_MAX, group.empty_max),
        ("Privacy budget ε", published.EPSILON, PAPER.epsilon),
        ("Price slope α", published.ALPHA, PAPER.alpha),
        ("Base price β", published.BETA, PAPER.beta),
        (
            "Naive noise scale α·u_max/ε",
            Printed(f"{scale:g}", scale, 0.0),
            PAPER.alpha * max(group.occupied_max, group.empty_max) / PAPER.epsilon,
        ),
    ]
    chosen = "Set, not measured."
    return [
        row(
            "Settings",
            quantity,
            number._replace(half_unit=0.0),
            Range(x, x, x),
            "g",
            chosen,
            kind="setting",
        )
        for quantity, number, value in pairs
        for x in [float(value)]
    ]
