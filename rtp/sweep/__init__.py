"""Many scenarios, many days, on any executor, with a result file that survives a kill."""

from rtp.sweep.run import Result, sweep

__all__ = ["Result", "sweep"]
