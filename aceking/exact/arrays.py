"""The array types that the counts of all games use."""

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Amounts = NDArray[np.int64]
Index = NDArray[np.intp]
