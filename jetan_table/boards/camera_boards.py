"""Boards that a camera sees: by itself, or beside the switches of a real one."""

from collections.abc import Mapping, Sequence

from hardware.ports import RGB, Observation, PartNote
from hardware.reeds import Bouncing, ButtonPress
from hardware.sensors import MANY, FusedSensor, SensorRole, ThinnedSensor
from rules import Square, format_square
from rules.sentences import Sentence, Worded, _

from ..table.board import Board, Cabled, Plain
from .table_camera import TableCamera

AGAIN_S = (0.5, 1.5)
"""That a board has not changed is told so long after its last change: a reader that is in doubt
waits for another look before it asks."""


class CameraBoard(Plain):
    """A board without wires: the camera, which others let go, is all that sees it."""

    hands: None = None

    def __init__(self, camera: TableCamera) -> None:
        self._camera = camera
        self._sensor = ThinnedSensor(camera, AGAIN_S)
        self._now = 0.0

    @property
    def trouble(self) -> Worded | None:
        """What hinders sight; None if nothing does."""
        return self._camera.trouble(self._now)

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call."""
        self._now = now
        return self._sensor.poll(now)

    def statistics(self) -> list[Worded]:
        """Return how the camera sees."""
        return [self._camera.describe(self._now)]


class WatchedBoard:
    """A real board with a camera over it: the evidence of both is added."""

    hands: None = None

    def __init__(self, board: Board, camera: TableCamera) -> None:
        self._board, self._camera = board, camera
        self._fused = FusedSensor(board, camera, camera.beside)
        self._sensor = ThinnedSensor(self._fused)
        self._now = 0.0
        self._was_troubled = False

    @property
    def trouble(self) -> Worded | None:
        """What is wrong with the board where the camera cannot go on without it."""
        return None if self._camera.sees(self._now) else self._board.trouble

    @property
    def cabled(self) -> Cabled | None:
        """The line that the switches are at."""
        return self._board.cabled

    @property
    def notes(self) -> tuple[PartNote, ...]:
        """What people should know of either, and about what the two disagree."""
        notes = list(self._board.notes)
        trouble, unseen = self._board.trouble, self._camera.trouble(self._now)
        if unseen is not None:
            notes.append(PartNote.of("camera", unseen.template, **unseen.values))
        elif trouble is not None:
            alone = _("the camera plays on without the switches. {why}")
            notes.append(PartNote.of("switches-lost", alone, why=trouble))
        return (*notes, *self._contradictions())

    def poll(self, now: float) -> list[Observation]:
        """Return what both have seen since the last call; switches in trouble count no more."""
        self._now = now
        observations = self._sensor.poll(now)
        is_troubled = self._board.trouble is not None
        if is_troubled and not self._was_troubled:
            observations += self._sensor.thin(self._fused.doubt_switches(now))
        self._was_troubled = is_troubled
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order."""
        self._board.show(lights)

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        return self._board.take_presses()

    def has_told(self, at: float) -> bool:
        """Whether all that the switches showed until `at` has come, or none of it will."""
        return self._board.trouble is not None or self._board.has_told(at)

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the switches under squares have bounced, where they have."""
        return self._board.bouncing

    def statistics(self) -> list[Worded]:
        """Return what has been counted of the board, and how the camera sees."""
        return [*self._board.statistics(), self._camera.describe(self._now)]

    def close(self) -> None:
        """Let go of the board; who opened the camera lets that go."""
        self._board.close()

    def _contradictions(self) -> list[PartNote]:
        at_odds, notes = self._fused.contradictions, list[PartNote]()
        for loser, sentence in BELIEVED.items():
            squares = sorted(square for square, lost in at_odds.items() if lost is loser)
            if loser is SensorRole.SWITCHES and len(squares) >= MANY:
                notes.append(PartNote.of("disagree", WIRES, count=len(squares)))
            elif squares:
                named = ", ".join(map(format_square, squares))
                notes.append(PartNote.of("disagree", sentence, squares=named))
        return notes


BELIEVED: Mapping[SensorRole, Sentence] = {
    SensorRole.SWITCHES: _("camera and switches disagree about {squares}: the camera is believed"),
    SensorRole.CAMERA: _("camera and switches disagree about {squares}: the switches are believed"),
}
"""What is said of squares, by who is not believed about them."""

WIRES = _(
    "camera and switches disagree about {count} squares: the camera is believed; "
    "look at the switches' wires"
)
