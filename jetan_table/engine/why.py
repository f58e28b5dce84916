"""Reasons why a move is good: points that hold by the rules, the weightiest first.

Nothing here is a guess. A point is found in the position itself and the one after the move; only a
win further ahead is taken from a search, and only where that has proven it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final

from rules import Kind, Move, MoveKind, Outcome, Position, Side, Square, Termination

from .evaluation import fight_odds, null_move

MOST_POINTS: Final = 2
WIDER: Final = 3
"""Squares gained from which a move is said to widen a piece's reach."""

NARROWER: Final = 0.75
"""It is said to narrow the enemy Princess's where no more than this share of the safe squares that
she reaches is left."""


class Merit(Enum):
    """The points that can speak for a move."""

    TAKES_PRINCESS = "takes princess"
    TAKES_CHIEF = "takes chief"
    WINS = "wins"
    DRAWS = "draws"
    DRAWS_BY_CHIEF = "draws by chief"
    WINS_SOON = "wins soon"
    FLEES = "flees"
    SAVES_PRINCESS = "saves princess"
    FIGHTS = "fights"
    TAKES_FREELY = "takes freely"
    TAKES_DEARER = "takes dearer"
    TAKES = "takes"
    RESCUES = "rescues"
    FORKS = "forks"
    THREATENS = "threatens"
    PINS = "pins"
    GUARDS = "guards"
    NARROWS = "narrows"
    WIDENS = "widens"


WON_BY: Final = {
    Termination.PRINCESS_TAKEN: Merit.TAKES_PRINCESS,
    Termination.CHIEF_BY_CHIEF: Merit.TAKES_CHIEF,
    Termination.CHIEF_BY_OTHER: Merit.TAKES_CHIEF,
}
DRAWN_BY: Final = {Termination.CHIEF_BY_OTHER: Merit.DRAWS_BY_CHIEF}


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that speaks for a move."""

    merit: Merit
    kinds: tuple[Kind, ...] = ()
    """The kinds of piece it is about: those taken, threatened, guarded, saved, or who moves.

    Of PINS: who cannot move away, and who would be taken then."""
    numbers: tuple[int, ...] = ()
    """Plies at most (WINS_SOON), times in a hundred (FIGHTS), squares reached after and before
    (WIDENS), safe squares left and before (NARROWS)."""


def points_for(
    position: Position, line: Sequence[Move], win_in: int | None = None
) -> tuple[Point, ...]:
    """Return what speaks for the first move of a line, at most two points; none where nothing does.

    `win_in` are the plies to a win that is proven, as a search of the whole position tells.
    """
    return tuple(islice(_points(position, line, win_in), MOST_POINTS))


def _points(position: Position, line: Sequence[Move], win_in: int | None) -> Iterator[Point]:
    move = line[0]
    if position.is_fought(move):  # nothing after it is certain
        yield _fight(position, move)
        return
    after = position.play(move)
    if after.outcome is not None:
        yield from _end(position.side, after.outcome)
        return
    if win_in is not None and win_in > 0 and position.juggernaut is None:
        yield Point(Merit.WINS_SOON, _expected_prey(position, line), (win_in,))
    plain = [*_for_princess(position, move, after), *_for_pieces(position, move, after)]
    yield from plain
    if not plain:
        yield from _for_place(position, move, after)


def _fight(position: Position, move: Move) -> Point:
    attacker, defender = _kind_at(position, move.from_square), _kind_at(position, move.to_square)
    odds = fight_odds(position, attacker, defender)
    return Point(Merit.FIGHTS, (defender,), (int(100 * odds),))


def _end(side: Side, outcome: Outcome) -> Iterator[Point]:
    """Yield what is to be said of a move that ends the game."""
    if outcome.winner is None:
        yield Point(DRAWN_BY.get(outcome.termination, Merit.DRAWS))
    elif outcome.winner is side:
        yield Point(WON_BY.get(outcome.termination, Merit.WINS))


def _expected_prey(position: Position, line: Sequence[Move]) -> tuple[Kind, ...]:
    """Return what the last ply of a line that wins takes; nothing where the line is cut short."""
    side, prey = position.side, None
    for move in line:
        prey = position.piece_at(move.to_square)
        position = position.play(move)
    won = position.outcome is not None and position.outcome.winner is side
    return (prey.kind,) if won and prey is not None else ()


def _for_princess(position: Position, move: Move, after: Position) -> Iterator[Point]:
    if move.kind is MoveKind.ESCAPE:
        yield Point(Merit.FLEES)
    elif _is_threatened(position) and not _is_threatened(null_move(after)):
        yield Point(Merit.SAVES_PRINCESS)


def _for_pieces(position: Position, move: Move, after: Position) -> Iterator[Point]:
    is_safe = not _can_be_taken(after, move.to_square)
    threatened = _threatened(after, move.to_square) if is_safe else ()
    if _is_threatened(after) and not _is_threatened(null_move(position)):
        is_fork = bool(threatened) and _takes_princess(null_move(after), move.to_square)
        yield Point(Merit.FORKS if is_fork else Merit.THREATENS, (Kind.PRINCESS, *threatened))
        threatened = ()
    mover = _kind_at(position, move.from_square)
    if move.kind is MoveKind.CAPTURE:
        victim = _kind_at(position, move.to_square)
        is_dearer = _is_dearer(position, victim, mover)
        swap = Merit.TAKES_DEARER if is_dearer else Merit.TAKES
        yield Point(Merit.TAKES_FREELY if is_safe else swap, (victim,))
    elif (
        is_safe
        and mover is not Kind.PRINCESS
        and _can_be_taken(null_move(position), move.from_square)
    ):
        yield Point(Merit.RESCUES, (mover,))
    if threatened:
        yield Point(Merit.FORKS if len(threatened) > 1 else Merit.THREATENS, threatened)
    pinned = _pinned(after, move.to_square) if is_safe else ()
    if pinned:
        yield Point(Merit.PINS, pinned)
    guarded = _loose(null_move(position)) - _loose(after) - {move.from_square, move.to_square}
    if guarded:
        yield Point(Merit.GUARDS, _dearest_first(after, {_kind_at(after, at) for at in guarded}))


def _for_place(position: Position, move: Move, after: Position) -> Iterator[Point]:
    had, left = _safe_squares(null_move(position)), _safe_squares(after)
    if left < had and left <= NARROWER * had:
        yield Point(Merit.NARROWS, (), (left, had))
    before = position.ends_from(move.from_square)[0].bit_count()
    reached = null_move(after).ends_from(move.to_square)[0].bit_count()
    if reached >= before + WIDER:
        yield Point(Merit.WIDENS, (_kind_at(after, move.to_square),), (reached, before))


def _is_threatened(position: Position) -> bool:
    """Return True if the Princess of the side to move is threatened."""
    princess = position.ours.princess
    return princess is not None and bool(position.threats() & princess.bit)


def _threatened(after: Position, square: Square) -> tuple[Kind, ...]:
    """Return what the piece that moved there may gain by taking next, the dearest first."""
    again, taker, found = null_move(after), _kind_at(after, square), set()
    for move in again.moves_from(square):
        victim = again.piece_at(move.to_square)
        if victim is None or victim.kind is Kind.PRINCESS or again.is_fought(move):
            continue
        then = again.play(move)
        if then.outcome is not None:
            is_gain = then.outcome.winner is again.side
        else:
            is_gain = _is_dearer(again, victim.kind, taker) or not _can_be_taken(
                then, move.to_square
            )
        if is_gain:
            found.add(victim.kind)
    return _dearest_first(after, found)


def _takes_princess(position: Position, square: Square) -> bool:
    """Return True if the piece on a square, of the side to move, may take the Princess."""
    princess = position.theirs.princess
    return princess is not None and bool(position.ends_from(square)[0] & princess.bit)


def _pinned(after: Position, square: Square) -> tuple[Kind, ...]:
    """Return what cannot move without giving its Princess to the piece that moved to a square.

    The Princess's kind comes with it; nothing where nothing is pinned so.
    """
    princess = after.ours.princess
    pinner = next((post for post in after.theirs.men if post.square == square), None)
    if princess is None or pinner is None or not pinner[0] & princess.bit:
        return ()
    if _takes_princess(null_move(after), square):
        return ()
    for post in after.ours.men:
        moves = after.moves_from(post.square)
        if moves and all(_exposes(after, move, square) for move in moves):
            return _kind_at(after, post.square), Kind.PRINCESS
    return ()


def _exposes(after: Position, move: Move, square: Square) -> bool:
    """Return True if a move lets the piece on a square take the Princess of who made it."""
    if move.to_square == square or after.is_fought(move):
        return False
    then = after.play(move)
    return then.outcome is None and _takes_princess(then, square)


def _dearest_first(position: Position, kinds: Iterable[Kind]) -> tuple[Kind, ...]:
    return tuple(sorted(kinds, key=position.rules.worth, reverse=True))


def _loose(position: Position) -> set[Square]:
    """Return where the side to move may take something, and nobody could take back."""
    found: set[Square] = set()
    for move in position.moves():
        if move.kind is MoveKind.CAPTURE and not position.is_fought(move):
            then = position.play(move)
            if then.outcome is None and not _can_be_taken(then, move.to_square):
                found.add(move.to_square)
    return found


def _safe_squares(position: Position) -> int:
    """Return to how many empty squares the Princess to move may step and be safe there."""
    princess = position.ours.princess
    if princess is None:
        return 0
    steps = position.ends_from(princess.square)[0] & ~position.theirs.mask
    return (steps & ~position.threats()).bit_count()


def _is_dearer(position: Position, victim: Kind, taker: Kind) -> bool:
    """Return True if a victim is worth more than its taker; a Princess is worth the game."""
    worth = position.rules.worth
    return taker is not Kind.PRINCESS and worth(victim) > worth(taker)


def _can_be_taken(position: Position, square: Square) -> bool:
    """Return True if the side to move may take the piece on a square."""
    return any(move.to_square == square for move in position.moves())


def _kind_at(position: Position, square: Square) -> Kind:
    piece = position.piece_at(square)
    assert piece is not None
    return piece.kind
