"""Every figure of the lab with the numbers it is given, by the names and axes of its traces."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from rtp import Scenario, simulate
from rtp.attack.adversary import posterior
from rtp.audit.exact import exact_losses
from rtp.core.formatting import whole_percent
from rtp.core.stats import middle
from rtp.exposure import Observer, exposure
from rtp.figures import algorithm, decision, households, leakage, meters, paper, story, style
from rtp.figures import attack as observer
from rtp.figures.day import CONSUMPTION, group_figure, mean_figure, rates_figure
from rtp.figures.style import Picture, PinMark
from rtp.leakage.composition import compositions, privacy_account
from rtp.leakage.moment import giveaway, moment_leakage
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED, YARDSTICK, private
from rtp.mechanisms.blowfish import sensitivity_by_model
from rtp.meters import learn, replay
from rtp.meters.answering import watch
from rtp.meters.check import check
from rtp.meters.learned import laws_by_group
from rtp.meters.learning import decode
from rtp.metrics import relative_error
from rtp.output.exposure import SECRETS
from rtp.paper import published
from rtp.paper.comparison import PAPER
from rtp.paper.readings import readings
from rtp.simulation import Day
from rtp.street.simulate import replay_houses
from rtp.sweep.plan import make
from rtp.sweep.whatif import Map, compute
from rtp.teaching.home import home
from rtp.teaching.stage import LAST, LineNumber, occupied_probabilities, open_stage, small_street
from tests.help.paper import paper_days
from tests.help.simulated_home import simulated_homes
from tests.help.streets import STREETS
from tests.unit.meters.streets import known_street

Given = Mapping[tuple[str, str], ArrayLike]  # y by name and axis
Case = tuple[Picture, Given]
PIN = PinMark("Tight", style.PIN_COLOURS[3])
SMALL = Scenario(households=20)


@cache
def day_of(street: str) -> Day:
    return simulate(STREETS[street])


def of_a_day(day: Day) -> dict[str, Case]:
    """The figures that any street has."""
    makers = (_belief, _account, _moment)
    return _lived(day) | {make.__name__: make(day) for make in makers} | _stage(day)


def _lived(day: Day) -> dict[str, Case]:
    """How people lived, and what was published."""
    lived, spec, last = day.street_day, day.street_day.spec, len(day.scenario.groups) - 1
    houses, own = np.count_nonzero(day.street.group == 0), day.release[FEATURED].rate
    leave, arrive = spec.transition_probabilities(day.street, 0, spec.blocks[0])
    count = len(day.scenario.models[0].habits[0].all_periods)
    by_model = sensitivity_by_model(day.market.public)
    models = {(model.name, "y"): each for model, each in zip(day.scenario.models, by_model, strict=True)}
    errors = {
        (style.title(n), "y2"): style.finite(
            100 * relative_error(day.release[n].rate, day.release[n].optimal)
        )
        for n in private()
    }
    return {
        "bounds": (households.bounds_figure(day), {}),
        "models": (households.models_figure(day), models | {("Sets the noise", "y"): by_model.max(axis=0)}),
        "rates": (
            rates_figure(day, list(REGISTRY), {PIN: day}, day),
            {(style.title(n), "y"): day.release[n].rate for n in REGISTRY} | errors,
        ),
        "mean use": (
            mean_figure(day, CONSUMPTION, last, day),
            {("Simulated", "y"): day.means_of(last)[2]},
        ),
        "occupancy": (
            group_figure(day, 0, 0, [UNPROTECTED, FEATURED]),
            {
                ("Expected", "y"): lived.true_moments.occupied[0] / houses,
                ("Simulated", "y"): lived.occupied_by_group[0] / houses,
                (style.title(FEATURED), "y2"): own,
            },
        ),
        "single houses": (
            households.single_houses_figure(day, 0, 0),
            {("Protected houses", "y2"): lived.support_classes.protected_under(0)},
        ),
        "habits": (
            households.habits_figure(day, 0, 0),
            {("Leave", "y"): leave[:count].ravel(), ("Arrive", "y"): arrive[:count].ravel()},
        ),
    }


def _belief(day: Day) -> Case:
    seen = [posterior(day, name, adversary="insider", house=1) for name in (UNPROTECTED, FEATURED)]
    occupied = replay_houses(day.street_day.spec, day.street, [1])[0][:, 0]
    pinned = seen[1].belief[:, 0]
    said = [f"Sentence {step}." for step in range(day.scenario.steps)]
    picture = observer.belief_figure(day, (seen[0], seen[1]), occupied, said, 50, {PIN: pinned})
    assert [frame["words"] for frame in picture.frames] == said
    hers = {
        (observer.belief_name(s.mechanism), a): s.belief[:, 0] for s, a in zip(seen, ("y", "y2"), strict=True)
    }
    return picture, hers | {("Tight: Belief", "y2"): pinned, ("Truth: occupied", "y2"): occupied}


def _account(day: Day) -> Case:
    exact = exact_losses(day)
    book = privacy_account(day, exact[FEATURED])
    revealed = f"{style.label(FEATURED)}, really revealed about {day.scenario.house(book.house)}"
    promised = day.scenario.epsilon * np.arange(1, day.scenario.steps + 1)
    given: Given = {("Promised: ε·t", "y"): promised, (revealed, "y"): book.given_away}
    return observer.privacy_account_figure(day, exact, book), given


def _moment(day: Day) -> Case:
    found = moment_leakage(day, FEATURED)
    house = int(found.house[found.step])
    gives = giveaway(day, FEATURED, house, found.step)
    picture = leakage.moment_figure(day, found, found.step, gives)
    names = [trace["name"] for trace in picture.traces]
    return picture, {(names[0], "y"): found.whole, (names[1], "y"): found.so_far, (names[3], "y"): gives}


def _stage(day: Day) -> dict[str, Case]:
    stage = open_stage(small_street(day.scenario, 4), {})
    own = stage.at(8).models[0]
    states, beliefs = algorithm.states_figure(stage, own, LAST), algorithm.beliefs_figure(stage, own, LAST)
    (filled,) = [trace["marker"] for trace in states.traces if "colorscale" in trace.get("marker", {})]
    np.testing.assert_array_equal(filled["color"], own.posterior[own.possible])
    after_rate = f"posterior {own.posterior[own.possible][0]:.4g}"
    for line, shown in (
        (LineNumber.PRIOR, "colorscale"),
        (LineNumber.PROTECTED, "<b>"),
        (LineNumber.POSTERIOR, after_rate),
    ):
        assert shown not in str(algorithm.states_figure(stage, own, line - 1).traces)
    assert after_rate in str(algorithm.states_figure(stage, own, LineNumber.POSTERIOR).traces)
    lines = [trace for trace in states.traces if trace["mode"] == "lines"]
    ends = np.concatenate([np.column_stack([trace["x"], trace["y"]]) for trace in lines]).reshape(-1, 3, 2)
    directions = {tuple(each) for each in np.round(ends[:, 1] - ends[:, 0], 9).tolist()}
    assert directions == set(algorithm.DIRECTIONS[4]), "an edge is one house, and every house has edges"
    assert len(ends) == 4 * 2**3
    assert not algorithm.step_noise_figure(stage, 8, LineNumber.OPTIMAL - 1).traces
    after = next(trace for trace in beliefs.traces if trace["name"] == "Posterior")
    np.testing.assert_array_equal(after["x"], occupied_probabilities(own.posterior))
    return {
        "states": (algorithm.states_figure(stage, own, LAST, truth=5), {}),
        "beliefs": (beliefs, {}),
        "noise of a step": (algorithm.step_noise_figure(stage, 8, LAST), {}),
    }


def _computed(grid: dict[str, list[float]]) -> Map:
    return compute(make(SMALL, grid, days=2), lambda done, found: None)


def _lines() -> Case:
    found = _computed({"epsilon": [0.1, 0.5, 2.0]})
    shown = found.shown("rmsre")
    numbers = {m: [shown[p][0][m] for p in range(3)] for m in range(len(REGISTRY))}
    given = {(style.title(n), "y"): numbers[m] for m, n in enumerate(REGISTRY) if n != UNPROTECTED}
    return decision.lines_figure(found, "rmsre"), given


def _heat() -> Case:
    found = _computed({"epsilon": [0.4, 0.5, 0.6], "alpha": [1.0, 2.0]})
    picture = decision.heat_figure(found, "rmsre", YARDSTICK)
    cells, shown, m = picture.traces[0]["z"], found.shown("rmsre"), list(REGISTRY).index(YARDSTICK)
    for point, (mean, _) in shown.items():
        assert cells.T[np.unravel_index(point, cells.T.shape)] == mean[m]
    return picture, {}


def _compositions() -> Case:
    found = compositions(SMALL, 2.0)
    picture = leakage.composition_figure(found, 2.0)
    errors = [100 * way.rmsre for way in found]
    np.testing.assert_allclose(picture.traces[0]["x"], errors)
    return picture, {}


def _verdict() -> Case:
    street, rates = Scenario(households=5, step_minutes=60), ["optimal", FEATURED]
    found = {(secret, who): exposure(street, secret, who) for secret in SECRETS for who in get_args(Observer)}
    picture = leakage.verdict_figure(found, rates, street)
    drawn = np.concatenate([trace["x"] + 0.5 for trace in picture.traces if trace["type"] == "bar"])
    areas = [
        found[secret, who].at(rate).value
        for who in get_args(Observer)
        for rate in rates
        for secret in SECRETS
    ]
    np.testing.assert_allclose(drawn, areas)
    assert [trace["opacity"] for trace in leakage.dimmed(picture).traces]
    return picture, {}


def _who_shows() -> Case:
    street = Scenario(households=5, step_minutes=60)
    areas = np.full((5, 24), np.nan)
    areas[3, 6:], areas[1, 4] = 0.75, 0.9
    picture = observer.map_figure(street, areas, [1, 3])
    shown = np.array(picture.traces[0]["z"], dtype=float)
    np.testing.assert_array_equal(shown, 100 * areas[[1, 3]])
    assert picture.layout["yaxis"]["ticktext"] == ["2", "4"]
    return picture, {}


def _story() -> Case:
    """A belief over a home's days, beneath the rate."""
    own, x = home(), np.linspace(0, 1, len(home().power))
    believed = [story.Believed("Hers", x**2, style.LIMIT), story.Believed("His", 1 - x, style.GREY)]
    picture = story.beliefs_figure(own, x, believed, 60 + x)
    for each in believed:
        assert f"{each.name}: right {whole_percent(own.believed_right(each.belief))}" in picture.words
    return picture, {
        ("Optimal rate", "y"): 60 + x,
        ("Believed", "y2"): x**2,
        ("Habits", "y3"): x,
        ("Believed", "y3"): 1 - x,
    }


def _marked() -> Case:
    own = home()
    picture = story.meter_figure(own, [(40, 60), (100, 101)])
    marks = [shape for shape in picture.layout["shapes"] if shape["x0"] == "2012-06-01T10:00"]
    assert [mark["x1"] for mark in marks] == ["2012-06-01T15:00"]
    return picture, {("Used", "y"): own.power}


def _answered() -> Case:
    """A strip fills the gaps between the bands where it is right, and leaves them clear."""
    own = home()
    truth, never = own.occupied == 1, np.ones(len(own.power), dtype=bool)
    picture = story.answered_figure(own, {"You": truth, "Nobody": never})
    strips = [shape for shape in picture.layout["shapes"] if shape["yref"] == "y2"]
    bands = [shape for shape in picture.layout["shapes"] if shape["yref"] != "y2"]
    assert {strip["y0"] for strip in strips} == {-0.3}, "who never says it has none"
    ends = sorted(str(shape[end]) for shape in (*strips, *bands) for end in ("x0", "x1"))
    assert ends[1:-1:2] == ends[2:-1:2], "each begins where another ends"
    return picture, {("Used", "y"): own.power}


OTHERS: dict[str, Callable[[], Case]] = {
    make.__name__: make
    for make in (
        _lines,
        _heat,
        _compositions,
        _verdict,
        _who_shows,
        _story,
        _marked,
        _answered,
    )
}


def of_the_paper() -> dict[str, Case]:
    day, days = simulate(PAPER), paper_days()
    _, occupancy, consumption = published.figure2()
    noise = readings().state_dependent
    low, high = middle(days.occupancy)
    rates = {(words, "y"): day.release[name] for name, words in paper.RATES.items()}
    private_rates = dict(list(rates.items())[1:])
    many = (f"95 % of {len(days)} days", "y")
    return {
        "2a": (
            paper.mean_figure(day, days, "occupancy"),
            {("Our run", "y"): day.occupancy, many: [*high, *low[::-1]]},
        ),
        "2b": (
            paper.mean_figure(day, days, "consumption"),
            {("Our run", "y"): day.consumption, ("Published", "y"): consumption},
        ),
        "2c": (paper.published_rates_figure(day, "Rates"), {name: own.rate for name, own in rates.items()}),
        "2c, error": (
            paper.published_rates_figure(day, "Error"),
            {name: own.rate - own.optimal for name, own in private_rates.items()},
        ),
        "alternatives": (
            paper.alternatives_figure({"ours": day.expected_occupancy}, occupancy, day),
            {("ours", "y"): day.expected_occupancy, ("Published", "y"): occupancy},
        ),
        "state-dependent": (
            paper.state_dependent_figure(noise, PAPER.epsilon),
            {("Algorithm 1", "y"): noise.common_log_odds},
        ),
        "distribution": (paper.distribution_figure(days), {}),
    }


def of_meters() -> dict[str, Case]:
    readings = known_street(5, 21, 60, 4, empty_share=(0.05, 0.1)).readings
    learned = learn(readings, resamples=1)
    replayed = replay(readings, learned.scenario(Scenario(), 1.0, 0.1), learned, days=1)
    watched = watch(replayed, "h3", mechanisms=[UNPROTECTED, FEATURED])
    power, chance = decode(readings, learned, 2)
    law = laws_by_group(learned)["Group A"]
    shown, label, week = [FEATURED, UNPROTECTED], style.title(FEATURED), 7 * 24
    labelled = simulated_homes(1, 14, 60, seed=3)
    assert labelled.occupied is not None
    labelled.occupied[:, 11 * 24 : 12 * 24] = -1  # on one of the days shown nobody said anything
    checked = check(labelled)
    home = checked.found
    some = slice(11 * 1440 // home.minutes, 13 * 1440 // home.minutes)
    assert home.truth is not None
    said = home.truth[0, some]
    return {
        "feeder": (meters.feeder_figure(readings), {}),
        "home": (
            meters.home_figure(home, 0, 11, 2),
            {
                ("Use", "y"): home.power[0, some],
                ("Learned: at home", "y2"): home.at_home[0, some],
                ("True: somebody in", "y3"): said == 1,
                ("True: nobody in", "y3"): said == 0,
            },
        ),
        "home to predict": (
            meters.home_figure(home, 0, 11, 2, learned=False),
            {("Use", "y"): home.power[0, some]},
        ),
        "reliability": (
            meters.reliability_figure(checked),
            {
                ("Its answer is right", "y"): [each.right.value for each in checked.sureness],
                ("Somebody was in", "y"): [each.right.value for each in checked.reliability],
            },
        ),
        "profile": (
            meters.profile_figure(learned),
            {("Group A (5 houses), read", "y"): learned.houses.used.mean(axis=1)},
        ),
        "average days": (meters.average_days_figure(readings, learned), {}),
        "decoded": (
            meters.decoded_figure(readings, learned, 2),
            {("Use", "y"): power[-week:].astype(float), ("Chance to be up and about", "y2"): chance[-week:]},
        ),
        "replay": (
            meters.replay_figure(replayed, shown),
            {(style.title(name), "y"): replayed.rate(name) for name in shown},
        ),
        "bills": (
            meters.bills_figure(replayed, shown),
            {(label, "y"): 100 * replayed.bill_change(FEATURED) / replayed.paid[UNPROTECTED]},
        ),
        "use": (
            meters.use_distributions_figure(learned),
            {("Group A, away, asleep or quiet", "y"): np.cumsum([0, *law.empty])},
        ),
        "watched": (
            meters.observed_figure(watched),
            {
                (observer.belief_name(FEATURED), "y"): watched.seen[FEATURED].belief[:, 0],
                (f"Leak, {label}", "y2"): watched.leak[FEATURED].whole,
            },
        ),
    }
