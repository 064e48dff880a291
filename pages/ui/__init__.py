"""What the screens share: state, sidebar, cached calls, small widgets."""

import os

from pages.ui import guard, lean

# All sessions share the cores already: threads within one product of matrices only get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Long work takes as many cores; of several servers on one machine each has its share.
CORES = int(os.environ.get("RTP_CORES") or os.cpu_count() or 1)

guard.install()
lean.install()
