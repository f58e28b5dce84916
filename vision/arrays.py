"""The kinds of arrays that go round here; shapes are said where they are used."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

Picture = NDArray[np.uint8]
"""Rows, columns, and blue, green, red."""

Gray = NDArray[np.uint8]
"""Rows and columns."""

Mask = NDArray[np.uint8]
"""Rows and columns; 1 where something holds, else 0."""
