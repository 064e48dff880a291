"""Long work beside the page: started, watched, stopped, failed, grown stale."""

import threading
import time
from collections.abc import Callable

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from pages.ui.jobs import Job, Report, Stopped, Work
from pages.ui.jobs import call as call_in_a_worker
from rtp.core.workers import WorkerError
from tests.help.app import lab_of


def ended(job: Job[str]) -> Job[str]:
    deadline = time.monotonic() + 10
    while job.running:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return job


def held(
    line: jobs.Queue, monkeypatch: pytest.MonkeyPatch, count: int
) -> tuple[list[Job[str]], threading.Event]:
    """So many jobs that go on until told to end, one after the other come to a line of their own."""
    monkeypatch.setattr(jobs, "LINE", line)
    end = threading.Event()

    def work(report: Report[str]) -> str:
        while not end.wait(0.005):
            report(0.5, "half")
        return "whole"

    started = []
    for number in range(count):
        started.append(Job(work, str(number), line).start())
        while len(line.jobs) <= number:
            time.sleep(0.001)
    return started, end


def test_as_many_run_as_there_are_places_and_the_others_wait_in_line(monkeypatch: pytest.MonkeyPatch) -> None:
    line = jobs.Queue(2)
    started, end = held(line, monkeypatch, 5)
    while not all(job.done for job in started[:2]):
        time.sleep(0.005)
    assert [job.ahead for job in started] == [0, 0, 1, 2, 3]
    assert [job.done for job in started] == [0.5, 0.5, 0.0, 0.0, 0.0], "those in line have not begun"
    started[3].stop()  # one who waits gives up his place in line
    assert ended(started[3]).state == "stopped"
    assert [started[i].ahead for i in (2, 4)] == [1, 2]
    started[0].stop()  # one who runs frees his for the first in line
    ended(started[0])
    assert [started[i].ahead for i in (1, 2, 4)] == [0, 0, 1]
    end.set()
    assert [ended(job).state for job in started] == ["stopped", "finished", "finished", "stopped", "finished"]
    assert not line.jobs


def finish(report: Report[str]) -> str:
    report(0.5, "half")
    return "whole"


def fail(report: Report[str]) -> str:
    report(0.5, "half")
    raise ValueError("no such day")


def stop(report: Report[str]) -> str:
    report(0.5, "half")
    raise Stopped


def page() -> None:
    import streamlit as st

    from pages.ui import jobs

    key = st.text_input("Depends on", "key", key="depends on")
    job = jobs.run("test", key, lambda report: "whole", "Begin")
    st.markdown(job.result if job else "none")


@pytest.mark.parametrize(
    ("work", "state", "result", "problem"),
    [
        (finish, "finished", "whole", ""),
        (fail, "failed", "half", "no such day"),
        (stop, "stopped", "half", ""),
    ],
)
def test_a_page_shows_how_work_ended_and_can_begin_anew(
    work: Work[str], state: str, result: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LINE", jobs.Queue(1))
    app = AppTest.from_function(page, default_timeout=60).run()
    job = lab_of(app).extras["job:test"] = ended(Job(work, "key", jobs.LINE).start())
    assert (job.state, job.problem) == (state, problem)
    app.run()
    assert [text.value for text in app.markdown] == [result]
    assert [problem in error.value for error in app.error] == [True] * (state == "failed")
    assert len(app.caption) == (state == "stopped")
    app.button(key="start:test").click().run()
    ended(lab_of(app).extras["job:test"])
    assert [text.value for text in app.run().markdown] == ["whole"], "its place in line was free"
    app.text_input(key="depends on").set_value("another").run()
    assert [text.value for text in app.markdown] == ["none"], "it has grown stale"


def test_it_begins_once_however_often_it_is_asked_for_and_anew_after_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streamlit, "session_state", {})
    monkeypatch.setattr(jobs, "LINE", jobs.Queue(3))
    may_end, begun = threading.Event(), []

    def work(report: Report[str]) -> str:
        begun.append("once more")
        assert may_end.wait(10)
        return "whole"

    for stopped, times in ((False, 1), (False, 1), (True, 2)):
        job: Job[str] | None = jobs.current("map")
        if job is not None and stopped:
            job.stop()
        jobs._begin("map", "key", work, jobs.LINE)
        while len(begun) < times:
            time.sleep(0.001)
        assert len(begun) == times
    may_end.set()


def test_a_screen_and_no_job_asks_once_more_where_its_worker_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def call(function: Callable[[str], int], text: str, still_wanted: Callable[[], None]) -> int:
        asked.append(text)
        if len(asked) % 2:
            raise WorkerError("It ended.")
        return function(text)

    monkeypatch.setattr(jobs.POOL, "call", call)
    assert call_in_a_worker(len, "abc") == 3
    assert asked == ["abc", "abc"]
    for line, state, calls in ((jobs.BY_ITSELF, "finished", 2), (jobs.LINE, "failed", 1)):
        asked.clear()
        job = ended(Job(lambda report: str(call_in_a_worker(len, "abc")), "key", line).start())
        assert (job.state, len(asked)) == (state, calls)
