"""How fast and how lean, each as a ratio measured in one run: `python -m benchmarks` (or `make bench`)."""

import os

# As in the lab itself: two threads within one product, on a busy machine, burn ten times the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
