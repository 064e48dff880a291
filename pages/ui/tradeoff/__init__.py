"""The pieces of the Trade-off screen."""
