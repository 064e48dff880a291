"""Who lives there, how, and what a model expects of them."""
