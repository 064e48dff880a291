"""The pieces of the Lesson screen."""
