"""`jetan bench vision`: what was told of a game is held to what was played, by the plies' numbers;
painted sequences are counted as photographed ones are.
"""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
import pytest

from bench.vision.ledger import Account, Done
from bench.vision.live import Evening, Look
from bench.vision.sequences import SPOILT, corners_and_markers, first_position, in_words
from jetan_table.cli import main
from jetan_table.game.commands import AnswerQuestion, BoardIsRight
from jetan_table.game.events import Question
from jetan_table.reading.readings import occupants_of
from rules import (
    SQUARES,
    Position,
    Square,
    grid,
    parse_move,
    parse_rules,
    parse_square,
)
from tests.jetan_table.hands import seen
from training.eye.pictures import paint_game
from vision.camera import BoardCamera
from vision.errors import UnlikePosition
from vision.finder import BoardFinder
from vision.geometry import layout_of, square_grid
from vision.painted import Stage
from vision.sources import pictures_in

ONE, TWO, THREE, FOUR = (Done((Square(each), Square(each + 1))) for each in range(0, 8, 2))
WANDER = Done((Square(50), Square(51)), is_ply=False)


def counted(account: Account) -> tuple[float, float, float]:
    figures = account.figures("x")
    return figures["x/right"], figures["x/wrong"], figures["x/missed"]


def test_a_step_of_the_juggernaut_that_is_not_seen_makes_no_ply_wrong() -> None:
    account = Account([ONE, WANDER, TWO])
    account.tell(1, ONE, 1)
    account.tell(2, TWO, 3)
    assert counted(account) == (2, 0, 1)


def test_a_ply_that_is_not_seen_makes_the_next_one_wrong() -> None:
    account = Account([ONE, TWO, THREE])
    account.tell(1, ONE, 1)
    account.tell(2, THREE, 3)
    assert counted(account) == (1, 1, 1)


def test_what_is_asked_about_keeps_its_place_while_more_is_asked_and_told() -> None:
    account = Account([ONE, TWO, THREE, FOUR])
    account.tell(1, ONE, 1)
    account.ask(2, is_ply=True)
    account.ask(3, is_ply=True)
    account.tell(4, FOUR, 4)
    assert counted(account) == (2, 0, 2)
    account.tell(2, TWO, 4)
    assert counted(account) == (3, 0, 1)
    account.take_back(4)
    account.take_back(3)
    assert account.record == [ONE.squares, TWO.squares]
    assert account.taken_back == 1


def test_what_is_known_better_takes_its_plies_places() -> None:
    account = Account([ONE, FOUR, THREE])
    for number, step in enumerate((ONE, TWO, THREE, FOUR), 1):
        account.tell(number, step, 3)
    assert FOUR.squares is not None
    account.amend({2: FOUR.squares}, 3)
    assert counted(account) == (3, 0, 0)
    assert account.taken_back == 2


SCENE = Stage(layout_of(grid()), 70.0)
MOVES = ("d2d3", "e9e8", "f2f3", "f9f8", "g2g3")


@pytest.fixture
def sequences(tmp_path: Path) -> Path:
    """A folder with one sequence; the truth of its last picture is wrong about one square."""
    folder = tmp_path / "painted"
    folder.mkdir()
    position = Position.start(parse_rules("appendix"))
    frames: list[dict[str, Any]] = []
    for number, text in enumerate(["", *MOVES]):
        if text:
            position = position.play(parse_move(text, position))
        name = f"{number:03}.jpg"
        occupants = [int(position.occupant_at(square)) for square in SQUARES]
        cv2.imwrite(str(folder / name), SCENE.paint(occupants, number))
        move = {"from": text[:2], "to": text[2:]} if text else None
        frame = {"file": name, "view": 0, "settled": True, "move": move}
        frames.append(frame | {"position": in_words(position)})
    frames[-1]["position"]["a5"] = "black thoat"
    corners = dict(zip("abcd", SCENE.view.project(SCENE.layout.corners).tolist(), strict=True))
    truth = {
        "board": "grid",
        "fiducials": None,
        "to_move_first": "black",
        "views": [{"board_corners_px": corners}],
        "frames": frames,
    }
    (folder / "truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_plies_and_squares_are_counted(sequences: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "vision", "--sequences", str(sequences), "--unanswered", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["painted/plies"] == figures["painted/right"] == len(MOVES)
    assert figures["painted/wrong"] == figures["painted/taken back"] == 0
    assert figures["painted/worst corner, squares"] < 0.1
    assert figures["painted/squares misread, %"] == pytest.approx(100 / 600, abs=0.01)
    assert figures["painted/misread black thoat on dark as empty"] == 1


def test_people_answer_a_table_by_the_truth_once_the_hand_is_gone() -> None:
    start = Position.start(parse_rules("appendix"))
    after = start.play(parse_move("d2d3", start))
    move = parse_square("d2"), parse_square("d3")
    evening, picture = Evening([Done(move)]), np.zeros((1, 1, 3), np.uint8)
    look = Look(0.0, picture, 1, 1.0, in_words(after))
    assert evening.reply(seen(start), look) is None
    lost = seen(start, lost=(start, after))
    assert evening.reply(lost, look) == BoardIsRight(2)
    assert evening.reply(lost, look._replace(rests_for=-1.0)) is None
    asked = seen(start, question=Question(1, "d2", ("d3", "e3")))
    assert evening.reply(asked, look) == AnswerQuestion("d3")


def test_a_wrong_move_that_is_put_in_is_taken_back(
    sequences: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three settled looks are enough, though the camera has learned from the wrong move."""
    assert main(["bench", "vision", "--injected", str(sequences), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["painted/wrong moves put in"] == 1
    assert figures["painted/taken back within 3 looks"] == 1


def test_pictures_are_made_worse() -> None:
    picture = SCENE.paint([0] * 100, 1)
    for name, spoil in SPOILT.items():
        worse = spoil(picture, 5)
        assert worse.dtype == picture.dtype, name
        assert worse.shape != picture.shape or (worse != picture).mean() > 0.1, name


def test_boards_are_located(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("chess", reason="chess is missing: ./jetan bench brings it")
    scene = Stage(square_grid(8), 55.0)
    cv2.imwrite(str(tmp_path / "one.png"), scene.paint([0] * 64, 1))
    cv2.imwrite(str(tmp_path / "none.png"), scene.paint([0] * 64, 1)[:200])
    corners = scene.view.project(scene.layout.corners).tolist()
    labels = [{"file": name, "corners_px": corners} for name in ("one.png", "none.png")]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert main(["bench", "vision", "--chess", str(tmp_path), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["stills"], figures["stills located"]) == (2, 1)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--chess"], "takes nothing, "),
        (["--sequences", "nowhere"], "no such folder"),
        (["--injected", "."], "truth.json"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    words: list[str],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "vision", *words]) == 2
    refusal = capsys.readouterr().err
    assert why in refusal
    assert refusal.count("\n") == 1


@pytest.mark.parametrize("quarters", [0, 3])
def test_a_disk_whose_corners_are_given_a_quarter_further_is_no_start(
    tmp_path: Path, quarters: int
) -> None:
    truth = paint_game(tmp_path, crc32(b"937634b4"), 1, 0)  # low pieces, of which little is seen
    start = first_position(truth)
    corners, _ = corners_and_markers(tmp_path, truth)
    given = np.roll(np.array(corners), quarters, axis=0)
    camera = BoardCamera(BoardFinder(layout_of(start.rules.board), None, given), False, False)
    frame = next(iter(pictures_in(tmp_path).frames()))
    with pytest.raises(UnlikePosition) if quarters else nullcontext():
        camera.begin(frame, occupants_of(start), is_certain=False)
