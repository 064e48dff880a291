"""Why we chose as we did where the paper is silent: sentences from the computed outcomes of each choice."""

from collections.abc import Sequence

from rtp.core.random import Stream, generator
from rtp.core.stats import Range, spread
from rtp.paper import published
from rtp.paper.alternatives import Headline, Outcome
from rtp.paper.choices import Choice
from rtp.paper.in_state import most_exposed, told
from rtp.paper.picture import blur_weight, blurred, unrest, unrest_if_redrawn
from rtp.paper.reproduction import PAPER, Days, say
from rtp.simulation import live
from rtp.street.draw import Street

Gave = Sequence[tuple[str, Headline]]  # (option, what it gives); ours first
SHOWN = 5e-4  # half a unit of the distances as they are written


def reason(choice: Choice, outcomes: Sequence[Outcome], days: Days) -> str:
    """What the numbers say about our answer to a choice."""
    mine = [o for o in outcomes if o.choice.name == choice.name]
    gave = [(o.option.name, o.headline) for o in mine if o.headline is not None]
    said = _by_bounds(days) if choice.judged_by == "bounds" else JUDGES[choice.judged_by](gave)
    refused = [_no_root()] if len(gave) < len(mine) else []
    return " ".join([said, *_dropping(gave), *refused])


def _by_occupancy(gave: Gave) -> str:
    distances = [(name, given.occupancy_rmse) for name, given in gave]
    least, best = min((distance, name) for name, distance in distances)
    said = "no other comes closer" if distances[0][1] <= least + SHOWN else f"{best} comes closer"
    return f"Distance to Figure 2a: {'; '.join(f'{name} {d:.3f}' for name, d in distances)}. Of these {said}."


def _by_naive(gave: Gave) -> str:
    excess = [(name, given.errors[0] / given.errors[1] - 1) for name, given in gave]
    parts = " and ".join(f"{say(above, '.2%')} ({name})" for name, above in excess)
    found = any(abs(above - published.NAIVE_EXCESS) <= published.EXCESS.half_unit for _, above in excess)
    return (
        f"Luck removed, the naive error is above Blowfish's by {parts}; "
        f"{'one of them is' if found else 'neither is'} the published {published.EXCESS.text}."
    )


def _by_excess(gave: Gave) -> str:
    parts = [
        f"{name} put one day's difference between {say(given.excess.low, '.1%')} and "
        f"{say(given.excess.high, '.1%')}, which {_holds(given.excess, published.NAIVE_EXCESS)} the "
        f"published {published.EXCESS.text}"
        for name, given in gave
    ]
    return _sentence("; ".join(parts))


def _by_published_error(gave: Gave) -> str:
    parts = [f"{given.errors[0] / published.NAIVE_RMSRE:.2f} with {name}" for name, given in gave]
    return f"Our naive error over the published one: {'; '.join(parts)}."


def _by_noise(gave: Gave) -> str:
    """The one reading that makes the noise smaller in some steps is no mechanism: it leaks."""
    parts = [
        f"{given.least:.3f} of the naive one ({name}), which puts the naive error "
        f"{say(given.errors[0] / given.errors[1] - 1, '.2%')} above Blowfish's"
        for name, given in gave
    ]
    return f"Blowfish's noise scale falls to {'; to '.join(parts)}. {leak_words(live(PAPER).street)}"


def leak_words(street: Street) -> str:
    """What scaling the noise to the state a house is in gives away; see `rtp.paper.in_state`."""
    epsilon, house = PAPER.epsilon, most_exposed(street)
    scales = house.scales(epsilon)
    share, kept = told(house, scales, epsilon), told(house, house.alike(epsilon), epsilon)
    return (
        f"But noise that follows the states gives them away. With everybody else empty, house {house.number} "
        f"has noise of scale {PAPER.alpha * scales[0]:.2f} while it is occupied and "
        f"{PAPER.alpha * scales[1]:.2f} while it is empty: to someone who knows what the others used, "
        f"{say(share.occupied, '.0%')} of the rates while it is occupied and {say(share.empty, '.0%')} while "
        f"it is empty tell more than the promised ε = {epsilon:g}, and the further off a rate, the more it "
        f"tells, without limit. With the larger bound {say(max(kept), '.0%')} do."
    )


JUDGES = {
    "occupancy": _by_occupancy,
    "naive": _by_naive,
    "excess": _by_excess,
    "published error": _by_published_error,
    "noise": _by_noise,
}


def _by_bounds(days: Days) -> str:
    """See `rtp.paper.picture`: the unrest of Figure 2b tells the two apart."""
    _, occupancy, consumption = published.figure2()
    weight = blur_weight(days)
    theirs = float(unrest(occupancy, consumption))
    once = spread(unrest(blurred(days.occupancy, weight), blurred(days.consumption, weight)))
    anew = unrest_if_redrawn(occupancy, weight, generator(PAPER.seed, Stream.PAPER_PICTURE))
    return (
        f"Figure 2b scatters from step to step by {theirs:.4f}. Seen through a picture that blurs as Figure "
        f"2a does, bounds drawn once give {once.low:.4f} to {once.high:.4f}, which {_holds(once, theirs)} "
        f"it; drawn anew, {anew.low:.4f} to {anew.high:.4f}, which {_holds(anew, theirs)} it."
    )


def _holds(span: Range, value: float) -> str:
    return "holds" if span.covers(value) else "does not hold"


def _dropping(gave: Gave) -> list[str]:
    """Where an answer makes Algorithm 1 drop houses."""
    return [
        f"With “{name}” Algorithm 1 drops houses in {given.dropping:.0f} of {PAPER.steps} steps."
        for name, given in gave
        if given.dropping > 0
    ]


def _no_root() -> str:
    habits = PAPER.models[0].habits[0]
    periods = habits.periods
    beyond = [
        f"{p.name} {p.leave + p.arrive:.4g} over {steps} steps"
        for p, steps in zip(periods, habits.steps(), strict=True)
        if p.leave + p.arrive > 1
    ]
    return (
        "Where leave + arrive > 1 there is no stochastic matrix root over an even number of steps (over an "
        f"odd number there may be one), and {len(beyond)} of {len(periods)} periods are such: "
        f"{', '.join(beyond)}."
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."
