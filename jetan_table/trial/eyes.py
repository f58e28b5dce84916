"""A camera's board that is tried: it reads as a table would, and notes how well it sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hardware.believed import Believed
from hardware.ports import RGB, Observation
from hardware.thinned import ThinnedSensor
from rules import Position, Square
from vision.board_finder import BoardPlace
from vision.camera import Clarity, Sight
from vision.quality import Quality, is_featureless, quality_of, range_of, shift_of, unsure

from ..machine.camera_doctor import CLEAR_STEP, LOW, MUCH_BURNT, NARROW_PX, SHARP_PX
from ..reading.jetan_game import Standing
from ..reading.table_reader import believed_by, by_looks
from .faults import BoardFault
from .verdict import CameraSaid, SightFigures

UNSURE_NATS: Final = 3.0
"""A square whose likeliest occupant is ahead by less, 20 to 1, is in doubt."""

MUCH_LOST: Final = 0.05
"""The share of looks in which the board may be out of sight."""

JUDGED_EVERY_S: Final = 5.0
"""A picture's sharpness and light are measured so often."""

MOVED_SQUARES: Final = 0.25
"""A board that is found so far from where it was has been moved, or its camera."""


class LookingCamera(Protocol):
    """A camera over a board that is told what stands there, and learns from it."""

    def poll(self, now: float) -> list[Observation]:
        """Return what the newest picture at rest shows."""
        ...

    def know(self, position: Position, stands: bool = True) -> None:
        """Take in a position, and whether it certainly stands there."""
        ...

    def believe(self, believed: Believed | None) -> None:
        """Take in what is believed of all that was polled; None: nothing is."""
        ...

    @property
    def sight(self) -> Sight | None:
        """The last picture, and what it showed."""
        ...


@dataclass(slots=True)
class _Worst:
    """The worst of what pictures gave."""

    quality: Quality | None = None

    def add(self, quality: Quality) -> None:
        worst = self.quality or quality
        self.quality = Quality(
            min(worst.square_px, quality.square_px),
            min(worst.elevation, quality.elevation),
            min(worst.step, quality.step),
            max(worst.blur, quality.blur),
            max(worst.burnt, quality.burnt),
            min(worst.strip, quality.strip),
        )


class CameraEyes:
    """A camera as a board: what it sees is read at once, and the camera told what is certain."""

    def __init__(self, camera: LookingCamera, start: Position) -> None:
        self._camera, self._thin = camera, ThinnedSensor(camera)
        self._reader = by_looks(Standing(start), {})
        camera.know(start)
        self._sight: Sight | None = None
        self._place: BoardPlace | None = None
        self._worst, self._judged_at = _Worst(), -JUDGED_EVERY_S
        self._ages: list[float] = []
        self._clarities = Counter[Clarity]()
        self._stirs: list[float] = []
        self._doubts = Counter[Square]()
        self._bumps = 0
        self._began: float | None = None
        self._now = 0.0

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call."""
        self._began = now if self._began is None else self._began
        self._now = now
        observations = self._thin.poll(now)
        sight = self._camera.sight
        is_new = sight is not self._sight
        if sight is not None and is_new:
            self._note(sight)
        for observation in observations:
            self._reader.observe(observation)
        if is_new:
            self._camera.believe(believed_by(self._reader))
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        """Show nothing: there are no lamps."""

    def says(self) -> CameraSaid:
        """Return what there is to be said of the camera."""
        looks, rested = self._clarities.total(), self._clarities[Clarity.SETTLED]
        passed = self._now - (self._began or 0.0)
        doubts = {square: count / rested for square, count in self._doubts.most_common()}
        quality = self._worst.quality
        figures = SightFigures(
            looks / passed if passed else 0.0,
            tuple(self._ages),
            rested / looks if looks else 0.0,
            doubts,
            None if quality is None else float(quality.square_px),
            None if quality is None else float(quality.elevation),
            None if quality is None else float(quality.step),
            None if quality is None else float(quality.blur),
        )
        return CameraSaid(figures, dict(self._faults()), tuple(self._stirs))

    def _note(self, sight: Sight) -> None:
        """Take in what one more picture has shown."""
        self._sight = sight
        at = sight.frame.at
        self._ages.append(self._now - at)
        self._clarities[sight.clarity] += 1
        if sight.clarity in (Clarity.MOVING, Clarity.COVERED):
            self._stirs.append(at)
        if sight.place is not None and sight.place is not self._place:
            self._bumps += (
                self._place is not None and shift_of(self._place, sight.place) > MOVED_SQUARES
            )
            self._place = sight.place
        if sight.seen is None or sight.place is None or sight.frame.picture is None:
            return
        self._doubts.update(map(Square, unsure(sight.seen, UNSURE_NATS)))
        if at >= self._judged_at + JUDGED_EVERY_S:
            self._judged_at = at
            self._worst.add(quality_of(sight.frame.picture, sight.place))

    def _faults(self) -> Iterator[tuple[BoardFault, list[str]]]:
        quality, looks = self._worst.quality, self._clarities.total()
        if quality is None:
            yield from self._unseen()
            return
        lost = self._clarities[Clarity.LOST] / looks
        for is_so, fault, befell in (
            (self._bumps, BoardFault.BUMPED, f"{self._bumps}"),
            (lost > MUCH_LOST, BoardFault.LOST, f"{100 * lost:.0f}"),
            (quality.step < CLEAR_STEP, BoardFault.DARK, f"{quality.step:.0f}"),
            (quality.burnt > MUCH_BURNT, BoardFault.GLARING, f"{100 * quality.burnt:.0f}"),
            (quality.blur > SHARP_PX, BoardFault.BLURRED, f"{quality.blur:.1f}"),
            (quality.elevation < LOW, BoardFault.LOW, f"{quality.elevation:.0f}"),
            (quality.square_px < NARROW_PX, BoardFault.FAR, f"{quality.square_px:.0f}"),
        ):
            if is_so:
                yield fault, [befell]

    def _unseen(self) -> Iterator[tuple[BoardFault, list[str]]]:
        """Yield why nothing was ever seen of the board, by the last picture."""
        sight = self._sight
        picture = None if sight is None else sight.frame.picture
        if picture is None or is_featureless(picture):
            yield BoardFault.COVERED, []
        elif range_of(picture) < CLEAR_STEP:
            yield BoardFault.DARK, [f"{range_of(picture):.0f}"]
        else:
            assert sight is not None
            yield (BoardFault.UNFOUND if sight.place is None else BoardFault.UNSET), []
