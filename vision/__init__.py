"""A board through a camera: finding it, reading its squares, waiting for hands; the Sensor seam.

Frames come from `sources`. `finder` tells where the board lies in one, by `markers` among others,
and `geometry` what that means for points; `camera` says of each frame what stands on each square,
and `eye` teaches it and is the sensor. `showing` is for people, `painted` for pictures without a
camera. Only `errors` stands without OpenCV.
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
