"""Heavy work in a process beside the server: whoever only moves a slider does not wait for it.

A Python process runs one line at a time, so a visitor's map, audit or learning would slow all others down.
What takes longer than a moment is called here, by functions of `rtp` and with arguments that can be pickled:
a worker then never loads streamlit. `call` and `iterate` are those of `WorkerPool`.
"""

import os

from rtp.core.workers import WorkerPool

CORES = os.cpu_count() or 1
LONG = max(CORES - 1, 1)  # pieces of long work at once (`jobs`)
POOL = WorkerPool(LONG + 1)  # and always one for what a screen needs before it can be drawn
call, iterate = POOL.call, POOL.iterate
