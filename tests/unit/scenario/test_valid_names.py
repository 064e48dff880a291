"""Names that others gave become names that a scenario takes."""

from hypothesis import example, given
from hypothesis import strategies as st

from rtp.scenario import House, valid_names


@given(st.lists(st.text(max_size=60), max_size=12, unique=True))
@example(["NMI:6001_02", "NMI 6001_02", "🏠", "🏡", "House²", "_x", "", "a" * 60, "a" * 61, "Zähler 7"])
def test_every_text_has_a_name_of_its_own_and_a_name_stays(texts: list[str]) -> None:
    names = valid_names(texts)
    assert len(set(names)) == len(texts)
    for name in names:
        assert House(name=name, group="A", occupied=1.0, empty=0.5).name == name
    assert valid_names(names) == names
