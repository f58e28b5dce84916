"""Why a move is good: every point that is made holds by the rules, asked another way."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from bench.opponent.puzzles import Puzzle, read_puzzles
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.positions import has_won
from jetan_table.engine.search import Limits, Search
from jetan_table.engine.why import Merit, Point, points_for
from jetan_table.languages import worded_in
from jetan_table.light.words import MERITS, why_in_words
from rules import (
    Kind,
    Move,
    MoveKind,
    Position,
    Side,
    Square,
    Termination,
    parse_move,
    parse_position,
    parse_rules,
)
from tests.jetan_table.engine.test_random_games import mixed_rules

GAMES, PLIES = 16, 20
CHIEFS = "q9/10/10/10/5c4/10/4C5/10/10/9Q b - - 0 1"


def turned(position: Position, side: Side) -> Position:
    """The same pieces with a side to move that may leave its Princess to be taken."""
    rules = position.rules.changed({"ending": "capture"})
    pieces = position.pieces()
    return Position.of(rules, pieces, side, escapes=frozenset(), juggernaut=position.juggernaut)


def takers(position: Position, side: Side, square: Square) -> list[Move]:
    return [move for move in turned(position, side).moves() if move.to_square == square]


def princess_of(position: Position, side: Side) -> Square:
    return next(at for at, piece in position.pieces().items() if piece == (side, Kind.PRINCESS))


def kind_on(position: Position, square: Square) -> Kind:
    piece = position.piece_at(square)
    assert piece is not None
    return piece.kind


def holds(point: Point, position: Position, move: Move) -> bool:
    """Whether a point is true of a move, found by going through the moves that follow."""
    side, foe = position.side, position.side.other
    mover = kind_on(position, move.from_square)
    after, worth = position.play(move), position.rules.worth
    own = princess_of(after, side)
    match point:
        case Point(Merit.TAKES_PRINCESS):
            return kind_on(position, move.to_square) is Kind.PRINCESS
        case Point(Merit.TAKES_CHIEF):
            return kind_on(position, move.to_square) is Kind.CHIEF and wins(after, side)
        case Point(Merit.WINS):
            return wins(after, side)
        case Point(Merit.DRAWS | Merit.DRAWS_BY_CHIEF as merit):
            by_chief = after.ended is not None and after.ended[1] is Termination.CHIEF_BY_OTHER
            return not wins(after, side) and by_chief == (merit is Merit.DRAWS_BY_CHIEF)
        case Point(Merit.FLEES):
            return side in position.escapes and side not in after.escapes
        case Point(Merit.SAVES_PRINCESS):
            was = takers(position, foe, princess_of(position, side))
            return bool(was) and not takers(after, foe, own)
        case Point(Merit.FIGHTS, kinds, (chance,)):
            edge = worth(mover) - worth(kinds[0])
            throws = [a + edge - b for a in range(10) for b in range(10)]
            won, lost = sum(t > 0 for t in throws), sum(t < 0 for t in throws)
            return 0 <= 100 * won / (won + lost) - chance < 1
        case Point(Merit.TAKES_FREELY | Merit.TAKES_DEARER | Merit.TAKES as merit, (kind,)):
            avenged = any(reply.to_square == move.to_square for reply in after.moves())
            is_dearer = worth(kind) > worth(mover)
            is_kind = kind_on(position, move.to_square) is kind
            is_free = (merit is Merit.TAKES_FREELY) == (not avenged)
            return is_kind and is_free and (merit is not Merit.TAKES_DEARER or is_dearer)
        case Point(Merit.RESCUES, (kind,)):
            was = takers(position, foe, move.from_square)
            now = [reply for reply in after.moves() if reply.to_square == move.to_square]
            return kind is mover and bool(was) and not now
        case Point(Merit.PINS | Merit.FORKS | Merit.THREATENS):
            return holds_of_attack(point, after, move.to_square)
    return holds_of_place(point, position, move)


def holds_of_attack(point: Point, after: Position, square: Square) -> bool:
    """Whether a point is true that is about what the piece that moved to a square attacks."""
    foe, kinds = after.side, point.kinds
    others = [kind for kind in kinds if kind is not Kind.PRINCESS]
    prey = princess_of(after, foe)
    match point.merit:
        case Merit.PINS:
            return any(is_pinned(after, at, square) for at in standing(after, foe, kinds[0]))
        case Merit.FORKS:
            by = {taking.from_square for taking in takers(after, foe.other, prey)}
            is_royal = Kind.PRINCESS not in kinds or square in by
            return is_royal and len(kinds) > 1 and all(gains(after, square, k) for k in others)
    is_threat = Kind.PRINCESS not in kinds or bool(takers(after, foe.other, prey))
    return is_threat and all(gains(after, square, kind) for kind in others)


def gains(after: Position, square: Square, kind: Kind) -> bool:
    """Whether the piece on a square may take one of a kind next and come off well by it."""
    side, mover = after.side.other, kind_on(after, square)
    now, worth = turned(after, side), after.rules.worth
    for taking in now.moves_from(square):
        if now.piece_at(taking.to_square) != (side.other, kind) or now.is_fought(taking):
            continue
        then = now.play(taking)
        is_dearer = mover is not Kind.PRINCESS and worth(kind) > worth(mover)
        is_won = then.outcome is not None and then.outcome.winner is side
        if is_won or is_dearer or not takers(then, side.other, taking.to_square):
            return True
    return False


def standing(position: Position, side: Side, kind: Kind) -> list[Square]:
    return [at for at, piece in position.pieces().items() if piece == (side, kind)]


def is_pinned(after: Position, square: Square, pinner: Square) -> bool:
    """Whether a piece may move, and whatever it does leaves the Princess to the pinner."""
    replies = [reply for reply in after.moves() if reply.from_square == square]
    return bool(replies) and all(
        pinner in {taking.from_square for taking in takers_of_princess(after.play(reply))}
        for reply in replies
    )


def takers_of_princess(position: Position) -> list[Move]:
    """The moves that take the Princess of who has moved."""
    prey = princess_of(position, position.side.other)
    return [move for move in position.moves() if move.to_square == prey]


def holds_of_place(point: Point, position: Position, move: Move) -> bool:
    """Whether a point is true that is about other pieces, or about squares."""
    side, after = position.side, position.play(move)
    is_mate = position.rules["ending"] == "checkmate"  # by which fewer moves are legal
    match point:
        case Point(Merit.GUARDS, kinds):
            others = loose(position, side) - loose(after, side) - {move.from_square}
            return set(kinds) <= {kind_on(after, square) for square in others} or is_mate
        case Point(Merit.NARROWS, (), (left, had)):
            return left == len(safe_steps(after)) < had
        case Point(Merit.WIDENS, _, (reached, before)):
            ends = turned(after, side).ends_from(move.to_square)[0].bit_count()
            return before < reached <= ends or is_mate
    raise AssertionError(f"{point} is not known here")


def loose(position: Position, side: Side) -> set[Square]:
    """Where the other side may take a piece of `side`, which then can take nothing back."""
    now = turned(position, side.other)
    found = set()
    for taking in now.moves():
        then = now.play(taking) if now.piece_at(taking.to_square) else None
        if then and not then.outcome and not takers(then, side, taking.to_square):
            found.add(taking.to_square)
    return found


def safe_steps(position: Position) -> list[Move]:
    """The steps, not the escape, by which the Princess to move comes to where none can take her."""
    side = position.side
    now, princess = turned(position, side), princess_of(position, side)
    steps = [m for m in now.moves() if m.from_square == princess and m.kind is MoveKind.MOVE]
    return [step for step in steps if not takers(now.play(step), side.other, step.to_square)]


def wins(after: Position, side: Side) -> bool:
    return after.outcome is not None and after.outcome.winner is side


def positions(chance: Random) -> Iterator[Position]:
    """Positions out of random games, and the endings of the puzzles."""
    for number in range(GAMES):
        position = Position.start(mixed_rules(chance) if number else parse_rules("manator-arena"))
        for _ in range(PLIES):
            if position.outcome is not None:
                break
            yield position
            moves = position.moves()
            takes = [move for move in moves if position.piece_at(move.to_square)]
            position = position.play(chance.choice(takes or moves))
    yield from (puzzle.position for puzzle in read_puzzles())
    yield parse_position(CHIEFS, parse_rules("appendix"))


def test_every_point_holds_in_games_by_any_rules() -> None:
    chance, counts = Random(5), Counter[Merit]()
    for position in positions(chance):
        moves = position.moves()
        takes = [move for move in moves if position.piece_at(move.to_square)]
        for move in {*takes, *chance.sample(moves, min(len(moves), 10))}:
            for point in points_for(position, [move]):
                counts[point.merit] += 1
                assert holds(point, position, move), f"{point} {move} {position!r}"
    assert set(Merit) - set(counts) <= {Merit.WINS, Merit.WINS_SOON, Merit.DRAWS}


PUZZLES = read_puzzles()[::4]
DEEPER = [puzzle for puzzle in PUZZLES if puzzle.forced == "win 5"][1:]
"""Seconds each, in Python; one of them shows as much."""


@pytest.mark.parametrize(
    "puzzle",
    [pytest.param(it, marks=[pytest.mark.release] * (it in DEEPER)) for it in PUZZLES],
    ids=lambda puzzle: f"{puzzle.rules} {puzzle.text}",
)
def test_a_win_that_is_told_is_forced(puzzle: Puzzle) -> None:
    thought = Search(puzzle.position, fitted_weights(), lambda: 0.0, Limits(depth=5)).think()
    points = points_for(puzzle.position, thought.line, thought.win_in)
    claims = [point.numbers[0] for point in points if point.merit is Merit.WINS_SOON]
    plies = int(puzzle.forced[-1])
    assert bool(claims) == puzzle.forced.startswith("win")
    assert all(number <= plies for number in claims)
    assert not claims or has_won(puzzle.position.play(thought.move), plies - 1)


def test_it_is_said_in_both_languages_as_the_variant_names_it() -> None:
    rules = parse_rules("manator")
    position = parse_position("q9/10/10/10/5f4/10/4D5/10/10/9Q b - - 0 1", rules)
    points = points_for(position, [parse_move("De4xf6", position)])
    assert set(MERITS) == set(Merit)
    assert worded_in("en", why_in_words(points, rules)) == "The move takes the Odwar for nothing."
    assert worded_in("de", why_in_words(points, rules)) == "Der Zug schlägt den Odwar ungestraft."
    assert worded_in("en", why_in_words((), rules)) == ""
    soon = (Point(Merit.WINS_SOON, (), (3,)),)  # a move, a reply, and the move that wins
    assert (
        worded_in("en", why_in_words(soon, rules)) == "The move wins by force in 2 moves at most."
    )
