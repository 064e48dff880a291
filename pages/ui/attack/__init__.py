"""Attack: what an observer learns from the rates, now and over time, and whether the promise holds."""
