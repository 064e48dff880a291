"""The glossary finds the words it explains, and no others."""

from rtp.output.glossary import GLOSSARY, help_for


def test_every_word_is_explained_once_and_in_order() -> None:
    found = help_for("Models Θ the curator guards against; RMSRE, κ and λ of an observer. Observers!")
    assert found is not None
    assert [line.partition("**")[2].partition("**")[0] for line in found.split("\n\n")] == [
        "observer",
        "curator",
        "RMSRE",
        "κ",
        "λ",
        "Θ",
    ]


def test_parts_of_other_words_are_left_alone() -> None:
    assert help_for("unoccupied curators-general") == f"**curator** — {GLOSSARY['curator']}"
    assert help_for("preoccupied, armsre") is None
    assert help_for("") is None


def test_the_observer_is_introduced_as_she() -> None:
    assert "“she”" in GLOSSARY["observer"]
