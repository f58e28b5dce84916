"""How well every eye tells the lamps' meanings apart, and what each scene draws from the supply.

Colours are compared as lamps shine and as screens show them, by the least distance of any two
meanings that have different colours. Deficient eyes are simulated after Machado, Oliveira and
Fernandes (2009), at full severity; distances are Euclidean in Oklab (Ottosson 2020): 1 is from
black to white, about 0.02 is just seen. Meanings of one colour differ by rhythm: the mean
difference in brightness, 0..1, at the shift where they look most alike. Currents are the most that
a scene of `docs/lamps.md` draws at full brightness, beside the default limit.
"""

import json as json_text
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from docs.lamp_scenes import BOARDS, SCENES
from hardware.ports import RGB, current_ma
from jetan_table.light.lamps import MEANINGS, PALETTES, Lighting, PaletteName, Rhythm, cues, lights
from jetan_table.session.view import View

Array: TypeAlias = NDArray[np.float64]

EYES: Final[Mapping[str, Array]] = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ]
    ),
    "deutan": np.array(
        [
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ]
    ),
    "tritan": np.array(
        [
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ]
    ),
}
"""What reaches an eye of each kind, as a matrix on linear sRGB."""

CONES: Final = np.array(
    [
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    ]
)
"""Oklab's first matrix, from linear sRGB; the second takes cube roots of it to L, a and b."""

OKLAB: Final = np.array(
    [
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    ]
)

UNLIMITED_MA = 1_000_000.0
LIMIT_MA = Lighting().limit_ma
TIMES = tuple(step / 20 for step in range(240))
SHIFTS = TIMES[:60]


def main(json: bool) -> None:
    """Measure, and print tables or one JSON object."""
    figures = measure()
    if json:
        print(json_text.dumps(figures))
        return
    print(f"{'least distance':16}" + "".join(f"{eye:>8}" for eye in EYES))
    for name, by_eye in figures["distance"].items():
        print(f"{name:16}" + "".join(f"{by_eye[eye]:8.2f}" for eye in EYES))
    print(f"least distance of two rhythms: {figures['rhythm_distance']:.2f}\n")
    for name, ma in figures["most_ma"].items():
        print(f"{name:24}{ma:6.0f} mA")
    print(f"the most, as a share of the default limit: {figures['most_vs_limit']:.2f}")


def measure() -> dict[str, Any]:
    """Return all figures."""
    most = {name: round(ma) for name, ma in scenes_ma()}
    return {
        "distance": {
            name: {eye: round(palette_distance(name, eye), 3) for eye in EYES}
            for name in PALETTES
            if len(set(colours(name))) > 1
        },
        "rhythm_distance": round(
            min(
                rhythm_distance(*pair)
                for pair in combinations((each.rhythm for each in MEANINGS.values()), 2)
            ),
            3,
        ),
        "most_ma": {name: float(ma) for name, ma in most.items()},
        "most_vs_limit": round(max(most.values()) / LIMIT_MA, 3),
    }


def colours(palette: PaletteName) -> list[tuple[int, int, int]]:
    """Return the different colours of a palette."""
    return sorted({meaning.colour(palette) for meaning in MEANINGS.values()})


def palette_distance(palette: PaletteName, eye: str) -> float:
    """Return the least distance of any two different colours of a palette."""
    return min(least_distance(*pair, eye) for pair in combinations(colours(palette), 2))


def rhythm_distance(one: Rhythm, other: Rhythm) -> float:
    """Return the mean difference in brightness over 12 s, at the shift where it is least."""
    return min(
        sum(abs(one.level(at) - other.level(at + shift)) for at in TIMES) / len(TIMES)
        for shift in SHIFTS
    )


def scenes_ma() -> Iterator[tuple[str, float]]:
    """Yield each scene, and the most it draws in any palette."""
    for board, rules in BOARDS.items():
        for name, look in SCENES.items():
            view = look(rules)
            each = (Lighting(palette, limit_ma=UNLIMITED_MA) for palette in PALETTES)
            yield f"{name}-{board}", max(most_ma(view, lighting) for lighting in each)


def most_ma(view: View, lighting: Lighting) -> float:
    """Return the most that a view's lamps draw at any time, in mA."""
    meanings = cues(view)
    return max(current_ma(lights(meanings, lighting, at)) for at in TIMES[:60:2])


class Shown(Enum):
    """Where a colour is seen: a lamp's light follows its number, a screen's the sRGB curve."""

    LAMP = "lamp"
    SCREEN = "screen"


def least_distance(one: RGB, other: RGB, eye: str) -> float:
    """Return how far apart two colours are at least, on lamps and on screens."""
    return min(distance(one, other, eye, shown) for shown in Shown)


def distance(one: RGB, other: RGB, eye: str, shown: Shown) -> float:
    """Return how far apart two colours are to an eye of EYES."""
    return float(np.linalg.norm(oklab(one, eye, shown) - oklab(other, eye, shown)))


def oklab(colour: RGB, eye: str, shown: Shown) -> Array:
    """Return the lightness and the two opponent colours that an eye sees."""
    shares = np.array(colour) / 255
    if shown is Shown.SCREEN:
        shares = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    cones = CONES @ np.clip(EYES[eye] @ shares, 0.0, 1.0)
    return np.asarray(OKLAB @ np.cbrt(cones))
