"""The pieces of the Explore screen."""
