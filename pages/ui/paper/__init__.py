"""The pieces of the Paper screen."""
