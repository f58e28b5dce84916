"""A board, pieces and a stand of paper: what is on the pages, and that it fits and is found."""

import json
import subprocess
from collections import Counter
from math import dist, hypot, radians, tan
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.build import Build, Shape, build_of
from hardware.signs import LETTERS
from jetan_table.extras.workshop.paper import (
    BODY,
    BRACE_MM,
    DARK,
    FOOT_MM,
    PALE,
    PICTURE,
    board_sheet,
    disc_of,
    height_mm,
    height_over,
    pages,
    paper,
    set_of_pieces,
    stand_of,
    stand_sheet,
    standing_of,
    surface,
    surface_sheet,
)
from jetan_table.extras.workshop.sheet import (
    BAR_MM,
    PAPERS,
    Ink,
    Label,
    clipped,
    format_sheet,
    rgb,
    tiles,
)
from rules import FILES, SQUARE_NAMES, SQUARES, Occupant
from tests.jetan_table.extras.workshop.prints import DOTS_A_MM, glued, rasterised
from vision.geometry import Mask, Picture, layout_of
from vision.markers import find_markers, read_markers

BOARDS: tuple[Shape, ...] = ("grid", "ninth-ray")
EITHER = pytest.mark.parametrize("board", BOARDS)
PRINTERS_MM = 4.0
"""What hardly a printer leaves white at a page's edge."""


def built(board: Shape, square_mm: float | None = None) -> Build:
    return build_of(board, "paper", square_mm)


@EITHER
@pytest.mark.parametrize("size", PAPERS)
def test_a_board_takes_six_pages_and_everything_ten(board: Shape, size: str) -> None:
    assert len(tiles(board_sheet(built(board)), PAPERS[size])) == 6
    assert len(pages(built(board), PAPERS[size])) == 10


@EITHER
@pytest.mark.parametrize(
    "square_mm",
    [
        pytest.param(20.0, marks=pytest.mark.parts),
        None,
        pytest.param(90.0, marks=pytest.mark.parts),
    ],
)
@pytest.mark.parametrize("size", PAPERS)
def test_nothing_is_printed_where_printers_cannot(
    board: Shape, square_mm: float | None, size: str
) -> None:
    for page in pages(built(board, square_mm), PAPERS[size]):
        assert sorted((page.width, page.height)) == sorted(PAPERS[size])
        points = [point for shape in page.shapes[1:] for point in shape.points]
        points += [corner for label in page.labels for corner in corners(label)]
        across, down = zip(*points, strict=True)
        assert PRINTERS_MM <= min(across) < max(across) <= page.width - PRINTERS_MM
        assert PRINTERS_MM <= min(down) < max(down) <= page.height - PRINTERS_MM


def corners(label: Label) -> list[tuple[float, float]]:
    reach = hypot(label.width, label.size) / 2 if label.turn % 180 else label.width / 2
    (x, y), high = label.middle, reach if label.turn % 180 else label.size / 2
    return [(x - reach, y - high), (x + reach, y + high)]


@EITHER
@pytest.mark.parametrize("size", PAPERS)
def test_every_page_of_a_board_tells_its_size_and_its_place(board: Shape, size: str) -> None:
    made = tiles(board_sheet(built(board)), PAPERS[size])
    for number, page in enumerate(made, 1):
        texts = [label.text for label in page.labels]
        assert texts[-2:] == [f"{BAR_MM:g} mm", f"{number}/6"]
        long = [max(x for x, _ in s.points) - min(x for x, _ in s.points) for s in page.shapes]
        assert any(length == pytest.approx(100.0) for length in long)
    maps = {str([(s.points, s.ink) for s in page.shapes[-9:-3]]) for page in made}
    assert len(maps) == 6  # the small picture of all pages differs on each


@pytest.mark.parts
@EITHER
@pytest.mark.parametrize("size", PAPERS)
def test_the_pages_together_are_the_board(board: Shape, size: str) -> None:
    sheet = board_sheet(built(board))
    whole = rasterised(sheet.shapes, sheet.labels, sheet.width, sheet.height)
    joined = glued(sheet, PAPERS[size], 1, off=0.0)
    count, _, blobs, _ = cv2.connectedComponentsWithStats(differing(whole, joined))
    assert count > 6  # the crosses, on the pages alone
    assert blobs[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max() <= 4.0 * DOTS_A_MM


def differing(one: Picture, other: Picture) -> Mask:
    """Mark where pictures differ by more than the dots at an edge."""
    differ = np.abs(one.astype(int) - other).max(axis=2) > 60
    inner: Mask = cv2.erode(differ.astype(np.uint8), np.ones((3, 3))).astype(np.uint8)
    return inner


def test_a_polygon_is_cut_at_a_window() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert set(clipped(square, (5.0, 5.0), (20.0, 20.0))) == {
        *((5.0, 5.0), (10.0, 5.0), (10.0, 10.0), (5.0, 10.0))
    }
    assert list(clipped(square, (11.0, 0.0), (5.0, 5.0))) == []
    assert set(clipped(square, (-1.0, -1.0), (12.0, 12.0))) == set(square)


def test_files_and_ranks_are_named_on_all_sides_of_a_flat_board() -> None:
    sheet, build = board_sheet(built("grid")), built("grid")
    names = Counter(label.text for label in sheet.labels)
    assert names == dict.fromkeys((*FILES, *map(str, range(1, 11))), 2)
    middle = np.array([sheet.width, sheet.height]) / 2
    for label in sheet.labels:
        x, y = (np.array(label.middle) - middle) * (1, -1) / build.square_mm + 5
        assert max(abs(x - 5), abs(y - 5)) * build.square_mm > build.width_mm / 2
        place = FILES.index(label.text) if label.text in FILES else int(label.text) - 1
        assert (x if label.text in FILES else y) == pytest.approx(place + 0.5)


def test_each_square_of_a_disk_has_its_name_beside_its_piece() -> None:
    sheet, build = board_sheet(built("ninth-ray")), built("ninth-ray")
    labels = {label.text: label for label in sheet.labels}
    assert labels.keys() == set(SQUARE_NAMES)
    for square in SQUARES:
        label = labels[SQUARE_NAMES[square]]
        at = (np.array(label.middle) - (sheet.width / 2, sheet.height / 2)) * (1, -1)
        assert dist(at, build.middle(square)) > build.base_mm / 2 + label.size / 2
        outline = (np.array(build.topology.outlines[square]) - 5) * build.unit_mm
        inside = cv2.pointPolygonTest(outline.astype(np.float32), at.tolist(), measureDist=True)
        assert inside > 0.35 * label.size


@EITHER
def test_a_camera_takes_a_square_for_as_wide_as_it_has_room(board: Shape) -> None:
    """What it cuts out about a piece in a disk's wedge shows none of the wedges beside it."""
    build = built(board)
    layout = layout_of(build.topology)
    for outline, middle, span in zip(layout.outlines, layout.middles, layout.spans, strict=True):
        corners = np.array(outline, np.float32)
        room = 2 * cv2.pointPolygonTest(corners, middle, measureDist=True)
        assert 0.8 * room < span < 1.001 * room
        assert span * build.unit_mm > 0.999 * build.base_mm


@EITHER
def test_another_board_may_be_laid_on_the_border(board: Shape) -> None:
    build = built(board, 30.0)
    bare, whole = board_sheet(build, with_squares=False), board_sheet(build)
    assert bare.markers == whole.markers
    assert {DARK, PALE} & {shape.ink for shape in bare.shapes} == set()
    assert {DARK, PALE} < {shape.ink for shape in whole.shapes}


def test_a_set_is_forty_pieces_and_the_juggernaut() -> None:
    sides = Counter(man.side for man in set_of_pieces())
    assert sides == {Occupant.BLACK: 20, Occupant.ORANGE: 20, Occupant.NEUTRAL: 1}
    assert {man.letter for man in set_of_pieces()} == set(LETTERS)


@EITHER
def test_pieces_stand_on_a_foot_of_the_build(board: Shape) -> None:
    build = built(board)
    for man in set_of_pieces():
        disc, card = disc_of(man, build), standing_of(man, build)
        assert (disc.width, disc.height, card.width) == (build.base_mm,) * 3
        for cutout in (disc, card):
            points = np.array([point for shape in cutout.shapes for point in shape.points])
            assert points.min() > -1e-9
            assert (points.max(axis=0) < (cutout.width + 1e-9, cutout.height + 1e-9)).all()
        assert {label.turn for label in card.labels} == {0.0, 180.0}
        assert {label.text for label in card.labels} == {man.name}


def lightness(ink: Ink) -> float:
    return float(np.dot(rgb(ink), (0.3, 0.6, 0.1)))


def test_colours_are_told_apart() -> None:
    for body in BODY.values():
        assert lightness(PICTURE) - lightness(body) > 0.4
        for square in (DARK, PALE):
            assert dist(rgb(body), rgb(square)) > 0.3
    assert lightness(PALE) - lightness(DARK) > 0.3
    black, orange, neutral = (rgb(BODY[side]) for side in (*list(Occupant)[1:],))
    assert min(dist(black, orange), dist(black, neutral), dist(orange, neutral)) > 0.5


def test_a_camera_sees_all_it_should_from_its_stand() -> None:
    assert height_over(605.0) == pytest.approx(931, abs=1)
    assert height_over(100.0, 90.0, 1.0) == pytest.approx(50.0)
    assert height_over(100.0, 90.0, 0.5) == pytest.approx(50.0)  # held on its side
    for board in BOARDS:
        build = built(board)
        high = height_mm(build)
        reach = build.width_mm / 2 + 1.5 * build.square_mm
        focal = 960 / tan(radians(30))  # of pictures of 1920 by 1080
        assert focal * reach / high == pytest.approx(540)
        sheet = board_sheet(build)
        assert focal * sheet.width / 2 / high < 960  # its markers are in the picture too
        assert focal * sheet.height / 2 / high < 540


@EITHER
def test_the_stand_is_drawn_with_its_measures(board: Shape) -> None:
    build = built(board)
    stand = stand_of(build)
    assert height_mm(build) <= stand.camera < stand.post < height_mm(build) + 100
    assert stand.bar > board_sheet(build).width
    words = {label.text for label in stand_sheet(build, PAPERS["letter"]).labels}
    wanted = {f"{stand.camera:g} mm", f"2 x {stand.post:g} mm", f"1 x {stand.bar:g} mm"}
    assert wanted < words
    sawn = 2 * stand.post + stand.bar + 2 * FOOT_MM + 6 * BRACE_MM
    assert f"40 x 20 mm, {sawn / 1000:.1f} m" in words


def test_what_is_made_is_made_again_alike() -> None:
    made = dict(paper(built("grid")))
    assert set(made) == {
        *("paper/a4.pdf", "paper/letter.pdf", "paper/board.pdf", "paper/board.svg"),
        "paper/markers.json",
    }
    assert made == dict(paper(built("grid")))
    assert "fiducials" in json.loads(made["paper/markers.json"])


@pytest.mark.needs("pdftoppm")
@EITHER
def test_another_reader_sees_what_was_drawn(board: Shape, tmp_path: Path) -> None:
    """Poppler draws the PDFs as we do, finds the words, and the markers are where it is written."""
    for name, content in paper(built(board)):
        path = tmp_path / Path(name).name
        path.write_bytes(content)
    assert read_by("pdfinfo", tmp_path / "a4.pdf").count("Pages:           10") == 1
    words = read_by("pdftotext", tmp_path / "board.pdf", "-").split()
    if board == "grid":  # those on a disk are turned, and it takes some of them apart
        assert {*FILES, *map(str, range(1, 11))} <= set(words)
    dots = str(round(DOTS_A_MM * 25.4, 3))
    drawn = ("-r", dots, "-png", "-singlefile", tmp_path / "board.pdf", tmp_path / "board")
    read_by("pdftoppm", *drawn)
    picture = cv2.imread(str(tmp_path / "board.png"))
    assert picture is not None
    sheet = board_sheet(built(board))
    ours = rasterised(sheet.shapes, sheet.labels, sheet.width, sheet.height)
    theirs = cv2.resize(picture, (ours.shape[1], ours.shape[0]))
    assert differing(ours, theirs.astype(np.uint8)).mean() < 0.001
    markers = read_markers(tmp_path / "markers.json")
    found = find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    assert found.keys() == markers.corners.keys()
    middle = np.array([sheet.width, sheet.height]) / 2
    for number, quad in found.items():
        wanted = markers.corners[number] * (10, -10) + middle
        assert np.abs((quad + 0.5) / DOTS_A_MM - wanted).max() < 0.5


def read_by(*command: str | Path) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("build", [build_of(), build_of("ninth-ray")], ids=["grid", "disk"])
def test_a_surface_is_printed_at_its_own_size_and_without_markers(build: Build) -> None:
    sheet = surface_sheet(build)
    assert sheet.width == sheet.height == pytest.approx(build.surface_width_mm)
    assert sheet.markers is None
    middle = sheet.width / 2
    for (x, y), marks in zip(build.button_ways, (6, 3), strict=True):
        edge = middle + middle * x, middle - middle * y
        beside = [each for each in sheet.shapes if max(dist(at, edge) for at in each.points) < 12]
        assert len(beside) == marks
    files = dict(surface(build))
    assert files["surface/board.pdf"] == format_sheet(sheet, "pdf")
    assert files == dict(surface(build))
    reach = [abs(x - sheet.width / 2) for shape in sheet.shapes for x, _y in shape.points]
    assert max(reach) <= sheet.width / 2 + 1e-6
    wanted = {"grid": 500.0, "ninth-ray": 432.0}[build.board]
    assert build.surface_width_mm == pytest.approx(wanted)
