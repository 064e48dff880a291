"""Find the cheat on its screen: nothing tells before the audit, which comes after the votes."""

from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from rtp.audit.trial import Verdict
from rtp.mechanisms import REGISTRY
from rtp.teaching import sealed
from rtp.teaching.sealed import SEALED_LETTERS
from tests.help import app as lab
from tests.help.reading import readable

TAB = "Find the cheat"


def vote(app: AppTest, votes: sealed.Votes) -> None:
    for letter, trusted in votes.items():
        app.segmented_control(key=lab.key(app, f"cheat:vote {letter}")).set_value(trusted).run()


def told(app: AppTest) -> str:
    """All that the page was sent, pictures included."""
    return "\n".join([*readable(app), *map(str, lab.figures(app)), str(app.query_params)]).lower()


def secrets(number: int) -> set[str]:
    five = sealed.sealed(number)
    return {REGISTRY[each.made_from].label.lower() for each in five} | {each.fault for each in five} - {""}


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
        assert REGISTRY[each.made_from].label in line
        assert each.does_wrong in line
    lab.click(app, "cheat:another")
    assert (lab.setting(app, "cheat:number"), lab.setting(app, "cheat:votes")) == (3, {})
    assert not [secret for secret in secrets(3) if secret in told(app)]
