"""The copper of a board, as an independent reader of Gerber files sees it, in a fine raster."""

import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

import cv2
import numpy as np
from gerbonara import LayerStack
from gerbonara.graphic_primitives import Circle, Line

from packages.kicad.ipc import Pad

STEP_MM: Final = 0.05
"""The side of a cell: a fourth of the least gap between two nets."""

SIDES: Final = ("top", "bottom")
Place = tuple[int, int]


@dataclass(slots=True)
class Gerbers:
    """The layers of a board, each a list of things drawn, and its holes."""

    layers: dict[str, list[Any]]
    width: float
    height: float
    corner: tuple[float, float]
    holes: list[tuple[float, float, float]]
    """Each with its width; those that carry copper."""
    bare_holes: list[tuple[float, float, float]]


def read(archive: Path) -> Gerbers:
    """Read the files of a board."""
    with warnings.catch_warnings(), TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")  # it does not like where KiCad says G90
        ZipFile(archive).extractall(folder)
        stack = LayerStack.open_dir(Path(folder))
        holes = {"-PTH": [], "-NPTH": []}  # type: dict[str, list[tuple[float, float, float]]]
        for layer in stack.drill_layers:
            kind = "-NPTH" if "-NPTH" in str(layer.original_path) else "-PTH"
            holes[kind] += [(hole.x, hole.y, hole.aperture.diameter) for hole in layer.objects]
        layers = {side: list(stack.graphic_layers[side, "copper"].objects) for side in SIDES}
        (left, bottom), (right, top) = stack.outline.bounding_box()
    return Gerbers(
        layers, right - left, top - bottom, (left, bottom), holes["-PTH"], holes["-NPTH"]
    )


def faults(board: Gerbers, pads: Sequence[Pad]) -> Iterator[str]:
    """Say where copper does not join what a list of pads has as one net, or joins two nets."""
    labels = {side: _labelled(board, side) for side in SIDES}
    islands = _Islands()
    for x, y, _ in board.holes:
        islands.join(*(_island(board, labels, side, x, y) for side in SIDES))
    nets: dict[str, set[Place]] = defaultdict(set)
    for pad in pads:
        net = f"{pad.ref}.{pad.pin}" if pad.net in ("", "N/C") or "unconn" in pad.net else pad.net
        side = SIDES[pad.side == 2]
        nets[net].add(islands.root(_island(board, labels, side, pad.x, pad.y)))
    owners: dict[Place, set[str]] = defaultdict(set)
    for net, places in nets.items():
        if len(places) > 1:
            yield f"{net} is in {len(places)} pieces"
        for place in places:
            owners[place].add(net)
    for place, names in owners.items():
        if len(names) > 1 or place[1] == 0:
            yield f"{' and '.join(sorted(names))}: one piece of copper, or none"


def _labelled(board: Gerbers, side: str) -> Any:
    """Return which piece of copper each cell of a layer belongs to, 0 for none."""
    size = (round(board.height / STEP_MM) + 2, round(board.width / STEP_MM) + 2)
    raster = np.zeros(size, np.uint8)
    for thing in board.layers[side]:
        for piece in thing.to_primitives():
            for outline in _outlines(piece):
                corners = np.round((np.array(outline) - board.corner) / STEP_MM).astype(np.int32)
                cv2.fillPoly(raster, [corners], 1 if piece.polarity_dark else 0)
    return cv2.connectedComponents(raster, connectivity=4)[1]


def _outlines(piece: Any) -> Iterator[Sequence[tuple[float, float]]]:
    """Yield the polygons that a thing is made of."""
    if isinstance(piece, Circle):
        yield _round(piece.x, piece.y, piece.r)
    elif isinstance(piece, Line):
        along = np.array((piece.x2 - piece.x1, piece.y2 - piece.y1))
        across = np.array((-along[1], along[0])) / np.hypot(*along) * piece.width / 2
        ends = np.array((piece.x1, piece.y1)), np.array((piece.x2, piece.y2))
        yield (ends[0] + across, ends[1] + across, ends[1] - across, ends[0] - across)
        for x, y in ends:
            yield _round(x, y, piece.width / 2)
    else:
        polygon = piece.to_arc_poly()
        assert not any(polygon.arc_centers), "an arc, which KiCad draws nowhere here"
        yield polygon.outline


def _round(x: float, y: float, radius: float) -> Sequence[tuple[float, float]]:
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return [(x + radius * np.cos(turn), y + radius * np.sin(turn)) for turn in turns]


def _island(board: Gerbers, labels: dict[str, Any], side: str, x: float, y: float) -> Place:
    column, row = (
        round((at - edge) / STEP_MM) for at, edge in zip((x, y), board.corner, strict=True)
    )
    return SIDES.index(side), int(labels[side][row, column])


class _Islands:
    """Pieces of copper, joined where a hole carries copper from one side to the other."""

    def __init__(self) -> None:
        self._above: dict[Place, Place] = {}

    def root(self, place: Place) -> Place:
        while place in self._above:
            place = self._above[place]
        return place

    def join(self, one: Place, other: Place) -> None:
        one, other = self.root(one), self.root(other)
        if one != other:
            self._above[one] = other
