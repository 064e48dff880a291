"""Files of known truth in every way of writing: none is read wrong (`python -m benchmarks files`)."""

import pytest

from benchmarks.files import READ, REFUSED, files, verdict

MADE = files()
REFUSABLE = {"1.234 W among semicolons", "1,234 W among semicolons"}


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_read_right_or_refused_where_nobody_could(name: str) -> None:
    how, why = verdict(MADE[name])
    assert how == (REFUSED if name in REFUSABLE else READ), why
