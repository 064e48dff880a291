"""The lab's story: what is at stake on a street small enough to see it, ε in chances, a guided tour."""
