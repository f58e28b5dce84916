"""A painted game, watched: frames in, plies out, on the command line too."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from jetan_table.cli import main
from rules import SQUARES, Position, format_position, parse_move, parse_rules
from vision.geometry import layout_of
from vision.painted import Stage, corner_markers

MOVES = ("d2d3", "e9e8", "g1d4", "d9d8", "d4g7")
RULES = "appendix,thoat=jumps"


def occupants(position: Position) -> list[int]:
    return [int(position.occupant_at(square)) for square in SQUARES]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a game's pictures: at rest, a hand, at rest; two of them are damaged."""
    folder = tmp_path_factory.mktemp("evening")
    position = Position.start(parse_rules(RULES))
    scene = Stage(layout_of(position.rules.board), 62.0, turn=-8)
    cards = corner_markers(scene.layout)
    number = 0

    def take(hand: tuple[float, float] | None = None) -> None:
        nonlocal number
        picture = scene.paint(occupants(position), number, markers=cards, hand=hand)
        cv2.imwrite(str(folder / f"{number:03}.jpg"), picture)
        number += 1

    take()
    for text in MOVES:
        move = parse_move(text, position)
        take(hand=scene.layout.outlines[move.to_square][0])
        position = position.play(move)
        take()
    (folder / "0041.jpg").write_bytes((folder / "004.jpg").read_bytes()[:9000])
    (folder / "0042.jpg").write_bytes(b"")
    written = {n: ((quad - 5) * 4).tolist() for n, quad in cards.items()}
    (folder / "markers.json").write_text(
        json.dumps({"fiducials": {"dictionary": "DICT_4X4_50", "board_cm": written}})
    )
    return folder


def watched(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["watch", *arguments, "--rules", RULES, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("with_markers", [True, False])
def test_a_game_is_read(
    evening: Path, capsys: pytest.CaptureFixture[str], with_markers: bool
) -> None:
    more = ["--markers", str(evening / "markers.json")] if with_markers else []
    lines = watched(capsys, str(evening), *more)
    plies = [line for line in lines if "ply" in line]
    assert [f"{line['from']}{line['to']}" for line in plies] == list(MOVES)
    assert [line["ply"] for line in plies] == [1, 2, 3, 4, 5]
    assert [line["frame"] for line in plies] == [
        "002.jpg",
        "004.jpg",
        "006.jpg",
        "008.jpg",
        "010.jpg",
    ]
    assert {line["kind"] for line in plies} == {"move"}
    troubles = [(line["trouble"], line["frame"]) for line in lines if "trouble" in line]
    assert troubles == [("cut short", "0041.jpg"), ("empty", "0042.jpg")]
    assert len(lines) == 7


def test_what_was_played_before_the_board_was_seen_is_read_by_the_first_picture_of_it(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cv2.imwrite(str(tmp_path / "000.jpg"), np.full((720, 1280, 3), 90, np.uint8))
    for name in ("002.jpg", "004.jpg", "006.jpg"):
        (tmp_path / name).write_bytes((evening / name).read_bytes())
    lines = watched(capsys, str(tmp_path), "--markers", str(evening / "markers.json"))
    plies = [line for line in lines if "ply" in line]
    assert [f"{line['from']}{line['to']}" for line in plies] == list(MOVES[:3])


def test_a_board_on_which_no_pieces_stand_is_said_and_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = Position.start(parse_rules(RULES))
    scene = Stage(layout_of(start.rules.board), 62.0)
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), scene.paint([0] * 100, number))
    assert main(["watch", str(tmp_path), "--rules", RULES]) == 2
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert [line.split()[0] for line in lines] == ["0.png", "1.png"]
    assert all("no pieces are seen where they should stand: look at " in line for line in lines)
    assert f"--position '{format_position(start)}'" in printed.err
    cv2.imwrite(str(tmp_path / "2.png"), scene.paint(occupants(start), 2))
    played = start.play(parse_move("d2d3", start))
    cv2.imwrite(str(tmp_path / "3.png"), scene.paint(occupants(played), 3))
    lines_of = watched(capsys, str(tmp_path))
    assert [line["frame"] for line in lines_of if "trouble" in line] == ["0.png", "1.png"]
    assert [line["from"] for line in lines_of if "ply" in line] == ["d2"]


def test_where_no_picture_can_be_read_that_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0.png").write_bytes(b"no picture")
    assert main(["watch", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "no picture that can be read" in printed.out
    assert "no picture shows the board" in printed.err


def test_markers_that_are_not_seen_are_named(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = Position.start(parse_rules(RULES))
    without = Stage(layout_of(start.rules.board), 62.0).paint(occupants(start), 1)
    cv2.imwrite(str(tmp_path / "0.png"), without)
    markers = ["--markers", str(evening / "markers.json")]
    assert main(["watch", str(tmp_path), "--rules", RULES, *markers]) == 0
    words = "too few of the markers are seen: the board is found by its lines"
    assert capsys.readouterr().err.splitlines() == [words]
    whole = cv2.imread(str(evening / "000.jpg"))
    assert whole is not None
    cv2.imwrite(str(tmp_path / "0.png"), cv2.flip(whole, 1))
    assert main(["watch", str(tmp_path), "--rules", RULES, *markers]) == 2
    assert "the picture is mirrored" in capsys.readouterr().err


def test_words_and_pictures_for_people(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(evening), "--rules", RULES, "--show", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["002.jpg", "confirmed", "1", "Pd2-d3"]
    shown = sorted(path.name for path in tmp_path.iterdir())
    assert shown == ["000.jpg", "002.jpg", "004.jpg", "006.jpg", "008.jpg", "010.jpg"]
    before, after = (cv2.imread(str(at / "004.jpg")) for at in (evening, tmp_path))
    assert before is not None
    assert after is not None
    assert (abs(before.astype(int) - after) > 60).mean() > 0.01


def test_a_position_is_where_it_begins(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = Position.start(parse_rules(RULES))
    for text in MOVES[:2]:
        position = position.play(parse_move(text, position))
    for path in evening.glob("0*.jpg"):
        if (path.name >= "0042.jpg" and path.name != "0042.jpg") or path.name == "004.jpg":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = watched(capsys, str(tmp_path), "--position", format_position(position))
    assert [f"{line['from']}{line['to']}" for line in lines if "ply" in line] == list(MOVES[2:])
    assert [line["ply"] for line in lines if "ply" in line] == [3, 4, 5]


def test_without_a_camera_its_library_is_not_loaded() -> None:
    code = "import sys; from jetan_table.cli import main; main(['play', '--help']); "
    code += "sys.exit(bool({'cv2', 'numpy'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.DEVNULL)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["nowhere"], "no such source"),
        (["."], "holds no pictures"),
        (["EVENING", "--corners", "1,2,3"], "corners '1,2,3'"),
        (["EVENING", "--markers", "missing.json"], "missing.json: No such file"),
        (["EVENING", "--lens", "missing.json"], "missing.json: No such file"),
        (["EVENING", "--position", "nonsense"], "position 'nonsense'"),
    ],
)
def test_what_cannot_be_watched_is_refused(
    evening: Path,
    arguments: list[str],
    refusal: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [str(evening) if word == "EVENING" else word for word in arguments]
    assert main(["watch", *words]) == 2
    error = capsys.readouterr().err
    assert refusal in error
    assert error.count("\n") == 1
