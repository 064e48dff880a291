"""Algorithm 1 on Paper, run without a browser."""

from streamlit.testing.v1 import AppTest

from rtp import Scenario
from rtp.output.algorithm import NAMES, lines, protection_claim, step_words
from rtp.teaching.experiments import Experiment, experiments, reveal_experiment
from rtp.teaching.linked import linked_days, with_link
from rtp.teaching.stage import LAST, LineNumber, Stage, open_stage, rate_text, small_street
from tests.help import app as lab
from tests.help.app import figures, key, open_tab, said, setting
from tests.unit.teaching.test_experiments import stage_of


def opened(**link: str) -> AppTest:
    return lab.opened("Paper", **{"houses": "4"} | link)


def listed(app: AppTest) -> str:
    return next(block.value for block in app.markdown if NAMES[1] in block.value)


def check(app: AppTest, street: Stage, t: int, model: int = 0) -> None:
    """The line just executed, the noise and the claim are the engine's."""
    assert not app.exception
    step, line = street.at(t), setting(app, "algorithm:line")
    assert f":blue-background[**{lines(street, t, model)[line - 1].value}**]" in listed(app)
    drawn = " ".join(trace["name"] for trace in figures(app)[-1]["data"])
    rates = [rate_text(value) for value in (street.release.optimal[t], step.published)]
    assert all(each in drawn for each in ([f"{step.scale:.4g}"] if step.scale else []) + rates)
    assert protection_claim(street, t) in said(app)


def go(app: AppTest, step: int, line: int = LAST) -> None:
    """To a place of the stage; its bar: `tests/browser/test_algorithm.py`."""
    lab.lab_of(app).show("algorithm:step", step)
    lab.lab_of(app).show("algorithm:line", line)
    app.run()


def test_lines_are_executed_one_by_one() -> None:
    app, stage = opened(step="11", line="1", below="In words"), stage_of(Scenario())
    told = lines(stage, 11, 0)
    for number in range(1, LAST + 1):
        assert f":blue-badge[{number}]" in listed(app)
        assert f":blue-background[**{told[number - 1].value}**]" in listed(app)
        assert listed(app).count(":gray[") == LAST - number
        assert (step_words(stage, stage, 11)[0] in said(app)) == (number >= LineNumber.PUBLISHED)
        app.button(key="line-next").click().run()


def predict(app: AppTest, experiment: Experiment, answer: str) -> None:
    assert app.button(key=f"run:{experiment.key}").disabled, "predict first"
    app.segmented_control(key=key(app, f"guess:{experiment.key}")).set_value(answer).run()
    app.button(key=f"run:{experiment.key}").click().run()


def test_a_link_shows_the_experiment_that_runs_and_it_can_be_undone() -> None:
    first = experiments(stage_of(Scenario()))[0]
    app = opened()
    predict(app, first, first.answers[0])
    again = opened(**{name: str(value) for name, value in app.query_params.items()})
    moved = open_stage(small_street(Scenario(), 4), first.changes)
    check(again, moved, first.step)
    (told,) = [box.value for box in again.success]
    assert all(words in told for words in reveal_experiment(first, stage_of(Scenario()), moved))
    again.button(key="undo:stage").click().run()
    check(again, stage_of(Scenario()), first.step)


def test_the_truth_is_marked_on_request_and_the_table_is_there_when_the_step_is() -> None:
    app = opened(below="Every state")
    before = figures(app)[0]
    app.toggle(key=key(app, "algorithm:truth")).set_value(True).run()
    assert figures(app)[0] != before
    go(app, 3)
    table, step = app.dataframe[0].value, stage_of(Scenario()).at(3)
    assert table["posterior"].tolist() == step.models[0].posterior.tolist()
    go(app, 3, LAST - 1)
    assert not app.dataframe


def test_linked_houses_are_switched_on_and_no_experiment_runs_with_them() -> None:
    app = opened(houses="2", below="Linked houses")
    check(app, stage_of(Scenario(), 2), 0)
    app.toggle(key=key(app, "algorithm:linked")).set_value(True).run()
    linked = with_link(stage_of(Scenario(), 2))
    assert linked is not None
    check(app, linked, 0)
    scales = [f"{day.scale[0]:.3g}" for day in linked_days(linked).values()]
    assert app.table[0].value.iloc[:, 0].tolist() == scales
    open_tab(app, "algorithm:tab", "Experiments")
    assert not [button for button in app.button if str(button.key).startswith("run:")]
