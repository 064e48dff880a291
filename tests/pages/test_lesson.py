"""The Lesson screen: predict, reveal, go on; the user's scenario stays unless it is asked for."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from rtp import PRESETS
from rtp.audit.trial import Verdict
from rtp.core.formatting import kept_together
from rtp.mechanisms import short
from rtp.output.play import reason
from rtp.teaching import sealed
from rtp.teaching.exercises import EXERCISES, WHAT_EPSILON_DOES, WHO_IS_DROPPED
from rtp.teaching.sealed import SEALED_LETTERS
from tests.help import app as lab
from tests.help.reading import readable


def verdicts(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.success, *app.info])


def test_a_prediction_comes_before_the_answer_and_both_stand_in_the_address() -> None:
    app, right = lab.opened("Class", seed="5"), WHAT_EPSILON_DOES.answer(WHAT_EPSILON_DOES.scenario, None)
    assert app.button(key="lesson:reveal").disabled
    app.radio[0].set_value(0).run()
    assert app.query_params["said"] in ("1a", ["1a"])
    assert not verdicts(app)
    lab.click(app, "lesson:reveal")
    assert app.query_params["said"] in ("1A", ["1A"])
    assert not app.success
    assert kept_together(right.words) in verdicts(app)
    app.radio[0].set_value(right.option).run()
    assert not verdicts(app), "another prediction closes the answer"
    lab.click(app, "lesson:reveal")
    assert kept_together(right.words) in app.success[0].value
    lab.click(app, "lesson:again")
    assert "said" not in app.query_params
    assert lab.scenario_of(app) == PRESETS["paper"].replace(seed=5)


def test_the_street_of_an_exercise_is_taken_only_when_asked_for() -> None:
    app = lab.opened("Class", exercise="3")
    lab.click(app, "lesson:adopt")
    assert lab.scenario_of(app) == EXERCISES[2].scenario
    lab.click(app, "action:undo")
    assert lab.scenario_of(app) == PRESETS["paper"]


def test_the_same_question_is_asked_of_the_users_own_street() -> None:
    """Algorithm 1 drops nobody on the paper's street, and the mansions on theirs."""
    own = lab.opened("Class", exercise="2", said="2A", own="true", preset="mansions", households="100")
    theirs = WHO_IS_DROPPED.answer(PRESETS["mansions"].replace(households=100), None)
    assert kept_together(theirs.words) in verdicts(own)
    assert theirs.option != WHO_IS_DROPPED.answer(WHO_IS_DROPPED.scenario, None).option


@pytest.mark.slow
def test_a_long_answer_is_computed_beside_the_page_and_counts_then() -> None:
    app = lab.opened("Class", exercise="7", said="7C", own="true", households="3", step_minutes="60")
    assert not verdicts(app)
    assert f"0 of {len(EXERCISES)}" in lab.said(app)
    app = lab.finish(app, "exercise")
    assert EXERCISES[6].why in verdicts(app)


# Find the cheat on its screen: nothing tells before the audit, which comes after the votes


TAB = "Find the cheat"


def vote(app: AppTest, votes: sealed.Votes) -> None:
    for letter, trusted in votes.items():
        app.segmented_control(key=lab.key(app, f"cheat:vote {letter}")).set_value(trusted).run()


def told(app: AppTest) -> str:
    """All that the page was sent, pictures included."""
    return "\n".join([*readable(app), *map(str, lab.figures(app)), str(app.query_params)]).lower()


def secrets(number: int) -> set[str]:
    five = sealed.sealed(number)
    return {short(each.made_from) for each in five} | {each.fault for each in five} - {""}


def test_votes_come_before_the_audit_which_opens_the_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "audited", partial(sealed.audited, n=64))
    app = lab.opened("Class", tab=TAB, sealed="2", shown="Error")
    votes = dict(zip(SEALED_LETTERS, (True, False, True, False, True), strict=True))
    vote(app, dict(list(votes.items())[:-1]))
    assert "start:cheat" not in [button.key for button in app.button], "a vote is missing"
    vote(app, votes)
    assert sealed.votes_of("votes", lab.link_of(app)["votes"]) == votes
    assert not [secret for secret in secrets(2) if secret in told(app)]
    app = lab.finish(app, "cheat")
    verdicts = sealed.audited(2)
    for each, line in zip(
        sealed.sealed(2), (m.value for m in app.markdown if "badge[" in m.value), strict=True
    ):
        verdict = verdicts[each.letter]
        assert ("red-badge" in line) == (isinstance(verdict, Verdict) and verdict.broken)
        assert f"{short(each.made_from)} rate" in line
        assert reason(each, sealed.prices(2)) in line
    lab.click(app, "cheat:another")
    assert (lab.setting(app, "cheat:number"), lab.setting(app, "cheat:votes")) == (3, {})
    assert not [secret for secret in secrets(3) if secret in told(app)]
