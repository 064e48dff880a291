"""Today's answers of every room, on every preset and four odd streets: what a change must not move unseen.

`python -m tests.help.answers` records all of them anew in tests/golden/answers, and with names of rooms, such
as `leakage cli`, theirs: for a change that is meant to move them, in a commit of its own that says why. Each
answer is asked for in one place, so a renamed function is one line here; the keys are the answers' own names
and stay. Of an array its shape, sum, ends and a few entries are kept.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import lru_cache
from io import StringIO
from math import isclose, isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from rtp import PRESETS, Day, Release, Scenario, simulate
from rtp.attack.adversary import AdversaryKind, Inference, Posterior, posterior
from rtp.attack.scores import Score
from rtp.attack.success import attack, strongest
from rtp.audit.exact import exact_losses
from rtp.audit.trial import Verdict, trial
from rtp.cli.main import main
from rtp.leakage.budget import epsilon_for_moment
from rtp.leakage.composition import composition_frame, compositions, privacy_account
from rtp.leakage.crowd import noise_still_needed
from rtp.leakage.detection import detect_daily, detection_frame, epsilon_for_detection
from rtp.leakage.moment import moment_leakage
from rtp.leakage.overview import overview
from rtp.mechanisms import private
from rtp.meters.sample import sample_frame
from rtp.money.bills import bills, generator
from rtp.money.summary import group_frame, loss_words, money_of_runs, simulate_runs, summarise
from rtp.paper.reproduction import PAPER
from rtp.play import Round, reveal
from rtp.play.scores import words
from rtp.scenario.describe import caption, differences
from rtp.scenario.export import to_file, to_notebook, to_script
from rtp.scenario.share import Named, from_link, pins_to_link, to_link
from rtp.sweep.plan import make
from rtp.sweep.whatif import compute
from rtp.teaching.exercises import EXERCISES
from rtp.teaching.stage import open_stage, opening, small_street
from rtp.teaching.threat import stake, story_street, threat
from rtp.tradeoff.answers import epsilon_for
from rtp.tradeoff.curves import curve, one_day_range
from rtp.version import VERSION
from tests.help.meters import DECISIONS, ENOUGH, READ, said_of_decision, said_of_readings
from tests.help.paper import SAID, said_of_paper
from tests.help.pictures import PICTURES, look
from tests.help.root import TESTS
from tests.help.streets import ODD, STREETS
from tests.help.texts import MODULES, texts
from tests.help.words import SPOKEN_OF, said_of_street

FOLDER = TESTS / "golden" / "answers"
# Beyond what exp and log may differ between machines, once summed over a day.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
BILLS = 1e-11  # the same for a change of bills, which is what is left of two larger numbers
ENTRIES = 4  # of an array that are kept
WATCHED = ("paper", "mixed street", "half hours", "listed")  # by those who take their time
BUDGETS = (0.05, 0.5, 5.0)
MODULE = re.compile(r"from rtp[.\w]* import")
QUICK = ("figures", "texts", "play")  # rooms that answer at once
DATE = re.compile(r"\d{4}-\d\d-\d\d(?=;|\b)")

Answers = dict[str, Any]


@lru_cache(maxsize=len(STREETS))
def day_of(street: str) -> Day:
    return simulate(STREETS[street])


def simulation(street: str) -> Answers:
    day = day_of(street)
    return {
        "occupancy": day.occupancy,
        "expected_occupancy": day.expected_occupancy,
        "consumption": day.consumption,
        "hours": day.hours,
        "frame": day.frame(),
        "release": {name: _release(release) for name, release in day.release.items()},
    }


def _release(release: Release) -> Answers:
    names = ("demand", "optimal", "rate", "scale", "protected", "setter", "rmsre", "expected_rmsre", "error")
    return {name: getattr(release, name) for name in (*names, "expected_error", "error_percent")}


def leakage(street: str) -> Answers:
    day, scenario = day_of(street), STREETS[street]
    return {
        "moment": {name: _moment(day, name) for name in day.release},
        "moment of house 1, promised": _moment(day, "blowfish", 1, promised=True),
        "epsilon for moment": {
            name: _budget(street, name, 0.7)
            for name in (("blowfish", "calibrated") if street in WATCHED else ("blowfish",))
        },
        "ledger": _ledger(day, "blowfish"),
        "ways": _ways(scenario.replace(days=1)),
    } | (_watched(street) if street in WATCHED else {})


def _watched(street: str) -> Answers:
    """What takes its time."""
    scenario = STREETS[street]
    return {
        "crowd": _crowd(day_of(street)),
        "stretch": _stretch(scenario),
        "overview": _overview(scenario),
        "epsilon for stretch": _hidden(scenario),
    }


def _moment(day: Day, mechanism: str, house: int | None = None, *, promised: bool = False) -> Answers:
    found = moment_leakage(day, mechanism, house, promised=promised)
    return {
        "so far": found.so_far,
        "whole": found.whole,
        "worst house": int(found.house[found.step]) if found.worst > 0 else None,
        "step": found.step if found.worst > 0 else None,
        "Theorem 2": found.theorem_2,
    }


def _budget(street: str, mechanism: str, leak: float) -> Answers:
    found = epsilon_for_moment(STREETS[street], mechanism, leak)
    return {"epsilon": found.epsilon, "leak": found.leak, "rmsre": found.rmsre}


def _ledger(day: Day, mechanism: str) -> Answers:
    found = privacy_account(day, exact_losses(day)[mechanism])
    return {"house": found.house, "at worst": found.at_worst, "given away": found.given_away}


def _crowd(day: Day) -> Answers:
    found = noise_still_needed(day, day.scenario.epsilon, 1e-4, sizes=(5, 30, 300))
    return {"scale": found.scale.tolist(), "insider": found.insider, "house": found.house, "step": found.step}


def _stretch(scenario: Scenario) -> Any:
    *_, last = detect_daily(scenario, "holiday", 2, mechanisms=["optimal", "blowfish"], repetitions=ENOUGH)
    return detection_frame(last)


def _ways(scenario: Scenario) -> Any:
    return composition_frame(compositions(scenario, 1.0), scenario.steps)


def _overview(scenario: Scenario) -> Answers:
    found = overview(scenario, "blowfish", scenario.steps_per_day // 2, repetitions=ENOUGH)
    return {f"{secret}, {observer}": list(area) for (secret, observer), area in found.areas.items()}


def _hidden(scenario: Scenario) -> Answers:
    found = epsilon_for_detection(scenario, "blowfish", "holiday", 0.8, "insider", days=2, repetitions=ENOUGH)
    return {"epsilon": found.epsilon, "area": found.area}


ADVERSARIES: tuple[AdversaryKind, ...] = ("insider", "outsider")
INFERENCES: tuple[Inference, ...] = ("filtering", "smoothing")


def attacks(street: str) -> Answers:
    day = day_of(street)
    return {
        "posterior": {
            f"{mechanism}, {adversary}, {inference}": _posterior(
                posterior(day, mechanism, adversary=adversary, inference=inference)
            )
            for mechanism in ("optimal", "blowfish", "filtered")
            for adversary in ADVERSARIES
            for inference in INFERENCES
        },
        "gaussian": {
            inference: _posterior(posterior(day, "calibrated", inference=inference, method="gaussian"))
            for inference in INFERENCES
        },
        "house 2": _posterior(posterior(day, "naive", house=2)),
        "scores": {adversary: _scores(street, adversary) for adversary in ADVERSARIES},
        "strongest": list(strongest(day)),
    }


def _posterior(seen: Posterior) -> Answers:
    return {
        "method": seen.method,
        "model": seen.model,
        "belief": seen.belief,
        "prior": seen.prior,
        "log evidence": seen.log_likelihood_ratio,
        "model only": seen.model_only,
        "most exposed": int(seen.exposure.argmax()),
        "by model": {each.model: each.belief for each in seen.by_model},
    }


def _scores(street: str, adversary: AdversaryKind) -> Answers:
    found = attack(STREETS[street], 2, mechanisms=["optimal", "blowfish"], adversary=adversary)
    scores = {name: _score(score) for name, score in [*found.scores.items(), ("model", found.model)]}
    if adversary == "insider":  # jointly, a house without evidence has rounding on either side of 0
        scores["evidence"] = {name: _estimate(score.evidence_auc) for name, score in found.scores.items()}
    return scores


def _score(score: Score) -> Answers:
    names = ("accuracy", "log_loss", "advantage", "auc", "roc")
    return {name: _estimate(getattr(score, name)) for name in names}


def _estimate(found: Any) -> list[Any]:
    return [np.asarray(end, dtype=float) for end in (found.value, found.low, found.high)]


def audit(street: str) -> Answers:
    exact = exact_losses(day_of(street))
    return {
        "account": {
            name: {
                "promised": account.promised,
                "spent": account.spent,
                "house": account.house,
                "alike": account.alike,
                "neglected": account.neglected,
                "any use": account.any_use,
                "so far": account.spent_so_far,
                "total": account.total,
                "kept": account.kept,
            }
            for name, account in exact.items()
        },
    } | ({"trial": _trial(STREETS[street].replace(days=1))} if street in WATCHED else {})


def _trial(scenario: Scenario) -> Answers:
    return {name: _verdict(verdict) for name, verdict in trial(scenario, n=80).items()}


def _verdict(verdict: Verdict | None) -> Answers | None:
    if verdict is None:
        return None
    return {"promised": verdict.promised, "proved": verdict.proved, "reasons": verdict.reasons}


def money(street: str) -> Answers:
    day = day_of(street)
    paid, lived = bills(day), simulate_runs(day.street_day, runs=12, houses=8)
    other = {name: money_of_runs(day, name, lived) for name in ("blowfish", "filtered")}
    return {
        "generator": {
            name: {"profit": each.profit, "loss": each.loss, "mismatch": each.mismatch}
            for name, each in generator(day).items()
        },
        "bills": {name: {"optimal": b.optimal, "published": b.published} for name, b in paid.items()},
        "groups": group_frame(summarise(day, other["blowfish"], 30.0), day.scenario),
        "repetitions": {name: _repetitions(each) for name, each in other.items()},
        "summary": {
            f"{name}, {days:g} days": _summary(summarise(day, other[name], days))
            for name in other
            for days in (1.0, 30.0)
        },
        "words": loss_words(day, "blowfish", summarise(day, other["blowfish"], 1.0)),
    }


def _repetitions(other: Any) -> Answers:
    return {name: getattr(other, name) for name in ("profit", "loss", "mismatch", "bill", "change", "weight")}


def _summary(found: Any) -> Answers:
    return {
        "profit": list(found.profit),
        "loss": list(found.loss),
        "mismatch": list(found.mismatch),
        "bills": _bill_change(found.bills),
        "by group": {name: _bill_change(each) for name, each in found.groups.items()},
        "changes": found.changes,
        "mean loss": list(found.mean_loss),
    }


def _bill_change(of: Any) -> Answers:
    return {
        "houses": of.houses,
        "bill": of.bill,
        "mean": list(of.mean),
        "worst": list(of.worst),
        "paying more": of.paying_more,
    }


def tradeoff(street: str) -> Answers:
    found = curve(STREETS[street], BUDGETS, days=60)
    return {
        "curve": {
            name: {end: getattr(line, end).tolist() for end in ("expected", "today", "low", "high")}
            for name, line in found.lines.items()
        },
        "target": {
            name: {"epsilon": budget.epsilon, "words": budget.words, "exact": budget.exact}
            for name in private()
            for budget in [epsilon_for(STREETS[street], name, 3e-3)]
        },
        "one day": {name: list(ends) for name, ends in one_day_range(day_of(street), 60).items()},
    }


def sweep(street: str) -> Answers:
    scenario = STREETS[street]
    grid = {
        "epsilon": [0.1, 1.0],
        "beta": {"from": 1.0, "to": 100.0, "count": 2, "scale": "log"},
        "habit_spread": [0, 0.02],
    }
    found = compute(make(scenario, grid, 3), lambda *_: None)
    return {
        "map": found.frame(),
        "names": [found.name(point) for point in sorted(found.parts)],
        "certainty": found.certainty("loss"),
        "misfit": found.misfit(scenario.replace(seed=99)),
    }


def scenarios(street: str) -> Answers:
    scenario = PRESETS.get(street, ODD.get(street, PAPER))
    preset = street if street in PRESETS else "paper"
    link = to_link(scenario, preset)
    named = Named(name="Mine", preset=preset, scenario=scenario)
    changed = Named(name="Other", preset=preset, scenario=scenario.replace(epsilon=0.25, seed=4))
    assert from_link(link) == (preset, scenario)
    return {
        "link": link,
        "link from the paper's": to_link(scenario),
        "named": named.to_text(),
        "pins": pins_to_link({1: named, 3: changed}, {}),
        "json": scenario.to_json(),
        "file": masked(to_file(scenario)),
        "script": masked(to_script(scenario, preset)),
        "notebook": masked(to_notebook(scenario, preset)),
        "differences": [list(map(str, row)) for row in differences([PRESETS["paper"], scenario])],
        "caption": masked(caption(changed.scenario, preset)),
    }


def teaching(street: str) -> Answers:
    if street == "exercises":
        return {each.title: _exercise(each) for each in EXERCISES}
    small = small_street(STREETS[street], 3)
    stage = open_stage(small, opening(small))
    told = day_of_story(street)
    at_stake = stake(told)
    return {
        "stage": {
            "rate": stage.release.rate,
            "noise": stage.noise,
            "protected": stage.protected,
            "states": stage.states,
        },
        "algorithm": {str(t): _algorithm(stage.at(t)) for t in (0, 1, 20)},
        "story": {
            "house": at_stake.house,
            "guess": at_stake.guess,
            "unprotected": at_stake.unprotected,
            "private": threat(told, at_stake).private,
        },
    }


def day_of_story(street: str) -> Day:
    return simulate(story_street(STREETS[street]))


def _exercise(exercise: Any) -> Answers:
    scenario = exercise.scenario
    scenario = scenario if not exercise.long else STREETS.get(exercise.preset, scenario)
    answer = exercise.answer(scenario, None)
    return {"question": exercise.question(exercise.scenario), "option": answer.option, "words": answer.words}


def _algorithm(step: Any) -> Answers:
    return {
        "sensitivity": step.sensitivity,
        "scale": step.scale,
        "setter": step.noise_setting_house,
        "published": step.published,
        "likelihood": step.likelihood,
        "models": [
            {
                "prior": model.prior,
                "possible": model.possible,
                "neighbours": [list(pair) for pair in model.neighbours],
                "protected": list(model.protected),
                "posterior": model.posterior,
            }
            for model in step.models
        ],
    }


ROUNDS = {
    "default": Round(),
    "chosen": Round(players=6, steps=3, choices=((1, 0, -1, 1) * 2, (0,) * 8), scenario=Scenario(seed=7)),
    "by habit": Round(players=5, per_street=5, habits="scenario", mechanism="filtered"),
    "a crowd": Round(players=12, per_street=12, mechanism="blowfish"),
}


def rounds(case: str) -> Answers:
    """A round of Play, as it is revealed."""
    scores = reveal(ROUNDS[case])
    arrays = ("at_home", "price", "private_price", "optimal", "belief", "private_belief", "habits")
    shares = ("observer_right", "unprotected_right", "private_right", "habits_right", "missed_percent")
    return {name: getattr(scores, name) for name in (*arrays, *shares)} | {
        "words": words(scores),
        "json": ROUNDS[case].to_json(),
    }


COMMANDS = {
    "run": "run --preset {street} --csv {folder}/day.csv --json {folder}/errors.json",
    "run with changes": "run --set households=20 --set epsilon=0.1 --set step_minutes=30 "
    "--set groups[Households].empty_max=0.4",
    "presets": "presets",
    "scenario": "scenario mansions",
    "audit": "audit --set households=30 --n 80",
    "overtime": "overtime --set households=30 --leak 1 --secret holiday --watch 2 --lives 40 "
    "--crowd 1e-4 --total 1",
    "overtime listed": "overtime {folder}/listed.json --house 1 --leak 0.5",
    "sweep": "sweep {folder}/spec.json --out {folder}/sweep.db",
    "sweep again": "sweep {folder}/spec.json --out {folder}/sweep.db",
    "export": "export {folder}/sweep.db --csv {folder}/points.csv",
    "learn": "learn {folder}/sample.csv -o {folder}/learned.json --groups 2 --laws",
    "replay": "run {folder}/learned.json --replay {folder}/sample.csv --csv {folder}/replayed.csv",
    "refused field": "run --set epsilonn=1",
    "refused value": "run --set epsilon=-1",
    "refused file": "run {folder}/nothing.json",
}


def cli(case: str) -> Answers:
    """All commands, in one folder and in order: some read what others wrote."""
    with TemporaryDirectory() as folder:
        for name, odd in ODD.items():
            Path(folder, f"{name}.json".replace(" ", "_")).write_text(odd.to_json(), encoding="utf-8")
        spec = {"preset": "tiny street", "grid": {"epsilon": [0.1, 1.0], "seed": [1, 2]}, "days": 3}
        Path(folder, "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        sample_frame().query("house < 'sample 06' and time < '2024-03-11'").to_csv(
            Path(folder, "sample.csv"), index=False
        )
        return {name: _command(command, folder) for name, command in COMMANDS.items()} | _files(folder)


def _command(command: str, folder: str) -> Answers:
    out, err = StringIO(), StringIO()
    words = [word.format(street="tiny street", folder=folder) for word in command.split()]
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    told = "" if "%" in err.getvalue() else err.getvalue()  # a progress bar says how long it took
    return {"status": status, "out": masked(out.getvalue(), folder), "err": masked(told, folder)}


def _files(folder: str) -> Answers:
    """What was written, without what differs by day or machine: dates, and the fingerprint of a scenario that
    was learned, which holds its last digit."""
    written = {
        path.name: pd.read_csv(path)
        for path in sorted(Path(folder).glob("*.csv"))
        if path.name != "sample.csv"
    }
    texts = {
        name: json.loads(Path(folder, name).read_text("utf-8")) for name in ("errors.json", "learned.json")
    }
    for text in texts.values():
        del text["lab"]
    written["replayed.csv"] = written["replayed.csv"].drop(columns="lab_scenario")
    return {name: frame.drop(columns="lab_date") for name, frame in written.items()} | texts


def help_words(command: str) -> Answers:
    """What a command says of itself, without line breaks, which depend on the window."""
    out = StringIO()
    with redirect_stdout(out), suppress(SystemExit):
        main(["--help"] if command == "rtp" else [command, "--help"])
    return {"words": " ".join(out.getvalue().split())}


def masked(text: str, folder: str = "/nowhere") -> str:
    """Without what changes from day to day: dates, the lab's version, the folder, where a function lives."""
    known = text.replace(folder, "FOLDER").replace(f"{VERSION} on", "VERSION on")
    return MODULE.sub("from rtp import", DATE.sub("DATE", known))


ROOMS: Mapping[str, tuple[Callable[[str], Answers], tuple[str, ...]]] = {
    "simulation": (simulation, tuple(STREETS)),
    "leakage": (leakage, tuple(STREETS)),
    "attack": (attacks, tuple(STREETS)),
    "audit": (audit, tuple(STREETS)),
    "money": (money, tuple(STREETS)),
    "tradeoff": (tradeoff, tuple(STREETS)),
    "sweep": (sweep, tuple(STREETS)),
    "scenario": (scenarios, tuple(STREETS)),
    "teaching": (teaching, ("exercises", *STREETS)),
    "paper": (said_of_paper, SAID),
    "play": (rounds, tuple(ROUNDS)),
    "cli": (cli, ("commands",)),
    "help": (
        help_words,
        ("rtp", "run", "presets", "scenario", "learn", "audit", "overtime", "sweep", "export"),
    ),
    "meters": (said_of_readings, READ),
    "decision": (said_of_decision, tuple(DECISIONS)),
    "figures": (look, tuple(PICTURES)),
    "texts": (texts, tuple(MODULES)),
    "words": (said_of_street, SPOKEN_OF),
}


def answers(room: str, case: str) -> Answers:
    """What a room answers today, as plain JSON."""
    ask, _ = ROOMS[room]
    found = plain(ask(case))
    assert isinstance(found, dict)
    return found


def plain(value: Any) -> Any:
    """As JSON holds it; of arrays and tables a summary."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, pd.DataFrame):
        return {"rows": [str(row) for row in value.index[:ENTRIES]]} | {
            str(name): plain(value[name].to_numpy()) for name in value.columns
        }
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def _array(array: np.ndarray[Any, Any]) -> Any:
    flat = array.ravel()
    if flat.dtype == object:
        return [plain(each) for each in flat.tolist()][:ENTRIES]
    if array.ndim == 0 or flat.size <= ENTRIES:
        return array.tolist()
    if flat.dtype == bool:
        flat = flat.astype(int)
    at = np.linspace(0, flat.size - 1, ENTRIES).astype(int)
    ends = {"min": flat.min().item(), "max": flat.max().item()}
    with np.errstate(invalid="ignore"):
        return {"shape": list(array.shape), "sum": flat.sum().item(), **ends, "at": flat[at].tolist()}


def changes(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two answers differ: texts and whole numbers at all, others by more than rounding."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(key for key in now if key not in before)]:
            yield from changes(before.get(key), now.get(key), f"{path}/{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from changes(one, other, f"{path}/{i}")
    elif isinstance(before, float) and isinstance(now, float | int):
        absolute = BILLS if "bill_change" in path else ABSOLUTE
        if not (isclose(before, now, rel_tol=RELATIVE, abs_tol=absolute) or (isnan(before) and isnan(now))):
            yield f"{path}: {before} became {now}"
    elif type(before) is not type(now) or before != now:
        yield f"{path}: {before} became {now}"


def recorded(room: str) -> dict[str, Answers]:
    """The kept answers of a room, by street or case."""
    kept: dict[str, Answers] = json.loads((FOLDER / f"{room}.json").read_text(encoding="utf-8"))
    return kept


def record(room: str) -> None:
    found = {case: answers(room, case) for case in ROOMS[room][1]}
    text = json.dumps(found, indent=0, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / f"{room}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or ROOMS:
        record(name)
