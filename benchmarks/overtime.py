"""The worst moment of every house of a street, against simulating its day; how fast the Over time screen
answers: the server's own time for a first view that nobody has asked for before, and for another ε."""

from collections.abc import Iterator
from functools import partial
from statistics import median
from time import process_time

from streamlit.testing.v1 import AppTest

from benchmarks.measure import Result, Work
from rtp import PRESETS, simulate
from rtp.leakage.moment import moment_leakage
from rtp.mechanisms import FEATURED
from scripts.serve import ROOT

HOUSEHOLDS = 1000
REPEATS = 40
VIEWS = 7


def results() -> Iterator[Result]:
    for name in ("paper", "quiet night", "unsure curator"):
        scenario = PRESETS[name].replace(households=HOUSEHOLDS)
        work = partial(moment_leakage, simulate(scenario), FEATURED)
        rounds = [(processor(work), processor(partial(simulate, scenario))) for _ in range(REPEATS)]
        ours, whole_day = map(min, zip(*rounds, strict=True))
        yield Result(
            subject=f"worst moment of {HOUSEHOLDS:,} houses, all models ÷ simulating the day, {name}",
            value=ours / whole_day,
            target=3.0,
        )
    yield from screen()


def screen() -> Iterator[Result]:
    """After a visit that imports everything."""
    first = [processor(opened(seed).run) for seed in range(VIEWS + 1)][1:]
    yield Result(subject="first view of Over time, server time", value=median(first), unit=" s", target=1.0)
    app, times = opened(0).run(), []
    for turn in range(VIEWS):
        slider = app.session_state["turns"]["slider:epsilon"].key
        app.select_slider(key=slider).set_value((0.4, 0.32, 0.25, 0.2, 0.16, 0.13, 0.1)[turn])
        times.append(processor(app.run))
    yield Result(subject="another ε on Over time, server time", value=median(times), unit=" s", target=0.5)


def processor(work: Work) -> float:
    """Seconds of processor time, whatever else the machine does."""
    start = process_time()
    work()
    return process_time() - start


def opened(seed: int) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/Over_time.py")
    app.query_params["seed"] = str(seed)
    return app
