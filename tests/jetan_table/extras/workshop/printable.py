"""Solids as trimesh reads them from their files, and the faults a printer would make of them.

trimesh shares no code with the workshop, so what it measures is a second opinion on every file.
`least_wall`, `overhangs` and `tip_angle` are the measures behind `faults`.
"""

import math
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import trimesh
from manifold3d import CrossSection, Error
from numpy.typing import NDArray
from trimesh import Trimesh

from jetan_table.extras.workshop.pieces import PLAY, Mould
from jetan_table.extras.workshop.solids import Floats, Numbers, Solid, stl

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


_CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"

Place = tuple[float, float, float]


def in_stl(data: bytes) -> Trimesh:
    """Return the surface in a binary STL file; corners at the same place are one."""
    surface = trimesh.load_mesh(BytesIO(data), file_type="stl")
    assert isinstance(surface, Trimesh)
    return surface


def in_3mf(data: bytes) -> Trimesh:
    """Return the surface in a 3MF file of one object in millimetres.

    Its XML is taken apart here: trimesh's own reader needs two more packages for that.
    """
    with ZipFile(BytesIO(data)) as archive:
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    assert model.attrib["unit"] == "millimeter"
    points = [[float(v.attrib[axis]) for axis in "xyz"] for v in model.iter(f"{_CORE}vertex")]
    faces = [[int(t.attrib[f"v{n}"]) for n in (1, 2, 3)] for t in model.iter(f"{_CORE}triangle")]
    return Trimesh(np.array(points), np.array(faces))


def surface_of(solid: Solid) -> Trimesh:
    """Return a solid's surface as it is read from its STL file."""
    return in_stl(stl(solid))


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
    surface = surface_of(solid)
    # Corners may be one in the file that were not: its numbers are shorter.
    if not (surface.is_watertight and surface.is_winding_consistent):
        found.append("its file's surface has gaps")
    if not math.isclose(surface.volume, solid.volume(), rel_tol=1e-4):
        found.append(f"{surface.volume:.1f} mm3 in its file, not {solid.volume():.1f}")
    if (bodies := len(solid.decompose())) > 1:
        found.append(f"{bodies} bodies or closed hollows, not one body")
    thin = least_wall(solid, spacing)
    if thin.thickness < wall:
        found.append(f"a wall of {thin.thickness:.2f} mm at {_at(thin.place)}: {wall:g} at least")
    found += [
        f"{over.area:.2f} mm2 over the air at {_at(over.place)}"
        for over in overhangs(surface, bridge)
        if over.area >= _SEEN
    ]
    found += [
        f"a layer begins in the air at {_at(place)}" for place in begun_in_the_air(solid, surface)
    ]
    if upright is not None and (angle := tip_angle(surface, loads)) < upright:
        found.append(f"it tips over at {angle:.1f} degrees: {upright:g} at least")
    return found


def least_wall(solid: Solid, each: float = 0.25) -> Wall:
    """Return where a solid is thinnest, looked for at a place for `each` so many mm2 of surface.

    Its thickness at a place is how far the surface opposite lies, straight through. Surfaces that
    meet at an edge of more than 45 degrees are no wall.
    """
    surface = surface_of(solid.refine_to_length(2 * math.sqrt(each)))
    normals, areas = surface.face_normals, surface.area_faces
    shares = np.floor(np.cumsum(areas) / each)
    chosen = (np.diff(shares, prepend=-1) > 0) & (areas > 1e-4)  # what is smaller looks anywhere
    box = solid.bounding_box()
    reach = math.dist(box[:3], box[3:])
    opposite = math.cos(math.radians(STEEPEST))
    least = Wall(math.inf, (0.0, 0.0, 0.0))
    for place, normal in zip(surface.triangles_center[chosen], normals[chosen], strict=True):
        for hit in solid.ray_cast(place - 1e-4 * normal, place - reach * normal):
            leaves = -float(np.dot(hit.normal, normal))
            if leaves > 0:
                depth = math.dist(place, hit.position)
                if leaves > opposite and depth < least.thickness:
                    least = Wall(depth, _place(place))
                break
    return least


def overhangs(surface: Trimesh, bridge: float = LONGEST_BRIDGE) -> list[Overhang]:
    """Return what lies over the air and leans too far, bridges between two walls excepted."""
    corners, normals, areas = surface.triangles, surface.face_normals, surface.area_faces
    bed = surface.bounds[0][2] + _FLAT
    leans = normals[:, 2] < -math.sin(math.radians(STEEPEST + _SLACK))
    leans &= (corners[..., 2].max(axis=1) > bed) & (areas > 1e-9)
    flat = leans & (normals[:, 2] < -math.cos(math.radians(1.0)))
    found = []
    for patch in _patches(surface, leans & ~flat):
        found.append(_overhang(surface, patch))
    for patch in _patches(surface, flat):
        if not _is_bridge(surface, patch, bridge):
            found.append(_overhang(surface, patch))
    return found


def _overhang(surface: Trimesh, patch: Numbers) -> Overhang:
    areas = surface.area_faces[patch]
    middle = np.average(surface.triangles_center[patch], axis=0, weights=areas)
    return Overhang(float(areas.sum()), _place(middle))


def begun_in_the_air(solid: Solid, surface: Trimesh) -> list[Place]:
    """Return the lowest places of parts that nothing lies under, not even the bed."""
    points = surface.vertices
    bed = surface.bounds[0][2]
    edges = np.concatenate([surface.edges_unique, surface.edges_unique[:, ::-1]])
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


def centre_of_mass(surface: Trimesh, loads: Iterable[Load] = ()) -> Load:
    """Return the weight of a solid printed full, with its loads, and where all of it balances."""
    printed = Load(PLASTIC * surface.volume, _place(surface.center_mass))
    parts = [printed, *loads]
    grams = [part.grams for part in parts]
    return Load(sum(grams), _place(np.average([part.place for part in parts], 0, grams)))


def tip_angle(surface: Trimesh, loads: Iterable[Load] = ()) -> float:
    """Return by how many degrees a standing solid may be tipped before it falls over."""
    points = surface.vertices
    bed = surface.bounds[0][2]
    foot = CrossSection.hull_points(points[points[:, 2] < bed + _FLAT][:, :2]).to_polygons()[0]
    x, y, z = centre_of_mass(surface, loads).place
    after = np.roll(foot, -1, axis=0)
    along = after - foot
    inside = (along[:, 0] * (y - foot[:, 1]) - along[:, 1] * (x - foot[:, 0])) / np.hypot(*along.T)
    return math.degrees(math.atan2(float(inside.min()), z - float(bed)))


def _is_bridge(surface: Trimesh, patch: Numbers, longest: float) -> bool:
    """Whether a flat ceiling can be laid in one direction from wall to wall."""
    ends, held = _rim(surface, patch)
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


def _rim(surface: Trimesh, patch: Numbers) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the edges round a ceiling, seen from below, and whether a wall goes down at each."""
    inside = np.isin(surface.face_adjacency, patch)
    is_rim = inside.sum(axis=1) == 1
    ends = surface.vertices[surface.face_adjacency_edges[is_rim]]
    beside = surface.face_adjacency[is_rim][~inside[is_rim]]
    lowest = surface.triangles[beside, :, 2].min(axis=1)
    return ends[..., :2], lowest < ends[..., 2].min(axis=1) - _FLAT


def _patches(surface: Trimesh, chosen: NDArray[np.bool_]) -> Iterator[Numbers]:
    """Yield the chosen triangles in groups that share edges."""
    pairs = surface.face_adjacency
    group = _joined(pairs[chosen[pairs].all(axis=1)], len(chosen))
    for first in np.unique(group[chosen]):
        yield np.flatnonzero(chosen & (group == first))


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
