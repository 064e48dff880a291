"""Where two screens, or a command, say how well an observer tells the same secret, it is the same number.

Decide answers for the street as it is described, and not for one that a seed has drawn. Where every house is
listed, and the seed is Decide's own, the two are one street: on that all of them are walked.
"""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from streamlit.testing.v1 import AppTest

import rtp.decision
from pages.ui import cache
from pages.ui.decide import answer
from rtp import PRESETS
from rtp.cli.main import main
from rtp.decision import Answer
from rtp.decision.requirement import described_street
from rtp.exposure import Exposure, Observer, exposure
from rtp.mechanisms import FEATURED, UNPROTECTED
from rtp.output.exposure import share
from rtp.scenario.share import to_link
from tests.help.app import ANSWERED, figures, opened
from tests.help.few import few

STREETS = {
    "tiny street": PRESETS["tiny street"].replace(step_minutes=60),
    "mixed street": PRESETS["mixed street"].replace(households=14, step_minutes=60),
}
ERRORS = {"tiny street": 15.0, "mixed street": 1.0}  # percent: what is published lies at a limit, or not
RATES = {"Optimal": UNPROTECTED, "Private": FEATURED}
Told = dict[tuple[Observer, str], str]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """Decide's answers; what is found takes its time here."""
    found = []

    def decide(*args: Any, **options: Any) -> Answer:
        found.append(rtp.decision.decide(*args, **options))
        return found[-1]

    monkeypatch.setattr(cache, "find_exposure", exposure)
    for name in ANSWERED:
        monkeypatch.setattr(answer, name, decide if name == "decide" else getattr(rtp.decision, name))
    return found


def shares(found: dict[Observer, Exposure], epsilon: float) -> Told:
    return {
        (who, rate): share(each.at(rate, epsilon), each.exact)
        for who, each in found.items()
        for rate in RATES.values()
    }


def plainly(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def bars(app: AppTest) -> dict[str, list[str]]:
    """What stands beside the bars of Attack, outsider first, by rate: a moment, a day, a week."""
    drawn: dict[str, list[str]] = {}
    for bar, number in zip(*[iter(figures(app)[-1]["data"])] * 2, strict=True):
        drawn.setdefault(bar["name"], []).extend(
            plainly(text).strip().replace("≥", "at least") for text in number["text"]
        )
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", few([*STREETS], "tiny street"))
def test_every_screen_and_command_says_the_same(
    name: str, answers: list[Answer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    street = described_street(STREETS[name])
    exposures = {who: exposure(street, "moment", who) for who in get_args(Observer)}
    told = shares(exposures, street.epsilon)
    told = {key: plainly(text) for key, text in told.items()}
    link = dict(to_link(street))

    claim = plainly(opened("Explore", **link).title[0].value)
    about = re.sub(r"by [\d.,]+ %", "", claim).replace("a coin: 50 %", "")  # without how far a rate is off
    assert {told["insider", UNPROTECTED], told["insider", FEATURED]} <= set(re.findall(r"\d+ %", about))
    numbers = {number for text in told.values() for number in re.findall(r"\d+ %", text)}
    assert set(re.findall(r"\d+ %", about)) <= numbers

    drawn = bars(opened("Attack", **link))
    for label, rate in RATES.items():
        assert [drawn[label][0], drawn[label][3]] == [told[who, rate] for who in get_args(Observer)]

    file = tmp_path / "street.json"
    file.write_text(street.to_json(), encoding="utf-8")
    assert main(["overtime", str(file), "--secret", "moment"]) == 0
    lines = plainly(capsys.readouterr().out).splitlines()
    for rate in RATES.values():
        outside, inside = [line for line in lines if line.startswith(f"{rate} ") and " % " in line]
        assert told["outsider", rate] in outside
        assert told["insider", rate] in inside

    main(["answer", str(file), "--hide", "moment", "--error", str(ERRORS[name]), "--all"])
    said = " ".join(plainly(capsys.readouterr().out).split())
    page = opened("Decide", hide="moment", target=str(ERRORS[name]), **link)
    closest = answers[-1].chosen.accurate
    assert closest is not None
    assert (closest.told == closest.first) == (name == "mixed street"), "one is measured on more days"
    read = plainly(" ".join(each.value for each in page.markdown)).replace("**", "")
    for who, found in exposures.items():
        often = plainly(share(found.at(closest.rate, closest.epsilon), found.exact))
        assert f" {often} (" in said
        assert f" {often} (" in read, f"{who}: as on Attack"
    (seen,) = [table.value for table in page.table if "Insider, without noise" in table.value]
    moments = seen[seen["Secret"] == "One moment"]
    for who in get_args(Observer):
        number = told[who, UNPROTECTED]
        assert f"{who}, without noise {number}" in said
        assert any(plainly(cell).startswith(number) for cell in moments[f"{who.capitalize()}, without noise"])
