"""A board through a camera: finding it, reading its squares, waiting for hands; the Sensor seam.

Frames come from `sources`. `finder` finds the board in one, by `markers` among others, and
`geometry` maps points between board and picture; `camera` reads the squares of each frame, and
`eye` teaches it and is the sensor. `showing` is for people, `painted` for pictures without a
camera. Only `errors` works without OpenCV.
"""

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
