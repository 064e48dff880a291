"""The pieces of the Algorithm screen."""
