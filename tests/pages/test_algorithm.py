"""The Algorithm screen, run without a browser."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui.algorithm import lessons as ui
from pages.ui.algorithm.position import PACE, Position
from rtp import PRESETS, Scenario, joint
from rtp.classroom.consequences import difference, privacy, promise
from rtp.classroom.experiments import experiments
from rtp.classroom.lesson import Lesson, lesson, small_street
from rtp.classroom.lines import LAST, lines
from rtp.classroom.moves import Move, Never
from rtp.clock import STEPS_PER_DAY, STEPS_PER_HOUR
from rtp.scenario import Group, Habits, Matrix, OccupancyModel
from tests.help import app as lab
from tests.help.app import enter, key, press, shown

NIGHT = 3


def opened(**link: str) -> AppTest:
    return lab.opened("Algorithm", **link)


def listed(app: AppTest) -> str:
    return next(block.value for block in app.markdown if r"\Theta" in block.value)


def expected(street: Lesson, t: int) -> dict[str, str]:
    step = street.at(t)
    possible = sum(any(m.possible[i] for m in step.models) for i in range(2**street.houses))
    protected = len(set().union(*(m.protected for m in step.models)))
    return {
        "Possible states": f"{possible} of {2**street.houses}",
        "Protected houses |κ|": f"{protected} of {street.houses}",
        "Sensitivity λ": f"{step.sensitivity:.4g}",
        "Noise scale λ/ε": f"{step.scale:.4g}",
        "Optimal rate": f"{street.release.optimal[t]:,.4f}",
        "Published rate": f"{step.published:,.4f}",
    }


def check(app: AppTest, street: Lesson, t: int, model: int = 0) -> None:
    """Every number and every line on the page is the engine's."""
    assert not app.exception
    assert expected(street, t).items() <= shown(app).items()
    text = listed(app)
    for line in lines(street, t, model):
        assert line.value in text, line
    boxes = [box.value for box in [*app.info, *app.warning]]
    assert any(privacy(street, t) in box and promise(street, t) in box for box in boxes)


def street_of(scenario: Scenario, houses: int = 4, moves: dict[int, Move] | None = None) -> Lesson:
    return lesson(small_street(scenario, houses), moves or {})


def slide(app: AppTest, name: str, value: int) -> None:
    app.select_slider(key=key(app, f"slider:{name}")).set_value(value).run()


def pick(app: AppTest, label: str, value: Any) -> None:
    app.segmented_control(key=key(app, f"one:{label}")).set_value(value).run()


def test_it_opens_with_four_houses_of_the_papers_street() -> None:
    check(opened(), street_of(Scenario()), 0)


@pytest.mark.parametrize("houses", [2, 5, 6, 8])
def test_any_number_of_houses_and_any_step(houses: int) -> None:
    app = opened(seed="3")
    slide(app, "houses", houses)
    slide(app, "step", 33)
    check(app, street_of(Scenario(seed=3), houses), 33)


def test_a_street_that_is_small_already_is_taken_as_it_is() -> None:
    app = opened(preset="tiny street")
    check(app, street_of(PRESETS["tiny street"], 5), 0)


def test_steps_go_forward_and_back_and_stop_at_the_ends_of_the_day() -> None:
    app = opened()
    assert next(b for b in app.button if b.label == "Previous").disabled
    press(app, "Next")
    press(app, "Next")
    check(app, street_of(Scenario()), 2)
    press(app, "Previous")
    check(app, street_of(Scenario()), 1)
    slide(app, "step", 95)
    assert next(b for b in app.button if b.label == "Next").disabled
    check(app, street_of(Scenario()), 95)


def test_lines_are_executed_one_by_one() -> None:
    app, street = opened(), street_of(Scenario())
    slide(app, "step", 10)
    press(app, "Next line")
    assert app.session_state["view"]["algorithm:step"] == 11, "after the last line comes the next step"
    told = lines(street, 11, 0)
    for number in range(1, LAST + 1):
        text = listed(app)
        assert f":blue-badge[{number}]" in text
        assert f":blue-background[**{told[number - 1].value}**]" in text
        assert text.count("&emsp;…") == LAST - number
        values = shown(app)
        for label, known in (("Possible states", 5), ("Protected houses |κ|", 7), ("Sensitivity λ", 10)):
            assert (values[label] == "…") == (number < known)
        for label, known in (("Optimal rate", 11), ("Noise scale λ/ε", 12), ("Published rate", 14)):
            assert (values[label] == "…") == (number < known)
        if number < LAST:
            press(app, "Next line")
    press(app, "Line back")
    assert f":blue-badge[{LAST - 1}]" in listed(app)
    press(app, "Whole step")
    check(app, street, 11)


def ui_place(app: AppTest) -> Position:
    here: Position = app.session_state["algorithm"]
    return here


def test_going_to_another_step_thinks_no_step_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made, thought = _counting(monkeypatch, ui, "lesson"), _counting(monkeypatch, joint, "likelihood")
    app = opened(seed="12345")
    assert (len(made), len(thought)) == (1, 1)
    slide(app, "step", 40)
    assert (len(made), len(thought)) == (1, 41)
    for step in (39, 3, 40, 0):
        slide(app, "step", step)
    press(app, "Next line")
    assert (len(made), len(thought)) == (1, 41)


def _counting(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[int]:
    calls: list[int] = []
    function: Callable[..., Any] = getattr(module, name)

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        return function(*args, **kwargs)

    monkeypatch.setattr(module, name, counted)
    return calls


def test_a_known_start_and_an_impossible_transition_take_a_house_out() -> None:
    app, street = opened(), street_of(Scenario())
    slide(app, "step", 8)
    house = street.at(8).setter
    pick(app, "House", house)
    pick(app, "At the start it is", 0)
    check(app, street_of(Scenario(), moves={house: Move(start=0)}), 8)
    assert shown(app)["Protected houses |κ|"] == "4 of 4", "a known start alone is soon forgotten"
    app.pills(key=key(app, "never:3")).set_value(["arrive"]).run()
    sure = Move(start=0, never=frozenset({Never(NIGHT, 0, 1)}))
    moved = street_of(Scenario(), moves={house: sure})
    check(app, moved, 8)
    assert shown(app)["Protected houses |κ|"] == "3 of 4"
    assert any(difference(street, moved, 8) in box.value for box in app.info)
    scale = next(m for m in app.metric if m.label == "Noise scale λ/ε")
    assert scale.delta == f"was {street.at(8).scale:.4g}"
    assert float(scale.value) < street.at(8).scale
    assert any(f"House {house} starts surely empty" in block.value for block in app.markdown)
    press(app, "Take all moves back")
    check(app, street, 8)
    assert next(m for m in app.metric if m.label == "Noise scale λ/ε").delta == ""


def test_a_larger_bound_for_one_house_widens_the_noise() -> None:
    app = opened()
    pick(app, "House", 2)
    enter(app, "move bound", 5.0)
    moved = street_of(Scenario(), moves={2: Move(bound=5.0)})
    check(app, moved, 0)
    assert shown(app)["Sensitivity λ"] == "5"
    assert app.session_state["scenario"] == Scenario(), "the scenario itself is untouched"


def test_a_move_for_all_houses_can_be_applied_to_the_scenario_and_undone() -> None:
    app = opened()
    slide(app, "step", 4)
    assert next(b for b in app.button if b.label == "Apply to the whole scenario").disabled
    pick(app, "At the start it is", 0)
    app.pills(key=key(app, "never:3")).set_value(["arrive"]).run()
    asleep = Move(start=0, never=frozenset({Never(NIGHT, 0, 1)}))
    check(app, street_of(Scenario(), moves=dict.fromkeys(range(4), asleep)), 4)
    assert shown(app)["Sensitivity λ"] == "0"
    assert "exact rate" in app.warning[0].value
    press(app, "Apply to the whole scenario")
    applied = app.session_state["scenario"]
    assert applied.models[0].habits[0].initial_occupied == 0
    assert applied.models[0].habits[0].periods[NIGHT].arrive == 0
    assert not ui_place(app).moves
    check(app, street_of(applied), 4)
    press(app, "Undo")
    assert app.session_state["scenario"] == Scenario()


def test_a_house_with_nowhere_to_go_is_refused_and_the_last_good_street_stays() -> None:
    app = opened()
    pick(app, "House", 1)
    app.pills(key=key(app, "never:3")).set_value(["leave"]).run()
    app.pills(key=key(app, "never:3")).set_value(["leave", "stay occupied"]).run()
    assert [error.value for error in app.error] == [
        "Night leaves a house that is occupied nowhere to go; it must stay or change."
    ]
    assert app.pills(key=key(app, "never:3")).value == ["leave"]
    check(app, street_of(Scenario(), moves={1: Move(never=frozenset({Never(NIGHT, 1, 0)}))}), 0)
    press(app, "Next")
    assert not app.error


def test_other_periods_are_kept_when_one_is_changed() -> None:
    app = opened()
    pick(app, "House", 0)
    app.pills(key=key(app, "never:3")).set_value(["arrive"]).run()
    app.selectbox(key=key(app, "move period")).set_value(1).run()
    assert app.pills(key=key(app, "never:1")).value == []
    app.pills(key=key(app, "never:1")).set_value(["stay occupied"]).run()
    both = Move(never=frozenset({Never(NIGHT, 0, 1), Never(1, 1, 1)}))
    check(app, street_of(Scenario(), moves={0: both}), 0)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_experiment_is_one_click(number: int) -> None:
    app, street = opened(), street_of(Scenario())
    experiment = experiments(street)[number]
    assert experiment.question in [block.value for block in app.markdown]
    press(app, experiment.title)
    check(app, street_of(Scenario(), moves=dict(experiment.moves)), experiment.step)
    assert bool(app.warning) == (number == 1)


def test_several_models_have_a_tab_each_and_the_maximum_is_marked() -> None:
    app = opened(preset="unsure curator")
    street = street_of(PRESETS["unsure curator"])
    for step in (2, 30, 90):
        slide(app, "step", step)
        check(app, street, step)
        thought = street.at(step)
        for name, own in zip(("Early birds", "Night owls"), thought.models, strict=True):
            metric = next(m for m in app.metric if m.label == f"λ under {name}")
            assert metric.value == f"{own.sensitivity:.4g}"
            assert metric.delta == ("the maximum" if own.sensitivity == thought.sensitivity else "")
    app.session_state["view"]["algorithm:theta"] = "Night owls"
    app.run()
    check(app, street, 90, model=1)
    pick(app, "House", 1)
    pick(app, "Start and habits are known to", 1)
    pick(app, "At the start it is", 1)
    check(app, street_of(PRESETS["unsure curator"], moves={1: Move(start=1, model=1)}), 90, model=1)


def test_moves_wait_for_houses_and_models_that_are_not_there() -> None:
    app = opened()
    pick(app, "House", 3)
    pick(app, "At the start it is", 1)
    slide(app, "houses", 2)
    check(app, street_of(Scenario(), 2), 0)
    slide(app, "houses", 4)
    check(app, street_of(Scenario(), moves={3: Move(start=1)}), 0)
    enter(app, "epsilon", 0.1)
    check(app, street_of(Scenario(epsilon=0.1), moves={3: Move(start=1)}), 0)


def test_a_scenario_that_refuses_the_moves_is_shown_without_them() -> None:
    app = opened()
    pick(app, "House", 0)
    app.pills(key=key(app, "never:3")).set_value(["stay occupied"]).run()
    gentle = Scenario().models[0].habits[0]
    even = gentle.replace(periods=tuple(p.replace(matrix=((0.6, 0.4), (0.4, 0.6))) for p in gentle.periods))
    rooted = Scenario(models=(Scenario().models[0].replace(habits=(even,)),), conversion="root")
    app.session_state["scenario"] = rooted
    app.run()
    assert "matrix root" in app.error[0].value
    check(app, street_of(rooted), 0)


def test_the_truth_is_marked_on_request_and_the_table_opens() -> None:
    app = opened()
    assert "The true state" not in app.get("plotly_chart")[0].proto.spec
    app.toggle(key=key(app, "show truth")).set_value(True).run()
    assert "The true state" in app.get("plotly_chart")[0].proto.spec
    assert not app.dataframe
    app.session_state["section:table"] = True
    app.run()
    table = app.dataframe[0].value
    step = street_of(Scenario()).at(0)
    assert table["posterior"].tolist() == step.models[0].posterior.tolist()
    assert table["Pr[r̂|state]"].tolist() == step.likelihood.tolist()


def test_long_thinking_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown_progress = _counting(monkeypatch, streamlit, "progress")
    app = opened(seed="777")
    slide(app, "step", 20)
    assert not shown_progress, "it is quick"
    monkeypatch.setattr(ui, "SLOW", 0.0)
    slide(app, "step", 40)
    assert len(shown_progress) == 1
    check(app, street_of(Scenario(seed=777)), 40)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], Position]:
    """A class at a step and a line, outside of the app."""
    monkeypatch.setattr(streamlit, "session_state", {"scenario": Scenario()})

    def place(step: int, line: int) -> Position:
        here = Position()
        here.player.step, here.line = step, line
        return here

    return place


def test_playing_shows_whole_steps_and_starts_again_at_the_end_of_the_day(
    at: Callable[[int, int], Position],
) -> None:
    here = at(STEPS_PER_DAY - 1, 3)
    here.play()
    assert (here.step, here.line, here.player.playing) == (0, LAST, True)


def test_playing_on_the_page_goes_on_by_itself_until_it_is_stopped() -> None:
    app, street = opened(), street_of(Scenario())
    press(app, "Play")
    check(app, street, 0)
    for step in (1, 2):
        ui_place(app).player.ticked -= PACE.tick
        app.run()
        check(app, street, step)
    slide(app, "step", 7)  # the slider stays in the class's hands
    check(app, street, 7)
    press(app, "Stop")
    ui_place(app).player.ticked -= PACE.tick
    app.run()
    check(app, street, 7)


def test_going_by_lines_stops_at_the_first_and_at_the_last(at: Callable[[int, int], Position]) -> None:
    here = at(1, 1)
    here.go(lines=-1)
    assert (here.step, here.line) == (0, LAST)
    here.line = 1
    here.go(lines=-1)
    assert (here.step, here.line) == (0, 1)
    here = at(STEPS_PER_DAY - 1, LAST)
    here.go(lines=1)
    assert (here.step, here.line) == (STEPS_PER_DAY - 1, LAST)


def one_secret_house() -> Scenario:
    """Of four houses one is a secret, and that only from the morning on: it surely sleeps until then."""
    sure, free = ((1.0, 0.0), (1.0, 0.0)), ((0.5, 0.5), (0.5, 0.5))

    def habits(day: Matrix) -> Habits:
        periods = Scenario().models[0].habits[0].periods
        return Habits(
            initial_occupied=0.0,
            periods=tuple(
                p.replace(matrix=sure if p.name == "Night" else day, basis="step") for p in periods
            ),
        )

    return Scenario(
        households=4,
        groups=(Group(name="Secret", share=0.25), Group(name="Open", share=0.75)),
        models=(OccupancyModel(name="Theirs", habits=(habits(free), habits(sure))),),
    )


def test_an_experiment_waits_until_somebody_is_protected_even_a_single_house() -> None:
    street = street_of(one_secret_house())
    protected = street.release.protected
    first = next(step for step in range(STEPS_PER_DAY) if protected[step])
    assert (first, protected[first]) == (7 * STEPS_PER_HOUR + 1, 1)
    assert [experiment.step for experiment in experiments(street)] == [first] * 3
    assert experiments(street)[0].moves.keys() == {0}
