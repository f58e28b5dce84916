"""Pictures made worse in one way, as cheap cameras and bad light make them."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Picture
from vision.sources import Frame

Spoil = Callable[[Picture, int], Picture]
"""Makes a picture worse; the number is the picture's, for what changes from one to the next."""


def spoilt(frame: Frame, number: int, spoil: Spoil | None) -> Frame:
    """Return a frame with its picture made worse, where it has one and it is to be."""
    if spoil is None or frame.picture is None:
        return frame
    return replace(frame, picture=spoil(frame.picture, number))


def _noisy(sigma: float) -> Spoil:
    def spoil(picture: Picture, number: int) -> Picture:
        noise = np.random.default_rng(number).normal(0.0, sigma, picture.shape)
        noisy: Picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
        return noisy

    return spoil


def _tinted(channels: tuple[float, float, float], drift: float) -> Spoil:
    """Multiply blue, green and red, and the light by up to `drift` more or less."""

    def spoil(picture: Picture, number: int) -> Picture:
        light = 1 + drift * np.sin(number / 3)
        tinted: Picture = np.clip(picture * (light * np.array(channels)), 0, 255).astype(np.uint8)
        return tinted

    return spoil


def _blurred(picture: Picture, number: int) -> Picture:
    blurred: Picture = cv2.blur(picture, (5, 5))
    return blurred


def _compressed(picture: Picture, number: int) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 30])
    compressed = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert compressed is not None
    return np.asarray(compressed, np.uint8)


def _halved(picture: Picture, number: int) -> Picture:
    halved: Picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return halved


SPOILT: dict[str, Spoil] = {
    "sigma8": _noisy(8.0),
    "sigma16": _noisy(16.0),
    "jpeg30": _compressed,
    "blur5": _blurred,
    "drift25": _tinted((1.0, 1.0, 1.0), 0.25),
    "warm": _tinted((0.75, 1.0, 1.15), 0.0),
    "half": _halved,
}
"""Every way by its name. Noise in grey levels, blur in pixels, drift in hundredths; `warm` is a
white balance that is off."""
