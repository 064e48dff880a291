"""What the screens share: state, sidebar, cached calls, small widgets."""

import os

# All sessions share the cores already: threads within one product of matrices only get in their way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
