"""A simulated camera over a painted board, and the faults that can be planted in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Final

from hardware.believed import Believed
from hardware.ports import Observation
from rules import Occupant, Position, Square
from rules.pieces import Kind
from rules.sentences import _
from vision.arrays import Picture
from vision.board_finder import BoardFinder
from vision.camera import BoardCamera, Sight
from vision.layout import layout_of
from vision.painted import Stage, blurred, covered, mirrored
from vision.sensor import CameraSensor
from vision.sources import Frame

from ..reading.jetan_game import occupants_of
from ..setup.planted import NoSuchFault

FRAME_S: Final = 0.25
"""From one picture to the next."""

REACHES_S: Final = (0.3, 0.5)
"""A hand is in the picture from so long before a touch until so long after it."""

BUMPED_AT_S: Final = 20.0
"""A camera that is bumped is bumped so long after the trial's beginning..."""
BUMP_PX: Final = (60.0, 35.0)
"""... by so many pixels."""

DIM, BLUR_PX = 0.14, 5.0
"""How dark it is where it is too dark, and how blurred where it is too blurred."""

UNLIKE_ALL: Final = 4
"""A paint of its own, beside those of `Occupant`: that of the dark squares."""


SPOIL: Final[Mapping[str, Callable[[Picture], Picture]]] = {
    "covered": covered,
    "blurred": partial(blurred, pixels=BLUR_PX),
    "mirrored": mirrored,
}
"""What is wrong with every picture, by its name."""

WAYS: Final = (*SPOIL, "bumped", "dark")


@dataclass(frozen=True, slots=True)
class Spoilt:
    """What is wrong with a simulated camera."""

    ways: frozenset[str] = frozenset()
    """Of `WAYS`."""
    alike: Kind | None = None
    """Black's pieces of this kind are of the dark squares' colour."""


SOUND: Final = Spoilt()


def spoilt(words: Iterable[str]) -> Spoilt:
    """Return a camera with the faults that are named; NoSuchFault."""
    made = Spoilt()
    kinds = {kind.word: kind for kind in Kind}
    for word in words:
        name, _colon, kind = word.partition(":")
        if word in WAYS:
            made = replace(made, ways=made.ways | {word})
        elif name == "alike" and kind in kinds:
            made = replace(made, alike=kinds[kind])
        else:
            raise NoSuchFault(
                _("{word}: no such fault of a camera; there are {ways}, alike:thoat"),
                word=word,
                ways=", ".join(WAYS),
            )
    return made


class PaintedCamera:
    """A camera that sees a painted board, and what hands do there; `start` stands on it."""

    def __init__(self, start: Position, fault: Spoilt = SOUND) -> None:
        layout = layout_of(start.rules.topology)
        scene = Stage(layout, 72.0, light=DIM if "dark" in fault.ways else 1.0)
        paints = {**scene.paints, UNLIKE_ALL: scene.dark}
        self._scene = replace(scene, paints=paints, flat=frozenset({UNLIKE_ALL}))
        self._fault = fault
        self._standing = list(occupants_of(start))
        for square, piece in start.pieces().items():
            if piece.kind is fault.alike and not piece.side:
                self._standing[square] = UNLIKE_ALL
        self._in_hand: list[int] = []
        self._touches: list[tuple[float, Square, bool]] = []
        self._reach: tuple[float, Square] | None = None
        self._stood: Picture | None = None
        self._pictures: dict[Square | None, Picture] = {}
        self._began: float | None = None
        self._next_at = 0.0
        self._bumps_at = BUMPED_AT_S if "bumped" in fault.ways else inf
        finder = BoardFinder(layout, None, None, None)
        self._sensor = CameraSensor(lambda: BoardCamera(finder, False, False))

    def poll(self, now: float) -> list[Observation]:
        """Take pictures up to `now`, and return what the newest at rest shows."""
        if self._began is None:
            self._began = self._next_at = now
        while self._next_at <= now:
            at = self._next_at
            self._sensor.take(Frame(f"{at:.2f}", at, self._picture(at)))
            self._next_at += FRAME_S
        return self._sensor.poll(now)

    def know(self, position: Position, stands: bool = True) -> None:
        """Take in a position, and whether it certainly stands there."""
        self._sensor.know(occupants_of(position) if stands else None)

    def believe(self, believed: Believed | None) -> None:
        """Take in what is believed of all that was polled; None: nothing is."""
        self._sensor.believe(believed)

    @property
    def sight(self) -> Sight | None:
        """The last picture, and what it showed."""
        return self._sensor.status.sight

    @property
    def trouble(self) -> str:
        """How well it sees, in one word."""
        return self._sensor.status.visibility.value

    def lift(self, at: float, square: Square) -> None:
        """Take up what stands on a square."""
        self._touches.append((at, square, False))

    def put(self, at: float, square: Square) -> None:
        """Put down on a square what was taken up last."""
        self._touches.append((at, square, True))

    def lit(self) -> Square | None:
        """Return None: there are no lamps."""
        return None

    def _picture(self, at: float) -> Picture:
        self._touch_until(at)
        reaching = self._reaching(at)
        if self._stood is None:
            self._stood = self._scene.stood(self._standing)
            self._pictures = {}
        if reaching not in self._pictures:
            point = None if reaching is None else tuple(self._scene.layout.centres[reaching])
            self._pictures[reaching] = self._spoil(self._scene.seen(self._stood, 1, point))
        return self._pictures[reaching]

    def _spoil(self, picture: Picture) -> Picture:
        for way, spoil in SPOIL.items():
            if way in self._fault.ways:
                picture = spoil(picture)
        return picture

    def _touch_until(self, at: float) -> None:
        """Do what hands have done by now; a piece that is put down is the first that was lifted."""
        if at > self._bumps_at + (self._began or 0.0):
            self._scene, self._stood = self._scene.bumped(*BUMP_PX), None
            self._bumps_at = inf
        while self._touches and self._touches[0][0] <= at:
            when, square, near = self._touches.pop(0)
            self._reach = when, square
            if near and self._in_hand:
                self._standing[square] = self._in_hand[0]
                self._in_hand.clear()
            elif not near:
                self._in_hand.append(self._standing[square])
                self._standing[square] = Occupant.EMPTY
            self._stood = None

    def _reaching(self, at: float) -> Square | None:
        """Return the square a hand reaches for, None while none is in the picture."""
        before, after = REACHES_S
        if self._touches and self._touches[0][0] <= at + before:
            return self._touches[0][1]
        if self._reach is not None and at < self._reach[0] + after:
            return self._reach[1]
        return None
