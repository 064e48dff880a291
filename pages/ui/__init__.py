"""What the screens share: state, sidebar, cached calls, small widgets."""

import os

# All sessions share the cores already: threads within one product of matrices only get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Of several servers on one machine each has its share of the cores, for long work, and of the memory.
SERVERS = int(os.environ.get("RTP_SERVERS", "1"))
CORES = max((os.cpu_count() or 1) // SERVERS, 1)
