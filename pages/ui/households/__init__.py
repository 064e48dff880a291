"""The pieces of the Households screen."""
