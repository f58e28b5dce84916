"""Errors of the camera's side, in words for the person who set it up.

OpenCV is optional, and loaded only where a camera is used.
"""

from importlib import import_module

from rules import SentenceError, _


class VisionError(SentenceError):
    """Base of all errors of this package; the text names the problem and its remedy."""


class BoardNotFound(VisionError, LookupError):
    """No board can be made out in a picture."""


class UnlikePosition(BoardNotFound):
    """A board was found, but not the position expected on it."""


class BadHint(VisionError, ValueError):
    """An impossible source, corners, markers or lens was given."""


class NoCamera(VisionError, OSError):
    """A camera is missing or does not answer."""


class MissingOpenCV(VisionError, ImportError):
    """The camera's library is not installed."""


def require_opencv() -> None:
    """Load the camera's library, and keep it quiet; MissingOpenCV, with the mend, if it fails."""
    try:
        opencv = import_module("cv2")
    except ImportError as error:
        raise MissingOpenCV(
            _("the camera needs OpenCV ({why}): pip install opencv-python-headless"), why=error
        ) from None
    if not hasattr(getattr(opencv, "aruco", None), "ArucoDetector"):
        raise MissingOpenCV(
            _(
                "the camera needs OpenCV 4.8 or newer, this is {version}: pip install "
                "opencv-python-headless"
            ),
            version=opencv.__version__,
        )
    # Its warnings on standard error repeat what people are told in words.
    opencv.utils.logging.setLogLevel(opencv.utils.logging.LOG_LEVEL_ERROR)
