"""What happens in a rendered sequence: frames, moves by chance, hands, bumps."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from rules import Position, Side, Square, format_square
from rules.options import parse_rules

from .scene import Standing
from .styles import Style

CAPTURES = 0.45
"""How often one is chosen where there is one."""

LETS = 0.08
"""How often nothing happens between two settled frames, or a piece is straightened."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: what stands where, and what was played before it."""

    standing: tuple[Standing, ...]
    aside: tuple[Standing, ...]
    position: Position
    move: dict[str, str] | None
    hand: Square | None
    view: int


def shots(style: Style, moves: int, chance: Random) -> Iterator[Shot]:
    """Yield the frames of a sequence with so many moves."""
    board = "ninth-ray-clockwise" if style.is_disk else "appendix"
    rules = parse_rules(f"{board},thoat=jumps")
    position = Position.start(rules)
    if style.has_neutral:
        rules = rules.changed({"juggernaut": "random-empty"})
        position = Position.start(rules, juggernaut=Square(chance.choice((44, 45, 54, 55))))
    pieces = _set_up(position, chance)
    aside: tuple[Standing, ...] = ()
    shot = Shot(tuple(pieces.values()), aside, position, None, None, 0)
    yield shot
    played = 0
    while played < moves:
        if style.is_bumped and played == moves // 2:
            shot = replace(shot, view=1)
        if chance.random() < LETS:
            square = chance.choice(list(pieces))
            pieces[square] = _put(pieces[square], square, chance)
            shot = replace(shot, standing=tuple(pieces.values()), move=None)
            yield shot
            continue
        start, end, after = _step(position, style, played, chance)
        if style.has_hands and played % 2 == 0:
            yield replace(shot, hand=end, move=None)
        taken = pieces.pop(end, None)
        mover = pieces.pop(start)
        pieces[end] = _put(mover, end, chance)
        if taken is not None:
            aside = (*aside, replace(taken, square=Square(len(aside)), off=(0.0, 0.0)))
        kind = "juggernaut" if mover.kind is None else "move"
        move = {"from": format_square(start), "to": format_square(end), "kind": kind}
        position = after
        shot = Shot(tuple(pieces.values()), aside, position, move, None, shot.view)
        yield shot
        played += 1


def _step(
    position: Position, style: Style, played: int, chance: Random
) -> tuple[Square, Square, Position]:
    """Return a move that does not end the game, or where the piece of neither side is put."""
    around = position.rules.board.neighbours
    rolling = position.juggernaut if style.has_neutral and played % 5 == 3 else None
    if rolling is not None:
        near = [s for s in around[rolling] if s is not None and position.piece_at(s) is None]
        if near:
            to = chance.choice(near)
            return rolling, to, position.move_juggernaut(to)
    going_on = [
        (move, after) for move in position.moves() if (after := position.play(move)).outcome is None
    ]
    takes = [each for each in going_on if position.piece_at(each[0].to_square) is not None]
    move, after = chance.choice(takes if takes and chance.random() < CAPTURES else going_on)
    return move.from_square, move.to_square, after


def _set_up(position: Position, chance: Random) -> dict[Square, Standing]:
    pieces = {
        square: Standing(square, piece.kind, piece.side, (0, 0), 0)
        for square, piece in position.pieces().items()
    }
    if position.juggernaut is not None:
        pieces[position.juggernaut] = Standing(position.juggernaut, None, Side.BLACK, (0, 0), 0)
    return {square: _put(piece, square, chance) for square, piece in pieces.items()}


def _put(piece: Standing, square: Square, chance: Random) -> Standing:
    off = (chance.uniform(-0.16, 0.16), chance.uniform(-0.16, 0.16))
    return replace(piece, square=square, off=off, turn=chance.uniform(0, 360))


def in_words(position: Position) -> dict[str, str]:
    """Return what stands where, as the truth of a sequence has it: `black panthan`, by square."""
    words = {
        format_square(square): f"{piece.side.word} {piece.kind.word}"
        for square, piece in position.pieces().items()
    }
    if position.juggernaut is not None:
        words[format_square(position.juggernaut)] = "juggernaut"
    return words
