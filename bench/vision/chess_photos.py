"""Photographs of chess: boards located, a game followed. Only here a piece of chess is known."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import chess
import cv2
import numpy as np

from jetan_table.game.events import Ply
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.readings import Step
from jetan_table.replay.watching import Follower
from rules import Square, mask_of
from vision.camera import BoardCamera
from vision.errors import BoardNotFound
from vision.eye import observation_of
from vision.finder import BoardFinder
from vision.geometry import Floats, orientations, square_grid
from vision.sources import Frame, decoded

from .ledger import Done, Figures, Game, Ledger
from .sequences import Spoil, spoilt

SIDE = 8
LOCATED = 0.25
APART, BEGUN = 8, "begun at every eighth ply"


class ChessBoard:
    """Chess as the reader sees it: positions are FEN texts, White is the light side."""

    def occupants(self, fen: str) -> tuple[int, ...]:
        """Return what stands on each square, 1 for Black and 2 for White."""
        return occupants_of(chess.Board(fen))

    def placement(self, fen: str) -> tuple[str, ...]:
        """Return the pieces, and who is to move."""
        return tuple(fen.split()[:2])

    def steps(self, fen: str, squares: Iterable[Square]) -> Iterator[Step[str]]:
        """Yield every legal move of some pieces; of promotions only those to a queen."""
        board = chess.Board(fen)
        for move in board.generate_legal_moves(mask_of(squares)):
            if move.promotion in (None, chess.QUEEN):
                takes = board.is_capture(move)
                start, end = Square(move.from_square), Square(move.to_square)
                yield Step(start, end, takes, partial(_after, board, move))


def _played(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def _after(board: chess.Board, move: chess.Move) -> str:
    return str(_played(board, move).fen())


def occupants_of(board: chess.Board) -> tuple[int, ...]:
    """Return what stands on each square of a board."""
    found = [0] * SIDE**2
    for square, piece in board.piece_map().items():
        found[square] = 2 if piece.color else 1
    return tuple(found)


def measure_chess(folder: Path, answered: bool, spoil: Spoil | None) -> Figures:
    """Return the figures of the games and single photographs in a folder and those below it.

    What is left to itself sees its pictures made worse by `spoil`.
    """
    figures: Figures = {}
    for labels in sorted(folder.rglob("labels.json")):
        figures |= _locate(labels)
    for positions in sorted(folder.rglob("positions.csv")):
        by_itself = _followed(positions, 0, answered, spoil)
        figures |= _follow_each(positions)
        figures |= by_itself.figures(f"{positions.parent.name}, by itself")
        figures |= _begin_anywhere(positions, answered, spoil)
    return figures


def _locate(labels: Path) -> Figures:
    """Find the board in each photograph; its corners are compared whatever side is whose."""
    entries = json.loads(labels.read_text())
    away = [
        _miss(labels.parent / each["file"], np.array(each["corners_px"], float)) for each in entries
    ]
    return {
        "stills": len(away),
        "stills located": sum(miss <= LOCATED for miss in away),
        "stills, median miss in squares": round(float(np.median(away)), 3),
    }


def _miss(path: Path, corners: Floats) -> float:
    """Return the worst corner's distance from its label, in squares."""
    frame = decoded(path.name, 0.0, path.read_bytes())
    if frame.picture is None:
        return float("inf")
    layout = square_grid(SIDE)
    try:
        view = BoardFinder(layout).find(frame.picture).view
    except BoardNotFound:
        return float("inf")
    unit = np.sqrt(cv2.contourArea(corners.astype(np.float32))) / SIDE
    found = [each.project(layout.corners) for each in orientations(view, SIDE)]
    both_ways = [turned for each in found for turned in (each, each[::-1])]
    return float(min(np.hypot(*(each - corners).T).max() for each in both_ways) / unit)


def _photographs(positions: Path) -> Iterator[tuple[Frame | None, str]]:
    """Yield each photograph and the placement after it; None where the photograph is missing."""
    with positions.open() as lines:
        for row in csv.DictReader(lines):
            path = positions.parent / f"frame_{int(row['from_frame']):06}.jpg"
            at = float(row["from_frame"])
            frame = decoded(path.name, at, path.read_bytes()) if path.exists() else None
            yield frame, row["fen"]


def _true_moves(positions: Path) -> list[chess.Move]:
    board, moves = chess.Board(), []
    for _, placement in list(_photographs(positions))[1:]:
        legal = board.legal_moves
        move = next(move for move in legal if _played(board, move).board_fen() == placement)
        board.push(move)
        moves.append(move)
    return moves


def _begun(positions: Path) -> tuple[BoardCamera, list[Frame | None]]:
    photographs = [frame for frame, _ in _photographs(positions)]
    assert photographs[0] is not None
    camera = BoardCamera(BoardFinder(square_grid(SIDE)), False, True)
    camera.begin(photographs[0], occupants_of(chess.Board()))
    return camera, photographs[1:]


def _follow_each(positions: Path) -> Figures:
    """Give each photograph the true position before it."""
    camera, photographs = _begun(positions)
    board = chess.Board()
    moves = _true_moves(positions)
    best = accepted = wrong = read = misread = 0
    for frame, move in zip(photographs, moves, strict=True):
        sight = camera.look(frame) if frame is not None else None
        if sight is not None and sight.seen is not None:
            reader = CameraReader(ChessBoard(), board.fen())
            readings = reader.observe(observation_of(sight))
            played = [each.step for each in readings if isinstance(each.event, Ply) and each.step]
            true = (move.from_square, move.to_square)
            read += 1
            best += reader.likeliest == [true]
            accepted += bool(played)
            wrong += bool(played) and [step.squares for step in played] != [true]
        board.push(move)
        if sight is not None and sight.seen is not None:
            likeliest = sight.seen.likelihoods.argmax(axis=1)
            misread += int((likeliest != occupants_of(board)).sum())
            camera.learn(sight, occupants_of(board))
    name = f"{positions.parent.name}, given the position before"
    return {
        f"{name}/plies": len(moves),
        f"{name}/right": best,
        f"{name}/accepted": accepted,
        f"{name}/accepted and wrong": wrong,
        f"{name}/squares misread, %": round(100 * misread / max(read, 1) / SIDE**2, 3),
    }


def _begin_anywhere(positions: Path, answered: bool, spoil: Spoil | None) -> Figures:
    """Leave it to itself from every eighth position on, each time with all yet to be learned."""
    total: Counter[str] = Counter()
    for first in range(APART, len(_true_moves(positions)), APART):
        total.update(_followed(positions, first, answered, spoil).figures(BEGUN))
    return {f"{positions.parent.name}, {name}": count for name, count in total.items()}


def _followed(positions: Path, first: int, answered: bool, spoil: Spoil | None) -> Ledger:
    """Leave the camera to itself from one photograph to the last."""
    game = game_of(positions, first)
    ledger = Ledger(game.true)
    for frame, shown in zip(game.frames, game.shown, strict=True):
        ledger.follow(game.follower, spoilt(frame, shown, spoil), shown, answered)
    return ledger


def game_of(positions: Path, first: int = 0) -> Game:
    """Return a photographed game from one position on, and who is told no more than that one."""
    moves = _true_moves(positions)
    board = chess.Board()
    for move in moves[:first]:
        board.push(move)
    camera = BoardCamera(BoardFinder(square_grid(SIDE)), False, True)
    follower = Follower(camera, CameraReader(ChessBoard(), board.fen()))
    taken = [frame for frame, _ in _photographs(positions)][first:]
    frames = {shown: frame for shown, frame in enumerate(taken) if frame is not None}
    true = [Done((Square(m.from_square), Square(m.to_square))) for m in moves[first:]]
    return Game(follower, list(frames.values()), list(frames), true)
