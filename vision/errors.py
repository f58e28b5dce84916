"""What the camera's side refuses, in words for the person who set it up."""

from rules.sentences import SentenceError


class VisionError(SentenceError):
    """Base of every error of this package; its text names the thing and the mend."""


class BoardNotFound(VisionError, LookupError):
    """No board can be made out in a picture."""


class UnlikePosition(BoardNotFound):
    """A board was found, but what stands on it is not what should."""


class BadCorners(VisionError, ValueError):
    """Four corners that are not those of a board."""


class BadMarkers(VisionError, ValueError):
    """A file of markers that cannot be read."""


class BadLens(VisionError, ValueError):
    """A file of a lens that cannot be read, or a lens that no camera has."""


class BadViews(VisionError, ValueError):
    """Views of a sheet that do not tell the lens."""


class BadSource(VisionError, ValueError):
    """A source's name that means no camera, file, folder or address."""


class NoCamera(VisionError, OSError):
    """A camera that is not there, or does not answer."""


class MissingOpenCV(VisionError, ImportError):
    """The camera's library is not installed."""
