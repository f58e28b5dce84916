"""`jetan bench vision`: painted sequences and boards, counted as photographed ones are."""

import json
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import chess
import cv2
import numpy as np
import pytest

from bench.vision.ledger import Done
from bench.vision.live import Evening, Look
from bench.vision.rendering.scene import Staunton
from bench.vision.rendering.staunton import chess_shots
from bench.vision.sequences import corners_and_markers, first_position
from jetan_table.cli import main
from jetan_table.game.commands import AnswerQuestion, BoardIsRight
from jetan_table.game.events import Question
from jetan_table.reading.jetan_game import occupants_of
from rules import (
    SQUARES,
    Position,
    Side,
    format_square,
    grid,
    parse_move,
    parse_rules,
    parse_square,
)
from tests.jetan_table.hands import seen
from training.eye.games import paint_game
from vision.board_finder import BoardFinder
from vision.camera import BoardCamera
from vision.errors import UnlikePosition
from vision.layout import layout_of
from vision.painted import Stage
from vision.sources import pictures_in

SCENE = Stage(layout_of(grid()), 70.0)
MOVES = ("d2d3", "e9e8", "f2f3", "f9f8", "g2g3")


def position_words(position: Position) -> dict[str, str]:
    return {
        format_square(square): f"{piece.side.word} {piece.kind.word}"
        for square, piece in position.pieces().items()
    }


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
        frames.append(frame | {"position": position_words(position)})
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


@pytest.mark.parametrize("words", [[], ["--unanswered"]])
def test_plies_and_squares_are_counted(
    words: list[str], sequences: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "vision", "--sequences", str(sequences), *words, "--json"]) == 0
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
    look = Look(0.0, picture, 1, 1.0, position_words(after))
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


def test_a_game_of_chess_to_render_is_one() -> None:
    games = list(chess_shots(30, Random("a game")))
    board = chess.Board()
    for standing, placement in games[1:]:
        played = []
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            if after.board_fen() == placement:
                played.append(move)
        assert len(played) == 1
        board.push(played[0])
        pieces = {int(piece.square): (piece.kind, piece.side is Side.ORANGE) for piece in standing}
        assert pieces == {
            square: (Staunton(piece.piece_type), piece.color)
            for square, piece in board.piece_map().items()
        }


@pytest.mark.parametrize("quarters", [0, 1])
def test_a_disk_whose_corners_are_given_a_quarter_further_is_no_start(
    tmp_path: Path, quarters: int
) -> None:
    truth = paint_game(tmp_path, crc32(b"937634b4"), 1, 0)  # low pieces, of which little is seen
    start = first_position(truth)
    corners, _ = corners_and_markers(tmp_path, truth)
    given = np.roll(np.array(corners), quarters, axis=0)
    camera = BoardCamera(BoardFinder(layout_of(start.rules.topology), None, given), False, False)
    frame = next(iter(pictures_in(tmp_path).frames()))
    with pytest.raises(UnlikePosition) if quarters else nullcontext():
        camera.begin(frame, occupants_of(start), is_certain=False)
