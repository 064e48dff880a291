"""Types of arrays and tables."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Frame: TypeAlias = "pd.DataFrame"


def data_frame(data: Any, *axes: Any, **how: Any) -> Frame:
    """A table of rows or columns. pandas is slow to import and comes with the first one."""
    import pandas as pd

    return pd.DataFrame(data, *axes, **how)
