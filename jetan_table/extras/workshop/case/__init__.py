"""The case to be printed: frame, light grid, feet and the brain's tray, or a disk's sectors.

`case` makes the files; `case_parts` has each part as it is printed and everywhere it lies.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.build import Build

from ..solids import Mesh, Solid, mesh_of, solid_of, stl, three_mf
from .brain import brains, cable_lid, feet, tray
from .disk import TURN, disk_feet_at, disk_sizes, hub, sectors
from .frame import feet_at, frame
from .light_grid import light_grid
from .sizes import CaseSizes, sizes_of

_COMPASS: Final = {-1: ("south", "west"), 0: ("", ""), 1: ("north", "east")}
_SAME_MM3: Final = 1.0
"""Parts that differ by less are one part."""


@dataclass(frozen=True, slots=True)
class CasePart:
    """A part of the case: its name, as it lies on a printer's bed, and wherever it is in the case.

    Of those with an `instead` only one is printed: they take each other's place.
    """

    name: str
    printed: Solid
    placed: tuple[Solid, ...]
    instead: bool = False

    @property
    def file(self) -> str:
        """The name of its file without an ending, which says how many are printed."""
        return f"{self.name}_x{len(self.placed)}"


def case(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the case's files: each part as STL and as 3MF, named by how often it is printed.

    CannotBeBuilt: no case is made for such a board or such squares.
    """
    for part in case_parts(build):
        yield f"case/{part.file}.stl", stl(part.printed)
        yield f"case/{part.file}.3mf", three_mf(part.printed, part.name)


def case_parts(build: Build) -> list[CasePart]:
    """Return all parts of a case.

    CannotBeBuilt: no case is made for such a board or such squares.
    """
    if build.board == "ninth-ray":
        return list(_disk(build))
    sizes = sizes_of(build)
    parts = [*_frames(build, sizes), *_grids(build, sizes)]
    parts.append(_foot(feet(feet_at(sizes), sizes.floor_low)))
    for brain in brains(sizes):
        hung = tray(sizes, brain)
        parts.append(CasePart(f"brain-tray-{brain.name}", on_bed(hung), (hung,), True))
    lid = cable_lid(sizes)
    parts.append(CasePart("cable-lid", on_bed(lid.rotate((180, 0, 0))), (lid,)))
    return parts


def _disk(build: Build) -> Iterator[CasePart]:
    sizes = disk_sizes(build)
    placed = tuple(sectors(build, sizes))
    # Its axis lies along the bed's sides.
    yield CasePart("disk-sector", on_bed(placed[0].rotate((0, 0, 90 - TURN / 2))), placed)
    ring = hub(sizes)
    yield CasePart("disk-hub", on_bed(ring), (ring,))
    yield _foot(feet(disk_feet_at(sizes), sizes.floor_low))


def _foot(standing: Iterable[Solid]) -> CasePart:
    placed = tuple(standing)
    return CasePart("foot", on_bed(placed[0].rotate((180, 0, 0))), placed)


def on_bed(solid: Solid) -> Solid:
    """Return a solid in the middle of a printer's bed."""
    x0, y0, z0, x1, y1, _ = solid.bounding_box()
    # Corners that are one and the same in a file's short numbers are made so before.
    mesh = mesh_of(solid.translate((-(x0 + x1) / 2, -(y0 + y1) / 2, -z0)))
    points, same = np.unique(np.round(mesh.points, 4), axis=0, return_inverse=True)
    triangles = same.reshape(-1)[mesh.triangles]
    kept = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return solid_of(Mesh(points, triangles[kept]))


def _frames(build: Build, sizes: CaseSizes) -> Iterator[CasePart]:
    tiles = list(frame(build, sizes))
    last = max(column for (column, _), _ in tiles), max(row for (_, row), _ in tiles)
    names = {}
    for (column, row), solid in tiles:
        ends = (row == last[1]) - (row == 0), (column == last[0]) - (column == 0)
        words = [_COMPASS[ends[0]][0], _COMPASS[ends[1]][1]]
        names[id(solid)] = "-".join(["frame", *(word for word in words if word)])
    for group in alike(solid for _, solid in tiles):
        name = names[id(group[0])]
        yield CasePart(name if name != "frame" else "frame-middle", on_bed(group[0]), group)


def _grids(build: Build, sizes: CaseSizes) -> Iterator[CasePart]:
    for group in alike(solid for _, solid in light_grid(build, sizes)):
        x0, y0, _, x1, y1, _ = group[0].bounding_box()
        squares = f"{round((x1 - x0) / sizes.side)}x{round((y1 - y0) / sizes.side)}"
        yield CasePart(f"light-grid-{squares}", on_bed(group[0]), group)


def alike(solids: Iterable[Solid]) -> list[tuple[Solid, ...]]:
    """Return solids in groups of those that are the same when turned on the spot."""
    groups: list[list[Solid]] = []
    for solid in solids:
        for group in groups:
            if _is_same(on_bed(group[0]), on_bed(solid)):
                group.append(solid)
                break
        else:
            groups.append([solid])
    return [tuple(group) for group in groups]


def _is_same(one: Solid, other: Solid) -> bool:
    volume = one.volume()
    if abs(volume - other.volume()) > _SAME_MM3:
        return False
    return any(
        volume - (one ^ other.rotate((0, 0, turn))).volume() < _SAME_MM3
        for turn in (0, 180, 90, 270)
    )
