"""Street: who lives on it, by what habits, in which houses; and one that is learned from readings."""
