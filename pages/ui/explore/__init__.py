"""Explore: one day, every rate, what privacy costs and what it hides; the story."""
