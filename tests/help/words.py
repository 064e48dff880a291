"""What the lab says of every recorded street, to the letter: sentences and tables of words.

A number in them is computed, and tested where it is; here is what stands around it.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rtp import PRESETS, Day, Scenario, simulate
from rtp.attack.adversary import AdversaryKind, posterior
from rtp.attack.scores import ApproximationError, approximation_error
from rtp.attack.success import attack, attack_of_the_day, strongest
from rtp.attack.words import (
    ceiling_words,
    crossing_words,
    limit_words,
    method_words,
    scores_frame,
    strongest_words,
    use_words,
    watch_house,
)
from rtp.audit.exact import exact_losses
from rtp.audit.trial import trial
from rtp.audit.words import broken, neglect_words, power_words, proofs_frame, spent_frame
from rtp.leakage.composition import privacy_account
from rtp.leakage.crowd import noise_frame, noise_still_needed
from rtp.leakage.moment import moment_frame, moment_leakage
from rtp.leakage.overview import overview
from rtp.leakage.words import account_words, crowd_words, moment_words, overview_frame, overview_words
from rtp.mechanisms import REGISTRY, private
from rtp.money.bills import bills
from rtp.output.comparison import insider_words, side_by_side
from rtp.output.report import report
from rtp.output.roster import effect_words, leave_out, roster
from rtp.output.words import day_headline, edited, noise_story, unusual_words
from rtp.simulation.setup import step_words
from rtp.street.simulate import replay_houses
from rtp.teaching.consequences import changes_words, definitions, privacy_words, promise_check_words
from rtp.teaching.experiments import experiments, reveal
from rtp.teaching.headline import day_title, headline, margin_words, picture_words, private_days, public_days
from rtp.teaching.lines import lines, noisiest_models, step_table
from rtp.teaching.stage import open_stage, opening, opening_words, small_street
from rtp.teaching.threat import beliefs_at, price_words, stake, story_street, threat, worst_case_line
from rtp.tradeoff.curves import one_day_range
from tests.help.streets import ODD, STREETS

if TYPE_CHECKING:
    import pandas as pd

DRAWN = re.compile(r"<figure>.*?</figure>|<style>.*?</style>|<script.*?</script>|base64,[^\"]*", re.DOTALL)
SPOKEN_OF = ("paper", "quiet night", "tiny street", "unsure curator", *ODD)
RATES = ["optimal", "naive", "calibrated"]
WHO: tuple[AdversaryKind, ...] = ("outsider", "insider")
SEEN = [("optimal", WHO[0]), ("blowfish", WHO[0]), ("naive", WHO[1])]
SMALL = 3  # houses of a street on which her belief is exact
BIG = 40
REPETITIONS = 100
AT = (0, 1, 20)


def said_of_street(street: str) -> dict[str, Any]:
    """All that is said of a street, room by room."""
    scenario = STREETS[street]
    day = simulate(scenario)
    return {
        "output": _output(day, street),
        "attack": _attack(day),
        "audit": _audit(day),
        "leakage": _leakage(day),
        "teaching": _teaching(scenario),
        "step": step_words(scenario),
    }


def _rows(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    return [{str(k): v for k, v in row.items()} for row in frame.reset_index().to_dict("records")]


def _output(day: Day, street: str) -> dict[str, Any]:
    scenario = day.scenario
    preset = PRESETS.get(street, PRESETS["paper"])
    other = simulate(scenario.replace(epsilon=2 * scenario.epsilon, seed=scenario.seed + 1))
    ranges = one_day_range(day, 60)
    fewer = leave_out(day, [0, 1, 2, 3])
    return {
        "noise": {name: noise_story(day, name) for name in day.release if REGISTRY[name].adds_noise},
        "headline": {name: day_headline(day, name) for name in private()},
        "unusual": [
            unusual_words(day, ranges),
            unusual_words(day, {name: (high, 2 * high) for name, (_, high) in ranges.items()}),
            unusual_words(day, {name: (0.0, low / 9) for name, (low, _) in ranges.items()}),
        ],
        "edited": [edited("paper", preset, scenario), edited("paper", Scenario(), scenario.replace(seed=9))],
        "roster": _rows(roster(day, "blowfish", bills(day)["blowfish"]).head(3)),
        "left out": effect_words(day, simulate(fewer), "blowfish"),
        "insider": insider_words(),
        "side by side": _rows(side_by_side(["Here", "There", "Paper"], [day, other, simulate(SMALLEST)])),
        "report": DRAWN.sub("", report(day, "preset=paper", "calibrated")),
    }


SMALLEST = Scenario(households=2)


def _attack(day: Day) -> dict[str, Any]:
    small = simulate(small_street(day.scenario, SMALL))
    lived, _ = replay_houses(small.street_day.spec, small.street, range(SMALL))
    found: dict[str, Any] = {"use": [use_words(day.street, 0), use_words(day.street, 1)]}
    for mechanism, adversary in SEEN:
        for at in (small, day):
            seen = posterior(at, mechanism, adversary=adversary)
            has_laws = at.street.distributions is not None
            found[f"{mechanism}, {adversary}, {at.scenario.households}"] = [
                method_words(seen, has_distributions=has_laws),
                method_words(seen, ApproximationError(None, 0.01), 0.5),
                method_words(seen, ApproximationError(0.5, 0.125), 0.5),
                limit_words(seen, at.scenario),
                watch_house(at, mechanism, adversary, 1, "filtering", None, None).limits,
            ]
    for adversary in WHO:
        for result in (
            attack_of_the_day(
                small.scenario, [posterior(small, name, adversary=adversary) for name in RATES], lived
            ),
            attack(small.scenario, 3, mechanisms=RATES, adversary=adversary),
        ):
            found[f"{adversary}, {result.days} days"] = [
                ceiling_words(result),
                crossing_words(result),
                _rows(scores_frame(result, "evidence")),
                _rows(scores_frame(result, "belief")),
            ]
    found["strongest"] = [strongest_words(strongest(small), chosen) for chosen in (True, False)]
    if not day.scenario.has_laws:
        found["off"] = list(approximation_error(day.scenario, "blowfish"))
    return found


def _audit(day: Day) -> dict[str, Any]:
    exact, proved = exact_losses(day), trial(day.scenario.replace(days=1), n=80)
    worse = {
        name: verdict and replace(verdict, promised=verdict.promised / 1e6)
        for name, verdict in proved.items()
    }
    return {
        "spent": _rows(spent_frame(day, exact)),
        "neglect": neglect_words(day, exact),
        "proofs": _rows(proofs_frame(proved)),
        "power": power_words(proved, 80),
        "broken": [broken(exact, proved), broken(exact, worse)],
    }


def _leakage(day: Day) -> dict[str, Any]:
    scenario = day.scenario
    exact, blowfish = exact_losses(day), moment_leakage(day, "blowfish")
    any_use = moment_leakage(day, "blowfish", promised=True)
    of_one = moment_leakage(day, "calibrated", 1)
    crowds = [
        noise_still_needed(day, epsilon, delta, sizes=(5, BIG))
        for epsilon, delta in ((scenario.epsilon, 1e-4), (50.0, 0.5))
    ]
    book = privacy_account(day, exact["blowfish"])
    seen = overview(scenario, "blowfish", scenario.steps_per_day // 2, repetitions=REPETITIONS)
    return {
        "moment": [
            moment_words(day, blowfish),
            moment_words(day, any_use, any_use),
            moment_words(day, of_one),
            moment_words(day, moment_leakage(day, "optimal")),
        ],
        "moments": _rows(moment_frame(day, blowfish).iloc[[0, 1, -1]]),
        "crowd": [crowd_words(noise) for noise in crowds],
        "crowds": _rows(noise_frame(crowds[0])),
        "overview": _rows(overview_frame(scenario, seen)),
        "overview words": [
            overview_words(scenario, seen, "naive", chosen=chosen) for chosen in (True, False)
        ],
        "account": [account_words(day, book, step) for step in (0, scenario.steps - 1)],
    }


def _teaching(scenario: Scenario) -> dict[str, Any]:
    small = small_street(scenario, SMALL)
    moves = opening(small)
    stage, without = open_stage(small, moves), open_stage(small, {})
    told = simulate(story_street(scenario))
    own = stake(told)
    story = threat(told, own)
    tried = experiments(stage)
    public, protected = public_days(scenario), private_days(scenario)
    at_noon = scenario.steps_per_day // 2
    return {
        "opening": [opening_words(stage), opening_words(without)],
        "lines": [[_plain(line) for line in lines(stage, t, 0)] for t in AT],
        "table": _rows(step_table(stage, AT[-1])),
        "noisiest": [noisiest_models(stage, stage.at(t)) for t in AT],
        "privacy": [privacy_words(stage, t) for t in AT],
        "check": [promise_check_words(stage, t) for t in AT],
        "changes": [changes_words(without, stage, t) for t in AT],
        "definitions": [[_plain(each) for each in definitions(stage, t, 0)] for t in AT],
        "experiments": [_plain(each) for each in tried],
        "revealed": [_plain(reveal(each, stage, open_stage(small, each.moves))) for each in tried],
        "price": [price_words(story, told, step, beliefs_at(told, own, step)) for step in (0, at_noon)],
        "worst case": [worst_case_line(epsilon) for epsilon in (0.01, scenario.epsilon, 20.0)],
        "headline": [
            headline(public, protected),
            headline(public, None),
            headline(None, None),
            margin_words(scenario, public, protected),
            margin_words(scenario, None, None),
            day_title(scenario, True),
            day_title(scenario, False),
            picture_words(scenario),
        ],
    }


def _plain(value: Any) -> Any:
    """The texts and numbers of a record, by the names of its fields."""
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, str | int | float | bool) or value is None else None
