"""What the servers of a class share: loaded once, before any of them is forked.

Whoever imports this module loads all of it, and keeps it out of the way of the garbage collector, which would
write to it: memory that nobody writes to stays one for all.
"""

import gc
import os
import pkgutil
from importlib import import_module

LIBRARIES = (
    "PIL.Image",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "plotly.tools",
    "scipy.optimize",
    "scipy.special",
    "segno",
    "streamlit.material_icon_names",
    "streamlit.web.cli",
)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in pages/ui, which here would come too late
ours = [module.name for module in pkgutil.walk_packages(import_module("rtp").__path__, "rtp.")]
for name in (*LIBRARIES, *(name for name in ours if not name.startswith(("rtp.cli", "rtp.__main__")))):
    import_module(name)
gc.collect()
gc.freeze()
