"""Files of known truth in every way of writing: none is read wrong (`python -m benchmarks files`)."""

from benchmarks.files import READ, REFUSED, files, verdict

REFUSABLE = {
    "1.234 W among semicolons",
    "1,234 W among semicolons",
    "1.234 W, all over a thousand",
    "watts, and nobody says so",
}


def test_every_file_is_read_right_or_refused_where_nobody_could() -> None:
    verdicts = {name: verdict(made) for name, made in files().items()}
    wrong = {n: why for n, (how, why) in verdicts.items() if how != (REFUSED if n in REFUSABLE else READ)}
    assert not wrong
