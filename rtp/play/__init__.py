"""A class plays a street: each player is a house, everybody reads the price, and the round is played back."""

from rtp.play.round import Guess, Round
from rtp.play.scores import Scores, replay, reveal
from rtp.play.street import PlayedStreet, in_one_street, play_street, street_scenario

__all__ = [
    "Guess",
    "PlayedStreet",
    "Round",
    "Scores",
    "in_one_street",
    "play_street",
    "replay",
    "reveal",
    "street_scenario",
]
