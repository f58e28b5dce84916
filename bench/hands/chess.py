"""Chess at a board of switches: the game as readers see it, and hands that play it.

The squares are a1 to h8 of the ten by ten, so all that names squares serves both games. The hands
are simulated stroke by stroke, not by magnets: what switches show is what they do, within bounces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

import chess
import msgspec

from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.people.truth import Happened, PlyRow
from jetan_table.reading.readings import EVERYWHERE, Step
from jetan_table.replay.recordings import microseconds
from rules import Square, mask_of, parse_square

HOW_MANY: Final = 80
"""Plies of a game at most."""


def here(square: int) -> Square:
    """Return a square of chess as one of the ten by ten."""
    return parse_square(chess.square_name(square))


START: Final = chess.STARTING_FEN


def board_of(position: str) -> chess.Board:
    """Return a board with that position."""
    return chess.Board(position)


def is_read(move: chess.Move) -> bool:
    """Return False for promotions to other men than a queen: no switch tells them from that."""
    return move.promotion in (None, chess.QUEEN)


SQUARES: Final = tuple(here(square) for square in chess.SQUARES)


@dataclass(slots=True, eq=False)
class ChessStanding:
    """A position of chess; asked again, it has the same steps."""

    board: chess.Board
    _steps: dict[Square, list[Step[ChessStanding]]] = field(default_factory=dict)

    def steps_from(self, square: Square) -> list[Step[ChessStanding]]:
        """Return the legal moves of what stands on a square; of promotions, one."""
        if not self._steps:
            for move in self.board.legal_moves:
                if not is_read(move):
                    continue
                start, end = here(move.from_square), here(move.to_square)
                taken = self.board.piece_at(move.to_square) is not None
                step = Step(start, end, taken, partial(self._after, move))
                self._steps.setdefault(start, []).append(step)
        return self._steps.get(square, [])

    def _after(self, move: chess.Move) -> ChessStanding:
        board = self.board.copy(stack=False)
        board.push(move)
        return ChessStanding(board)


class ChessGame:
    """Chess as readers of switches see it: occupied squares, and legal steps."""

    def occupied(self, standing: ChessStanding) -> int:
        """Return the squares of all men, as bits."""
        return mask_of(map(here, standing.board.piece_map()))

    def steps_from(
        self, standing: ChessStanding, square: Square, among: int = EVERYWHERE
    ) -> list[Step[ChessStanding]]:
        """Return the legal moves of what stands on a square, those that end `among` some."""
        return [step for step in standing.steps_from(square) if among >> step.to_square & 1]


@dataclass(frozen=True, slots=True)
class Player:
    """How somebody plays: shares of plies or captures, and times in seconds."""

    thought_s: float
    carry_s: float
    slides: float
    """Pieces that touch the squares on their way."""
    mover_first: float
    """Captures in which the victim is lifted last."""
    knocks: float
    """Captures without a gap: the victim is pushed off by the piece that takes it."""
    doubts: float
    """Plies before which another piece is lifted and put back."""
    wrong: float
    """Plies that first stand on another legal square for a moment."""
    bounce: float
    """Changes that show twice."""


PLAYERS: Final = {
    "club": Player(6.0, 0.6, 0.1, 0.25, 0.05, 0.08, 0.03, 0.03),
    "blitz": Player(1.2, 0.25, 0.3, 0.35, 0.3, 0.03, 0.02, 0.1),
}


class Hands:
    """Two who play a game by luck, as its switches show it."""

    def __init__(self, player: Player, rng: Random) -> None:
        self._player, self._rng = player, rng
        self._now = 2.0
        self.board = chess.Board()
        self.changes: list[tuple[float, Square, bool]] = []
        self.rows: list[PlyRow] = []

    def play(self) -> None:
        """Play until the game is over, or long enough."""
        while len(self.rows) < HOW_MANY and not self.board.is_game_over():
            self._now += self._rng.lognormvariate(0, 0.5) * self._player.thought_s
            if self._happens(self._player.doubts):
                self._doubt()
            moves = [move for move in self.board.legal_moves if is_read(move)]
            weights = [6 if self.board.is_capture(move) else 1 for move in moves]
            self._make(self._rng.choices(moves, weights)[0])

    def _happens(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _show(self, square: int, is_there: bool) -> None:
        at = here(square)
        self.changes.append((self._now, at, is_there))
        if self._happens(self._player.bounce):
            self.changes.append((self._now + 0.012, at, not is_there))
            self.changes.append((self._now + 0.021, at, is_there))

    def _wait(self, share: float = 1.0) -> None:
        self._now += share * self._player.carry_s * self._rng.lognormvariate(0, 0.3)

    def _doubt(self) -> None:
        square = self._rng.choice([move.from_square for move in self.board.legal_moves])
        self._show(square, False)
        self._wait(1.5)
        self._show(square, True)
        self._wait(2.0)

    def _make(self, move: chess.Move) -> None:
        board, tags = self.board, list[str]()
        victim = None
        if board.is_capture(move):
            victim = move.to_square
            if board.is_en_passant(move):
                victim = chess.square(
                    chess.square_file(move.to_square), chess.square_rank(move.from_square)
                )
        order = "capture-victim-first" if victim is not None else ""
        if victim is not None and victim == move.to_square:
            if self._happens(self._player.knocks):
                order = "capture-no-gap"
            elif self._happens(self._player.mover_first):
                order = "capture-mover-first"
        tags += filter(None, [order])
        begun = self._now
        if order == "capture-victim-first":
            self._show(victim or 0, False)
            self._wait()
        self._show(move.from_square, False)
        self._wait(0.6)
        if order == "capture-mover-first":
            self._show(move.to_square, False)
            self._wait()
        self._on_the_way(move, victim, tags)
        if order != "capture-no-gap":
            self._show(move.to_square, True)
        landed = self._now
        if board.is_castling(move):
            self._castle(move)
            tags.append("castling")
        self.rows.append(self._row(move, begun, landed, tags))
        board.push(move)

    def _on_the_way(self, move: chess.Move, victim: int | None, tags: list[str]) -> None:
        """Touch what lies between, or another square that the piece might go to."""
        between = list(chess.SquareSet(chess.between(move.from_square, move.to_square)))
        if move.from_square > move.to_square:
            between.reverse()
        if between and self._happens(self._player.slides):
            tags.append("slide")
            for square in between:
                self._show(square, True)
                self._now += 0.05 + 0.05 * self._rng.random()
                self._show(square, False)
                self._now += 0.03
        elif victim is None and self._happens(self._player.wrong):
            others = [
                other.to_square
                for other in self.board.legal_moves
                if other.from_square == move.from_square
                and other.to_square != move.to_square
                and not self.board.is_capture(other)
            ]
            if others:
                tags.append("wrong-square")
                square = self._rng.choice(others)
                self._show(square, True)
                self._now += 0.1 + 0.4 * self._rng.random()
                self._show(square, False)
                self._wait(0.5)

    def _castle(self, move: chess.Move) -> None:
        """Move the rook, too."""
        rank = chess.square_rank(move.to_square)
        is_long = chess.square_file(move.to_square) < 4
        self._wait(1.5)
        self._show(chess.square(0 if is_long else 7, rank), False)
        self._wait()
        self._show(chess.square(3 if is_long else 5, rank), True)

    def _row(self, move: chess.Move, begun: float, landed: float, tags: list[str]) -> PlyRow:
        board, no_gap = self.board, "capture-no-gap" in tags
        name, start = chess.square_name, move.from_square
        taken = {each.to_square for each in board.legal_moves if each.from_square == start}
        targets = [name(square) for square in taken if board.piece_at(square)]
        return PlyRow(
            ply=len(self.rows) + 1,
            side="white" if board.turn else "black",
            piece=chess.piece_name(board.piece_type_at(start) or chess.PAWN),
            from_=name(start),
            to=name(move.to_square),
            kind="capture" if board.is_capture(move) else "move",
            captured=None,
            t_lift_us=microseconds(begun),
            t_settled_us=microseconds(landed),
            behaviours=tags,
            ambiguous=no_gap and len(targets) > 1,
            candidates=targets if no_gap else msgspec.UNSET,
        )


def played(people: str, seed: int) -> tuple[list[Observation], Happened]:
    """Return what the switches show of a game, and its truth."""
    hands = Hands(PLAYERS[people], Random(f"chess {people} {seed}"))
    hands.play()
    stands = {here(square) for square in chess.Board().piece_map()}
    first = Observation(0.0, {at: reed_evidence(at in stands) for at in SQUARES})
    shown, closed = [first], set(stands)
    for at, square, is_there in sorted(hands.changes, key=lambda change: change[0]):
        if (square in closed) != is_there:
            closed ^= {square}
            shown.append(Observation(round(at, 3), {square: reed_evidence(is_there)}))
    return shown, Happened(hands.rows, [])
