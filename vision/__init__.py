"""A board through a camera: finding it, reading its squares, waiting for hands; the Sensor seam.

Frames come from `sources`. `finder` finds the board in one, by `markers` among others, and
`geometry` maps points between board and picture; `camera` reads the squares of each frame, and
`eye` teaches it and is the sensor. `showing` is for people, `painted` for pictures without a
camera. Only `errors` works without OpenCV.
"""

import os

__all__ = (
    "camera",
    "errors",
    "eye",
    "finder",
    "geometry",
    "markers",
    "painted",
    "showing",
    "sources",
)

MOST_PIXELS = 1 << 25
"""Most pixels of a picture that is decoded: the search for a board takes 230 MB at this size."""

# A small file may hold a very large picture. OpenCV refuses it by its header, and takes the limit
# from here once, when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
