"""One answer for one street: which ε, what it costs, and what can still be told."""

from rtp.decision.decide import Decision, Exposure, IntervalOption, RateOption, decide

__all__ = ["Decision", "Exposure", "IntervalOption", "RateOption", "decide"]
