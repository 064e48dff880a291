"""The pieces of the Your street screen."""
