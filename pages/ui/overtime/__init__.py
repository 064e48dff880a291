"""The pieces of the Over time screen."""
