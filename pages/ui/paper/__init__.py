"""Paper: Algorithm 1 line by line, and the published figures and numbers reproduced."""
