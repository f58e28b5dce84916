"""Solids to be printed: their building blocks, and their files.

A `Solid` is a `Manifold` of manifold3d in millimetres, as it is printed: z is up, and the bed is at
the solid's lowest point. The case's parts are made of blocks, rods and rings; `stl` and `three_mf`
make files of a solid.
"""

import struct
from collections.abc import Iterable
from io import BytesIO
from math import cos, pi, sin, sqrt
from typing import Literal, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from manifold3d import CrossSection, Error, Manifold, Mesh64, OpType
from numpy.typing import NDArray

Solid: TypeAlias = Manifold
Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]


def mesh_of(solid: Solid) -> tuple[Floats, Numbers]:
    """Return the corners of a solid, (n, 3), and three of them for each triangle, (m, 3).

    A triangle's corners go counter-clockwise seen from outside.
    """
    found = solid.to_mesh64()
    points = np.array(found.vert_properties[:, :3], dtype=np.float64)
    return points, np.array(found.tri_verts, dtype=np.int64)


def stl(solid: Solid) -> bytes:
    """Return a solid as a binary STL file."""
    points, triangles = mesh_of(solid)
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    rows = np.zeros(len(corners), dtype=[("floats", "<f4", (4, 3)), ("unused", "<u2")])
    rows["floats"][:, 0] = across / np.maximum(lengths, 1e-300)
    rows["floats"][:, 1:] = corners
    return b"Jetan Table, millimetres".ljust(80) + struct.pack("<I", len(rows)) + rows.tobytes()


def solid_of(points: Floats, triangles: Numbers) -> Solid:
    """Return the solid of a surface as `mesh_of` has it. ValueError: it encloses nothing."""
    solid = Manifold(Mesh64(points, triangles.astype(np.uint64)))
    if solid.status() != Error.NoError:
        raise ValueError(f"the surface encloses no solid: {solid.status().name}")
    return solid


_MODEL = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<model unit="millimeter" xml:lang="en-US" '
    'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
    '<metadata name="Title">{name}</metadata><resources><object id="1" name="{name}" type="model">'
    "<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>"
    '</resources><build><item objectid="1"/></build></model>\n'
)
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="model" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
)


def three_mf(solid: Solid, name: str) -> bytes:
    """Return a solid as a 3MF file, which unlike STL has a unit and the solid's name."""
    points, triangles = mesh_of(solid)
    model = _MODEL.format(
        name=name,
        vertices="".join(f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>' for x, y, z in points),
        triangles="".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in triangles),
    )
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path, text in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", model),
        ):
            member = ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # so that the same solid is the same file
            member.compress_type = ZIP_DEFLATED
            archive.writestr(member, text)
    return packed.getvalue()


Axis = Literal["x", "y", "z"]


def block(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Solid:
    """Return a box between bounds along each axis."""
    size = x[1] - x[0], y[1] - y[0], z[1] - z[0]
    return Manifold.cube(size).translate((x[0], y[0], z[0]))


def rod(
    x: float, y: float, z: tuple[float, float], width: float, top: float | None = None
) -> Solid:
    """Return an upright round rod; a tapered one is `top` wide at its upper end."""
    upper = (width if top is None else top) / 2
    return Manifold.cylinder(z[1] - z[0], width / 2, upper, _segments(width)).translate(
        (x, y, z[0])
    )


def lying_rod(
    middle: tuple[float, float, float], axis: Axis, ends: tuple[float, float], width: float
) -> Solid:
    """Return a round rod along x or y, with its ends relative to its middle."""
    turned = Manifold.cylinder(ends[1] - ends[0], width / 2, width / 2, _segments(width))
    turned = turned.translate((0, 0, ends[0]))
    turned = turned.rotate((0, 90, 0)) if axis == "x" else turned.rotate((-90, 0, 0))
    return turned.translate(middle)


def lying_hole(
    middle: tuple[float, float, float], axis: Axis, ends: tuple[float, float], width: float
) -> Solid:
    """Return a hole for a rod along x or y, pointed above, where a printer's lines would sag."""
    along, across = (abs(ends[1] - ends[0]), 0.01)
    size = (along, across, across) if axis == "x" else (across, along, across)
    shift = (ends[0] + ends[1]) / 2
    off = (shift, 0.0, width / sqrt(2)) if axis == "x" else (0.0, shift, width / sqrt(2))
    ridge = Manifold.cube(size, True).translate(off).translate(middle)
    return Manifold.batch_hull([lying_rod(middle, axis, ends, width), ridge])


def rounded(half: float, radius: float, z: tuple[float, float]) -> Solid:
    """Return a square plate, `half` each way from the middle, with round corners."""
    inner = CrossSection.square((2 * (half - radius), 2 * (half - radius)), True)
    points = [
        (x + radius * cos(turn), y + radius * sin(turn))
        for polygon in inner.to_polygons()
        for x, y in polygon
        for turn in (2 * pi * part / 48 for part in range(48))
    ]
    outline = CrossSection.hull_points(points)
    return Manifold.extrude(outline, z[1] - z[0]).translate((0, 0, z[0]))


def joined(solids: Iterable[Solid]) -> Solid:
    """Return solids as one."""
    return Manifold.batch_boolean(list(solids), OpType.Add)


def without(solid: Solid, holes: Iterable[Solid]) -> Solid:
    """Return a solid with holes cut out of it."""
    return Manifold.batch_boolean([solid, *holes], OpType.Subtract)


def _segments(width: float) -> int:
    return 12 if width < 2 else max(24, min(64, 4 * round(width)))
