"""The lab as an installed package: away from the checkout, with nothing but what pip put there."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from rtp import PRESETS, OccupancyModel, Scenario, __version__, simulate
from rtp.core.formatting import percent
from rtp.paper.published import figure2
from rtp.scenario.export import to_notebook, to_script
from scripts.serve import page_names, serve
from scripts.visitor import open_screens
from tests.help.aside import run_aside
from tests.help.imports import imported_names, read_tree

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
WITH_STREAMLIT = {"starlette"}  # which serves by it
STARTED = ("classroom", "serve", "visitor")
OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet")
SHIPPED = ("app.py", "pages/**/*", ".streamlit/config.toml", *(f"scripts/{name}.py" for name in STARTED))


class Installed(NamedTuple):
    """Where the package is, and a folder that is neither that nor the checkout."""

    site: Path
    elsewhere: Path

    def run(self, *command: str | Path) -> str:
        env = os.environ | {"PYTHONPATH": str(self.site)}
        return subprocess.run(
            command, cwd=self.elsewhere, env=env, capture_output=True, text=True, check=True, encoding="utf-8"
        ).stdout


def _files(folder: Path, *patterns: str) -> set[Path]:
    """The files of a folder, by their paths in it, but for what Python makes of them."""
    found = (path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
    return {path.relative_to(folder) for path in found if "__pycache__" not in path.parts}


def _built(what: str, source: Path, target: Path) -> Path:
    """What the project makes of a folder: an sdist or a wheel. Nothing is written there."""
    command = (sys.executable, "-m", "hatchling", "build", "-t", what, "-d", target)
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of this checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(_built("sdist", ROOT, folder / "made")) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"rtp_privacy_lab-{__version__}"


@pytest.fixture(scope="module")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """The wheel of the sdist, installed without a network: the requirements are those of this environment."""
    folder = tmp_path_factory.mktemp("package")
    site, elsewhere = folder / "site", folder / "elsewhere"
    elsewhere.mkdir()
    wheel = _built("wheel", unpacked, folder / "made")
    subprocess.run([sys.executable, "-m", "pip", "install", *OFFLINE, "--target", site, wheel], check=True)
    yield Installed(site, elsewhere)
    shutil.rmtree(folder)


@pytest.mark.long
def test_the_sdist_is_the_checkout(unpacked: Path) -> None:
    folders = ("rtp", "pages", "scripts", "tests", "benchmarks", "docs", "notebooks", ".streamlit", ".ci")
    expected = _files(
        ROOT, *(f"{folder}/**/*" for folder in folders), "*.py", "*.md", "*.txt", "*.lock", "Makefile"
    )
    assert expected <= _files(unpacked, "**/*")


@pytest.mark.long
def test_it_holds_the_package_the_app_and_nothing_else(installed: Installed) -> None:
    found = _files(installed.site, "**/*", "**/.*/*")
    info = f"rtp_privacy_lab-{__version__}.dist-info"
    expected = _files(ROOT, "rtp/**/*") | {Path("rtp/app", path) for path in _files(ROOT, *SHIPPED)}
    assert {Path("rtp/py.typed"), Path("rtp/app/pages/ui/browser/lab.css")} < expected
    assert {path for path in found if path.parts[0] != info} == {*expected, Path("bin/rtp")}


@pytest.mark.long
def test_the_app_opens_every_screen_from_an_empty_folder_and_writes_nothing(installed: Installed) -> None:
    def command(port: int) -> list[str]:
        return [str(installed.site / "bin" / "rtp"), "app", "--port", str(port), "--no-browser"]

    before = set(installed.site.rglob("*"))
    there = {"PYTHONPATH": str(installed.site), "PYTHONDONTWRITEBYTECODE": "1"}
    with serve(environment=there, command=command, folder=installed.elsewhere) as server:
        assert run_aside(open_screens(server.url, page_names())) == []
        assert "Traceback" not in server.log()
    assert list(installed.elsewhere.iterdir()) == []
    assert set(installed.site.rglob("*")) == before


EDITED = PRESETS["mixed street"].replace(epsilon=0.1, households=30, seed=7)
OWN_HABITS = Scenario.from_json(PRESETS["mansions"].replace(households=40).to_json())
QUOTED = Scenario(households=30, models=(OccupancyModel(name="It's me"),), assumed_model="It's me")
CHANGED = [(EDITED, "mixed street"), (OWN_HABITS, "paper"), (QUOTED, "paper")]
TAKEN = [*((scenario, name) for name, scenario in PRESETS.items()), *CHANGED]
END = "\f\n"

# What Python does with scripts and Jupyter with notebooks, whose cells run one after the other in one
# namespace; in one process for all, as each would spend its time on importing numpy.
AWAY = """
import json, runpy, sys
import rtp
from rtp.paper.published import figure2

print(rtp.__file__, rtp.__version__, *figure2()[1].tolist(), sep="\\n")
for path in sys.argv[1:]:
    print("\\f")
    if path.endswith(".py"):
        runpy.run_path(path)
        continue
    cells, names = json.load(open(path, encoding="utf-8"))["cells"], {}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile(cell["source"], f"{path}, cell {number}", "exec"), names)
    print(len(names["day"].frame()), len(names["rates_figure"](names["day"], ["naive"]).figure.data) > 0)
"""


@pytest.fixture(scope="module")
def printed(installed: Installed) -> list[list[str]]:
    """What is printed of the package, of every script and of every notebook."""
    files = {f"{i}.py": to_script(*taken) for i, taken in enumerate(TAKEN)}
    files |= {f"{i}.ipynb": to_notebook(*taken) for i, taken in enumerate(CHANGED)}
    for name, text in files.items():
        (installed.elsewhere / name).write_text(text, encoding="utf-8")
    blocks = installed.run(sys.executable, "-c", AWAY, *files).split(END)
    assert len(blocks) == 1 + len(files)
    return [block.splitlines() for block in blocks]


@pytest.mark.long
def test_the_installed_one_is_imported_with_its_version_and_its_data(
    installed: Installed, printed: list[list[str]]
) -> None:
    file, version, *curve = printed[0]
    assert Path(file) == installed.site / "rtp" / "__init__.py"
    assert version == __version__
    assert [float(value) for value in curve] == figure2()[1].tolist()


def of_every_rate(scenario: Scenario) -> list[str]:
    return [
        f"{name:>10}  error {percent(release.error)}, expected {percent(release.expected_error)}"
        for name, release in simulate(scenario).release.items()
    ]


@pytest.mark.long
def test_every_script_and_notebook_taken_away_prints_the_same_numbers(printed: list[list[str]]) -> None:
    assert all(to_script(*taken).startswith(f"# RTP Privacy Lab {__version__} on ") for taken in TAKEN)
    assert printed[1 : 1 + len(TAKEN)] == [of_every_rate(scenario) for scenario, _ in TAKEN]
    for told, (scenario, _) in zip(printed[1 + len(TAKEN) :], CHANGED, strict=True):
        expected = of_every_rate(scenario)
        for epsilon in (0.05, 0.5, 5.0):
            again = simulate(scenario.replace(epsilon=epsilon)).release.items()
            expected.append(f"ε {epsilon}: { {name: percent(release.error) for name, release in again} }")
        assert told == [*expected, f"{scenario.steps} True"]


@pytest.mark.long
def test_what_it_imports_is_what_it_requires() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    required = {_name(line) for line in (*project["dependencies"], *extras["cluster"])}
    assert _imported("rtp") | {"dask"} == required  # distributed's tasks are dask's
    app = _imported("pages") - required - WITH_STREAMLIT
    assert app | {"orjson"} == {_name(line) for line in extras["app"]}  # plotly writes charts by it


def _imported(folder: str) -> set[str]:
    """By name: what a folder takes from elsewhere."""
    sources = read_tree(ROOT, f"{folder}/**/*.py").values()
    imported = {name.partition(".")[0] for source in sources for name in imported_names(source)}
    return imported - set(sys.stdlib_module_names) - {"rtp", "pages"}


def test_the_pins_are_within_what_it_requires() -> None:
    """The lock and the package are about the same versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = (*project["dependencies"], *extras["app"], *extras["cluster"])
    least = dict(line.partition(";")[0].split(">=") for line in wanted)
    pinned = dict(pin.split("==") for which in ("", "-cluster") for pin in _pins(which))
    assert set(pinned) == set(least)
    assert [name for name in least if _number(pinned[name]) < _number(least[name])] == []


@pytest.mark.parametrize("which", ["", "-dev", "-docs"])
def test_every_pin_is_locked_with_hashes_and_no_address(which: str) -> None:
    lock = (ROOT / f"requirements{which}.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    for part in {"": ("",), "-dev": ("", "-cluster", "-dev"), "-docs": ("", "-docs")}[which]:
        for pin in _pins(part):
            assert re.search(rf"\n{re.escape(pin)}( ; [^\n]*)? \\\n    --hash=sha256:", lock), pin


def _pins(which: str) -> list[str]:
    lines = (ROOT / f"requirements{which}.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition(";")[0] for line in lines if not line.startswith("-r ")]


def _name(requirement: str) -> str:
    return requirement.partition(">=")[0]


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
