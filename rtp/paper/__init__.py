"""What the paper reports, and ours held against it."""
