"""Games of chess with tall turned pieces, by chance: only this and `chess_photos` know chess."""

from collections.abc import Iterator
from random import Random

import chess

from rules import Side, Square

from .scene import Standing, Staunton
from .styles import LIGHTS, SetStyle, Style, Surface

CHESS_SURFACES = (
    Surface("walnut and maple", (0.33, 0.24, 0.18), (0.82, 0.78, 0.62), 0.2),
    Surface("mahogany and sycamore", (0.36, 0.16, 0.09), (0.78, 0.66, 0.46), 0.3),
    Surface("brown and cream print", (0.38, 0.27, 0.20), (0.86, 0.82, 0.70), 0.0),
    Surface("green and cream vinyl", (0.16, 0.32, 0.20), (0.86, 0.84, 0.72), 0.0),
)
CHESS_SETS = (
    SetStyle("rosewood and box", (0.17, 0.07, 0.05), (0.76, 0.64, 0.42), 1.0, 0.5),
    SetStyle("ebony and maple", (0.07, 0.06, 0.06), (0.84, 0.76, 0.58), 1.0, 0.4),
    SetStyle("stained and raw", (0.24, 0.12, 0.07), (0.74, 0.58, 0.38), 0.85, 0.2),
)
TAKES = 0.35
"""How often a piece is taken where one can be."""


def chess_style_of(number: int, chance: Random) -> Style:
    """Return the looks of game `number`, cut out along the board, seen at 35 to 55 degrees."""
    lamps, ambient = LIGHTS[number % len(LIGHTS)]
    return Style(
        is_disk=False,
        surface=CHESS_SURFACES[number // 2 % len(CHESS_SURFACES)],
        pieces=CHESS_SETS[number % len(CHESS_SETS)],
        lamps=lamps,
        ambient=ambient,
        elevation=35 + chance.uniform(0, 20),
        turn=chance.choice((0.0, 90.0, 180.0, 270.0)) + chance.uniform(-20, 20),
        is_rectified=True,
        has_neutral=False,
        has_hands=False,
        is_bumped=False,
        drift=chance.choice((0.0, 0.1, 0.25)),
    )


def chess_shots(moves: int, chance: Random) -> Iterator[tuple[list[Standing], str]]:
    """Yield what stands where and the placement, as in FEN: at first and after each move."""
    board = chess.Board()
    pieces = {
        Square(square): _set_down(_man(piece), Square(square), chance)
        for square, piece in board.piece_map().items()
    }
    yield list(pieces.values()), board.board_fen()
    for _ in range(moves):
        move = _chosen(board, chance)
        was = board.piece_map()
        board.push(move)
        now = board.piece_map()
        for square in {*was, *now}:
            if was.get(square) != now.get(square):
                pieces.pop(Square(square), None)
                if square in now:
                    pieces[Square(square)] = _set_down(_man(now[square]), Square(square), chance)
        yield list(pieces.values()), board.board_fen()


def _chosen(board: chess.Board, chance: Random) -> chess.Move:
    """Return a legal move after which the game goes on; a promoted piece becomes a queen."""
    moves = [m for m in board.legal_moves if m.promotion in (None, chess.QUEEN)]
    moves = [move for move in moves if _goes_on(board, move)]
    takes = [move for move in moves if board.is_capture(move)]
    return chance.choice(takes if takes and chance.random() < TAKES else moves)


def _goes_on(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    goes_on = any(board.legal_moves)
    board.pop()
    return goes_on


def _man(piece: chess.Piece) -> Standing:
    side = Side.ORANGE if piece.color == chess.WHITE else Side.BLACK
    return Standing(Square(0), Staunton(piece.piece_type), side, (0.0, 0.0), 0.0)


def _set_down(piece: Standing, square: Square, chance: Random) -> Standing:
    off = (chance.uniform(-0.14, 0.14), chance.uniform(-0.14, 0.14))
    return Standing(square, piece.kind, piece.side, off, chance.uniform(0, 360))
