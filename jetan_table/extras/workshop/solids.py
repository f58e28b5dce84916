"""Solids to be printed, and their files.

A `Solid` is a `Manifold` of manifold3d in millimetres, as it lies on the bed: z is up, and the bed
is where the solid is lowest. `stl` and `three_mf` make files of it.
"""

import struct
from io import BytesIO
from typing import Final, NamedTuple, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from manifold3d import Error, Manifold, Mesh64
from numpy.typing import NDArray

Solid: TypeAlias = Manifold
Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]
Place = tuple[float, float, float]


PLASTIC: Final = 1.24e-3
"""Grams in a cubic millimetre of PLA, printed solid."""

NEODYMIUM: Final = 7.5e-3
"""Grams in a cubic millimetre of a magnet."""


class Mesh(NamedTuple):
    """A solid's surface: its corners, and three of them for each triangle, seen from outside."""

    points: Floats
    triangles: Numbers

    @property
    def corners(self) -> Floats:
        """The corners of every triangle, as an array of (triangle, corner, axis)."""
        return np.asarray(self.points[self.triangles], dtype=np.float64)


class Load(NamedTuple):
    """Something heavy in a solid, such as a magnet: grams, and where its middle is."""

    grams: float
    place: Place


def mesh_of(solid: Solid) -> Mesh:
    """Return a solid's surface."""
    found = solid.to_mesh64()
    points = np.array(found.vert_properties[:, :3], dtype=np.float64)
    return Mesh(points, np.array(found.tri_verts, dtype=np.int64))


def stl(solid: Solid) -> bytes:
    """Return a solid as a binary STL file."""
    corners = mesh_of(solid).corners
    rows = np.zeros(len(corners), dtype=[("floats", "<f4", (4, 3)), ("unused", "<u2")])
    rows["floats"][:, 0] = normals_of(corners)[0]
    rows["floats"][:, 1:] = corners
    return b"Jetan Table, millimetres".ljust(80) + struct.pack("<I", len(rows)) + rows.tobytes()


def read_stl(data: bytes) -> Solid:
    """Return the solid in a binary STL file. ValueError: it is none, or its surface has a gap."""
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) != 84 + 50 * count:
        raise ValueError("no binary STL file")
    kind = np.dtype([("floats", "<f4", (4, 3)), ("unused", "<u2")])
    corners = np.frombuffer(data, kind, count, 84)["floats"][:, 1:].reshape(-1, 3)
    points, triangles = np.unique(corners, axis=0, return_inverse=True)
    mesh = Mesh(points.astype(np.float64), triangles.reshape(-1, 3).astype(np.int64))
    if gaps := open_edges(mesh):
        raise ValueError(f"{gaps} edges of the surface do not join two triangles")
    return solid_of(mesh)


def solid_of(mesh: Mesh) -> Solid:
    """Return the solid in a surface. ValueError: the surface encloses nothing."""
    solid = Manifold(Mesh64(mesh.points, mesh.triangles.astype(np.uint64)))
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
    """Return a solid as a 3MF file, which unlike STL knows its unit and the thing's name."""
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
            member = ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same solid is the same file
            member.compress_type = ZIP_DEFLATED
            archive.writestr(member, text)
    return packed.getvalue()


def open_edges(mesh: Mesh) -> int:
    """Return how many edges do not join exactly two triangles that are turned alike."""
    edges = edges_of(mesh.triangles)
    one_way = edges[:, 0] * len(mesh.points) + edges[:, 1]
    back = edges[:, 1] * len(mesh.points) + edges[:, 0]
    kept, counts = np.unique(one_way, return_counts=True)
    return int((counts > 1).sum() + (~np.isin(kept, back)).sum())


def edges_of(triangles: Numbers) -> Numbers:
    """Return the edges of triangles, the first ones of all before the second ones."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def normals_of(corners: Floats) -> tuple[Floats, Floats]:
    """Return the directions that triangles look to, and their areas."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    double = np.linalg.norm(across, axis=1)
    return across / np.maximum(double, 1e-300)[:, None], double / 2
