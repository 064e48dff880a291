"""What leaves the lab: sentences, comparisons, reports."""
