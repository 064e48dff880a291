"""The Lesson screen: predict, reveal, go on; the user's scenario stays unless it is asked for."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.lab import Lab
from pages.ui.lesson import move
from rtp import PRESETS
from rtp.teaching.exercises import EXERCISES, WHAT_EPSILON_DOES, WHO_IS_DROPPED
from rtp.teaching.plan import ORDER
from tests.help import app as lab


def verdicts(app: AppTest) -> str:
    return "\n".join(element.value for element in [*app.success, *app.info])


def test_a_prediction_comes_before_the_answer_and_both_stand_in_the_address() -> None:
    app = lab.opened("Lesson", seed="5")
    (reveal,) = [button for button in app.button if button.label == "Reveal the answer"]
    assert reveal.disabled
    app.radio[0].set_value(0).run()
    assert app.query_params["said"] in ("1a", ["1a"])
    assert not verdicts(app)
    lab.press(app, "Reveal the answer")
    assert app.query_params["said"] in ("1A", ["1A"])
    right = WHAT_EPSILON_DOES.answer(WHAT_EPSILON_DOES.scenario, None)
    assert (
        f"**{WHAT_EPSILON_DOES.options[right.option]}.** You predicted: {WHAT_EPSILON_DOES.options[0]}."
        in verdicts(app)
    )
    assert right.words in verdicts(app)
    assert WHAT_EPSILON_DOES.why in verdicts(app)
    assert "1 of 8 answers revealed" in lab.said(app)
    app.radio[0].set_value(right.option).run()
    assert not verdicts(app)
    lab.press(app, "Reveal the answer")
    assert "You predicted it." in verdicts(app)
    lab.press(app, "Next")
    assert app.subheader[0].value == f"2. {WHO_IS_DROPPED.title}"
    assert app.radio[0].value is None
    lab.press(app, "Back")
    assert right.words in verdicts(app)
    lab.press(app, "Predict again")
    assert "said" not in app.query_params
    assert lab.scenario_of(app) == PRESETS["paper"].replace(seed=5)


def test_a_students_link_shows_what_was_predicted_and_the_right_one_is_said() -> None:
    app = lab.opened("Lesson", exercise="2", said="1c.2A")
    assert not app.error
    assert "You predicted it." in verdicts(app)
    assert lab.scenario_of(app) == PRESETS["paper"]


def test_the_street_of_an_exercise_is_taken_only_when_asked_for() -> None:
    app = lab.opened("Lesson", exercise="3")
    lab.press(app, "Make it my scenario")
    assert lab.scenario_of(app) == PRESETS["quiet night"]
    assert "Make it my scenario" not in [button.label for button in app.button]
    lab.press(app, "Undo")
    assert lab.scenario_of(app) == PRESETS["paper"]


def test_the_same_question_is_asked_of_the_users_own_street() -> None:
    """Algorithm 1 drops nobody on the paper's street, and the mansions on theirs."""
    own = lab.opened("Lesson", exercise="2", said="2A", own="true", preset="mansions", households="100")
    theirs = WHO_IS_DROPPED.answer(PRESETS["mansions"].replace(households=100), None)
    assert theirs.words in verdicts(own)
    assert theirs.option != WHO_IS_DROPPED.answer(WHO_IS_DROPPED.scenario, None).option
    assert "100 houses" in lab.said(own)


@pytest.mark.slow
def test_a_long_answer_is_computed_beside_the_page() -> None:
    app = lab.opened("Lesson", exercise="8", said="8C", own="true", households="20")
    assert not verdicts(app)
    app = lab.finish(app, "exercise")
    assert EXERCISES[7].why in verdicts(app)


def test_damaged_predictions_get_one_sentence() -> None:
    app = lab.opened("Lesson", said="1x", exercise="9")
    (sentence,) = [element.value for element in app.error]
    assert "said is '1x'; it must name exercises and options like 1c.2a." in sentence
    assert "exercise is 9; it must be a whole number from 1 to 8." in sentence


def test_next_and_back_stop_at_the_ends_however_often_they_are_clicked() -> None:
    here = Lab(screen="Lesson")
    here.show("lesson:exercise", ORDER[-2])
    for _ in range(2):
        move(here, 1)
    assert here.link() == {"exercise": str(ORDER[-1])}
    here.load(here.link())
    assert here.notes() == ("", "")
    for _ in range(9):
        move(here, -1)
    assert (here.setting("lesson:exercise", 0), here.link()) == (1, {})
    for _ in range(2):
        move(here, 1)
    assert here.link() == {"exercise": str(ORDER[2])}, "two quick clicks count twice"


def test_only_computed_answers_count_as_revealed() -> None:
    app = lab.opened("Lesson", said="1A.2A.8A")
    assert "1 of 8 answers revealed" in lab.said(app), "the one on the screen"
    lab.press(app, "Next")
    assert "2 of 8 answers revealed" in lab.said(app)
    app = lab.opened("Lesson", said="8A", exercise="8")
    assert "0 of 8 answers revealed" in lab.said(app), "it waits for its work"


def test_an_exercise_names_its_street() -> None:
    app = lab.opened("Lesson", exercise="3", households="40", epsilon="2")
    assert app.subheader[0].value == f"5. {EXERCISES[2].title}"
    assert "Street: **Quiet night**, 1,000 houses, ε = 0.5." in lab.said(app)
    app.toggle(key=lab.key(app, "lesson:own")).set_value(True).run()
    assert "Street: **yours**, 40 houses, ε = 2." in lab.said(app)
    assert "how many of the 40 houses" in lab.said(app)
