"""What the servers of a class share: loaded once, before any of them is forked.

Whoever imports this module loads all of it and lets the first screen run once, so that also its street is
there. It is then kept out of the way of the garbage collector, which would write to it: memory that nobody
writes to stays one for all.
"""

import gc
import logging
import os
import pkgutil
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from scripts import give_back

APP = Path(__file__).resolve().parents[1] / "app.py"
LIBRARIES = (
    "PIL.ImageFile",
    "anyio._backends._asyncio",
    "itsdangerous",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "plotly.offline",
    "plotly.tools",
    "scipy.special",
    "segno",
    "streamlit.emojis",
    "streamlit.material_icon_names",
    "streamlit.testing.v1",
    "streamlit.web.cli",
    "streamlit.web.server.starlette.starlette_agent_routes",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.h11_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)
UNUSED = ("rtp.cli", "rtp.__main__")


def modules(package: str) -> list[str]:
    found = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
    return [module.name for module in found if not module.name.startswith(UNUSED)]


def run_first_screen() -> None:
    """As for a visitor of the plain address, with nobody to send it to."""
    main = sys.modules["__main__"]
    logging.disable(logging.WARNING)  # that there is no browser
    try:
        import_module("streamlit.testing.v1").AppTest.from_file(APP, default_timeout=60).run()
    finally:
        logging.disable(logging.NOTSET)
        sys.modules["__main__"] = main


os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in pages/ui, which here would come too late
for name in filter(find_spec, (*LIBRARIES, *modules("rtp"), *modules("pages.ui"))):
    import_module(name)
run_first_screen()
gc.collect()
give_back.unused()
give_back.files()
gc.freeze()
