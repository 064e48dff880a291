"""How fast the Explore screen answers, in a real browser.

From the key press that enters another ε until every chart shows the new day and stands still, as a multiple
of the same on a bare page that draws the same figure from a file, with nothing to compute. Also the server's
own time for a rerun, and the time from `streamlit run` to the first screen.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page
from streamlit.testing.v1 import AppTest

from benchmarks.measure import Result
from rtp import Scenario, simulate
from rtp.figures.timeline import day_figure
from scripts.browser import launch, settle
from scripts.serve import ROOT, serve

REPEATS = 15
SHOWN = ["optimal", "naive", "blowfish"]

BARE = """
import json
from pathlib import Path
import streamlit as st
st.set_page_config(layout="wide")
value = st.number_input("ε, typed", 0.0001, 10000.0, 0.5, step=0.1, format="%g")
figures = json.loads((Path(__file__).parent / "figures.json").read_text())
st.plotly_chart(figures[f"{value:g}"], key="day")
"""

# Milliseconds from the key press until the charts hold other numbers, are drawn, and the script has ended.
WATCH = """() => {
    const curve = () => JSON.stringify([...document.querySelectorAll('.js-plotly-plot')].map(
        (plot) => Array.from(plot._fullData?.[1]?.y ?? []).slice(0, 5)));
    const before = curve();
    const app = document.querySelector('[data-testid="stApp"]');
    window.answeredIn = null;
    addEventListener('keydown', () => {
        const start = performance.now();
        const look = () => {
            const plots = [...document.querySelectorAll('.js-plotly-plot')];
            const drawn = plots.length && plots.every((plot) => plot.querySelector('.scatterlayer .trace'));
            const idle = app.dataset.testScriptState === 'notRunning';
            if (drawn && idle && curve() !== before) window.answeredIn = performance.now() - start;
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, {once: true, capture: true});
}"""


def answer_times(page: Page) -> list[float]:
    """Seconds per answer, alternating between two budgets."""
    times = []
    for turn in range(REPEATS):
        box = page.get_by_label("ε, typed", exact=True)
        box.fill("0.4" if turn % 2 == 0 else "0.5")
        page.evaluate(WATCH)
        box.press("Enter")
        page.wait_for_function("window.answeredIn !== null")
        times.append(page.evaluate("window.answeredIn") / 1000)
        settle(page)
    return times[1:]


def bare_page(folder: Path) -> Path:
    figures = {
        f"{epsilon:g}": json.loads(day_figure(simulate(Scenario(epsilon=epsilon)), SHOWN).figure.to_json())
        for epsilon in (0.4, 0.5)
    }
    (folder / "figures.json").write_text(json.dumps(figures))
    (folder / "bare.py").write_text(BARE)
    return folder / "bare.py"


def server_time() -> float:
    """Seconds the script itself takes for a rerun with another ε."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    times = []
    for turn in range(REPEATS):
        app.select_slider(key=app.session_state["turns"]["slider:epsilon"].key).set_value(
            0.4 if turn % 2 == 0 else 0.5
        )
        start = time.perf_counter()
        app.run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def results() -> Iterator[Result]:
    with launch() as browser, tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with serve() as server:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            page.wait_for_selector(".js-plotly-plot .scatterlayer .trace", state="attached")
            first = time.perf_counter() - start
            settle(page)
            ours = statistics.median(answer_times(page))
        with serve(script=bare_page(Path(folder))) as server:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            settle(page)
            bare = statistics.median(answer_times(page))
    yield Result(
        subject="key press on ε to all charts ÷ a bare page with that chart",
        value=ours / bare,
        target=1.3,
    )
    yield Result(subject="key press on ε to all charts", value=ours, unit=" s")
    yield Result(subject="server time of a rerun", value=server_time(), unit=" s")
    yield Result(subject="first screen after streamlit run", value=first, unit=" s")
