"""Names that somebody else wrote are text, on every screen and in the terminal: nothing of them is fetched,
linked, drawn or obeyed."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from pages.ui.screens import SCREENS
from rtp import PRESETS, Scenario
from rtp.cli.main import main
from rtp.core.formatting import NAME_SHOWN, in_markdown, plain_parts, shown_name
from rtp.meters import read
from rtp.output.street_report import street_report
from rtp.scenario import valid_names
from rtp.scenario.house_table import read_table
from rtp.scenario.share import Named, to_link
from tests.help import app as lab
from tests.help.few import few
from tests.unit.meters.files import csv, table
from tests.unit.meters.streets import known_street

NUMBERED, TITLE, IMAGE = "12. hostile", "\x1b]0;hostile\x07", "![hostile](http://hostile.example/x.png)"
HOSTILE = (
    *(IMAGE, TITLE, "[hostile](http://hostile.example)", "http://hostile.example", "WWW.hostile.example"),
    *("me@hostile.example.com", "<hostile src=x>", "$hostile^2$", ":red[hostile]", ":hostile:", "`hostile`"),
    *("**hostile**", "\u202ehostile", "host\u200bile", "hostile" * 700, "_hostile_"),
    *("# hostile", NUMBERED, "\\[hostile](x)", "&hostile;", "a->hostile"),
)
# Where Streamlit, as a browser shows, makes more than text of it; some also where a backslash stands before.
LIVE = re.compile(
    r"(?<!\\)(\\\\)*[\[<$`*&]hostile|(?<![\\\w])_hostile|(://|www\.|@|:|->)hostile|^\d+\. hostile|^# ", re.I
)
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e]|(hostile){20}")
MARKDOWN = ("label", "body", "help", "text", "delta", "caption", "content")
PAGES = [Path(screen.path).stem.replace("app", "Explore") for screen in SCREENS]
# Names that a scenario takes, as near to Markdown as they come.
HEADER = "house,group,occupied,empty"
GROUP, HOUSE, PIN = "1. hostile_a_b (x)", "2) a_hostile_b", "http://hostile.example/:red"


def texts(proto: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The fields of what is sent to the browser that hold text, by name."""
    if isinstance(proto, str):
        yield name, proto
    elif hasattr(proto, "ListFields"):
        for field, value in proto.ListFields():
            yield from texts(value, field.name)
    elif not isinstance(proto, bytes | int | float | Mapping | None):
        for each in proto:
            yield from texts(each, name)


def check(app: AppTest) -> str:
    """Return the running text, after a look at all that the browser reads as Markdown, and at the charts."""
    assert not app.exception
    for node in app.main, app.sidebar:
        for each in node:
            told = dict.fromkeys(texts(getattr(each, "proto", None)))
            marked = [text for name, text in told if name in MARKDOWN and each.type != "text_area"]
            if isinstance(each, Element) and each.type == "table":
                frame = each.value.reset_index()
                marked += map(str, [*frame.columns, *frame.to_numpy().ravel()])
            for text in marked + [text for name, text in told if name == "options"]:
                assert not OBEYED.search(text), (each.type, text)
            for text in marked:
                assert not LIVE.search(text), (each.type, text)
    assert "<hostile" not in str(lab.figures(app))
    return lab.said(app)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stands_in_a_sentence_as_it_is(name: str) -> None:
    shown = shown_name(name)
    sentence = f"**Of {in_markdown(shown)}**: {in_markdown(shown)}"
    assert plain_parts(sentence) == ["", f"Of {shown}", f": {shown}"]
    assert len(shown) <= NAME_SHOWN
    assert not OBEYED.search(shown)
    (taken,) = valid_names([name])
    assert taken == name == NUMBERED or taken != name


@pytest.mark.slow
@pytest.mark.parametrize("page", few(PAGES, "Explore", "Street"))
def test_names_of_a_scenario_and_of_a_link_are_text(page: str) -> None:
    street = PRESETS["mixed street"]
    groups = tuple(group.replace(name=f"{GROUP} {i}") for i, group in enumerate(street.groups))
    models = tuple(model.replace(name=f"{GROUP} {i}") for i, model in enumerate(street.models))
    rows = [f"{HOUSE} {i},{groups[i % len(groups)].name},1,0.1" for i in range(6)]
    street = read_table(street.replace(groups=groups, models=models), "\n".join([HEADER, *rows]))
    named = Named(name=PIN, preset="paper", scenario=Scenario(households=3))
    one, two, three = Random(page).sample(HOSTILE, 3)
    link = to_link(street) | {"pin1": named.to_text()}
    app = lab.opened(page, sections=lab.FOLDED, **link)
    lab.lab_of(app).named.hear({PIN: named.to_text(), one: f"{two}?epsilon=2"})
    check(app.run())
    assert "hostile" in check(lab.opened(page, **{three: "1"}))
    app = lab.opened(page, preset=one, pin2=f"{two}?x", epsilon=three)
    assert app.error
    check(app)


@pytest.mark.long
def test_names_of_files_and_of_their_houses_are_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [IMAGE, TITLE, *Random(1).sample(HOSTILE[2:], 4)]
    power = known_street(6, 14, 60, 4, empty_share=(0.05, 0.1)).readings.power
    frame = table(60, houses=6, days=14).assign(kWh=power.ravel())
    data = csv(frame.replace({f"h{i}": name for i, name in enumerate(names)}))
    app = lab.opened("Street", tab="From readings", fuse="1", standby="0.25")
    app.file_uploader[0].set_value((f"{IMAGE}.csv", data, "text/csv")).run()
    for tab, job in (("What is learned", "learn"), ("Rates and bills", "replay")):
        lab.lab_of(app).view["meters:tab"] = tab
        app.run()
        check(lab.finish(app, job))
    result = lab.lab_of(app).extras["job:replay"].result
    assert "<hostile" not in street_report(read(data), result, Scenario())
    app.file_uploader[0].set_value((f"{IMAGE}.csv", b"house,kWh\na,1\n", "text/csv")).run()
    check(app)
    file, out = tmp_path / f"{TITLE}.csv", tmp_path / "out.json"
    file.write_bytes(data)
    capsys.readouterr()
    assert main(["learn", str(file), "-o", str(out), "--bound", "1", "--empty-bound", "0.1"]) == 0
    for house in (IMAGE, TITLE, "none"):
        main(["run", "--replay", str(file), "--house", house])
    main(["run", str(file)])
    told = "\n".join(capsys.readouterr())
    assert not OBEYED.search(told.replace("\r", "\n"))
    assert f"An observer of {IMAGE}" in told
    assert max(map(len, told.splitlines())) < 700
