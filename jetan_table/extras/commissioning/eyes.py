"""A camera's board that is tried, and a simulated camera over a painted board to try it on.

It reads as a table would, and notes how well it sees. Faults can be planted in the painted one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final

from hardware.ports import RGB, Believed, Observation
from hardware.sensors import ThinnedSensor
from rules import Kind, Notice, Occupant, Position, Square, Worded, _
from vision.camera import BoardCamera, Clarity, Sight
from vision.eye import CameraSensor
from vision.finder import BoardFinder, BoardPlace
from vision.geometry import Picture, layout_of
from vision.painted import Stage, blurred
from vision.showing import Quality, quality_of, range_of, shift_of, unsure
from vision.sources import Frame

from ...boards.camera import TableCamera
from ...reading.readings import Standing, occupants_of
from ...reading.table_reader import believed_by, by_looks
from .course import CameraFigures
from .doctor import CLEAR_STEP, examine_picture
from .walk import CommissioningRefused

UNSURE_NATS: Final = 3.0
"""The lead in nats, 20 to 1, below which a square's likeliest occupant is in doubt."""

MUCH_LOST: Final = 0.05
"""The share of looks in which the board may be out of sight."""

JUDGED_EVERY_S: Final = 5.0
"""Seconds between two measurements of sharpness and light."""

SPOILS: Final = ("focus", "light")
"""The checks of a camera's picture that spoil a game where they only warn; others must fail."""

MOVED_SQUARES: Final = 0.25
"""Squares of shift above which the board, or its camera, has been moved."""


def _worst(one: Quality, other: Quality) -> Quality:
    """Return the worst values of two pictures."""
    return Quality(
        min(one.square_px, other.square_px),
        min(one.elevation, other.elevation),
        min(one.step, other.step),
        max(one.blur, other.blur),
        max(one.burnt, other.burnt),
        min(one.strip, other.strip),
    )


class CameraEyes:
    """A camera as a board: what it sees is read at once, and the camera told what is certain."""

    def __init__(self, camera: TableCamera | PaintedCamera, start: Position) -> None:
        self._camera, self._thin = camera, ThinnedSensor(camera)
        self._reader = by_looks(Standing(start), {})
        camera.know(start)
        self._sight: Sight | None = None
        self._place: BoardPlace | None = None
        self._quality: Quality | None = None
        self._judged_at = -JUDGED_EVERY_S
        self._ages: list[float] = []
        self._clarities = Counter[Clarity]()
        self._stirs: list[float] = []
        self._doubts = Counter[Square]()
        self._bumps = 0
        self._began: float | None = None
        self._now = 0.0

    def poll(self, now: float) -> list[Observation]:
        self._began = now if self._began is None else self._began
        self._now = now
        observations = self._thin.poll(now)
        sight = self._camera.sight
        is_new = sight is not self._sight
        if sight is not None and is_new:
            self._note(sight)
        for observation in observations:
            self._reader.observe(observation)
        # The camera is told what is certain, as in play: it learns the pieces from it.
        if is_new:
            self._camera.believe(believed_by(self._reader))
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        """Show nothing: there are no lamps."""

    def says(self) -> CameraFigures:
        """Return the camera's figures so far."""
        looks, rested = self._clarities.total(), self._clarities[Clarity.SETTLED]
        passed = self._now - (self._began or 0.0)
        doubts = {square: count / rested for square, count in self._doubts.most_common()}
        return CameraFigures(
            looks / passed if passed else 0.0,
            tuple(self._ages),
            rested / looks if looks else 0.0,
            doubts,
            self._quality,
            dict(self._faults()),
            tuple(self._spoiling()),
            tuple(self._stirs),
        )

    def _note(self, sight: Sight) -> None:
        """Take in one more picture."""
        self._sight = sight
        at = sight.frame.at
        self._ages.append(self._now - at)
        self._clarities[sight.clarity] += 1
        # Moments in which hands were in the picture: the last of them tells when a move was
        # finished.
        if sight.clarity in (Clarity.MOVING, Clarity.COVERED):
            self._stirs.append(at)
        if sight.place is not None and sight.place is not self._place:
            # A place found anew is a bump only beyond what finding the same board twice differs by.
            self._bumps += (
                self._place is not None and shift_of(self._place, sight.place) > MOVED_SQUARES
            )
            self._place = sight.place
        if sight.seen is None or sight.place is None or sight.frame.picture is None:
            return
        self._doubts.update(map(Square, unsure(sight.seen, UNSURE_NATS)))
        if at >= self._judged_at + JUDGED_EVERY_S:
            self._judged_at = at
            quality = quality_of(sight.frame.picture, sight.place)
            self._quality = _worst(self._quality or quality, quality)

    def _faults(self) -> Iterator[tuple[str, list[str]]]:
        if self._quality is None:
            yield self._unseen()
            return
        lost = self._clarities[Clarity.LOST] / self._clarities.total()
        if self._bumps:
            yield "bumped", [f"{self._bumps}"]
        if lost > MUCH_LOST:
            yield "lost", [f"{100 * lost:.0f}"]

    def _unseen(self) -> tuple[str, list[str]]:
        """Return the reason why nothing was ever seen, by the last picture, and the squares."""
        sight = self._sight
        picture = None if sight is None else sight.frame.picture
        # From the plainest reason to the least: nothing to see, a board whose pieces cannot be told
        # from it, no board.
        if sight is None or picture is None or range_of(picture) < CLEAR_STEP:
            return "covered", []
        why = sight.frame.trouble
        if isinstance(why, Worded) and "squares" in why.values:
            return "alike", str(why.values["squares"]).split(", ")
        return "unfound", []

    def _spoiling(self) -> Iterator[Notice]:
        """Yield the doctor's findings about pictures that would spoil a game."""
        for each in () if self._quality is None else examine_picture(self._quality):
            if each.verdict == "fail" or (each.verdict == "warn" and each.check in SPOILS):
                yield each


FRAME_S: Final = 0.25
"""Seconds from one picture to the next."""

REACHES_S: Final = (0.3, 0.5)
"""Seconds before and after a touch in which the hand is in the picture."""

BUMPED_AT_S: Final = 20.0
"""Seconds from the trial's beginning to the bump of a bumped camera."""
BUMP_PX: Final = (60.0, 35.0)
"""Pixels of that shift."""

DIM, BLUR_PX = 0.14, 5.0
"""The light of a picture that is too dark, and the blur of one that is too blurred."""

UNLIKE_ALL: Final = 4
"""A paint beside those of `Occupant`: that of the dark squares."""


SPOIL: Final[Mapping[str, Callable[[Picture], Picture]]] = {
    "covered": lambda picture: 0 * picture + 6,
    "blurred": partial(blurred, pixels=BLUR_PX),
    "mirrored": lambda picture: picture[:, ::-1].copy(),
}
"""Functions that spoil every picture, by the fault's name."""

WAYS: Final = (*SPOIL, "bumped", "dark")
ALIKE: Final = {f"alike:{kind.word}": kind for kind in Kind}
"""The kind of Black's pieces in the dark squares' colour, by the fault's name."""


def spoilt(words: Iterable[str]) -> Sequence[str]:
    """Return the faults of a camera that are named; CommissioningRefused for any other word."""
    faults = tuple(words)
    for word in faults:
        if word not in WAYS and word not in ALIKE:
            raise CommissioningRefused(
                _("{word}: no such fault of a camera; there are {ways}, alike:thoat"),
                word=word,
                ways=", ".join(WAYS),
            )
    return faults


class PaintedCamera:
    """A camera that sees a painted board, and what hands do there; `start` stands on it."""

    def __init__(self, start: Position, faults: Collection[str] = ()) -> None:
        layout = layout_of(start.rules.board)
        scene = Stage(layout, 72.0, light=DIM if "dark" in faults else 1.0)
        paints = {**scene.paints, UNLIKE_ALL: scene.dark}
        self._scene = replace(scene, paints=paints, flat=frozenset({UNLIKE_ALL}))
        self._spoils = [spoil for way, spoil in SPOIL.items() if way in faults]
        alike = {ALIKE[word] for word in faults if word in ALIKE}
        self._standing = list(occupants_of(start))
        for square, piece in start.pieces().items():
            if piece.kind in alike and not piece.side:
                self._standing[square] = UNLIKE_ALL
        self._in_hand: list[int] = []
        self._touches: list[tuple[float, Square, bool]] = []
        self._reach: tuple[float, Square] | None = None
        self._stood: Picture | None = None
        self._pictures: dict[Square | None, Picture] = {}
        self._began: float | None = None
        self._next_at = 0.0
        self._bumps_at = BUMPED_AT_S if "bumped" in faults else inf
        finder = BoardFinder(layout, None, None, None)
        self._sensor = CameraSensor(lambda: BoardCamera(finder, False, False))

    def poll(self, now: float) -> list[Observation]:
        """Take pictures up to `now`, and return what the newest at rest shows."""
        if self._began is None:
            self._began = self._next_at = now
        # Pictures come at their own pace, however seldom the board is polled: time may jump in a
        # simulation.
        while self._next_at <= now:
            at = self._next_at
            self._sensor.take(Frame(f"{at:.2f}", at, self._picture(at)))
            self._next_at += FRAME_S
        return self._sensor.poll(now)

    def know(self, position: Position, stands: bool = True) -> None:
        self._sensor.know(occupants_of(position) if stands else None)

    def believe(self, believed: Believed | None) -> None:
        self._sensor.believe(believed)

    @property
    def sight(self) -> Sight | None:
        return self._sensor.status.sight

    @property
    def trouble(self) -> str:
        """Its clarity in one word."""
        return self._sensor.status.clarity.name.lower()

    def lift(self, at: float, square: Square) -> None:
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
            picture = self._scene.seen(self._stood, 1, point)
            for spoil in self._spoils:
                picture = spoil(picture)
            self._pictures[reaching] = picture
        return self._pictures[reaching]

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
