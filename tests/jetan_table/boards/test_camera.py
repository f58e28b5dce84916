"""A camera at a table in play: alone, and beside switches."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed
from functools import cache
from pathlib import Path
from queue import Queue
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.ports import RGB, Observation
from hardware.reeds import Bouncing, ButtonPress
from jetan_table.boards.camera import CameraBoard, TableCamera, WatchedBoard
from jetan_table.cli import main
from jetan_table.game.commands import BoardIsRight
from jetan_table.game.events import Header, Ply
from jetan_table.journal.journal import Journal
from jetan_table.light.words import Speaker
from jetan_table.people.board import SimulatedBoard, steady_board
from jetan_table.reading.readings import occupants_of
from jetan_table.reading.table_reader import by_switches
from jetan_table.replay.replay import advance, replay_of_game
from jetan_table.session.orientation import Orientation
from jetan_table.settings import Settings, TableSettings
from jetan_table.table.board import Board
from jetan_table.table.games import begin_game
from jetan_table.table.loop import EagerClock, Table
from jetan_table.wiring import join
from rules import (
    SQUARES,
    Notice,
    Occupant,
    Position,
    Square,
    format_position,
    parse_move,
    parse_rules,
    parse_square,
    squares_of,
)
from tests.jetan_table.hands import seen
from tests.jetan_table.sitting import AtTable
from vision.errors import BadHint
from vision.geometry import Floats, Picture, layout_of
from vision.painted import Stage, corner_markers
from vision.showing import GAP_PX
from vision.sources import Frame

RULES = parse_rules("appendix,thoat=jumps")
START = Position.start(RULES)
SCENE = Stage(layout_of(RULES.board), 75.0)
CORNERS: Floats = SCENE.view.project(SCENE.layout.corners)


def played(*texts: str) -> Position:
    position = START
    for text in texts:
        position = position.play(parse_move(text, position))
    return position


@cache
def painted(occupants: tuple[int, ...]) -> Picture:
    return SCENE.paint(occupants, 1)


class Handed:
    """A source of pictures that are handed to it one by one."""

    are_stills = True

    def __init__(self) -> None:
        self._frames: Queue[Frame | None] = Queue()

    def frames(self) -> Iterator[Frame]:
        while (frame := self._frames.get()) is not None:
            yield frame

    def hand(self, frame: Frame) -> None:
        self._frames.put(frame)

    def close(self) -> None:
        self._frames.put(None)


@dataclass
class Evening(AtTable):
    """A table with a camera."""

    table: Table
    camera: TableCamera
    source: Handed
    clock: EagerClock
    hands: SimulatedBoard | None = None
    kept: list[str] = field(default_factory=list)

    def show(self, position: Position, until: Callable[[Table], bool] = lambda _: True) -> bool:
        """Let the camera see a position until that holds, or for long enough; say whether it did.

        A second passes with every picture.
        """
        return self.see(painted(occupants_of(position)), until)

    def see(self, picture: Picture | None, until: Callable[[Table], bool]) -> bool:
        for _ in range(8):
            self.wait(0.5)
            given, before = time.monotonic() + 10, self.camera.looks
            self.source.hand(Frame("handed", self.clock.now(), picture, "gone"))
            while self.camera.looks == before and time.monotonic() < given:
                time.sleep(0.005)
            self.wait(0.5)
            if until(self.table):
                return True
        return False

    def look(self, now: float) -> None:
        if self.hands is not None:
            self.hands.play(now)
        super().look(now)


@dataclass
class Switches:
    """A board of simulated switches, whose cable may be out."""

    hands: SimulatedBoard
    trouble: Notice | None = None
    notes: tuple[Notice, ...] = ()
    cabled: None = None
    bouncing: dict[Square, Bouncing] = field(default_factory=dict)
    lights: list[RGB] = field(default_factory=list)

    def poll(self, now: float) -> list[Observation]:
        observations = list(self.hands.poll(now))
        return [] if self.trouble else observations

    def show(self, lights: object) -> None:
        """Have no lamps."""

    def take_presses(self) -> list[ButtonPress]:
        return []

    def catch_up(self, at: float) -> bool:
        return True

    def statistics(self) -> list[str]:
        return []

    def close(self) -> None:
        """Hold nothing."""


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    """Begin evenings, and end them."""
    ends: list[Callable[[], None]] = []

    def begin(
        watch: Callable[[TableCamera], Board], kind: str, hands: SimulatedBoard | None = None
    ) -> Evening:
        clock, source = EagerClock(), Handed()
        kept: list[str] = []
        camera = TableCamera(source, clock.now, corners=CORNERS, keep=kept.append)
        camera.start()
        journal = Journal(tmp_path)
        opened = begin_game(journal, Header.of(START, clock.now()))
        table_settings = TableSettings(board="camera" if kind == "camera" else "pins")
        settings = replace(Settings(), table=table_settings)
        table = join(watch(camera), journal, opened, settings, guests=[camera])
        ends.extend((camera.close, journal.close))
        return Evening(table, camera, source, clock, hands, kept)

    yield begin
    for end in ends:
        end()


def alone(begun: Callable[..., Evening]) -> Evening:
    return begun(CameraBoard, "camera")


def beside(begun: Callable[..., Evening]) -> tuple[Evening, Switches]:
    hands = steady_board(squares_of(START.occupied), Random(3), EagerClock().now())
    switches = Switches(hands)
    return begun(lambda camera: WatchedBoard(switches, camera), "pins", hands), switches


def moves(count: int) -> Callable[[Table], bool]:
    return lambda table: len(table.view.record.moves) == count


def is_seen(table: Table) -> bool:
    return bool(table.view.standing)


def learned(evening: Evening) -> Callable[[Table], bool]:
    """Whether the camera has seen the board and learned from it."""
    return lambda _: evening.camera.sight is not None and evening.camera.sight.place is not None


def test_a_game_at_a_board_that_only_a_camera_sees_is_played_and_read_again(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    assert evening.show(START, is_seen)
    texts = ("g1d4", "e9e8", "d4g7")
    for count in range(1, len(texts) + 1):
        assert evening.show(played(*texts[:count]), moves(count)), texts[count - 1]
    assert format_position(evening.table.record.position) == format_position(played(*texts))
    evening.wait(5.0)
    assert again(evening) == list(texts)


def test_what_stood_before_is_shown_beside_what_stands_now(begun: Callable[..., Evening]) -> None:
    evening = alone(begun)
    assert evening.camera.before_and_after([parse_square("e9")]) is None
    assert evening.show(START, is_seen)
    assert evening.show(played("g1d4"), moves(1))
    occupants = list(occupants_of(played("g1d4")))
    occupants[parse_square("e9")] = Occupant.EMPTY
    evening.see(painted(tuple(occupants)), moves(2))  # nothing explains it: nothing is told
    assert len(evening.table.view.record.moves) == 1

    def change_at(square: str) -> float:
        shown = evening.camera.before_and_after([parse_square(square)])
        assert shown is not None
        picture = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        width = (picture.shape[1] - GAP_PX) // 2
        before, after = picture[:, :width].astype(int), picture[:, -width:].astype(int)
        return float((abs(before - after).max(axis=2) > 60).mean())

    assert change_at("e9") > 0.02 > 0.005 > change_at("b2")


def test_at_a_board_that_lies_turned_the_camera_calls_squares_as_the_table_does(
    begun: Callable[..., Evening],
) -> None:
    evening, _ = beside(begun)
    half_round = Orientation(tuple(reversed(SQUARES)))
    evening.camera.tell(seen(START), half_round)
    observations: list[Observation] = []
    for number in range(1, 4):
        evening.source.hand(Frame("handed", float(number), painted(occupants_of(START)), ""))
        began = time.monotonic()
        while evening.camera.looks < number and time.monotonic() < began + 10:
            time.sleep(0.005)
        observations += evening.camera.poll(float(number))
    black_corner = observations[-1].squares[half_round.seen(parse_square("a1"))]
    assert black_corner is not None
    assert black_corner.index(max(black_corner)) == Occupant.BLACK
    assert half_round.seen(parse_square("a1")) == parse_square("j10")


def seen_and_felt(begun: Callable[..., Evening]) -> tuple[Evening, SimulatedBoard]:
    """An evening whose camera has learned the set-up, beside the board that hands play on."""
    evening, _ = beside(begun)
    evening.wait(0.5)
    evening.show(START, learned(evening))
    assert evening.hands is not None
    return evening, evening.hands


def test_a_game_that_switches_saw_too_is_read_again_by_hands(begun: Callable[..., Evening]) -> None:
    evening, board = seen_and_felt(begun)
    board.lift(evening.clock.now() + 0.2, parse_square("d2"))
    board.put(evening.clock.now() + 0.8, parse_square("d3"))
    assert evening.show(played("d2d3"), moves(1))
    evening.wait(5.0)
    assert again(evening) == ["d2d3"]
    game = replay_of_game(evening.table.archive, evening.table.game)
    assert game.read_by is by_switches


def again(evening: Evening) -> list[str]:
    """The plies of the evening's game, read once more from what was kept of it."""
    replay = replay_of_game(evening.table.archive, evening.table.game)
    return [
        reading.event.move
        for reading in advance(replay.source, replay.reader(), replay.ends_at)
        if isinstance(reading.event, Ply)
    ]


def test_nothing_is_read_before_the_pieces_stand(begun: Callable[..., Evening]) -> None:
    evening = alone(begun)
    empty = painted((0,) * 100)
    assert evening.see(empty, lambda table: "stand as shown" in str(table.view.trouble))
    assert evening.show(START, is_seen)
    assert evening.show(played("d2d3"), moves(1))


def test_a_camera_that_is_gone_is_named_and_the_game_goes_on_after(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    evening.show(START, is_seen)
    assert evening.see(None, lambda table: "no picture" in str(table.view.trouble))
    assert evening.show(played("d2d3"), moves(1))
    assert evening.table.view.trouble is None


def test_colour_tells_at_once_what_a_swept_piece_took(begun: Callable[..., Evening]) -> None:
    """Two pieces stand where the Flier may take; neither switch shows that its piece left."""
    evening, board = seen_and_felt(begun)
    for text in ("g1d4", "e9e8"):
        start, end = (parse_square(text[:2]), parse_square(text[2:]))
        board.lift(evening.clock.now() + 0.2, start)
        board.put(evening.clock.now() + 0.8, end)
        evening.wait(2.0)
    assert moves(2)(evening.table)
    evening.show(played("g1d4", "e9e8"))
    board.lift(evening.clock.now() + 0.2, parse_square("d4"))
    evening.wait(1.5)
    assert moves(2)(evening.table)
    assert evening.show(played("g1d4", "e9e8", "d4g7"), moves(3))
    assert evening.table.view.question is None


def test_a_square_about_which_they_disagree_is_named(begun: Callable[..., Evening]) -> None:
    evening, board = seen_and_felt(begun)
    board.put(evening.clock.now() + 0.2, Square(55))  # a magnet under the table, say
    assert evening.show(START, lambda table: any("f6" in note.found for note in table.view.notices))
    assert "the camera is believed" in evening.table.view.notices[-1].found
    assert not evening.table.view.leading.extra


def test_when_the_cable_is_out_the_camera_plays_on(begun: Callable[..., Evening]) -> None:
    evening, switches = beside(begun)
    evening.wait(0.5)
    evening.show(START, learned(evening))
    switches.trouble = Notice("board", "fail", "the board's cable is out")
    assert evening.show(played("d2d3"), moves(1))
    assert evening.table.view.trouble is None
    assert any("cable is out" in note.found for note in evening.table.view.notices)


def test_when_the_camera_is_gone_the_switches_play_on(begun: Callable[..., Evening]) -> None:
    evening, _ = beside(begun)
    evening.wait(0.5)
    evening.show(START, learned(evening))
    assert evening.see(None, lambda table: "no picture" in str(table.view.notices))
    board = evening.hands
    assert board is not None
    board.lift(evening.clock.now() + 0.2, parse_square("d2"))
    board.put(evening.clock.now() + 0.8, parse_square("d3"))
    evening.wait(2.0)
    assert evening.table.view.record.moves == ("Pd2-d3",)


def test_corners_can_be_given_anew(begun: Callable[..., Evening]) -> None:
    evening = alone(begun)
    nothing = np.full_like(painted(occupants_of(START)), 90)
    evening.camera.place((CORNERS + 3).tolist())
    assert evening.see(nothing, lambda table: "does not find" in str(table.view.trouble))
    assert evening.show(START, is_seen)
    assert evening.kept[-1] == ",".join(f"{pixel:.1f}" for pixel in (CORNERS + 3).ravel())
    with pytest.raises(BadHint):
        evening.camera.place([[0.0, 0.0]] * 4)
    picture = evening.camera.picture()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")


def test_a_mirrored_picture_is_not_played_by_and_it_is_said_why(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    cards = SCENE.paint(occupants_of(START), 1, markers=corner_markers(SCENE.layout))
    mirrored = np.ascontiguousarray(cards[:, ::-1])
    assert evening.see(mirrored, lambda table: "is mirrored" in str(table.view.trouble))
    assert evening.see(cards, is_seen)
    assert evening.table.view.trouble is None


@pytest.mark.parametrize("is_mirrored", [True, False])
def test_a_picture_that_may_be_mirrored_is_noted_where_no_marker_tells(is_mirrored: bool) -> None:
    camera = TableCamera(Handed(), EagerClock().now)
    camera.know(START)
    picture = painted(occupants_of(START))
    assert camera.notes == ()
    camera.take(Frame("1", 1.0, np.ascontiguousarray(picture[:, ::-1]) if is_mirrored else picture))
    noted = [(note.id, "selfie view" in note.line) for note in CameraBoard(camera).notes]
    assert noted == [("part-camera", True)] * is_mirrored


def test_a_board_that_was_moved_since_its_corners_were_set_is_found_by_its_lines(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    evening.camera.place((CORNERS + 900).tolist())
    assert evening.show(START, is_seen)


def test_that_there_is_no_camera_is_known_at_once(begun: Callable[..., Evening]) -> None:
    evening = alone(begun)
    evening.source.hand(Frame("camera", evening.clock.now(), None, "no camera there"))
    trouble = evening.camera.first_trouble(10.0)
    assert trouble is not None
    assert trouble.found.endswith("no camera there")
    assert evening.see(None, lambda table: "no picture" in str(table.view.trouble))


def test_a_lost_game_is_said_in_words_and_the_board_chosen_goes_on(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    assert evening.show(START, is_seen)
    assert evening.show(played("g1d4"), moves(1))
    astray = list(occupants_of(played("g1d4")))
    for count in (2, 3, 4):
        for square in ("c5", "e5", "g5", "i5")[:count]:
            astray[parse_square(square)] = Occupant.ORANGE
        if evening.see(painted(tuple(astray)), lambda table: bool(table.view.lost)):
            break
    assert played("g1d4") in evening.table.view.lost
    words = " ".join(Speaker("en").sentences(evening.table.view))
    assert "I have lost track of the game: is this the board?" in words
    assert "as it was told" in words
    chosen = evening.table.view.lost.index(played("g1d4")) + 1
    evening.table.obey(BoardIsRight(chosen), evening.clock.now())
    assert not evening.table.session.record.faults
    assert evening.show(played("g1d4", "e9e8"), moves(2))
    assert not evening.table.view.lost


def test_hands_that_play_on_are_not_led_for_ever(begun: Callable[..., Evening]) -> None:
    evening = alone(begun)
    assert evening.show(START, is_seen)
    texts = ("g1d4", "e9e8", "h2h3", "b9b8", "c2c3", "i9i8", "a2a3")
    # Five plies between two looks change more squares than hands do that put something right.
    evening.show(played(*texts[:5]), lambda table: bool(table.view.lost))
    assert evening.show(played(*texts[:6]), moves(6))
    assert evening.show(played(*texts), moves(7))
    assert format_position(evening.table.record.position) == format_position(played(*texts))


def test_a_start_that_the_camera_doubts_is_asked_about_and_begun_when_people_say_so(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    mixed = [
        3 - who if who and square % 2 else who for square, who in enumerate(occupants_of(START))
    ]
    picture = painted(tuple(mixed))
    assert not evening.see(picture, is_seen)
    assert evening.table.view.lost == (START,)
    words = " ".join(Speaker("en").sentences(evening.table.view))
    assert "pieces seem to stand elsewhere" in words
    assert "Is this the board? Board 1: as it was told." in words
    lost = changed(evening.table.view, lost=(played("g1d4"), START))
    assert evening.camera.overlay(lost) is lost  # what the switches ask stands
    evening.table.obey(BoardIsRight(1), evening.clock.now())
    assert evening.see(picture, is_seen)
    assert not evening.table.record.faults
    assert not evening.table.view.lost


def test_a_piece_that_the_camera_misses_at_the_start_is_asked_about_once(
    begun: Callable[..., Evening],
) -> None:
    evening = alone(begun)
    occupants = list(occupants_of(START))
    occupants[parse_square("c2")] = Occupant.EMPTY
    picture = painted(tuple(occupants))
    assert evening.see(picture, lambda table: table.view.lost == (START,))
    assert evening.table.view.leading.missing == {parse_square("c2")}
    evening.table.obey(BoardIsRight(1), evening.clock.now())
    assert evening.see(picture, is_seen)
    assert not evening.table.record.faults
    assert not evening.table.view.lost


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--board", "camera"], "say which camera"),
        (["--camera", "nowhere.mp4"], "no such file"),
        (["--camera", "usb:0", "--corners", "1,2"], "corners '1,2'"),
        (["--camera", "usb:0", "--lens", "missing.json"], "missing.json: No such file"),
        (["--camera", "usb:0", "--hands", "auto"], "simulated people"),
        (["--board", "camrea"], "did you mean camera"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: list[str], refusal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--plain", "--data", str(tmp_path), *words]) == 2
    error = capsys.readouterr().err
    assert refusal in error
    assert error.count("\n") == 1
