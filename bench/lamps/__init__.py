"""How well every eye tells the lamps' meanings apart, and what each scene draws from the supply.

Colours are compared as lamps shine and as screens show them, by the least distance of any two
meanings that have different colours (Oklab; 0.02 is just seen). Meanings of one colour differ by
rhythm: the mean difference in brightness, 0..1, at the shift where they look most alike. Currents
are the most that a scene of `docs/lamps.md` draws at full brightness, beside the default limit.
"""

import json as json_text
from collections.abc import Iterator
from itertools import combinations
from typing import TypedDict

from docs.lamp_scenes import BOARDS, SCENES
from hardware.ports import current_ma
from jetan_table.light.lamps import (
    MEANINGS,
    PALETTES,
    Lighting,
    PaletteName,
    Rhythm,
    cues,
    lights,
)
from jetan_table.session.view import View

from .eyes import EYES, least_distance

UNLIMITED_MA = 1_000_000.0
LIMIT_MA = Lighting().limit_ma
TIMES = tuple(step / 20 for step in range(240))
SHIFTS = TIMES[:60]


class Figures(TypedDict):
    """What is printed; the keys are kept stable."""

    distance: dict[str, dict[str, float]]
    rhythm_distance: float
    most_ma: dict[str, float]
    most_vs_limit: float


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


def measure() -> Figures:
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
