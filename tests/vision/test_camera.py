"""What stands on each square, through hands, bumps, changing light and damaged pictures."""

from copy import deepcopy
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from hardware.ports import Observation
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.readings import JetanGame, Standing
from rules import SQUARES, Occupant, Position, grid, ninth_ray, parse_rules
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound, UnlikePosition
from vision.eye import observation_of
from vision.finder import BoardFinder
from vision.geometry import Layout, Picture, layout_of, square_grid
from vision.painted import Stage, corner_markers
from vision.sources import Frame, decoded
from vision.squares import SquareClassifier

GRID = layout_of(grid())
DISK = layout_of(ninth_ray("clockwise"))
START = [int(Position.start(parse_rules("appendix")).occupant_at(square)) for square in SQUARES]


BEGUN: dict[str, BoardCamera] = {}


def new(scene: Stage, has_neutral: bool = True, are_stills: bool = True) -> BoardCamera:
    """A camera that has seen nothing yet, and is told where the corners are."""
    finder = BoardFinder(scene.layout, corners=scene.view.project(scene.layout.corners))
    return BoardCamera(finder, has_neutral, are_stills)


def begun(scene: Stage, occupants: list[int] = START, **options: bool) -> BoardCamera:
    """A camera that has seen a scene's first picture: a copy of one, for to begin takes long."""
    key = f"{scene} {occupants} {options}"
    if key not in BEGUN:
        BEGUN[key] = new(scene, **options)
        BEGUN[key].begin(Frame("000", 0.0, scene.paint(occupants, 1)), occupants)
    return deepcopy(BEGUN[key])


def played(*changes: tuple[int, int]) -> list[int]:
    """The start with these squares' occupants changed."""
    occupants = START.copy()
    for square, occupant in changes:
        occupants[square] = occupant
    return occupants


def read(sight: Sight) -> list[int]:
    """The likeliest occupant of each square."""
    assert sight.seen is not None, sight.clarity
    return [int(occupant) for occupant in sight.seen.likelihoods.argmax(axis=1)]


LATER = played(
    (12, Occupant.EMPTY), (32, Occupant.BLACK), (84, Occupant.BLACK), (5, Occupant.EMPTY),
    (88, Occupant.EMPTY), (57, Occupant.ORANGE), (44, Occupant.BLACK), (3, Occupant.EMPTY),
)  # fmt: skip

SCENES = {
    "above": Stage(GRID, 88.0),
    "60 degrees": Stage(GRID, 60.0, turn=10),
    "55 degrees": Stage(GRID, 55.0),
    "from the side": Stage(GRID, 65.0, turn=90),
    "wood": Stage(GRID, 70.0, dark=(40, 60, 95), pale=(120, 170, 205)),
    "disk": Stage(DISK, 85.0),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_squares_are_read_from_one_lesson(scene: Stage) -> None:
    sight = begun(scene).look(Frame("001", 1.0, scene.paint(LATER, 2, stir=range(100))))
    assert sight.clarity is Clarity.SETTLED
    assert read(sight) == LATER


@pytest.mark.parametrize("name", ["above", "from the side", "wood", "disk"])
def test_a_wrong_lesson_is_denied_by_the_next_look(name: str) -> None:
    """What is believed has no more weight than what was seen, however sure it was before."""
    scene = SCENES[name]
    camera = begun(scene)
    position = played((12, Occupant.EMPTY), (32, Occupant.BLACK))
    misread = camera.look(Frame("001", 1.0, scene.paint(position, 2)))
    camera.learn(misread, START, [40.0] * len(START))
    assert read(camera.look(Frame("002", 2.0, scene.paint(position, 3)))) == position


def on_chequered_cloth(scene: Stage, occupants: list[int], seed: int) -> Picture:
    """A scene's picture, its surroundings chequered."""
    picture = scene.paint(occupants, seed)
    down, right = np.indices(picture.shape[:2])
    cloth = np.where((down // 5 + right // 5) % 2, 60, 190).astype(np.uint8)
    board = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, scene.view.project(scene.layout.corners).astype(np.int32), 1)
    there = cv2.dilate(board, np.ones((45, 45), np.uint8)) > 0
    return np.where(there[..., None], picture, cloth[..., None])


def test_a_sharp_picture_after_a_blurred_first_one_is_read_and_learned_from() -> None:
    scene = SCENES["60 degrees"]
    camera = new(scene)
    blurred = cv2.blur(on_chequered_cloth(scene, START, 1), (1, 13))
    camera.begin(Frame("000", 0.0, blurred), START)
    for number, position in enumerate([played((12, 0), (32, 1)), LATER], 2):
        sight = camera.look(Frame("", float(number), on_chequered_cloth(scene, position, number)))
        assert read(sight) == position
        camera.learn(sight, position, [40.0] * len(START))
        camera.trust()


@pytest.mark.parametrize("name", ["above", "55 degrees", "disk"])
def test_a_game_that_has_gone_on_before_the_board_was_found_is_no_start(name: str) -> None:
    scene = SCENES[name]
    later = played(
        (6, Occupant.EMPTY), (39, Occupant.BLACK), (94, Occupant.EMPTY), (63, Occupant.ORANGE)
    )
    camera = new(scene)
    camera.begin(Frame("000", 0.0, scene.paint(later, 1)), START, is_certain=False)
    assert read(camera.look(Frame("001", 1.0, scene.paint(later, 2)))) == later


@pytest.mark.parametrize("name", ["above", "55 degrees", "disk"])
def test_more_pieces_that_stand_elsewhere_are_no_start(name: str) -> None:
    scene = SCENES[name]
    later = played(
        *((square, Occupant.EMPTY) for square in (6, 14, 94, 85)),
        *((square, Occupant.BLACK) for square in (39, 34)),
        *((square, Occupant.ORANGE) for square in (63, 56)),
    )
    with pytest.raises(UnlikePosition, match="stand elsewhere"):
        new(scene).begin(Frame("000", 0.0, scene.paint(later, 1)), START, is_certain=False)


@pytest.mark.parametrize("light", [0.6, 0.8, 1.25])
def test_a_lamp_may_change(light: float) -> None:
    scene = Stage(GRID)
    later = replace(scene, light=light, shade=0.4)
    assert read(begun(scene).look(Frame("001", 1.0, later.paint(LATER, 2)))) == LATER


@pytest.mark.parametrize("elevation", [55.0, 88.0])
@pytest.mark.parametrize("depth", [0.15, 0.3])
def test_the_shadow_of_an_arm_is_no_piece(elevation: float, depth: float) -> None:
    """It lies over a board on which nothing was played, and over the next move: that alone is."""
    scene = Stage(GRID, elevation)
    camera = begun(scene, has_neutral=False)
    reader = CameraReader(JetanGame(), Standing(Position.start(parse_rules("appendix"))), 1)
    ends = np.round(scene.view.project(np.array([(11.0, 6.2), (2.0, 4.2)]))).astype(int).tolist()
    moved = played((13, Occupant.EMPTY), (23, Occupant.BLACK))
    readings = []
    for seed, occupants in enumerate((START, moved, moved), 2):
        picture = scene.paint(occupants, seed)
        arm = cv2.line(np.zeros(picture.shape[:2], np.float32), ends[0], ends[1], 1.0, 60)
        shadow = depth * cv2.GaussianBlur(arm, (0, 0), 4)[..., None]
        sight = camera.look(
            Frame(str(seed), float(seed), (picture * (1 - shadow)).astype(np.uint8))
        )
        readings += reader.observe(Observation(float(seed), observation_of(sight).squares))
    assert [each.step and each.step.squares for each in readings] == [(13, 23)]
    assert len(readings) == 1


def test_noise_is_averaged_out() -> None:
    scene = Stage(GRID, 60.0)
    chance = np.random.default_rng(5)

    def noisy(occupants: list[int], seed: int) -> Picture:
        picture = scene.paint(occupants, seed)
        grainy: Picture = np.clip(picture + chance.normal(0, 16, picture.shape), 0, 255).astype(
            np.uint8
        )
        return grainy

    camera = new(scene, has_neutral=False)
    camera.begin(Frame("000", 0.0, noisy(START, 1)), START)
    assert read(camera.look(Frame("001", 1.0, noisy(LATER, 2)))) == LATER


def test_a_piece_of_neither_side_is_told_by_its_look() -> None:
    scene = Stage(GRID)
    first = played((44, Occupant.NEUTRAL))
    later = played((44, Occupant.EMPTY), (45, Occupant.NEUTRAL))
    sight = begun(scene, first).look(Frame("001", 1.0, scene.paint(later, 2)))
    assert read(sight)[45] == Occupant.NEUTRAL
    assert read(sight)[44] == Occupant.EMPTY


def test_there_is_one_piece_of_neither_side() -> None:
    scene = Stage(GRID, 45.0)
    later = played((44, Occupant.EMPTY), (74, Occupant.NEUTRAL))
    sight = begun(scene, played((44, Occupant.NEUTRAL))).look(
        Frame("001", 1.0, scene.paint(later, 2))
    )
    assert read(sight) == later  # the pieces behind are hidden by it, and do not look like it


FLAT = {
    "a newcomer before a piece": ((15, Occupant.EMPTY), (75, Occupant.BLACK)),
    "a newcomer before an empty square": ((15, Occupant.EMPTY), (35, Occupant.BLACK)),
    "a step towards the camera": ((85, Occupant.EMPTY), (75, Occupant.ORANGE)),
    "a step away": ((15, Occupant.EMPTY), (25, Occupant.BLACK)),
    "a capture before a piece": ((15, Occupant.EMPTY), (85, Occupant.BLACK)),
}


@pytest.mark.parametrize("changes", FLAT.values(), ids=FLAT)
def test_what_a_newcomer_hides_is_read_by_what_is_seen_beside_it(
    changes: tuple[tuple[int, int], ...],
) -> None:
    scene = Stage(GRID, 42.0, turn=25.0)
    later = played(*changes)
    assert read(begun(scene).look(Frame("001", 1.0, scene.paint(later, 2)))) == later


def test_unseen_before_a_piece_of_neither_side_is_no_certain_piece() -> None:
    scene = Stage(GRID)
    later = played((45, Occupant.NEUTRAL))
    evidence = begun(scene).look(Frame("001", 1.0, scene.paint(later, 2))).seen
    assert evidence is not None
    assert evidence.likelihoods[45].argmax() != Occupant.EMPTY


def test_hands_are_waited_for() -> None:
    scene = Stage(GRID)
    camera = begun(scene)
    for number, reach in enumerate([(8.0, 5.0), (3.0, 2.0), (9.6, 8.0)]):
        covered = camera.look(Frame("hand", number + 1.0, scene.paint(START, 2, hand=reach)))
        assert covered.clarity is Clarity.COVERED
        assert covered.seen is None
    clear = camera.look(Frame("clear", 5.0, scene.paint(START, 3)))
    assert clear.clarity is Clarity.SETTLED


@pytest.mark.parametrize("gamma", [0.4, 1.6])
def test_hands_are_waited_for_in_pale_and_in_dark_pictures(gamma: float) -> None:
    tones = np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    scene = Stage(GRID)
    camera = new(scene)
    camera.begin(Frame("000", 0.0, tones[scene.paint(START, 1)]), START)
    for number, reach in enumerate([(8.0, 5.0), (3.0, 2.0), (9.6, 8.0)]):
        covered = tones[scene.paint(START, 2, hand=reach)]
        assert camera.look(Frame("hand", number + 1.0, covered)).clarity is Clarity.COVERED
    clear = camera.look(Frame("clear", 5.0, tones[scene.paint(LATER, 3)]))
    assert clear.clarity is Clarity.SETTLED


def test_what_lies_there_from_one_still_to_the_next_is_no_arm() -> None:
    scene = Stage(GRID)
    camera = begun(scene)
    with_book = [scene.paint(START, seed, hand=(9.7, 4.0)) for seed in (2, 3)]
    assert camera.look(Frame("laid", 1.0, with_book[0])).clarity is Clarity.COVERED
    assert camera.look(Frame("later", 2.0, with_book[1])).clarity is Clarity.SETTLED


def test_what_lies_there_for_long_in_a_film_is_no_arm() -> None:
    scene = Stage(GRID)
    camera = begun(scene, are_stills=False)
    with_book = scene.paint(START, 2, hand=(9.7, 4.0))
    clarities = [camera.look(Frame("book", at, with_book)).clarity for at in (1.0, 2.0, 3.0, 14.0)]
    assert clarities[0] is Clarity.MOVING
    assert clarities[2:] == [Clarity.COVERED, Clarity.SETTLED]


def test_a_film_counts_only_at_rest() -> None:
    scene = Stage(GRID)
    camera = begun(scene, are_stills=False)
    moving = scene.paint(LATER, 2)
    clarities = [camera.look(Frame(str(n), n / 10, moving)).clarity for n in range(1, 5)]
    assert clarities == [Clarity.MOVING, Clarity.MOVING, Clarity.MOVING, Clarity.SETTLED]


def test_a_bump_is_noticed_and_the_squares_read_on() -> None:
    scene = Stage(GRID)
    camera = begun(scene)
    moved = scene.bumped(9.0, -7.0)
    sight = camera.look(Frame("001", 1.0, moved.paint(LATER, 2)))
    assert sight.has_moved
    assert read(sight) == LATER


ELSEWHERE = [0] * 30 + [2] * 20 + [1] * 20 + [0] * 30


WORTHLESS = {
    "cut short": Clarity.UNREADABLE,
    "empty": Clarity.UNREADABLE,
    "no picture": Clarity.UNREADABLE,
    "tiny": Clarity.UNREADABLE,
    "tall": Clarity.UNREADABLE,
    "black": Clarity.LOST,
    "covered": Clarity.LOST,
    "another game": Clarity.UNLIKE,
}
"""Frames that are worth nothing, and what is said of them."""


@cache
def damaged() -> dict[str, Frame]:
    scene = Stage(GRID)
    picture = scene.paint(START, 2)
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    return {
        "cut short": decoded("x", 1.0, jpeg[: len(jpeg) // 2]),
        "empty": decoded("x", 1.0, b""),
        "no picture": decoded("x", 1.0, b"\x00" * 4000),
        "tiny": decoded("x", 1.0, cv2.imencode(".png", picture[::16, ::16])[1].tobytes()),
        "tall": Frame("x", 1.0, picture[:, :700].copy()),
        "black": Frame("x", 1.0, np.zeros_like(picture)),
        "covered": Frame("x", 1.0, np.full_like(picture, 120)),
        "another game": Frame("x", 1.0, scene.paint(ELSEWHERE, 2)),
    }


@pytest.mark.parametrize(("name", "clarity"), WORTHLESS.items())
def test_a_damaged_frame_is_named_and_the_game_goes_on(name: str, clarity: Clarity) -> None:
    scene = Stage(GRID)
    camera = begun(scene)
    sight = camera.look(damaged()[name])
    assert sight.clarity is clarity
    assert sight.seen is None
    assert sight.frame.trouble or sight.clarity.value
    later = camera.look(Frame("later", 60.0, scene.paint(LATER, 3)))
    assert read(later) == LATER


def test_smaller_frames_are_read() -> None:
    scene = Stage(GRID, 75.0)
    camera = begun(scene)
    half = cv2.resize(scene.paint(LATER, 2), None, fx=0.75, fy=0.75)
    assert read(camera.look(Frame("smaller", 1.0, half))) == LATER


def test_an_upside_down_frame_is_turned() -> None:
    scene = Stage(GRID, 80.0)
    camera = begun(scene)
    sight = camera.look(Frame("turned", 1.0, scene.paint(LATER, 2)[::-1, ::-1].copy()))
    assert read(sight) == LATER


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_by_its_lines_alone_the_pieces_tell_which_side_is_whose(turn: float) -> None:
    scene = Stage(GRID, 65.0, turn=turn)
    camera = BoardCamera(BoardFinder(GRID), True, True)
    sight = camera.begin(Frame("000", 0.0, scene.paint(LATER, 1)), LATER)
    assert sight.place is not None
    true = scene.view.project(GRID.corners)
    assert np.abs(sight.place.view.project(GRID.corners) - true).max() < 8


def test_eight_by_eight_is_read_too() -> None:
    layout: Layout = square_grid(8)
    scene = Stage(layout, 60.0, dark=(70, 95, 70), pale=(205, 225, 225))
    first = [1] * 16 + [0] * 32 + [2] * 16
    later = first.copy()
    for square, occupant in ((12, 0), (28, 1), (51, 0), (35, 2)):
        later[square] = occupant
    camera = begun(scene, first)
    assert read(camera.look(Frame("001", 1.0, scene.paint(later, 2)))) == later


def test_nothing_begins_without_a_board() -> None:
    camera = BoardCamera(BoardFinder(GRID), False, True)
    with pytest.raises(BoardNotFound, match="cut short"):
        camera.begin(Frame("000", 0.0, None, "cut short"), START)
    with pytest.raises(BoardNotFound):
        camera.begin(Frame("000", 0.0, np.zeros((720, 1280, 3), np.uint8)), START)


def test_markers_lead_back_after_a_big_bump() -> None:
    scene = Stage(GRID, 70.0)
    cards = corner_markers(GRID, gap=0.8)
    camera = new(scene)
    camera.begin(Frame("000", 0.0, scene.paint(START, 1, markers=cards)), START)
    moved = scene.bumped(120.0, 30.0)
    sight = camera.look(Frame("001", 1.0, moved.paint(LATER, 2, markers=cards)))
    assert sight.has_moved
    assert read(sight) == LATER


def test_a_hand_on_the_board_shows_no_piece() -> None:
    """Where the picture ends at the board no arm is seen coming: the squares tell it themselves."""
    scene = Stage(GRID, 80.0)
    classifier = SquareClassifier(GRID, False)
    view = scene.view
    classifier.learn(classifier.cut(scene.paint(START, 1), view), np.array(START))
    clear = classifier.read(classifier.cut(scene.paint(START, 2), view))
    covered = classifier.read(classifier.cut(scene.paint(START, 3, hand=(4.5, 5.5)), view))
    assert not clear.is_covered.any()
    assert covered.is_covered[[55, 56, 57]].any()


def test_a_hand_is_seen_in_the_picture_that_shows_a_bump() -> None:
    scene = replace(Stage(GRID, 70.0), lens=0.0)
    camera = begun(scene)
    moved = scene.bumped(14.0, 9.0)
    sight = camera.look(Frame("001", 1.0, moved.paint(START, 2, hand=(6.5, 4.5))))
    assert sight.has_moved
    assert sight.clarity is Clarity.COVERED
    assert read(camera.look(Frame("002", 2.0, moved.paint(LATER, 3)))) == LATER


@pytest.mark.parametrize("shift", [(34.0, -12.0), (-25.0, 30.0)])
def test_a_disk_is_followed_farther_than_its_lines_tell(shift: tuple[float, float]) -> None:
    scene = Stage(DISK, 70.0)
    camera = begun(scene)
    moved = scene.bumped(*shift)
    sight = camera.look(Frame("001", 1.0, moved.paint(LATER, 2)))
    assert sight.place is not None
    true = moved.view.project(DISK.corners)
    assert np.abs(sight.place.view.project(DISK.corners) - true).max() < 6  # a tenth of a square
    assert read(sight) == LATER


def test_the_shadow_of_a_piece_at_the_edge_is_no_arm() -> None:
    scene = Stage(GRID, 80.0)
    camera = begun(scene)
    picture = scene.paint(START, 2)
    band = np.array([(8.7, 4.2), (14.5, 4.2), (14.5, 5.3), (8.7, 5.3)])
    shadow = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(shadow, [scene.view.project(band).round().astype(np.int32)], 1)
    picture[shadow > 0] = (0.6 * picture[shadow > 0]).astype(np.uint8)
    assert camera.look(Frame("001", 1.0, picture)).clarity is Clarity.SETTLED
