"""How fast the Explore screen answers, in a real browser.

From the key press that enters another ε until every chart shows the new day, as a multiple of the same on a
bare page: a field, and Explore's own charts, read from a file and drawn by `st.plotly_chart`, with nothing to
compute. That is the floor that the target is about, and it grew with the screen: when the target was set the
day's picture was the only chart of Explore. How far the screen is from a page with that picture alone is told
too, without a target. The pages take turns, so that a busy machine hits all of them.

Also the server's own time for a rerun, and the time from `streamlit run` to the first screen.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from benchmarks.measure import Result
from scripts.browser import launch, settle
from scripts.serve import ROOT, serve

REPEATS = 15
BUDGETS = (0.4, 0.5)
DAY = "day"  # the key of the day's picture

BARE = """
import json
from pathlib import Path
import streamlit as st
st.set_page_config(layout="wide")
value = st.number_input("ε, typed", 0.0001, 10000.0, 0.5, step=0.1, format="%g")
charts = json.loads(Path(__file__).with_suffix(".json").read_text())
for key, chart in charts[f"{value:g}"].items():
    st.plotly_chart(chart, key=key)
"""

# Milliseconds from the key press until every chart holds other numbers, is drawn, and the script has ended.
WATCH = """() => {
    const plots = () => [...document.querySelectorAll('.js-plotly-plot')];
    const curves = () => plots().map((plot) => JSON.stringify(Array.from(plot._fullData?.[1]?.y ?? [])));
    const before = curves();
    const app = document.querySelector('[data-testid="stApp"]');
    window.answeredIn = null;
    addEventListener('keydown', () => {
        const start = performance.now();
        const look = () => {
            const drawn = plots().every((plot) => plot.querySelector('.scatterlayer .trace'));
            const idle = app.dataset.testScriptState === 'notRunning';
            const now = idle && drawn ? curves() : [];
            const other = now.length === before.length && now.every((curve, i) => curve !== before[i]);
            if (other) window.answeredIn = performance.now() - start;
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, {once: true, capture: true});
}"""

Charts = Mapping[str, object]  # as they are sent, by key


def explore(epsilon: float) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["epsilon"] = f"{epsilon:g}"
    return app.run()


def charts(epsilon: float) -> Charts:
    """Those of Explore, by key."""
    sent = [element.proto for element in explore(epsilon).get("plotly_chart")]
    return {proto.id.rpartition("-")[2]: json.loads(proto.spec) for proto in sent}


def bare_page(folder: Path, name: str, charts: Mapping[float, Charts]) -> Path:
    """A script that draws these charts, by ε."""
    script = folder / f"{name}.py"
    by_text = {f"{epsilon:g}": drawn for epsilon, drawn in charts.items()}
    script.with_suffix(".json").write_text(json.dumps(by_text))
    script.write_text(BARE)
    return script


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(url)
    page.wait_for_selector(".js-plotly-plot .scatterlayer .trace", state="attached")
    return page


def answer_time(page: Page, epsilon: float) -> float:
    """Seconds until a page has answered to another ε."""
    box = page.get_by_label("ε, typed", exact=True)
    box.fill(f"{epsilon:g}")
    page.evaluate(WATCH)
    box.press("Enter")
    page.wait_for_function("window.answeredIn !== null")
    settle(page)
    return float(page.evaluate("window.answeredIn")) / 1000


def answer_times(pages: list[Page]) -> list[float]:
    """The median of each page, in turns, after a first answer that does not count."""
    turns = [[answer_time(page, BUDGETS[turn % 2]) for page in pages] for turn in range(REPEATS)]
    return [statistics.median(times) for times in zip(*turns[1:], strict=True)]


def server_time() -> float:
    """Seconds the script itself takes for a rerun with another ε."""
    app = explore(BUDGETS[1])
    times = []
    for turn in range(REPEATS):
        key = app.session_state["turns"]["slider:epsilon"].key
        app.select_slider(key=key).set_value(BUDGETS[turn % 2])
        start = time.perf_counter()
        app.run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def results() -> Iterator[Result]:
    all_charts = {epsilon: charts(epsilon) for epsilon in BUDGETS}
    the_day = {epsilon: {DAY: drawn[DAY]} for epsilon, drawn in all_charts.items()}
    with ExitStack() as open_now:
        browser = open_now.enter_context(launch())
        folder = Path(open_now.enter_context(tempfile.TemporaryDirectory()))
        start = time.perf_counter()
        pages = [opened(browser, open_now.enter_context(serve()).url)]
        first = time.perf_counter() - start
        for name, drawn in (("all", all_charts), ("day", the_day)):
            script = bare_page(folder, name, drawn)
            pages.append(opened(browser, open_now.enter_context(serve(script=script)).url))
        for page in pages:
            settle(page)
        ours, same, alone = answer_times(pages)
    yield Result(
        subject="key press on ε to all charts ÷ a bare page with the same charts",
        value=ours / same,
        target=1.3,
        aim=1.15,
    )
    yield Result(subject="the same ÷ a bare page with the day's chart alone", value=ours / alone)
    yield Result(subject="key press on ε to all charts", value=ours, unit=" s")
    yield Result(subject="server time of a rerun", value=server_time(), unit=" s")
    yield Result(subject="first screen after streamlit run", value=first, unit=" s")
