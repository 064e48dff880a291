"""A lesson of eight exercises: a question, a prediction, an answer computed from the scenario, a reason."""

from rtp.lesson.errors import DATA, EPSILON, LESS_NOISE, WHO_IS_DROPPED
from rtp.lesson.exercise import Answer, Exercise
from rtp.lesson.secrets import HOLIDAY, INSIDER, MOMENT, NIGHT

EXERCISES: tuple[Exercise, ...] = (
    EPSILON,
    WHO_IS_DROPPED,
    NIGHT,
    LESS_NOISE,
    DATA,
    INSIDER,
    MOMENT,
    HOLIDAY,
)

__all__ = ["EXERCISES", "Answer", "Exercise"]
