"""What a printer would make badly of a solid: `faults` names it.

`least_wall`, `overhangs` and `tip_angle` are the measures behind that.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from manifold3d import CrossSection, Error
from numpy.typing import NDArray

from jetan_table.extras.workshop.pieces import PLAY, Mould
from jetan_table.extras.workshop.solids import (
    Floats,
    Mesh,
    Numbers,
    Solid,
    edges_of,
    mesh_of,
    normals_of,
    read_stl,
    stl,
)

PLASTIC: Final = 1.24e-3
"""Grams in a cubic millimetre of PLA, printed solid."""

NEODYMIUM: Final = 7.5e-3
"""Grams in a cubic millimetre of a magnet."""

LEAST_WALL: Final = 1.2
"""Millimetres: three lines of a usual nozzle."""

LONGEST_BRIDGE: Final = 11.0
"""Millimetres that a printer lays through the air between two walls without sagging."""

STEEPEST: Final = 45.0
"""Degrees off the upright by which a wall may lean over the air."""

_SLACK = 0.5
"""Degrees that a rounding of corners may add to a wall that leans by 45."""

_FLAT = 1e-3
"""Millimetres between heights that are the same."""

_SEEN = 0.05
"""Square millimetres of overhang below which no printer shows any."""


Place = tuple[float, float, float]


class Load(NamedTuple):
    """Something heavy in a solid, such as a magnet: grams, and where its middle is."""

    grams: float
    place: Place


class Wall(NamedTuple):
    """How thick a solid is at one place of its surface, in millimetres."""

    thickness: float
    place: Place


class Overhang(NamedTuple):
    """A part of the surface that a printer would lay into the air: mm2, and its middle."""

    area: float
    place: Place


def faults(
    solid: Solid,
    *,
    wall: float = LEAST_WALL,
    bridge: float = LONGEST_BRIDGE,
    upright: float | None = None,
    loads: Iterable[Load] = (),
    spacing: float = 1.0,
) -> list[str]:
    """Return what is wrong with a solid, a sentence each; nothing where it can be printed.

    Its walls must be as thick as `wall`, and what it has over the air must lean by no more than
    `STEEPEST` or be a bridge no longer than `bridge`. Where `upright` is given it must be tipped
    by as many degrees to fall over, with `loads` in it.
    """
    if solid.is_empty() or solid.status() != Error.NoError or solid.volume() <= 0:
        return ["it encloses nothing"]
    found = []
    mesh = mesh_of(solid)
    try:
        read_stl(stl(solid))
    except ValueError as error:  # corners may be one in the file that were not
        found.append(str(error))
    if (bodies := len(solid.decompose())) > 1:
        found.append(f"{bodies} bodies or closed hollows, not one body")
    thin = least_wall(solid, spacing)
    if thin.thickness < wall:
        found.append(f"a wall of {thin.thickness:.2f} mm at {_at(thin.place)}: {wall:g} at least")
    found += [
        f"{over.area:.2f} mm2 over the air at {_at(over.place)}"
        for over in overhangs(mesh, bridge)
        if over.area >= _SEEN
    ]
    found += [f"a layer begins in the air at {_at(place)}" for place in begun_in_the_air(solid)]
    if upright is not None and (angle := tip_angle(solid, loads)) < upright:
        found.append(f"it tips over at {angle:.1f} degrees: {upright:g} at least")
    return found


def least_wall(solid: Solid, each: float = 0.25) -> Wall:
    """Return where a solid is thinnest, looked for at a place for `each` so many mm2 of surface.

    Its thickness at a place is how far the surface opposite lies, straight through. Surfaces that
    meet at an edge of more than 45 degrees are no wall.
    """
    corners = mesh_of(solid.refine_to_length(2 * math.sqrt(each))).corners
    normals, areas = normals_of(corners)
    shares = np.floor(np.cumsum(areas) / each)
    chosen = (np.diff(shares, prepend=-1) > 0) & (areas > 1e-4)  # what is smaller looks anywhere
    box = solid.bounding_box()
    reach = math.dist(box[:3], box[3:])
    opposite = math.cos(math.radians(STEEPEST))
    least = Wall(math.inf, (0.0, 0.0, 0.0))
    for place, normal in zip(corners.mean(axis=1)[chosen], normals[chosen], strict=True):
        for hit in solid.ray_cast(place - 1e-4 * normal, place - reach * normal):
            leaves = -float(np.dot(hit.normal, normal))
            if leaves > 0:
                depth = math.dist(place, hit.position)
                if leaves > opposite and depth < least.thickness:
                    least = Wall(depth, _place(place))
                break
    return least


def overhangs(mesh: Mesh, bridge: float = LONGEST_BRIDGE) -> list[Overhang]:
    """Return what lies over the air and leans too far, bridges between two walls excepted."""
    corners = mesh.corners
    normals, areas = normals_of(corners)
    bed = corners[..., 2].min() + _FLAT
    leans = normals[:, 2] < -math.sin(math.radians(STEEPEST + _SLACK))
    leans &= (corners[..., 2].max(axis=1) > bed) & (areas > 1e-9)
    flat = leans & (normals[:, 2] < -math.cos(math.radians(1.0)))
    found = []
    for patch in _patches(mesh.triangles, leans & ~flat):
        found.append(_overhang(patch, corners, areas))
    for patch in _patches(mesh.triangles, flat):
        if not _is_bridge(mesh, patch, bridge):
            found.append(_overhang(patch, corners, areas))
    return found


def _overhang(patch: Numbers, corners: Floats, areas: Floats) -> Overhang:
    area = float(areas[patch].sum())
    middle = (corners[patch].mean(axis=1) * areas[patch, None]).sum(axis=0) / area
    return Overhang(area, _place(middle))


def begun_in_the_air(solid: Solid) -> list[Place]:
    """Return the lowest places of parts that nothing lies under, not even the bed."""
    points, triangles = mesh_of(solid)
    bed = points[:, 2].min()
    edges = edges_of(triangles)
    edges = np.concatenate([edges, edges[:, ::-1]])
    rise = points[edges[:, 1], 2] - points[edges[:, 0], 2]
    group = _joined(edges[np.abs(rise) < _FLAT], len(points))
    rests = np.zeros(len(points), dtype=bool)
    rests[group[edges[rise <= -_FLAT, 0]]] = True
    rests[group[points[:, 2] < bed + _FLAT]] = True
    lowest = points[~rests & (group == np.arange(len(points)))]
    return [_place(point) for point in lowest if not _is_inside(solid, point - [0, 0, 2 * _FLAT])]


def _is_inside(solid: Solid, point: Floats) -> bool:
    """Whether a place lies in a solid: a line down from it meets the surface an odd time."""
    low = solid.bounding_box()[2] - 1.0
    return len(solid.ray_cast(point, (point[0], point[1], low))) % 2 == 1


def magnet_in(mould: Mould) -> Load:
    """Return the magnet where it lies in a piece's foot."""
    width, height = mould.magnet
    grams = NEODYMIUM * math.pi / 4 * width**2 * height
    return Load(grams, (0.0, 0.0, PLAY + height / 2))


def centre_of_mass(solid: Solid, loads: Iterable[Load] = ()) -> Load:
    """Return the weight of a solid printed full, with its loads, and where all of it balances."""
    corners = mesh_of(solid).corners
    volumes = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    moment = PLASTIC * (corners.sum(axis=1) / 4 * volumes[:, None]).sum(axis=0)
    grams = PLASTIC * float(volumes.sum())
    for load in loads:
        grams += load.grams
        moment = moment + load.grams * np.array(load.place)
    return Load(grams, _place(moment / grams))


def tip_angle(solid: Solid, loads: Iterable[Load] = ()) -> float:
    """Return by how many degrees a standing solid may be tipped before it falls over."""
    points = mesh_of(solid).points
    bed = points[:, 2].min()
    foot = CrossSection.hull_points(points[points[:, 2] < bed + _FLAT][:, :2]).to_polygons()[0]
    x, y, z = centre_of_mass(solid, loads).place
    after = np.roll(foot, -1, axis=0)
    along = after - foot
    inside = (along[:, 0] * (y - foot[:, 1]) - along[:, 1] * (x - foot[:, 0])) / np.hypot(*along.T)
    return math.degrees(math.atan2(float(inside.min()), z - float(bed)))


def _is_bridge(mesh: Mesh, patch: Numbers, longest: float) -> bool:
    """Whether a flat ceiling can be laid in one direction from wall to wall."""
    ends, held = _rim(mesh, patch)
    for turn in np.arange(24) * (math.pi / 24):
        along = ends @ np.array([math.cos(turn), math.sin(turn)])
        across = ends @ np.array([-math.sin(turn), math.cos(turn)])
        low, high = across.min(), across.max()
        lines = low + (high - low) * (np.arange(48) + 0.503) / 48
        if all(_spans(along, across, held, line, longest) for line in lines):
            return True
    return False


def _spans(
    along: Floats, across: Floats, held: NDArray[np.bool_], line: float, longest: float
) -> bool:
    """Whether what one line crosses of a ceiling is held at both ends and short enough."""
    crossed = (across[:, 0] < line) != (across[:, 1] < line)
    share = (line - across[crossed, 0]) / (across[crossed, 1] - across[crossed, 0])
    places = along[crossed, 0] + share * (along[crossed, 1] - along[crossed, 0])
    order = np.argsort(places, kind="stable")
    if len(order) % 2 or not held[crossed].all():
        return False
    sorted_places = places[order]
    return bool((sorted_places[1::2] - sorted_places[::2] <= longest).all())


def _rim(mesh: Mesh, patch: Numbers) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the edges round a ceiling, seen from below, and whether a wall goes down at each."""
    inside = set(patch.tolist())
    beside = {
        (int(a), int(b)): at // 3
        for at, (a, b) in enumerate(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2))
    }
    ends, held = [], []
    for at in patch:
        a, b, c = (int(corner) for corner in mesh.triangles[at])
        for here, there in ((a, b), (b, c), (c, a)):
            other = beside[there, here]
            if other not in inside:
                ends.append(mesh.points[[here, there], :2])
                lowest = mesh.points[mesh.triangles[other], 2].min()
                held.append(lowest < mesh.points[[here, there], 2].min() - _FLAT)
    return np.array(ends), np.array(held)


def _patches(triangles: Numbers, chosen: NDArray[np.bool_]) -> Iterator[Numbers]:
    """Yield the chosen triangles in groups that share edges."""
    numbers = np.flatnonzero(chosen)
    edges = np.sort(edges_of(triangles[numbers]), axis=1)
    owner = np.tile(np.arange(len(numbers)), 3)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    same = (edges[order][1:] == edges[order][:-1]).all(axis=1)
    pairs = np.stack([owner[order][1:][same], owner[order][:-1][same]], axis=1)
    group = _joined(pairs, len(numbers))
    for first in np.unique(group):
        yield numbers[group == first]


def _joined(pairs: Numbers, count: int) -> Numbers:
    """Return for each of so many things the least number it is joined with, by any steps."""
    group = np.arange(count)
    while len(pairs):
        least = group.copy()
        np.minimum.at(least, pairs[:, 0], group[pairs[:, 1]])
        np.minimum.at(least, pairs[:, 1], group[pairs[:, 0]])
        least = least[least]
        if (least == group).all():
            break
        group = least
    return group


def _place(point: Any) -> Place:
    x, y, z = (float(value) for value in point)
    return x, y, z


def _at(place: Place) -> str:
    return "({:.1f}, {:.1f}, {:.1f})".format(*(round(value, 1) + 0.0 for value in place))
