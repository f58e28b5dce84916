"""The board is found by markers, corners or its own lines, and found again."""

import cv2
import numpy as np
import pytest

from rules import SQUARES, Position, grid, ninth_ray, parse_rules
from vision.camera import BoardCamera
from vision.errors import BadHint, BoardNotFound
from vision.finder import FOUND, BoardFinder, BoardPlace, parse_corners
from vision.geometry import BoardView, Floats, Layout, Picture, layout_of, orientations, square_grid
from vision.lattice import find_board
from vision.markers import Markers, find_markers
from vision.painted import Stage, corner_markers
from vision.sources import HEIGHT, WIDTH, Frame

GRID = layout_of(grid())
DISK = layout_of(ninth_ray("clockwise"))
START = [int(Position.start(parse_rules("appendix")).occupant_at(square)) for square in SQUARES]


def miss(view: BoardView, scene: Stage, layout: Layout) -> float:
    """The worst corner's distance from where it is, in squares."""
    true = scene.view.project(layout.corners)
    away = np.hypot(*(view.project(layout.corners) - true).T)
    return float((away / scene.view.square_px(layout.corners)).max())


def markers(layout: Layout, half_size: float | None, gap: float = 0.15) -> Markers:
    """A file's markers, in units of half a square from the board's middle."""
    on_board = corner_markers(layout, gap=gap)
    corners = {n: (quad - layout.size / 2) * 2 for n, quad in on_board.items()}
    return Markers("DICT_4X4_50", corners, half_size)


@pytest.mark.parametrize("elevation", [42.0, 60.0, 88.0])
@pytest.mark.parametrize("half_size", [10.0, None])
def test_found_between_markers(elevation: float, half_size: float | None) -> None:
    scene = Stage(GRID, elevation, turn=12)
    picture = scene.paint(START, 1, markers=corner_markers(GRID))
    place = BoardFinder(GRID, markers(GRID, half_size)).find(picture)
    assert place.how == "markers"
    assert miss(place.view, scene, GRID) < 0.15


def test_found_in_a_small_picture_by_markers_of_few_pixels() -> None:
    picture = Stage(GRID, 60.0).paint(START, 2, markers=corner_markers(GRID, side=0.6, gap=0.3))
    small = cv2.resize(picture, (512, 288), interpolation=cv2.INTER_AREA)
    assert len(find_markers(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))) == 4


def test_where_corners_are_wrong_lines_tell_a_grid_and_people_alone_a_disk() -> None:
    wrong = np.array([(10, 60), (60, 62), (60, 10), (10, 10)], float)
    grid_picture = Stage(GRID).paint(START, 1)
    assert BoardFinder(GRID, corners=wrong).find(grid_picture).how == "lines"
    disk_picture = Stage(DISK, 80.0).paint(START, 1)
    place = BoardFinder(DISK, corners=wrong).find(disk_picture)
    assert place.support < FOUND
    with pytest.raises(BoardNotFound, match="no board lies where its corners say"):
        BoardCamera(BoardFinder(DISK, corners=wrong), False, True).begin(
            Frame("1", 0.0, disk_picture), START
        )


def test_lines_that_lie_elsewhere_than_corners_are_turned_as_people_say() -> None:
    scene = Stage(GRID)
    corners = np.roll(scene.view.project(GRID.corners), 2, axis=0)
    rough = corners + np.array([(70, -60), (-65, 75), (60, 50), (-80, -55)])
    place = BoardFinder(GRID, corners=rough).find(scene.paint(START, 1))
    assert place.how == "lines"
    assert np.abs(place.view.project(GRID.corners) - corners).max() < 3


def test_a_board_whose_lines_are_not_seen_lies_between_its_corners() -> None:
    scene = Stage(GRID, 50.0, dark=(150, 150, 150), pale=(156, 156, 156))
    rough = scene.view.project(GRID.corners) + np.array([(2, -2), (-2, 1), (2, 2), (-1, -2)])
    picture = scene.paint(START, 1)
    with pytest.raises(BoardNotFound):
        BoardFinder(GRID).find(picture)
    finder = BoardFinder(GRID, corners=rough)
    assert np.abs(finder.find(picture).view.project(GRID.corners) - rough).max() < 0.1
    sight = BoardCamera(finder, False, True).begin(Frame("1", 0.0, picture), START)
    assert sight.place is not None
    assert sight.place.support < FOUND


def test_two_markers_of_one_side_do_not_tell_the_other() -> None:
    scene = Stage(GRID, 55.0, lens=-0.25)
    cards = corner_markers(GRID)
    picture = scene.paint(START, 1, markers={number: cards[number] for number in (0, 1)})
    assert miss(BoardFinder(GRID, markers(GRID, 10.0)).find(picture).view, scene, GRID) < 0.15


def test_found_with_a_hand_over_a_marker() -> None:
    scene = Stage(GRID)
    picture = scene.paint(START, 1, markers=corner_markers(GRID), hand=(9.5, 10.5))
    assert miss(BoardFinder(GRID, markers(GRID, 10.0)).find(picture).view, scene, GRID) < 0.15


@pytest.mark.parametrize("half_size", [10.0, None])
def test_the_disk_is_found_between_markers_and_by_corners(half_size: float | None) -> None:
    scene = Stage(DISK, 80.0)
    picture = scene.paint(START, 1, markers=corner_markers(DISK, gap=-0.6))
    by_markers = BoardFinder(DISK, markers(DISK, half_size, gap=-0.6)).find(picture)
    by_corners = BoardFinder(DISK, corners=scene.view.project(DISK.corners) + 2.0).find(picture)
    assert miss(by_markers.view, scene, DISK) < 0.15
    assert miss(by_corners.view, scene, DISK) < 0.15


def test_corners_given_roughly_are_made_exact() -> None:
    scene = Stage(GRID, 50.0)
    rough = scene.view.project(GRID.corners) + np.array([(5, -4), (-6, 3), (4, 4), (-3, -5)])
    place = BoardFinder(GRID, corners=rough).find(scene.paint(START, 1))
    assert place.how == "corners"
    assert miss(place.view, scene, GRID) < 0.05


LOOKS = {
    "orange": Stage(GRID),
    "low": Stage(GRID, 38.0, turn=-20),
    "turned": Stage(GRID, 70.0, turn=33),
    "wood": Stage(GRID, 55.0, dark=(40, 60, 95), pale=(120, 170, 205)),
    "dim": Stage(GRID, light=0.35, noise=4.0),
    "bright": Stage(GRID, light=1.3, shade=0.6),
    "chess": Stage(square_grid(8), 60.0, dark=(70, 95, 70), pale=(205, 225, 225)),
    "chess, red": Stage(square_grid(8), 45.0, dark=(45, 45, 150), pale=(200, 215, 230), turn=15),
    "draughts": Stage(square_grid(12), 75.0),
}


@pytest.mark.parametrize("scene", LOOKS.values(), ids=LOOKS)
def test_found_by_its_own_lines(scene: Stage) -> None:
    layout = scene.layout
    assert layout.side is not None
    occupants = [0] * layout.side**2
    occupants[: 2 * layout.side] = [1] * 2 * layout.side
    occupants[-2 * layout.side :] = [2] * 2 * layout.side
    place = BoardFinder(layout).find(scene.paint(occupants, 3))
    turned = orientations(place.view, layout.side)
    assert min(miss(view, scene, layout) for view in turned) < 0.1
    assert place.sign == 1


def test_a_far_smaller_board_is_none() -> None:
    picture = Stage(square_grid(8)).paint([0] * 64, 3)
    small = np.full_like(picture, 90)
    small[300:360, 500:600] = picture[::12, ::12][:60, :100]
    with pytest.raises(BoardNotFound, match="8 × 8"):
        BoardFinder(square_grid(8)).find(small)


@pytest.mark.parametrize("has_file", [True, False])
@pytest.mark.parametrize("layout", [GRID, DISK], ids=["grid", "disk"])
def test_a_mirrored_picture_is_refused_where_markers_show_it(
    layout: Layout, has_file: bool
) -> None:
    scene, gap = Stage(layout, 75.0), 0.15 if layout is GRID else -0.6
    picture = scene.paint(START, 1, markers=corner_markers(layout, gap=gap))
    finder = BoardFinder(layout, markers(layout, 10.0, gap) if has_file else None)
    with pytest.raises(BoardNotFound, match=r"the picture is mirrored, .* turn mirroring off"):
        finder.find(cv2.flip(picture, 1))
    if has_file:
        assert finder.find(picture).how == "markers"
        assert finder.find(cv2.flip(picture, -1)).how == "markers"  # upside down is not mirrored


def test_a_dark_picture_is_said_to_be_dark() -> None:
    scene = Stage(GRID, 65.0, light=0.06, noise=1.0)
    picture = scene.paint(START, 1, markers=corner_markers(GRID))
    for finder in (BoardFinder(GRID), BoardFinder(GRID, markers(GRID, 10.0)), BoardFinder(DISK)):
        with pytest.raises(BoardNotFound, match="the picture is dark"):
            finder.find(picture)


def test_corners_that_only_a_mirrored_picture_shows_so_are_refused() -> None:
    assert len(parse_corners("384,623,903,616,896,96,376,103")) == 4
    with pytest.raises(BadHint, match="mirroring off"):
        parse_corners("903,616,384,623,376,103,896,96")


def test_no_board_is_none() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    for picture in (noise, np.zeros_like(noise)):
        with pytest.raises(BoardNotFound):
            BoardFinder(GRID).find(picture)
    with pytest.raises(BoardNotFound, match="--corners"):
        BoardFinder(DISK).find(noise)


def found(scene: Stage) -> tuple[BoardFinder, BoardPlace]:
    """A finder that has found a scene's board with loose cards beside it."""
    picture = scene.paint(START, 1, markers=corner_markers(scene.layout, gap=0.8))
    finder = BoardFinder(scene.layout, corners=scene.view.project(scene.layout.corners))
    place = finder.find(picture)
    finder.learn(picture, place)
    return finder, place


@pytest.mark.parametrize("bump", [(4.0, -5.0), (-9.0, 12.0), (140.0, 40.0)])
@pytest.mark.parametrize("layout", [GRID, DISK], ids=["grid", "disk"])
def test_found_again_after_a_bump(bump: tuple[float, float], layout: Layout) -> None:
    scene = Stage(layout, 75.0)
    finder, place = found(scene)
    moved = scene.bumped(*bump)
    again = finder.follow(moved.paint(START, 2, markers=corner_markers(layout, gap=0.8)), place)
    assert again is not None
    assert again is not place
    assert miss(again.view, moved, layout) < 0.15


@pytest.mark.parametrize("bump", [(26.0, 18.0), (-20.0, 34.0)])
def test_a_bump_is_seen_through_noise(bump: tuple[float, float]) -> None:
    scene = Stage(GRID, 60.0)
    chance = np.random.default_rng(3)

    def noisy(scene: Stage, seed: int) -> Picture:
        picture = scene.paint(START, seed)
        grainy = np.clip(picture + chance.normal(0.0, 16.0, picture.shape), 0, 255)
        return np.asarray(grainy, np.uint8)

    finder = BoardFinder(GRID, corners=scene.view.project(GRID.corners))
    first = noisy(scene, 1)
    place = finder.find(first)
    finder.learn(first, place)
    moved = scene.bumped(*bump)
    again = finder.follow(noisy(moved, 2), place)
    assert again is not None
    assert miss(again.view, moved, GRID) < 0.15


def test_a_hand_does_not_move_the_board() -> None:
    scene = Stage(GRID)
    finder, place = found(scene)
    for reach in (7.0, 3.0, 1.0):
        assert finder.follow(scene.paint(START, 4, hand=(reach, 5.0)), place) is place


def test_a_board_out_of_sight_is_said_to_be() -> None:
    finder, place = found(Stage(GRID))
    assert finder.follow(np.full((HEIGHT, WIDTH, 3), 40, np.uint8), place) is None


@pytest.mark.parametrize(
    "text",
    ["", "1,2,3", "a,b,c,d,e,f,g,h", "0,0,9,9,0,9,9,0", "1,1,2,1,2,2,1,2", "1,1,2,2,3,3,nan,4"],
)
def test_corners_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(BadHint, match="corners"):
        parse_corners(text)


def test_corners_are_read() -> None:
    read = parse_corners("300,600, 900,620, 850,120, 370,100")
    wanted: Floats = np.array([(300, 600), (900, 620), (850, 120), (370, 100)], float)
    assert (read == wanted).all()


def test_the_first_square_is_dark_and_below() -> None:
    scene = Stage(GRID, dark=(35, 35, 40))
    view = find_board(scene.paint(START, 1)[:, :, 1].copy(), 10)
    assert miss(view, scene, GRID) < 0.3


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_two_boards_in_one_picture_are_named_and_none_is_chosen(share: float) -> None:
    one = Stage(GRID).paint(START, 1)[:, WIDTH // 6 : -WIDTH // 6]
    other = cv2.resize(one, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    beside = np.full_like(one, Stage.table)
    beside[: other.shape[0], : other.shape[1]] = other
    BoardFinder(GRID).find(one)
    with pytest.raises(BoardNotFound, match="two boards of 10 × 10 squares"):
        BoardFinder(GRID).find(np.hstack([one, beside]))


def test_a_far_smaller_board_in_the_background_is_let_be() -> None:
    scene = Stage(GRID, 60.0)
    picture = scene.paint(START, 1)
    behind = Stage(GRID, 50.0, turn=20).paint(START, 1)[:, WIDTH // 6 : -WIDTH // 6]
    picture[:220, :260] = cv2.resize(behind, (260, 220), interpolation=cv2.INTER_AREA)
    assert miss(BoardFinder(GRID).find(picture).view, scene, GRID) < 0.3


def _laid(picture: Picture, flat: Picture, quad: list[tuple[int, int]]) -> Picture:
    """A picture with a flat one laid into it, its corners where `quad` says."""
    height, width = flat.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, np.array(quad, np.float32))
    size = (picture.shape[1], picture.shape[0])
    there = cv2.warpPerspective(np.full_like(flat, 255), warp, size) > 127
    warped = cv2.warpPerspective(flat, warp, size, flags=cv2.INTER_AREA)
    laid: Picture = np.where(there, warped, picture)
    return laid


def _checkered(side: int) -> Picture:
    """A drawn board of `side` by `side` squares with a margin."""
    squares = np.indices((side, side)).sum(axis=0) % 2 * 150 + 90
    large = np.pad(np.kron(squares, np.ones((30, 30))), 30, constant_values=245)
    return np.repeat(large[..., None], 3, axis=2).astype(np.uint8)


TABLE = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
LAID = [(380, 120), (900, 120), (1000, 640), (280, 640)]


def test_a_go_board_with_stones_is_none() -> None:
    board = np.full((612, 612, 3), (110, 170, 215), np.uint8)
    for line in range(19):
        at = 18 + 32 * line
        cv2.line(board, (at, 18), (at, 594), (40, 40, 40), 1)
        cv2.line(board, (18, at), (594, at), (40, 40, 40), 1)
    for stone in range(0, 361, 3):
        x, y = divmod(stone, 19)
        cv2.circle(board, (18 + 32 * x, 18 + 32 * y), 14, (30 + 200 * (stone % 2),) * 3, -1)
    with pytest.raises(BoardNotFound):
        BoardFinder(GRID).find(_laid(TABLE, board, LAID))


@pytest.mark.parametrize("side", [12, 18])
def test_part_of_a_board_with_more_squares_is_none(side: int) -> None:
    def printed(squares: int) -> Picture:
        light = np.linspace(0.8, 1.0, WIDTH)[None, :, None]
        lit: Picture = (_laid(TABLE, _checkered(squares), LAID) * light).astype(np.uint8)
        return lit

    BoardFinder(GRID).find(printed(10))
    with pytest.raises(BoardNotFound, match="10 × 10"):
        BoardFinder(GRID).find(printed(side))


def test_a_board_is_found_on_chequered_cloth() -> None:
    """Crossings of the cloth are linked to the board's beyond its rim."""
    board = _checkered(10)
    cloth = np.kron(np.indices((60, 60)).sum(axis=0) % 2 * 60 + 60, np.ones((20, 20)))
    cloth = np.repeat(cloth[..., None], 3, axis=2).astype(np.uint8)
    cloth[420:780, 430:790] = board
    corners = [(-300, -60), (1580, -60), (1980, 900), (-700, 900)]
    light = np.linspace(0.8, 1.0, WIDTH)[None, :, None]
    lit: Picture = (_laid(TABLE, cloth, corners) * light).astype(np.uint8)
    warp = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1200, 0), (1200, 1200), (0, 1200)], np.float32),
        np.array(corners, np.float32),
    )
    true = np.array([[(460, 450), (760, 450), (760, 750), (460, 750)]], np.float32)
    found_there = BoardFinder(GRID).find(lit).view.project(GRID.corners)
    there = cv2.perspectiveTransform(true, warp)[0]
    away = np.hypot(*(found_there[:, None] - there).transpose(2, 0, 1))
    assert away.min(axis=1).max() < 5


def test_pieces_that_lean_over_the_rim_are_no_more_squares() -> None:
    """Their tops, light and dark in turn over a dark frame, look like a row, but for its border."""
    board = _checkered(10)
    for column in range(10):
        tone = 5 if board[45, 45 + 30 * column, 0] > 200 else 80
        board[:30, 30 + 30 * column : 60 + 30 * column] = tone
    light = np.linspace(0.8, 1.0, WIDTH)[None, :, None]
    lit: Picture = (_laid(TABLE, board, LAID) * light).astype(np.uint8)
    assert BoardFinder(GRID).find(lit).support > 0.9


def test_a_blurred_diagram_beside_a_board_is_not_taken() -> None:
    """As streams show one: squeezed and grainy, so that its squares are not quite alike."""
    scene = Stage(GRID, 60.0)
    picture = scene.paint(START, 1)
    drawn = cv2.resize(_checkered(10), (200, 200), interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(1).normal(0, 12, drawn.shape)
    picture[20:220, 20:220] = np.clip(cv2.GaussianBlur(drawn + grain, (0, 0), 1.5), 0, 255)
    assert miss(BoardFinder(GRID).find(picture).view, scene, GRID) < 0.3


@pytest.mark.parametrize("light", [1.0, 0.35])
def test_a_diagram_laid_over_the_picture_is_not_taken(light: float) -> None:
    scene = Stage(GRID, 60.0)
    picture = (scene.paint(START, 1) * light).astype(np.uint8)
    picture[20:220, 20:220] = cv2.resize(_checkered(10), (200, 200), interpolation=cv2.INTER_AREA)
    place = BoardFinder(GRID).find(picture)
    assert miss(place.view, scene, GRID) < 0.3


@pytest.mark.parametrize("quality", [95, 40])
def test_a_diagram_alone_is_no_board(quality: int) -> None:
    page = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    page[100:500, 300:700] = cv2.resize(_checkered(10), (400, 400), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, quality])
    shown = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    with pytest.raises(BoardNotFound, match="10 × 10"):
        BoardFinder(GRID).find(shown)


def test_a_picture_cut_out_to_a_board_of_even_squares_shows_one() -> None:
    """It lies as straight as a diagram does, in light nearly as even, but beside nothing."""
    chance = np.random.default_rng(1)
    uneven = np.kron(chance.normal(0, 3, (10, 10)), np.ones((30, 30)))[..., None]
    shown = np.clip(_checkered(10)[30:-30, 30:-30] + uneven, 0, 255).astype(np.uint8)
    corners = BoardFinder(GRID).find(shown).view.project(GRID.corners)
    assert np.allclose(np.sort(corners.sum(axis=1)), (-1, 299, 299, 599), atol=4)
