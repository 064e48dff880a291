"""An answer in a real browser: it comes by itself, and its ε is used on every screen. An analyst's
whole question, with every action counted: `test_feeder.py`."""

import re

from playwright.sync_api import expect

from rtp import PRESETS
from rtp.core.formatting import plain
from rtp.decision import decide
from rtp.mechanisms import FEATURED
from rtp.output.decision import answer_sentence
from tests.browser.lab import LONGEST, Lab, sees

STREET = PRESETS["tiny street"]


def test_the_answer_comes_by_itself_and_is_used_on_every_screen(walk: Lab) -> None:
    lab, page = walk, walk.open("/Answer", "preset=tiny+street")
    lab.fill(page, "I can accept this error (%)", "3")
    found = decide(STREET, FEATURED, 3.0)
    sentence = re.sub(r"\*\*", "", answer_sentence(found))
    expect(page.get_by_text(sentence)).to_be_visible(timeout=1000 * LONGEST)
    lab.settle(page)
    lab.check(page)
    epsilon = plain(found.scenario.epsilon)
    lab.press(page, f"Use ε = {epsilon} on every screen")
    sees(page, lambda: f"epsilon={found.scenario.epsilon}" in page.url)
    expect(page.get_by_text(sentence)).to_be_visible(timeout=1000 * LONGEST)
