"""The pieces of the Attacker screen."""
