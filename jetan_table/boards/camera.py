"""A camera at a table in play, and the boards that it sees: by itself, or beside switches.

A thread takes the camera's frames in, the table polls what they show.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue

from hardware.ports import RGB, Believed, Observation, part_notice
from hardware.reeds import Bouncing, ButtonPress
from hardware.sensors import MANY, FusedSensor, SensorRole, ThinnedSensor
from rules import SQUARES, Notice, Position, Sentence, Square, Topology, Worded, _, format_square
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound
from vision.eye import CameraSensor
from vision.finder import (
    MAY_BE_MIRRORED,
    NOT_MIRRORED,
    BoardFinder,
    BoardPlace,
    checked_corners,
    parse_corners,
)
from vision.geometry import Floats, Lens, layout_of, read_lens
from vision.markers import Markers, read_markers
from vision.showing import annotated, as_jpeg, cut_out, pixels_of, side_by_side
from vision.sources import Frame, LiveSource, Source, open_source, paced

from ..game.commands import BoardIsRight, Command
from ..reading.readings import occupants_of
from ..session.orientation import AS_WIRED, Orientation
from ..session.session import Certain, Guest, News, Session
from ..session.view import Phase, View
from ..settings import CameraSettings
from ..table.board import Board, Cabled, Plain

PATIENCE_S = {Clarity.COVERED: 15.0, Clarity.STARTING: 1.0, Clarity.UNREADABLE: 0.5}
USUAL_PATIENCE_S = 2.0
"""Seconds that a problem of sight must last before it is reported: hands cover the board, too."""

END_S = 3.0
"""Seconds to wait for the thread of a camera that is closed."""

UNSEEN: Mapping[Clarity, Sentence] = {
    Clarity.STARTING: _("the camera is starting"),
    Clarity.NOT_FOUND: _(
        "the camera does not find the board: {why}. If that does not help, drag its corners on the "
        "page, or lay markers beside it"
    ),
    Clarity.NOT_SET_UP: _(
        "the camera waits for the pieces to stand as shown, without hands over them: it learns "
        "their looks from that; look on the page whether it has found the board ({why})"
    ),
    Clarity.COVERED: _("something is in the camera's way"),
    Clarity.LOST: _("the board is out of the camera's sight"),
    Clarity.UNLIKE: _("the camera sees another position, or another board"),
    Clarity.UNREADABLE: _("no picture from the camera, which is tried again: {why}"),
}
"""The reasons why the camera does not see the board."""

UNMARKED = _("too few of the markers are seen: the board is found by its {how}")


class TableCamera(Guest):
    """The camera of a table; a Sensor. It must be told what is certain, by `tell`."""

    def __init__(
        self,
        source: Source,
        clock: Callable[[], float],
        markers: Markers | None = None,
        corners: Floats | None = None,
        lens: Lens | None = None,
        keep: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Look at `source` once it is started, or at what is given by `take`.

        `clock` tells the table's time, and `keep` is told the corners that people set, as
        `parse_corners` reads them.
        """
        self._keep = keep
        self._markers, self._corners, self._lens = markers, corners, lens
        self._clock = clock
        self._board: tuple[Topology, bool] | None = None
        """The board, and True with a Juggernaut on it; None before a game is known."""
        self._orientation = AS_WIRED
        self._has_polled = False
        """True if a look was polled of which the belief has not been asked for."""
        self._told_last: tuple[Position, Phase] | None = None
        self._sensor: CameraSensor | None = None
        self._before: Sight | None = None
        """The sight when the current position became certain."""
        self.looks = 0
        self._first: Queue[Frame] = Queue()
        self._is_closed = threading.Event()
        self._source = source
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look at the source by a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="board camera", daemon=True)
        self._thread.start()

    def poll(self, now: float) -> list[Observation]:
        """Return what the newest frame at rest shows, if there is one since the last call."""
        if self._sensor is None:
            return []
        seen_from = self._orientation.seen
        polled = self._sensor.poll(now)
        self._has_polled = self._has_polled or bool(polled)
        return [
            Observation(
                each.at, {seen_from(square): evidence for square, evidence in each.squares.items()}
            )
            for each in polled
        ]

    def believe(self, believed: Believed | None) -> None:
        """Take in the belief about all that was polled; None if there is none."""
        if self._sensor is not None:
            self._sensor.believe(believed)

    def follow(self, certain: Certain) -> None:
        """Take in what is certain, and learn from what is believed of a look that was polled."""
        self.tell(certain.view, certain.orientation)
        if self._has_polled:
            self._has_polled = False
            self.believe(certain.believed())

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Take it from people that the pieces stand as shown, where they are asked about that."""
        sensor = self._sensor
        if sensor is None or not isinstance(command, BoardIsRight) or not self._asks(session.view):
            return None
        sensor.know(occupants_of(session.view.position))
        sensor.confirm()
        return []

    def overlay(self, view: View) -> View:
        """Ask whether the pieces stand as shown, where the camera cannot tell."""
        return replace(view, lost=(view.position,)) if self._asks(view) else view

    def tell(self, view: View, orientation: Orientation = AS_WIRED) -> None:
        """Take in what is certain.

        It calls squares by their own names, whatever the `orientation`: the pieces show them.
        """
        self._orientation = orientation
        if (
            self._told_last is not None
            and view.position is self._told_last[0]
            and view.phase is self._told_last[1]
        ):
            return
        self._told_last = view.position, view.phase
        self.know(view.position, view.phase is not Phase.SETTING_UP)
        self._before = self.sight

    def know(self, position: Position, stands: bool = True) -> None:
        """Take in a position, and whether it certainly `stands` there already."""
        board = position.rules.board, position.juggernaut is not None
        if board != self._board:
            self._board = board
            self._begin_anew()
        assert self._sensor is not None
        self._sensor.know(occupants_of(position) if stands else None)

    def beside(self, square: Square) -> Sequence[Square | None]:
        """Return the squares next to one, None beyond the rim; nothing before a board is known."""
        return () if self._board is None else self._board[0].neighbours[square]

    def place(self, corners: Sequence[Sequence[float]]) -> None:
        """Look for the board where people say its corners are, from now on.

        BadHint where they cannot be; OSError where they cannot be kept.
        """
        placed = checked_corners(corners)
        self._keep(",".join(f"{pixel:.1f}" for pixel in placed.ravel()))
        self._corners = placed
        self._begin_anew()

    @property
    def sight(self) -> Sight | None:
        """The last picture, and where the board was seen in it; None before there is one."""
        return self._sensor.status.sight if self._sensor is not None else None

    def first_trouble(self, wait_s: float) -> Notice | None:
        """Return why there is no picture at first; None where there is, or none came yet.

        It is waited for no longer than `wait_s` seconds.
        """
        try:
            first = self._first.get(timeout=wait_s)
        except Empty:
            return None
        if first.picture is not None:
            return None
        return _unseen(Clarity.UNREADABLE, first.trouble)

    def sees(self, now: float) -> bool:
        """Return True if the camera can be relied on."""
        return self.trouble(now) is None

    def trouble(self, now: float) -> Notice | None:
        """Return the problem of sight once it has lasted for a while; None if there is none."""
        if self._thread is not None and not self._thread.is_alive():
            found = _("the camera's reader has stopped: start the table again")
            return Notice("board", "fail", found)
        if self._sensor is None:
            return None
        status = self._sensor.status
        if status.clarity in (Clarity.SETTLED, Clarity.MOVING):
            return None
        if now < status.since + PATIENCE_S.get(status.clarity, USUAL_PATIENCE_S):
            return None
        return _unseen(status.clarity, status.why)

    @property
    def notes(self) -> tuple[Notice, ...]:
        """What people should know of the picture, though play goes on."""
        place = self.sight.place if self.sight is not None else None
        if place is None or not place.may_be_mirrored:
            return ()
        return (Notice("part", "warn", MAY_BE_MIRRORED, NOT_MIRRORED, place="camera"),)

    def describe(self, now: float) -> str:
        """Return the state of sight, whatever it is."""
        trouble = self.trouble(now)
        if trouble is not None:
            return trouble.found
        place = self.sight.place if self.sight is not None else None
        if place is None:
            return UNSEEN[Clarity.STARTING]
        if self._markers is not None and place.how != "markers":
            return Worded(UNMARKED, how=place.how)
        sees = _("the camera sees the board, found by its {how}; {looks} pictures looked at")
        return Worded(sees, how=place.how, looks=self.looks)

    def pixels(self) -> dict[str, object]:
        """Return where board and squares are in the last picture; see `showing.pixels_of`."""
        return pixels_of(self.sight, self._corners)

    def picture(self) -> bytes | None:
        """Return the last picture as a JPEG; None before there is one."""
        sight = self.sight
        return (
            None if sight is None or sight.frame.picture is None else as_jpeg(sight.frame.picture)
        )

    def before_and_after(self, squares: Sequence[Square]) -> bytes | None:
        """Return what stood around these squares before, and what stands there, as one JPEG.

        None where one of the two was not seen.
        """
        own = [square for square in SQUARES if self._orientation.seen(square) in squares]
        before, after = cut_out(self._before, own), cut_out(self.sight, own)
        return None if before is None or after is None else as_jpeg(side_by_side(before, after))

    def close(self) -> None:
        """Let the camera go."""
        self._is_closed.set()
        self._source.close()
        if self._thread is not None:
            self._thread.join(timeout=END_S)

    def _run(self) -> None:
        for frame in self._source.frames():
            if self._is_closed.is_set():
                return
            self.take(frame)

    def take(self, frame: Frame) -> None:
        """Take one frame of the source in."""
        if not self.looks:
            self._first.put(frame)
        if self._sensor is not None:
            self._sensor.take(frame)
        self.looks += 1

    def _asks(self, view: View) -> bool:
        """Return True if people should be asked whether the pieces stand as shown.

        A lost game is asked about first: beside switches these may have lost it.
        """
        if self._sensor is None or view.lost:
            return False
        is_in_doubt = view.phase is Phase.SETTING_UP and self._sensor.doubts
        return is_in_doubt or self._sensor.status.clarity is Clarity.NOT_SET_UP

    def _begin_anew(self) -> None:
        if self._board is None:
            return
        topology, has_neutral = self._board
        finder = BoardFinder(layout_of(topology), self._markers, self._corners, self._lens)
        are_stills = self._source.are_stills

        def make() -> BoardCamera:
            return BoardCamera(finder, has_neutral, are_stills)

        if self._sensor is None:
            self._sensor = CameraSensor(make, self._clock())
        else:
            self._sensor.restart(make)


def _unseen(clarity: Clarity, why: str) -> Notice:
    return Notice("board", "fail", Worded(UNSEEN[clarity], why=why))


def open_camera(
    settings: CameraSettings,
    clock: Callable[[], float],
    keep: Callable[[str], None] = lambda _: None,
) -> TableCamera:
    """Return the camera of the settings, already looking; `keep` as in `TableCamera`.

    Raises BadHint or OSError. A live camera that does not answer
    is told as trouble, and tried again.
    """
    finds_by = found_by(settings)
    source = open_source(settings.source, clock)
    live = source if isinstance(source, LiveSource) else paced(source, clock)
    camera = TableCamera(live, clock, *finds_by, keep)
    camera.start()
    return camera


def found_by(settings: CameraSettings) -> tuple[Markers | None, Floats | None, Lens | None]:
    """Return what the board is found by beside its lines: markers, corners, a measured lens.

    Raises BadHint or OSError.
    """
    return (
        read_markers(Path(settings.markers)) if settings.markers else None,
        parse_corners(settings.corners) if settings.corners else None,
        read_lens(Path(settings.lens)) if settings.lens else None,
    )


def finder_of(settings: CameraSettings, topology: Topology) -> BoardFinder:
    """Return what finds a board in a camera's pictures; raises what `found_by` does."""
    return BoardFinder(layout_of(topology), *found_by(settings))


TRIED_FRAMES = 20
MOST_BLIND_FRAMES = 3
"""A source is given up after so many that show nothing before the first that does."""


def first_place(settings: CameraSettings, topology: Topology) -> tuple[Frame, BoardPlace]:
    """Return the first frame in which the board is found, and where; BoardNotFound after some."""
    source, finder = settings.source, finder_of(settings, topology)
    trouble = BoardNotFound(_("{source}: shows nothing"), source=source)
    is_blind = True
    with closing(open_source(source, time.monotonic)) as opened:
        for number, frame in zip(range(TRIED_FRAMES), opened.frames(), strict=False):
            if frame.picture is None:
                trouble = BoardNotFound(
                    _("{name}: {trouble}"), name=frame.name, trouble=frame.trouble
                )
                if is_blind and number + 1 == MOST_BLIND_FRAMES:
                    break
                continue
            is_blind = False
            try:
                return frame, finder.find(frame.picture)
            except BoardNotFound as error:
                trouble = error
    raise trouble


def pictured(frame: Frame, place: BoardPlace) -> bytes:
    """Return a frame as a JPEG, with the squares that were found."""
    return as_jpeg(annotated(Sight(frame, Clarity.SETTLED, place), None))


# ------------------------------------------------------------------ boards that it sees


AGAIN_S = (0.5, 1.5, 3.0)
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
    def trouble(self) -> Notice | None:
        """The problem of sight; None if there is none."""
        return self._camera.trouble(self._now)

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Warnings about the picture."""
        return self._camera.notes

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call."""
        self._now = now
        return self._sensor.poll(now)

    def statistics(self) -> list[str]:
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
    def trouble(self) -> Notice | None:
        """The board's fault where the camera cannot go on without it."""
        return None if self._camera.sees(self._now) else self._board.trouble

    @property
    def cabled(self) -> Cabled | None:
        """The line that the switches are at."""
        return self._board.cabled

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Warnings about either, and about squares on which the two disagree."""
        notes = [*self._board.notes, *self._camera.notes]
        trouble, unseen = self._board.trouble, self._camera.trouble(self._now)
        if unseen is not None:
            notes.append(Notice("part", "warn", unseen.found, place="camera"))
        elif trouble is not None:
            alone = _("the camera plays on without the switches. {why}")
            notes.append(part_notice("switches-lost", alone, why=trouble.found))
        return (*notes, *self._contradictions())

    def poll(self, now: float) -> list[Observation]:
        """Return what both have seen since the last call; switches in trouble count no more."""
        self._now = now
        # Once, when the trouble begins: from then on the camera alone is heard, and the switches'
        # last levels must not outvote it.
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

    def catch_up(self, at: float) -> bool:
        """Return True if all that the switches showed until `at` has come, or none of it will."""
        return self._board.trouble is not None or self._board.catch_up(at)

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares, of those that have bounced."""
        return self._board.bouncing

    def statistics(self) -> list[str]:
        """Return what has been counted of the board, and how the camera sees."""
        return [*self._board.statistics(), self._camera.describe(self._now)]

    def close(self) -> None:
        """Let go of the board; who opened the camera lets that go."""
        self._board.close()

    def _contradictions(self) -> list[Notice]:
        at_odds, notes = self._fused.contradictions, list[Notice]()
        for loser, sentence in BELIEVED.items():
            squares = sorted(square for square, lost in at_odds.items() if lost == loser)
            if loser == "switches" and len(squares) >= MANY:
                notes.append(part_notice("disagree", WIRES, count=len(squares)))
            elif squares:
                named = ", ".join(map(format_square, squares))
                notes.append(part_notice("disagree", sentence, squares=named))
        return notes


BELIEVED: Mapping[SensorRole, Sentence] = {
    "switches": _("camera and switches disagree about {squares}: the camera is believed"),
    "camera": _("camera and switches disagree about {squares}: the switches are believed"),
}
"""Sentences about squares, by the sensor that is not believed there."""

WIRES = _(
    "camera and switches disagree about {count} squares: the camera is believed; "
    "look at the switches' wires"
)
