"""Algorithm 1 on a small street, step by step and line by line."""
