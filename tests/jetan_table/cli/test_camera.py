"""`jetan camera`: sheets that are found again when photographed, and judgements of pictures."""

import json
from importlib import import_module
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest

from hardware.build import build_of
from jetan_table.cli import main
from jetan_table.extras.workshop.paper import board_sheet
from jetan_table.extras.workshop.sheet import cards, format_sheet
from rules import SQUARES, Position, grid, parse_rules
from tests.vision.sheet_views import POSES, WIDE, sheet_view
from vision.geometry import Picture, layout_of
from vision.markers import find_markers, read_markers, see_sheet
from vision.painted import Stage, corner_markers

LAYOUT = layout_of(grid())
START = [int(Position.start(parse_rules("appendix")).occupant_at(square)) for square in SQUARES]
DOTS_A_MM = 2.0


def photographed(shapes: Path) -> np.typing.NDArray[np.uint8]:
    """An SVG's polygons as a picture, two dots a millimetre."""
    import xml.etree.ElementTree as ET

    root = ET.parse(shapes).getroot()
    width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    picture = np.full((int(height * DOTS_A_MM), int(width * DOTS_A_MM)), 128, np.uint8)
    for polygon in root.iter("{http://www.w3.org/2000/svg}polygon"):
        points = np.array([pair.split(",") for pair in polygon.attrib["points"].split()], float)
        ink = [int(part) for part in polygon.attrib["fill"][4:-1].split(",")]
        cv2.fillPoly(picture, [np.round(points * DOTS_A_MM).astype(np.int32)], ink[1])
    return picture


@pytest.mark.parametrize("board", ["grid", "ninth-ray"])
def test_a_border_is_found_where_its_file_says(
    board: Literal["grid", "ninth-ray"], tmp_path: Path
) -> None:
    out = tmp_path / "border.svg"
    words = ["camera", "sheet", "--board", board, "--squares", "--square-mm", "30"]
    assert main([*words, "--out", str(out)]) == 0
    picture = photographed(out)
    markers = read_markers(tmp_path / "border.json")
    assert markers.half_size == pytest.approx(build_of(board, "paper", 30).width_mm / 20, abs=1e-4)
    found = find_markers(picture)
    assert found.keys() == markers.corners.keys() == {0, 1, 2, 3}
    for number, quad in found.items():
        middle = np.array(picture.shape[::-1]) / 2 / DOTS_A_MM
        wanted = markers.corners[number] * (10, -10) + middle
        assert np.abs(quad / DOTS_A_MM - wanted).max() < 0.7


def test_cards_are_six_markers() -> None:
    assert cards().markers is None


@pytest.mark.parametrize("board", ["grid", "ninth-ray"])
def test_a_sheet_is_of_the_size_that_is_built(
    board: Literal["grid", "ninth-ray"], tmp_path: Path
) -> None:
    out = tmp_path / "board.pdf"
    assert main(["camera", "sheet", "--board", board, "--squares", "--out", str(out)]) == 0
    assert out.read_bytes() == format_sheet(board_sheet(build_of(board, "paper")), "pdf")


def test_cards_on_a_page(tmp_path: Path) -> None:
    assert main(["camera", "sheet", "--cards", "--out", str(tmp_path / "cards.svg")]) == 0
    assert find_markers(photographed(tmp_path / "cards.svg")).keys() == {0, 1, 2, 3, 4, 5}
    assert not (tmp_path / "cards.json").exists()


def test_a_pdf_holds_what_its_table_says(tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    assert main(["camera", "sheet", "--out", str(out)]) == 0
    data = out.read_bytes()
    at = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[at:].startswith(b"xref\n0 6\n")
    for number, line in enumerate(data[at:].splitlines()[3:8], 1):
        assert data[int(line[:10]) :].startswith(b"%d 0 obj" % number)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), Stage(LAYOUT, 75.0).paint(START, 1, markers=corner_markers(LAYOUT)))
    return path


def test_calibration_tells_the_corners(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "calibrate", str(photo)]) == 0
    corners, lens = capsys.readouterr().out.splitlines()
    pixels = np.array(corners.removeprefix("corners ").split(","), float).reshape(4, 2)
    assert np.abs(pixels - Stage(LAYOUT, 75.0).view.project(LAYOUT.corners)).max() < 3
    assert float(lens.split()[1]) == pytest.approx(-0.1, abs=0.04)


def calibrated(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[str, bool]:
    """Return the corners that are told of a picture, and whether its sides are not known."""
    assert main(["camera", "calibrate", str(path), *more]) == 0
    lines = capsys.readouterr().out.splitlines()
    is_doubtful = any("no pieces tell which side is whose" in line for line in lines)
    return lines[0].removeprefix("corners "), is_doubtful


def test_the_pieces_tell_whose_corner_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, path = Stage(LAYOUT, 65.0, turn=90.0), tmp_path / "from_the_side.png"
    cv2.imwrite(str(path), scene.paint(START, 1))
    text, is_doubtful = calibrated(path, capsys)
    pixels = np.array(text.split(","), float).reshape(4, 2)
    assert np.abs(pixels - scene.view.project(LAYOUT.corners)).max() < 4
    assert not is_doubtful


def test_without_pieces_it_is_said_which_corner_was_taken_for_a1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), Stage(LAYOUT, 65.0).paint([0] * 100, 1))
    assert calibrated(path, capsys)[1]


def test_a_camera_that_is_not_there_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("jetan_table.cli.camera"), "GIVES_UP_S", 0.2)
    assert main(["watch", "/dev/video97"]) == 2
    assert "/dev/video97: no camera there" in capsys.readouterr().err


def test_a_board_is_printed_on_pages_or_small_enough_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.pdf"
    assert main(["camera", "sheet", "--squares", "--out", str(out)]) == 0
    assert "larger than A4" in capsys.readouterr().out
    assert main(["camera", "sheet", "--squares", "--square-mm", "16", "--out", str(out)]) == 0
    assert "larger than A4" not in capsys.readouterr().out
    assert main(["camera", "sheet", "--squares", "--tiles", "--out", str(out)]) == 0
    assert "6 pages A4" in capsys.readouterr().out
    assert out.read_bytes().count(b"/Type /Page ") == 6
    assert main(["camera", "sheet", "--tiles", "--out", str(tmp_path / "board.svg")]) == 2


def test_a_preview_shows_the_squares(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "preview.jpg"
    assert main(["camera", "preview", str(photo), "--out", str(out)]) == 0
    before, after = cv2.imread(str(photo)), cv2.imread(str(out))
    assert before is not None
    assert after is not None
    assert (np.abs(before.astype(int) - after).max(axis=2) > 60).mean() > 0.005


def findings(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {line["check"]: line["verdict"] for line in lines if line["check"] != "cameras"}


def test_a_good_view_passes(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "doctor", str(photo), "--json"]) == 0
    assert set(findings(capsys).values()) == {"pass"}


@pytest.mark.parametrize(
    ("scene", "check"),
    [
        (Stage(LAYOUT, 43.0), "height"),
        (Stage(LAYOUT, 35.0), "height"),
        (Stage(LAYOUT, 75.0, light=0.13, noise=1.0), "light"),
        (Stage(LAYOUT, 75.0).bumped(0, 130), "around"),
    ],
    ids=["low", "lower", "dark", "at the edge"],
)
def test_a_bad_view_is_warned_of(
    scene: Stage, check: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), scene.paint(START, 1))
    corners = ",".join(f"{x:.0f}" for x in scene.view.project(LAYOUT.corners).ravel())
    main(["camera", "doctor", str(path), "--json", "--corners", corners])
    assert findings(capsys)[check] == "warn"


def doctored(
    picture: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, dict[str, str]]]:
    """Return the exit code of the doctor of a picture, and its findings by check."""
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), picture)
    code = main(["camera", "doctor", str(path), "--json", *more])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return code, {line["check"]: line for line in lines}


@pytest.mark.parametrize(
    ("occupants", "hand", "found"),
    [
        ([0] * 100, None, "no pieces are seen where they should stand: look at "),
        (START, (5.0, 5.0), "not as at the start, or covered: "),
        (START, (8.0, 2.0), "not as at the start, or covered: h2, i2"),
        ([0, *START[1:]], None, "not as at the start, or covered: a1"),
    ],
    ids=["no pieces", "a hand over empty squares", "a hand over pieces", "one is missing"],
)
def test_pieces_that_do_not_stand_and_hands_are_said(
    occupants: list[int],
    hand: tuple[float, float] | None,
    found: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    picture = Stage(LAYOUT, 50.0).paint(occupants, 1, hand=hand)
    code, found_of = doctored(picture, tmp_path, capsys)
    assert code == 0
    assert found_of["pieces"]["verdict"] == "warn"
    assert found in found_of["pieces"]["found"]


def test_a_small_picture_from_50_degrees_in_which_games_are_read_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = cv2.resize(Stage(LAYOUT, 50.0).paint(START, 1), None, fx=0.68, fy=0.68)
    code, found_of = doctored(picture, tmp_path, capsys)
    assert code == 0
    assert found_of["size"]["found"] == "the farthest squares are 21 pixels wide"
    assert {each["verdict"] for each in found_of.values() if each["check"] != "cameras"} == {"pass"}


def test_what_a_picture_is_refused_for_is_said_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards, sheet = corner_markers(LAYOUT), tmp_path / "markers.json"
    quads = {number: (quad - 5).tolist() for number, quad in cards.items()}
    sheet.write_text(json.dumps({"fiducials": {"board_cm": quads}}))
    more = ("--markers", str(sheet))
    picture = Stage(LAYOUT, 65.0).paint(START, 1, markers=cards)
    code, found_of = doctored(cv2.flip(picture, 1), tmp_path, capsys, *more)
    assert (code, found_of["board"]["verdict"]) == (1, "fail")
    assert "the picture is mirrored" in found_of["board"]["found"]
    dark = Stage(LAYOUT, 65.0, light=0.06).paint(START, 1, markers=cards)
    code, found_of = doctored(dark, tmp_path, capsys, *more)
    assert code == 1
    assert found_of["board"]["found"].startswith("the picture is dark")
    bare = Stage(LAYOUT, 65.0).paint(START, 1)
    code, found_of = doctored(bare, tmp_path, capsys, *more)
    assert (code, found_of["markers"]["verdict"]) == (0, "warn")
    assert "mirror" not in found_of
    _, found_of = doctored(cv2.flip(bare, 1), tmp_path, capsys)  # where no marker tells
    assert found_of["mirror"]["verdict"] == "warn"


def test_no_board_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), np.full((480, 640, 3), 90, np.uint8))
    assert main(["camera", "doctor", str(tmp_path / "photo.png"), "--json"]) == 1
    assert findings(capsys) == {"board": "fail"}


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of views of the sheet, and a picture without it."""
    folder = tmp_path_factory.mktemp("sheets")
    for number, pose in enumerate(POSES):
        cv2.imwrite(str(folder / f"{number}.png"), sheet_view(WIDE, pose, number))
    cv2.imwrite(str(folder / "empty.png"), np.full((720, 1280, 3), 120, np.uint8))
    return folder


def test_the_sheet_for_a_lens_has_its_true_size(tmp_path: Path) -> None:
    out = tmp_path / "lens.svg"
    assert main(["camera", "sheet", "--charuco", "--out", str(out)]) == 0
    assert 'width="297mm" height="210mm"' in out.read_text()
    view = see_sheet(cv2.cvtColor(photographed(out), cv2.COLOR_GRAY2BGR))
    assert view is not None
    assert view.numbers.tolist() == list(range(40))
    steps = np.diff(view.pixels.reshape(5, 8, 2), axis=1) / DOTS_A_MM
    assert np.abs(steps - (28.0, 0.0)).max() < 0.3


def test_a_lens_is_measured_kept_and_used(
    sheets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["camera", "calibrate", str(sheets), "--charuco", "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "10 good views in 11 pictures" in printed
    assert "error 0." in printed
    kept = tmp_path / "lens.json"
    assert str(kept) in printed
    scene = Stage(LAYOUT, 65.0, lens=0.0, measured=WIDE)
    cv2.imwrite(str(tmp_path / "photo.png"), scene.paint(START, 1))
    words = ["camera", "calibrate", str(tmp_path / "photo.png")]
    assert main([*words, "--lens", str(kept)]) == 0
    corners, lens = capsys.readouterr().out.splitlines()
    found = np.array(corners.removeprefix("corners ").split(","), float).reshape(4, 2)
    assert np.abs(found - scene.view.project(LAYOUT.corners)).max() < 3
    assert float(lens.split()[1]) == pytest.approx(0, abs=0.05)
    assert main(words) == 0
    assert float(capsys.readouterr().out.splitlines()[1].split()[1]) < -0.3


def test_a_lens_that_cannot_be_measured_is_told(
    sheets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lens.json"
    words = ["camera", "calibrate", str(sheets / "empty.png"), "--charuco", "--out", str(out)]
    assert main(words) == 2
    assert "0 good views of the sheet, 6 are needed" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["calibrate", "PHOTO", "--charuco", "--corners", "1,2"], "--charuco needs no --corners"),
        (["calibrate", "PHOTO", "--out", "lens.json"], "give --charuco too"),
        (["sheet", "--cards", "--charuco", "--out", "x.svg"], "two sheets"),
        (["preview", "PHOTO", "--lens", "missing.json", "--out", "x.jpg"], "missing.json"),
        (["preview", "PHOTO", "--lens", "PHOTO", "--out", "x.jpg"], "expected what `jetan camera"),
    ],
)
def test_words_that_do_not_go_together(
    words: list[str], refusal: str, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["camera", *(str(photo) if word == "PHOTO" else word for word in words)]) == 2
    assert refusal in capsys.readouterr().err
