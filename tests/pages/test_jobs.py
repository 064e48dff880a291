"""Long work beside the page: started, watched, stopped, failed, grown stale."""

import os
import threading
import time

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import jobs
from pages.ui.jobs import Job, Report, Stopped
from tests.help.app import lab_of


def ended(job: Job[str]) -> Job[str]:
    deadline = time.monotonic() + 10
    while job.running:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return job


def test_work_that_finishes_leaves_its_result() -> None:
    def work(report: Report[str]) -> str:
        report(0.5, "half")
        return "whole"

    job = ended(Job(work, "key").start())
    assert (job.state, job.done, job.result) == ("finished", 1.0, "whole")


def test_work_that_is_stopped_keeps_what_it_has() -> None:
    reported, stopped = threading.Event(), threading.Event()

    def work(report: Report[str]) -> str:
        report(0.25, "a quarter")
        reported.set()
        assert stopped.wait(10)
        report(0.5, "half")
        return "whole"

    job = Job(work, "key").start()
    assert reported.wait(10)
    job.stop()
    stopped.set()
    ended(job)
    assert (job.state, job.done, job.result) == ("stopped", 0.5, "half")


@pytest.mark.parametrize(("error", "problem"), [(ValueError("too far"), "too far"), (KeyError(), "KeyError")])
def test_work_that_fails_says_why(error: Exception, problem: str) -> None:
    def work(report: Report[str]) -> str:
        raise error

    job = ended(Job(work, "key").start())
    assert (job.state, job.problem, job.result) == ("failed", problem, None)


def test_work_that_nobody_watches_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    job: Job[str] = Job(lambda report: "never run", "key")
    now = job.watched
    monkeypatch.setattr("pages.ui.jobs.time.monotonic", lambda: now + jobs.PATIENCE + 0.01)
    with pytest.raises(Stopped):
        job._report(0.1, "")


def test_it_tells_how_much_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    job: Job[str] = Job(lambda report: "", "key")
    assert job.words == "0%"
    job.begun, job.done = 100.0, 0.25
    monkeypatch.setattr("pages.ui.jobs.time.monotonic", lambda: 130.0)
    assert (job.left, job.words) == (90.0, "25%, about 1:30 left")


def held(
    line: jobs.Line, monkeypatch: pytest.MonkeyPatch, count: int
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
        started.append(Job(work, str(number)).start())
        while len(line.jobs) <= number:
            time.sleep(0.001)
    return started, end


def test_as_many_run_as_there_are_places_and_the_others_wait_in_line(monkeypatch: pytest.MonkeyPatch) -> None:
    line = jobs.Line(2)
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


def test_whoever_leaves_frees_the_place_in_line(monkeypatch: pytest.MonkeyPatch) -> None:
    line = jobs.Line(1)
    started, end = held(line, monkeypatch, 2)
    started[1].watched -= 2 * jobs.PATIENCE
    assert ended(started[1]).state == "stopped"
    assert line.jobs == [started[0]]
    end.set()
    ended(started[0])


def test_a_place_is_freed_by_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LINE", jobs.Line(1))
    assert ended(Job(_fail, "key").start()).state == "failed"
    assert ended(Job(lambda report: "whole", "key").start()).state == "finished"


def test_long_work_leaves_one_core_to_the_server() -> None:
    assert jobs.LINE.places == max((os.cpu_count() or 1) - 1, 1)


def test_the_page_says_how_many_are_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    started, end = held(jobs.Line(1), monkeypatch, 3)
    app = AppTest.from_function(page, default_timeout=60).run()
    lab_of(app).memo["job:test"] = started[2]
    started[2].key = "key"
    app.run()
    assert [bar.proto.text for bar in app.get("progress")] == ["Waiting: 2 ahead of you"]
    end.set()
    for job in started:
        ended(job)


def page() -> None:
    import streamlit as st

    from pages.ui import jobs

    key = st.text_input("Depends on", "key", key="depends on")
    job = jobs.run("test", key, lambda report: "whole", "Begin", "It is quick.")
    st.markdown(f"result: {job.result if job else 'none'}")


def test_work_is_started_by_a_click_and_stale_when_what_it_depends_on_changes() -> None:
    app = AppTest.from_function(page, default_timeout=60).run()
    assert [caption.value for caption in app.caption] == ["It is quick."]
    app.button(key="start:test").click().run()
    ended(lab_of(app).memo["job:test"])
    app.run()
    assert [text.value for text in app.markdown] == ["result: whole"]
    assert not app.error
    app.text_input(key="depends on").set_value("another").run()
    assert [text.value for text in app.markdown] == ["result: none"]


def test_the_page_says_that_work_failed() -> None:
    app = AppTest.from_function(page, default_timeout=60).run()
    lab_of(app).memo["job:test"] = ended(Job(_fail, "key").start())
    app.run()
    assert [error.value for error in app.error] == ["The work stopped: no such day"]
    assert not app.button(key="start:test").disabled


def test_the_page_says_where_work_was_stopped() -> None:
    app = AppTest.from_function(page, default_timeout=60).run()
    lab_of(app).memo["job:test"] = ended(Job(_stop, "key").start())
    app.run()
    assert "Stopped at 50%; what was finished is kept." in [caption.value for caption in app.caption]
    assert [text.value for text in app.markdown] == ["result: half"]


def test_running_work_shows_progress_and_can_be_stopped() -> None:
    go_on = threading.Event()

    def work(report: Report[str]) -> str:
        report(0.25, "a quarter")
        assert go_on.wait(10)
        report(0.5, "half")
        return "whole"

    app = AppTest.from_function(page, default_timeout=60).run()
    job = lab_of(app).memo["job:test"] = Job(work, "key").start()
    while job.done == 0:
        time.sleep(0.005)
    app.run()
    assert app.button(key="start:test").disabled
    (bar,) = app.get("progress")
    assert bar.proto.text.startswith("25%, about ")
    app.button(key="stop:test").click().run()
    assert not job.wanted
    go_on.set()
    assert ended(job).state == "stopped"


def _fail(report: Report[str]) -> str:
    raise ValueError("no such day")


def _stop(report: Report[str]) -> str:
    report(0.5, "half")
    raise Stopped


def ends_while_drawn() -> None:
    """A page on which work is stopped, and ends just after its buttons have been drawn."""
    from pages.ui import jobs
    from pages.ui.session import lab

    class Ending(jobs.Job[str]):
        looks = 0

        @property
        def running(self) -> bool:
            self.looks += 1
            if self.looks > 1:
                self.state = "stopped"
            return self.state == "running"

    lab().memo.setdefault("job:it", Ending(lambda report: "", "key", done=0.22))
    jobs.run("it", "key", lambda report: "", "Run it")


def test_buttons_and_how_it_ended_agree_whenever_it_ends() -> None:
    app = AppTest.from_function(ends_while_drawn, default_timeout=60).run()
    assert [button.label for button in app.button] == ["Run it"]
    assert [caption.value for caption in app.caption] == ["Stopped at 22%; what was finished is kept."]


def test_it_begins_once_however_often_it_is_asked_for_and_anew_after_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streamlit, "session_state", {})
    may_end = threading.Event()

    def work(report: Report[str]) -> str:
        assert may_end.wait(10)
        return "whole"

    jobs._begin("map", "key", work)
    first: Job[str] | None = jobs.current("map")
    jobs._begin("map", "key", work)
    assert jobs.current("map") is first
    assert first is not None
    first.stop()
    jobs._begin("map", "key", work)
    second: Job[str] | None = jobs.current("map")
    assert second is not None
    assert second is not first
    may_end.set()
    ended(first)
    ended(second)
