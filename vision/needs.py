"""OpenCV is optional, and loaded only where a camera is used."""

from __future__ import annotations

from importlib import import_module

from .errors import MissingOpenCV


def require_opencv() -> None:
    """Raise MissingOpenCV, with the mend, where the camera's library cannot be loaded."""
    try:
        opencv = import_module("cv2")
    except ImportError as error:
        raise MissingOpenCV(
            f"the camera needs OpenCV ({error}): pip install opencv-python-headless"
        ) from None
    if not hasattr(getattr(opencv, "aruco", None), "ArucoDetector"):
        raise MissingOpenCV(
            f"the camera needs OpenCV 4.8 or newer, this is {opencv.__version__}: "
            "pip install opencv-python-headless"
        )
