"""A camera over a painted board, and what stands there: where everything lies in the picture."""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Indices
from vision.geometry import BoardView, Layout, Pose

from .looks import CameraLook, Look

SIZE = (960, 720)
"""In which pictures are painted, in pixels, before they are made smaller."""

ROOM = 0.8
"""How much of the table about the board is seen at least, in squares."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on one square."""

    square: int
    who: int
    kind: int
    """Which of the set's profiles and letters."""
    off: tuple[float, float]
    turn: float
    shade: float
    """How much lighter than others of its side, as a factor."""


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera: `matrix` takes (x, y, up, 1) to pixels, `at` is its place, all in board units."""

    matrix: Floats
    at: Floats

    def project(self, points: Floats) -> Floats:
        """Return the pixels of points in space, (..., 3) to (..., 2)."""
        lifted = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        pixels: Floats = lifted[..., :2] / lifted[..., 2:]
        return pixels

    @property
    def view(self) -> BoardView:
        """What it sees of the board's plane."""
        return BoardView(self.matrix[:, [0, 1, 3]], 0.0, *SIZE)

    @property
    def pose(self) -> Pose:
        """Its place."""
        return Pose(*(float(each) for each in self.at))


def eye_of(look: CameraLook, layout: Layout, chance: np.random.Generator) -> Eye:
    """Return a camera that sees all of the board, as large as there is room."""
    middle = layout.size / 2
    up, turn = np.radians(look.elevation), np.radians(look.turn)
    sight = np.array([np.cos(up) * np.sin(turn), -np.cos(up) * np.cos(turn), np.sin(up)])
    to = np.array([middle, middle, 0.0])
    at = to + look.away * layout.size * sight
    across = np.array([np.cos(turn), np.sin(turn), 0.0])
    turned = np.stack([across, np.cross(-sight, across), -sight])
    outer = np.column_stack([turned, -turned @ at])
    ends = (-ROOM, layout.size + ROOM)
    rim = np.array([(x, y, 0.0, 1.0) for x in ends for y in ends])
    lifted = rim @ outer.T
    flat = lifted[:, :2] / lifted[:, 2:]
    low, high = flat.min(axis=0), flat.max(axis=0)
    focal = float(np.min(np.array(SIZE) / (high - low))) * chance.uniform(0.82, 1.0)
    free = np.array(SIZE) - focal * (high - low)
    start = free * chance.uniform(0.15, 0.85, 2) - focal * low
    inner = np.array([[focal, 0, start[0]], [0, focal, start[1]], [0, 0, 1]])
    return Eye(inner @ outer, at)


def set_up(look: Look, first: Indices, chance: np.random.Generator) -> dict[int, Standing]:
    """Return what stands where in the first position, `first` being occupants by square."""
    kinds = len(look.pieces.profiles)
    return {
        int(square): put(look, int(square), int(first[square]), int(chance.integers(kinds)), chance)
        for square in np.flatnonzero(first)
    }


def put(look: Look, square: int, who: int, kind: int, chance: np.random.Generator) -> Standing:
    """Return a piece that has been put on a square, about its middle."""
    astray, uneven = look.pieces.astray, look.pieces.uneven
    off = chance.uniform(-astray, astray, 2)
    shade = float(np.exp(chance.normal(0, uneven)))
    return Standing(
        square, who, kind, (float(off[0]), float(off[1])), chance.uniform(0, 6.3), shade
    )


def shuffle(
    look: Look, standing: dict[int, Standing], squares: int, moves: int, chance: np.random.Generator
) -> dict[int, Standing]:
    """Return what stands where after so many moves by chance; what is met is taken."""
    after = dict(standing)
    for _ in range(moves):
        start = list(after)[int(chance.integers(len(after)))]
        free = [square for square in range(squares) if square not in after]
        end = (
            int(chance.integers(squares))
            if chance.random() < 0.12
            else free[int(chance.integers(len(free)))]
        )
        piece = after.pop(start)
        after[end] = put(look, end, piece.who, piece.kind, chance)
    return after
