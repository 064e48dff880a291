"""The list of the lab's sentences: all that is said is in it, and nothing of a private English in ours."""

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from rtp.teaching.exercises import EXERCISES
from rtp.teaching.tour import STOPS
from scripts.sentences import _texts, sentences
from tests.help.root import ROOT

PRIVATE = re.compile(  # of an English that only this lab ever spoke
    r"\btold\b|by models|yardstick|at hand|worst off|on another footing|luck removed|nobody to drop"
    r"|in chances|, typed\b|take it away|rates together tell|never can\b|she follows by|called so"
    r"|streets that show it|an hour of 45|predictions stand|my own scenario|in the night\b"
    r"|plain address|\blives\b|\bledger\b|\ba law\b|\blaws\b|folded away"
)
MEANT = ("Who lives on the street", "{yardstick} noise")  # people do live, and a name is filled in


def test_a_label_a_hover_a_sentence_and_an_f_string_are_found() -> None:
    said = {(each.file, each.text) for each in sentences(("pages/ui", "rtp/teaching"))}
    assert ("pages/ui/lesson.py", "Use my street") in said
    assert ("pages/ui/sidebar.py", "Share: the address of this view, and its QR code") in said
    assert ("pages/ui/explore.py", "Rates") in said, "a label of one word"
    assert any(text.startswith("An observer is right **{…}** of the day") for _, text in said)
    texts = {text for _, text in said}
    assert {stop.title for stop in STOPS} <= texts
    assert {each.why for each in EXERCISES} <= texts


def test_docstrings_and_code_are_no_sentences() -> None:
    code = '''
        """A module that says something."""
        import re
        def f(x: "a note") -> "another note":
            """What comes back."""
            re.search("one two", x)
            return st.caption(f"Seen {x} times", "b")
    '''
    assert _texts(ast.parse(textwrap.dedent(code))) == [(7, "Seen {…} times")]


@pytest.mark.slow
def test_every_text_speaks_plain_english() -> None:
    private = [each for each in sentences() if PRIVATE.search(each.text.lower())]
    assert [each for each in private if not each.text.startswith(MEANT)] == []


@pytest.mark.slow
def test_the_command_prints_every_sentence_with_its_file() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "scripts.sentences", "pages/ui/share.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = run.stdout.splitlines()
    assert len(lines) == len(sentences(["pages/ui/share.py"])) > 5
    assert all(Path(line.partition(":")[0]) == Path("pages/ui/share.py") for line in lines)
