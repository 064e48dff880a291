"""How well the observer does over many days; until they are asked for, over the day on screen."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.ui import jobs, pins, pool
from pages.ui.attacker.controls import HORIZONS, Watched, follows_all
from pages.ui.attacker.house import download, truth, watch, which_filter
from pages.ui.show import chart
from pages.ui.widgets import url_number, url_segmented
from rtp.attack.adversary import Posterior
from rtp.attack.scores import Score
from rtp.attack.success import ATTACKED_DAYS, Attack, attack_of_the_day, attacks
from rtp.attack.words import KNOWS, ceiling_words, crossing_words, scores_frame
from rtp.core.stats import LEVEL_WORDS
from rtp.figures.attack import CURVES, roc_figure
from rtp.figures.style import PinMark
from rtp.mechanisms import UNPROTECTED
from rtp.simulation import Day

MANY_DAYS = 20
REDRAW = 2.0  # seconds between pictures while days are being attacked


def how_well(day: Day, watched: Watched) -> None:
    seen = watch(day, _true_model(day, watched))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = int(url_number(ATTACKED_DAYS._replace(words="Days to attack"), MANY_DAYS, "attacker:days"))
        curve = url_segmented("Curves of", list(CURVES), "attacker:curve", CURVES.__getitem__)
    house = None if follows_all(day.scenario) else int(seen.houses[0])
    job = jobs.run(
        "attack",
        f"{day.scenario.to_json(None)} {seen.adversary} {seen.inference} {house}",
        partial(_attack, day, seen, house, count),
        f"Attack {count:,} days, every rate",
        "Until then: the day on screen, for the rate she sees and the unprotected one.",
    )
    pinned = _pinned(watched)
    jobs.while_running(job, REDRAW, partial(_so_far, job, day, seen, curve, pinned))
    st.caption(which_filter(day, seen))
    download(day, watched)


def _true_model(day: Day, watched: Watched) -> Watched:
    """How well she does is asked of one who believes the model that people live by."""
    return watched._replace(model=_first(day))


def _first(day: Day) -> str:
    return day.scenario.model_names[0]


def _attack(day: Day, seen: Posterior, house: int | None, count: int, report: jobs.Report[Attack]) -> Attack:
    adversary, inference = seen.adversary, seen.inference
    days = pool.iterate(attacks, day.scenario, count, adversary=adversary, inference=inference, house=house)
    for result in days:
        report(result.days / count, result)
    return result


def _pinned(watched: Watched) -> dict[PinMark, Score]:
    """What she scores with the same rate on the day of every pinned scenario."""
    found = {}
    for mark, other in pins.days().items():
        seen = watch(other, _true_model(other, watched._replace(house=None)))
        found[mark] = attack_of_the_day(other.scenario, [seen], truth(other, seen)).scores[seen.mechanism]
    return found


def _so_far(
    job: jobs.Job[Attack] | None, day: Day, seen: Posterior, curve: str, pinned: Mapping[PinMark, Score]
) -> None:
    result = job.result if job is not None and job.result is not None else _on_screen(day, seen)
    chart(roc_figure(result, curve, pinned), key="roc")
    st.table(scores_frame(result, curve))
    if curve == "evidence" and (words := f"{crossing_words(result)} {ceiling_words(result)}".strip()):
        st.caption(words)
    st.caption(
        f"Days: {result.days}. Houses: {len(result.houses):,}. She knows {KNOWS[result.adversary]}, "
        f"judges by {HORIZONS[seen.inference]}, and believes the model that people live by"
        + (f"; in brackets, and as bands, {LEVEL_WORDS} intervals over days." if result.days > 1 else ".")
    )


def _on_screen(day: Day, seen: Posterior) -> Attack:
    """The day on screen as an attack of one day."""
    house = int(seen.houses[0])
    unprotected = watch(day, Watched(UNPROTECTED, seen.adversary, house, seen.inference, _first(day)))
    return attack_of_the_day(day.scenario, [unprotected, seen], truth(day, seen))
