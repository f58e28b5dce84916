"""OpenCV is optional, and loaded only where a camera is used."""

from importlib import import_module

from rules.sentences import _

from .errors import MissingOpenCV


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
    # What it would warn of on standard error, people are told in words.
    opencv.utils.logging.setLogLevel(opencv.utils.logging.LOG_LEVEL_ERROR)
