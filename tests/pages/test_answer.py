"""The Answer screen, run without a browser."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from rtp import PRESETS
from rtp.decision import decide
from rtp.output.decision import TABLES, answer_sentence, warnings
from tests.help.app import enter, key, link_of, opened, said, scenario_of

STREET = PRESETS["tiny street"]
LINK = {"preset": "tiny street", "target": "0.4"}


def answered(app: AppTest) -> AppTest:
    """Once the answer that was begun is there."""
    until = time.monotonic() + 60
    while not app.table and time.monotonic() < until:
        time.sleep(0.2)
        app.run()
    assert app.table
    return app


def test_it_answers_by_itself_and_every_table_is_the_engines() -> None:
    app = answered(opened("Answer", **LINK))
    found = decide(STREET, "blowfish", 0.4)
    assert f"#### {answer_sentence(found)}" in said(app)
    assert [table.value.to_dict() for table in app.table] == [
        frame(found).to_dict() for frame in TABLES.values()
    ]
    assert warnings(found)
    for line in warnings(found):
        assert line in app.warning[0].value

    app.button(key="answer:use").click().run()
    assert scenario_of(app).epsilon == found.scenario.epsilon
    answered(app)
    assert f"#### {answer_sentence(found)}" in said(app)
    assert app.button(key="answer:use").disabled


@pytest.mark.long
def test_another_rate_or_error_is_answered_anew() -> None:
    app = answered(opened("Answer", **LINK | {"target": "50"}, rate="forecast"))
    assert "Publish the **Forecast** rate. It reads no data and is within 50 % of the optimal rate." in said(
        app
    )
    enter(app, "accepted error", "0.6")
    app.segmented_control(key=key(app, "rate")).set_value("naive").run()
    answered(app)
    assert "Publish the **Naive** rate" in said(app)
    assert (link_of(app)["rate"], float(link_of(app)["target"])) == ("naive", 0.6)


def test_a_price_that_nobody_would_publish_is_pointed_out() -> None:
    """On the two screens that say what to publish; a tariff of the usual size has nothing to say."""
    absurd = {"households": "30", "power_unit": "kW", "currency": "EUR"}
    for screen in ("Answer", "Explore"):
        assert any("Households pay about 0.29" in each.value for each in opened(screen, **absurd).warning)
        usual = opened(screen, **absurd, alpha="0.02", beta="0.1")
        assert not any("Households pay" in each.value for each in usual.warning)
