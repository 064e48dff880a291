"""The Algorithm screen, run without a browser."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from pages.ui import moves as ui
from pages.ui.algorithm import HIDDEN, KNOWN, NONE_HERE
from rtp import PRESETS, Scenario, algorithm1
from rtp.scenario.share import to_link
from rtp.teaching.consequences import changes_words, definitions, privacy_words, promise_check_words
from rtp.teaching.experiments import Experiment, experiments, reveal
from rtp.teaching.lines import INPUT, LAST, NOTES, OUTPUT, LineNumber, lines
from rtp.teaching.moves import Move, Never
from rtp.teaching.stage import Stage, open_stage, opening, opening_words, small_street
from tests.help import app as lab
from tests.help.app import enter, key, open_tab, press, said, scenario_of, setting, shown

NIGHT = 3
PLAIN = {"line": str(LAST), "moves": "[]"}  # a whole step of the scenario's own street


def opened(**link: str) -> AppTest:
    return lab.opened("Algorithm", **link)


def plain(**link: str) -> AppTest:
    return opened(**PLAIN | link)


def listed(app: AppTest) -> str:
    return next(block.value for block in app.markdown if r"\Theta" in block.value)


def expected(street: Stage, t: int) -> dict[str, str]:
    step = street.at(t)
    possible = sum(any(m.possible[i] for m in step.models) for i in range(2**street.houses))
    protected = len(set().union(*(m.protected for m in step.models)))
    return {
        "Possible states": f"{possible} of {2**street.houses}",
        "Protected |κ|": f"{protected} of {street.houses}",
        "Sensitivity λ": f"{step.sensitivity:.4g}",
        "Noise scale λ/ε": f"{step.scale:.4g}",
        "Optimal rate": f"{street.release.optimal[t]:,.4f}",
        "Published rate": f"{step.published:,.4f}",
    }


def check(app: AppTest, street: Stage, t: int, model: int = 0) -> None:
    """Every number and every line on the page is the engine's."""
    assert not app.exception
    assert expected(street, t).items() <= shown(app).items()
    text = listed(app)
    for line in lines(street, t, model):
        assert line.value in text, line
    boxes = [box.value for box in [*app.info, *app.warning]]
    assert any(privacy_words(street, t) in box and promise_check_words(street, t) in box for box in boxes)


def street_of(scenario: Scenario, houses: int = 4, moves: dict[int, Move] | None = None) -> Stage:
    return open_stage(small_street(scenario, houses), moves or {})


def stage_of(scenario: Scenario, houses: int = 4) -> Stage:
    """The street the stage opens on."""
    return street_of(scenario, houses, dict(opening(small_street(scenario, houses))))


def go(app: AppTest, step: int, line: int = LAST) -> None:
    """To a place of the stage; its bar: `test_clock.py`."""
    lab.lab_of(app).show("algorithm:step", step)
    lab.lab_of(app).show("algorithm:line", line)
    app.run()


def slide(app: AppTest, name: str, value: int) -> None:
    app.select_slider(key=key(app, f"slider:{name}")).set_value(value).run()


def pick(app: AppTest, label: str, value: Any) -> None:
    app.segmented_control(key=key(app, f"one:{label}")).set_value(value).run()


def never(app: AppTest, period: int, *words: str) -> None:
    app.pills(key=key(app, f"never:{period}")).set_value(list(words)).run()


def test_it_opens_at_the_first_line_of_a_street_with_one_certain_house() -> None:
    app, stage = opened(), stage_of(Scenario())
    assert place(app) == {"step": 0, "line": 1, "moves": None}
    assert ":blue-badge[1]" in listed(app)
    assert set(shown(app).values()) == {HIDDEN}
    own = stage.at(0).models[0]
    assert (own.possible.sum(), len(own.protected)) == (8, 3), "lines 5 to 7 leave something out"
    assert opening_words(stage) in said(app)
    assert scenario_of(app) == Scenario(), "the scenario itself is untouched"
    go(app, 0)
    check(app, stage, 0)
    assert {metric.delta for metric in app.metric} == {""}, "nothing was changed yet"


def test_the_listing_is_the_papers_with_input_output_and_comments() -> None:
    text = listed(lab.glance("Algorithm"))
    assert text.startswith(f":gray[**Input:** {INPUT}]\n\n:gray[**Output:** {OUTPUT}]")
    assert text.count("▷") == 8
    assert "▷ Non-zero prior states" in text


@pytest.mark.parametrize("houses", [2, 5])
def test_any_number_of_houses_and_any_step(houses: int) -> None:
    app = plain(seed="3", houses=str(houses), step="33")
    check(app, street_of(Scenario(seed=3), houses), 33)
    assert not any("The stage holds" in each.value for each in app.caption)


@pytest.mark.parametrize("houses", [6, 8])
def test_an_old_link_with_more_houses_opens_with_five(houses: int) -> None:
    asleep = json.dumps([[1, 0, [[3, 0, 1]], None, None], [houses - 1, 0, [], None, None]])
    app = opened(seed="3", houses=str(houses), step="33", line=str(LAST), house=str(houses - 1), moves=asleep)
    moved = {1: Move(start=0, never=frozenset({Never(3, 0, 1)}))}
    check(app, street_of(Scenario(seed=3), 5, moved), 33)
    words = f"The stage holds up to 5 houses; this link asks for {houses}, so 5 are shown."
    assert words in [each.value for each in app.caption]


def test_a_street_that_is_small_already_is_taken_as_it_is() -> None:
    app = plain(preset="tiny street")
    check(app, street_of(PRESETS["tiny street"], 5), 0)
    slide(app, "houses", 3)
    check(app, street_of(PRESETS["tiny street"], 3), 0)


def test_lines_are_executed_one_by_one() -> None:
    app, stage = opened(step="11"), stage_of(Scenario())
    told = lines(stage, 11, 0)
    for number in sorted({*KNOWN.values(), *(known - 1 for known in KNOWN.values())}):
        go(app, 11, number)
        text = listed(app)
        assert f":blue-badge[{number}]" in text
        assert f":blue-background[**{told[number - 1].value}**]" in text
        assert text.count(f"&emsp;{HIDDEN}") == LAST - number
        assert {label: value == HIDDEN for label, value in shown(app).items()} == {
            label: number < known for label, known in KNOWN.items()
        }
        assert any(privacy_words(stage, 11) in box.value for box in app.info) == (
            number >= LineNumber.PUBLISHED
        )


def place(app: AppTest) -> dict[str, Any]:
    """The step, the line and the moves, as the address says them."""
    return {name: setting(app, f"algorithm:{name}") for name in ("step", "line", "moves")}


def test_going_to_another_step_thinks_no_step_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    made, thought = (
        _counting(monkeypatch, ui, "open_stage"),
        _counting(monkeypatch, algorithm1, "log_likelihood"),
    )
    app = opened(seed="12345")
    assert (len(made), len(thought)) == (1, 1)
    go(app, 40)
    assert (len(made), len(thought)) == (1, 41)
    for step in (3, 40):
        go(app, step)
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
    app = plain(step="8", tab="Make a move")
    street, stage = street_of(Scenario()), stage_of(Scenario())
    house = street.at(8).noise_setting_house
    pick(app, "House", house)
    pick(app, "At the start it is", 0)
    check(app, street_of(Scenario(), moves={house: Move(start=0)}), 8)
    assert shown(app)["Protected |κ|"] == "4 of 4", "a known start alone is soon forgotten"
    never(app, NIGHT, "arrive")
    sure = Move(start=0, never=frozenset({Never(NIGHT, 0, 1)}))
    moved = street_of(Scenario(), moves={house: sure})
    check(app, moved, 8)
    assert shown(app)["Protected |κ|"] == "3 of 4"
    assert any(changes_words(stage, moved, 8) in box.value for box in app.info)
    scale = next(m for m in app.metric if m.label == "Noise scale λ/ε")
    assert scale.delta == f"was {stage.at(8).scale:.4g}"
    assert float(scale.value) < stage.at(8).scale
    assert any(f"House {house} starts surely empty" in block.value for block in app.markdown)
    press(app, "Take all moves back")
    check(app, street, 8)


def test_a_larger_bound_for_one_house_widens_the_noise_and_the_opening_stays() -> None:
    app = opened(line=str(LAST), tab="Make a move")
    pick(app, "House", 2)
    enter(app, "move bound", 5.0)
    stage = stage_of(Scenario())
    check(app, street_of(Scenario(), moves={**stage.moves, 2: Move(bound=5.0)}), 0)
    assert shown(app)["Sensitivity λ"] == "5"
    assert scenario_of(app) == Scenario(), "the scenario itself is untouched"


def test_a_move_for_all_houses_can_be_applied_to_the_scenario_and_undone() -> None:
    app = plain(step="4", tab="Make a move")
    assert next(b for b in app.button if b.label == "Apply to the whole scenario").disabled
    pick(app, "At the start it is", 0)
    never(app, NIGHT, "arrive")
    asleep = Move(start=0, never=frozenset({Never(NIGHT, 0, 1)}))
    check(app, street_of(Scenario(), moves=dict.fromkeys(range(4), asleep)), 4)
    assert shown(app)["Sensitivity λ"] == "0"
    assert "exact rate" in app.warning[0].value
    press(app, "Apply to the whole scenario")
    applied = scenario_of(app)
    assert applied.models[0].habits[0].initial_occupied == 0
    assert applied.models[0].habits[0].periods[NIGHT].arrive == 0
    assert place(app)["moves"] == {}
    check(app, street_of(applied), 4)
    press(app, "Undo")
    assert scenario_of(app) == Scenario()


def test_a_house_with_nowhere_to_go_is_refused_and_the_last_good_street_stays() -> None:
    app = plain(tab="Make a move", house="1")
    never(app, NIGHT, "leave")
    never(app, NIGHT, "leave", "stay occupied")
    assert [error.value for error in app.error] == [
        "Night leaves a house that is occupied nowhere to go; it must stay or change."
    ]
    assert app.pills(key=key(app, "never:3")).value == ["leave"]
    check(app, street_of(Scenario(), moves={1: Move(never=frozenset({Never(NIGHT, 1, 0)}))}), 0)
    go(app, 1)
    assert not app.error


def test_other_periods_are_kept_when_one_is_changed() -> None:
    app = plain(tab="Make a move", house="0")
    never(app, NIGHT, "arrive")
    app.selectbox(key=key(app, "move period")).set_value(1).run()
    assert app.pills(key=key(app, "never:1")).value == []
    never(app, 1, "stay occupied")
    both = Move(never=frozenset({Never(NIGHT, 0, 1), Never(1, 1, 1)}))
    check(app, street_of(Scenario(), moves={0: both}), 0)


def predict(app: AppTest, experiment: Experiment, answer: str) -> None:
    assert app.button(key=f"run:{experiment.key}").disabled, "predict first"
    app.segmented_control(key=key(app, f"guess:{experiment.key}")).set_value(answer).run()
    app.button(key=f"run:{experiment.key}").click().run()


@pytest.mark.slow
def test_every_experiment_is_predicted_run_revealed_and_undone() -> None:
    app, stage = opened(step="3", line="5"), stage_of(Scenario())
    for number, experiment in enumerate(experiments(stage)):
        assert experiment.question in [block.value for block in app.markdown]
        assert not app.success
        guess = experiment.answers[number % len(experiment.answers)]
        predict(app, experiment, guess)
        moved = street_of(Scenario(), moves=dict(experiment.moves))
        check(app, moved, experiment.step)
        answer, why = reveal(experiment, stage, moved)
        (told,) = [box.value for box in app.success]
        assert told.startswith(f"You predicted “{guess}”")
        assert ("and that is right" in told) == (guess == answer)
        assert f"**{answer}**. {why}" in told
        assert f"**{experiment.title}** :blue-badge[running]" in [block.value for block in app.markdown]
        assert said(app).count(":blue-badge[running]") == 1
        app.button(key="undo:card").click().run()
        assert place(app) == {"step": 3, "line": 5, "moves": None}


def test_an_experiment_is_over_when_a_move_is_made_by_hand_and_a_link_shows_it() -> None:
    first = experiments(stage_of(Scenario()))[0]
    app = opened()
    predict(app, first, first.answers[0])
    assert app.query_params["experiment"] == first.key
    again = opened(**{name: str(value) for name, value in app.query_params.items()})
    assert f":blue-badge[experiment] **{first.title}**" in said(again)
    again.button(key="undo:stage").click().run()
    assert place(again)["moves"] is None
    open_tab(app, "algorithm:tab", "Make a move")
    pick(app, "House", 2)
    pick(app, "At the start it is", 1)
    assert ":blue-badge[experiment]" not in said(app)


def test_where_no_house_is_uncertain_no_experiment_is_offered() -> None:
    sleepers = PRESETS["paper"].models[0].habits[0].replace(initial_occupied=0.0)
    never_up = sleepers.replace(
        periods=tuple(p.replace(matrix=((1.0, 0.0), (0.5, 0.5))) for p in sleepers.periods)
    )
    app = opened(**to_link(Scenario(models=(PRESETS["paper"].models[0].replace(habits=(never_up,)),))))
    assert [box.value for box in app.info if box.value == NONE_HERE]
    assert not [button for button in app.button if button.label == "Run it"]


def test_several_models_have_a_tab_each_and_the_maximum_is_marked() -> None:
    app = plain(preset="unsure curator", tab="Make a move", step="2")
    street = street_of(PRESETS["unsure curator"])
    for step in (2, 90):
        go(app, step)
        check(app, street, step)
        thought = street.at(step)
        for name, own in zip(("Early birds", "Night owls"), thought.models, strict=True):
            metric = next(m for m in app.metric if m.label == f"λ under {name}")
            assert metric.value == f"{own.sensitivity:.4g}"
            assert metric.delta == ("the maximum" if own.sensitivity == thought.sensitivity else "")
    open_tab(app, "algorithm:theta", "Night owls")
    pick(app, "House", 1)
    pick(app, "Start and habits are known to", 1)
    pick(app, "At the start it is", 1)
    check(app, street_of(PRESETS["unsure curator"], moves={1: Move(start=1, model=1)}), 90, model=1)


def test_moves_wait_for_houses_and_models_that_are_not_there() -> None:
    app = plain(moves="[[3,1,[],null,null]]")
    slide(app, "houses", 2)
    check(app, street_of(Scenario(), 2), 0)
    slide(app, "houses", 4)
    check(app, street_of(Scenario(), moves={3: Move(start=1)}), 0)
    enter(app, "epsilon", 0.1)
    check(app, street_of(Scenario(epsilon=0.1), moves={3: Move(start=1)}), 0)


def test_a_scenario_that_refuses_the_moves_is_shown_without_them() -> None:
    gentle = Scenario().models[0].habits[0]
    even = gentle.replace(periods=tuple(p.replace(matrix=((0.6, 0.4), (0.4, 0.6))) for p in gentle.periods))
    rooted = Scenario(models=(Scenario().models[0].replace(habits=(even,)),), conversion="root")
    app = plain(tab="Make a move", moves="[[0,null,[[3,1,1]],null,null]]", **to_link(rooted))
    assert "matrix root" in app.error[0].value
    check(app, stage_of(rooted), 0)


def test_the_truth_is_marked_on_request_and_the_table_is_there_when_the_step_is() -> None:
    app = plain(tab="Every state")
    assert "The true state" not in app.get("plotly_chart")[0].proto.spec
    app.toggle(key=key(app, "show truth")).set_value(True).run()
    assert "The true state" in app.get("plotly_chart")[0].proto.spec
    table = app.dataframe[0].value
    step = street_of(Scenario()).at(0)
    assert table["posterior"].tolist() == step.models[0].posterior.tolist()
    assert table["Pr[r̂|state]"].tolist() == step.likelihood.tolist()
    go(app, 0, LAST - 1)
    assert not app.dataframe


def test_the_definitions_are_told_with_what_they_mean_here() -> None:
    app, stage = opened(tab="In words"), stage_of(Scenario())
    text = said(app)
    for name, words, here in definitions(stage, 0, 0):
        assert f"**{name}.** {words} *{here}*" in text
    assert all(note in text for note in NOTES)


def test_long_thinking_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown_progress = _counting(monkeypatch, streamlit, "progress")
    app = plain(seed="777")
    go(app, 20)
    assert not shown_progress, "it is quick"
    monkeypatch.setattr(ui, "SLOW", 0.0)
    go(app, 40)
    assert len(shown_progress) == 2, "the opening street, and this one"
    check(app, street_of(Scenario(seed=777)), 40)


def test_a_day_of_hours_has_fewer_steps_and_a_step_beyond_them_is_the_last() -> None:
    app = plain(step="90", step_minutes="60")
    hourly = Scenario(step_minutes=60)
    check(app, street_of(hourly), 23)
    assert experiments(stage_of(hourly))[0].step == 2, "02:00 on any clock"
