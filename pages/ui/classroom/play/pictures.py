"""What a room shows, as HTML: prices, houses, who was right. Data in, HTML with words for it out.

Phones and the beamer are sent these once a second, so they are a few hundred bytes of boxes and not charts.
`play.css` has their looks, in both themes.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil
from typing import NamedTuple

from rtp.core.formatting import kept_together, whole_percent
from rtp.core.language import figure, say, say_many
from rtp.figures.style import MODEL_COLOURS, SIMULATED, rgba
from rtp.play.round import UseWords
from rtp.play.seen import Board, SeenHouse, Winner
from rtp.teaching.exercise import AnswerPicture

_COLOURS = (*MODEL_COLOURS[:-1], SIMULATED.colour)
FILL = 0.35  # opacity: words stay readable on it in both themes
MAX_LABELLED = 12  # steps with a price beneath each
MANY_ROWS, MANY_TILES, FEW_WINNERS = 6, 10, 30  # houses from which they are drawn smaller
MAX_LEADERS = 5


def colour(house: int) -> str:
    """A house's own; neighbours have different ones."""
    return _COLOURS[(house - 1) % len(_COLOURS)]


def picture(kind: str, words: str, *parts: str, style: str = "") -> str:
    """The parts as one picture, with words for those who cannot see it."""
    label = escape(words, quote=True)
    return f'<div class="play-{kind}" role="img" aria-label="{label}" style="{style}">{"".join(parts)}</div>'


def name_plate(number: int, use: UseWords | None, points: str = "") -> str:
    """The player's own house, with what it uses and has won where that is known."""
    return (
        f'<div class="play-plate" style="border-color:{colour(number)}"><b>{house_text(number)}</b>'
        f"<em>{points}</em><span>{use or ''}</span></div>"
    )


def points_text(points: int) -> str:
    return say_many("{n} point", "{n} points", points)


def house_text(number: int) -> str:
    return say("House {number}", number=number)


def beside(left: str, right: str) -> str:
    """Two pictures: side by side where there is room, else one below the other."""
    return f'<div class="play-room"><div class="play-two"><div>{left}</div><div>{right}</div></div></div>'


def lead(words: str) -> str:
    """A sentence that stands out."""
    return f'<div class="play-line"><b>{kept_together(escape(words))}</b></div>'


def state(strong: str, words: str) -> str:
    """How far everybody is."""
    return f'<div class="play-step play-state"><b>{strong}</b><span>{words}</span></div>'


def count(n: float, most: int) -> str:
    return say("{n} of {all}", n=n, all=most)


def large(*parts: str) -> str:
    """Parts of a slide that has room for them."""
    return f'<div class="play-large">{"".join(parts)}</div>'


def line(words: str) -> str:
    return f'<div class="play-line">{kept_together(escape(words))}</div>'


def price_text(price: float) -> str:
    return figure(f"{price:.1f}")


def listed(numbers: Iterable[str]) -> str:
    """The numbers in a row; where they have commas themselves, parted by another sign."""
    return say(", ").join(numbers)


def step_line(board: Board, price: float, street: str = "") -> str:
    """Where a round is, and its last price."""
    left = "" if board.left is None else say("{n} s left", n=ceil(board.left))
    parts = [say("Step {step} of {steps}", step=board.step + 1, steps=board.steps), street, left]
    written = "".join(f"<span>{part}</span>" for part in parts if part)
    rate = say("Rate {rate}", rate=price_text(price))
    return f'<div class="play-step"><b>{board.clock}</b><b>{rate}</b>{written}</div>'


def filled(house: int, share: float) -> str:
    """A box filled from below in the colour of a house."""
    ink = rgba(colour(house), FILL)
    return f"background:linear-gradient(to top, {ink} {share:.0%}, transparent {share:.0%})"


def prices(
    published: Sequence[float], steps: int, no_demand: float, most: float, optimal: Sequence[float] = ()
) -> str:
    """A bar for every price so far, from the line of the price at no demand up or, with noise, down; room for
    the others. `most` is the highest price without noise. A mark stands where the optimal price is, if it is
    told."""
    low, high = min(no_demand, *published), max(most, *published)
    last, base = len(published) - 1, 100 * (no_demand - low) / (high - low)
    bars = []
    for step, price in enumerate(published):
        bottom, height = (
            100 * x / (high - low) for x in (min(price, no_demand) - low, abs(price - no_demand))
        )
        label = price_text(price) if steps <= MAX_LABELLED or step == last else ""
        kind = "play-bar play-now" if step == last else "play-bar"
        box = f'<i style="bottom:{bottom:.1f}%;height:{max(height, 1.0):.1f}%"></i>'
        if optimal:
            box += f'<u style="bottom:{100 * (optimal[step] - low) / (high - low):.1f}%"></u>'
        bars.append(f'<span class="{kind}"><span>{box}</span><small>{label}</small></span>')
    rest = ['<span class="play-bar"><span></span><small></small></span>'] * (steps - len(published))
    words = say("Rates so far: {rates}.", rates=listed(map(price_text, published)))
    if optimal:
        words += f" {say('Optimal: {rates}.', rates=listed(map(price_text, optimal)))}"
    return picture("prices", words, *bars, *rest, style=f"--play-base:{base:.1f}%")


def tiles(houses: Sequence[SeenHouse], own: int | None = None) -> str:
    """The street's houses, one's own marked; each is filled as far as the observer believes that somebody is
    at home."""
    told = [say("house {number}, {use}", number=house.number, use=house.use) for house in houses]
    for i, house in enumerate(houses):
        if house.belief is not None:
            told[i] += say(", at home with {share} to the observer", share=whole_percent(house.belief))
    kind = "tiles play-crowd" if len(houses) > MANY_TILES else "tiles"
    parts = [_tile(house, house.number == own) for house in houses]
    return picture(kind, say("The street: {houses}.", houses="; ".join(told)), *parts)


def _tile(house: SeenHouse, own: bool) -> str:
    kind = "play-tile play-own" if own else "play-tile"
    believed = "" if house.belief is None else f"<span>{whole_percent(house.belief)}</span>"
    use = f'<small class="play-use">{house.use.at_home}<br>{house.use.away}</small>'
    note = f"<small>{say('simulated')}</small>" if house.simulated else ""
    own_note = f"<small>{say('yours')}</small>"
    if house.points is not None:
        note += f"<small>{points_text(house.points)}</small>"
    return (
        f'<span class="{kind}" style="border-color:{colour(house.number)};'
        f'{filled(house.number, house.belief or 0.0)}"><b>{house.number}</b>'
        f"<span>{house.use.size}</span>{own_note if own else use}{believed}{note}</span>"
    )


def truth_against_belief(rows: Sequence[SeenHouse], hours: Sequence[str]) -> str:
    """A row for every house, a cell for every hour: filled as far as the observer believed that somebody was
    at home, a full dot where somebody was, a frame around what she had wrong."""
    steps = len(rows[0].history)
    head = [
        "<small></small>",
        *(f"<small>{hour}</small>" for hour in hours),
        f"<small>{say('right')}</small>",
    ]
    parts = [part for row in rows for part in _row(row)]
    told = [
        say(
            "House {number}: the observer was right in {right} of {steps} steps.",
            number=row.number,
            right=row.right,
            steps=steps,
        )
        for row in rows
    ]
    words = " ".join([say("Truth against belief."), *told])
    kind = "truth play-many" if len(rows) > MANY_ROWS else "truth"
    style = f"grid-template-columns:auto repeat({steps}, minmax(0, 1fr)) auto"
    return picture(kind, words, *head, *parts, style=style)


def _row(row: SeenHouse) -> Iterator[str]:
    yield f'<b style="border-color:{colour(row.number)}">{row.number}</b>'
    for home, belief in row.history:
        kind = "play-cell" if belief == 0.5 or (belief > 0.5) == home else "play-cell play-wrong"
        yield f'<span class="{kind}" style="{filled(row.number, belief)}">{"●" if home else "○"}</span>'
    yield f"<small>{count(row.right, len(row.history))}</small>"


class Bar(NamedTuple):
    """A share, of the whole width; with an interval where it has one, and a mark where chance is."""

    label: str
    share: float
    text: str
    strong: bool = False
    ends: tuple[float, float] | None = None
    chance: float | None = None


def bars(rows: Sequence[Bar]) -> str:
    """Shares, one below the other."""
    words = "; ".join(f"{row.label}: {row.text}" for row in rows) + "."
    return picture("bars", words, *map(_share, rows))


def answer_bars(answer: AnswerPicture) -> str:
    """The numbers behind the answer of an exercise."""
    rows = zip(answer.values, answer.shares(), answer.texts, strict=True)
    return lead(answer.title) + bars([Bar(*row) for row in rows])


def _share(row: Bar) -> str:
    kind = "play-strong" if row.strong else "play-plain"
    drawn = f'<i class="{kind}" style="width:{row.share:.0%}"></i>'
    if row.ends is not None:
        low, high = row.ends
        drawn += f'<u style="left:{low:.1%};width:{high - low:.1%}"></u>'
    if row.chance is not None:
        drawn += f'<s style="left:{row.chance:.1%}"></s>'
    label, text = kept_together(escape(row.label)), escape(row.text)
    return f'<span>{label}</span><span class="play-track">{drawn}</span><b>{text}</b>'


def winners(rows: Sequence[Winner], rounds: int) -> str:
    """A plate for every house, the best first: its points before the last round, in it, and in all."""
    won = [say("house {number}: {points}", number=row.number, points=row.total) for row in rows]
    words = say("Points. {houses}.", houses="; ".join(won))
    kind = "winners" if len(rows) <= FEW_WINNERS else "winners play-many"
    return picture(kind, words, *(_winner(row, rounds) for row in rows))


def _winner(row: Winner, rounds: int) -> str:
    *before, last = row.rounds
    won = sum(points or 0 for points in before)
    told = f"<small>{won} + {'–' if last is None else last}</small>" if rounds > 1 else ""
    return (
        f'<span style="border-color:{colour(row.number)}"><span>{house_text(row.number)}</span>{told}'
        f"<b>{row.total}</b></span>"
    )


def leaders(rows: Sequence[Winner]) -> str:
    """The houses with most points, in one line."""
    best = [row for row in rows if row.total][:MAX_LEADERS]
    told = "".join(f"<span>{_house_points(row)}</span>" for row in best)
    return f'<div class="play-leaders"><span>{say("Most points")}</span>{told}</div>' if best else ""


def _house_points(row: Winner) -> str:
    return say("{what}: {words}", what=house_text(row.number), words=f"<b>{row.total}</b>")
