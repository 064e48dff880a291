"""The lab's time: steps of a quarter of an hour, and how a moment is said."""

STEPS_PER_HOUR = 4
STEPS_PER_DAY = 24 * STEPS_PER_HOUR


def hhmm(hour: float) -> str:
    """HH:MM of an hour of the day."""
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def when(step: int, days: int = 1) -> str:
    """The clock at a step; the day's number too where there are several."""
    time = hhmm(step / STEPS_PER_HOUR)
    return time if days == 1 else f"day {step // STEPS_PER_DAY + 1}, {time}"


def duration(seconds: float) -> str:
    """How long something takes: m:ss, or h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
