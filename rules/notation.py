"""Positions and moves as text, both ways (RULES, Texts)."""

from .board import (
    BY_NAME,
    SQUARE_NAMES,
    Move,
    MoveKind,
    Side,
    format_placement,
    parse_placement,
    pattern,
)
from .movement import FEW_PLIES
from .options import Rules
from .plain import whole_number
from .position import Position
from .sentences import BadText, IllegalMove, _

_SIDE_LETTERS = {"b": Side.BLACK, "o": Side.ORANGE}
_ESCAPES = {
    "BO": frozenset(Side),
    "B": frozenset({Side.BLACK}),
    "O": frozenset({Side.ORANGE}),
    "-": frozenset[Side](),
}
_SIGNS = {MoveKind.MOVE: "-", MoveKind.CAPTURE: "x", MoveKind.ESCAPE: "~"}
_MOVE_TEXT = "([A-Za-z])?([a-j](?:10|[1-9]))([-x~])?([a-j](?:10|[1-9]))"


def parse_position(text: str, rules: Rules) -> Position:
    """Read a position text; BadText says which of its six fields is wrong, and how."""
    parts = text.split()
    if len(parts) != 6:
        raise BadText(
            _(
                "position {text!r}: has {count} words, must have 6: placement, side to move, "
                "escapes, "
                "few-pieces counter, moves since the last capture, move number"
            ),
            text=text,
            count=len(parts),
        )
    placement, side_letter, escapes, few, quiet, number = parts
    pieces, juggernaut = parse_placement(placement)
    if side_letter not in _SIDE_LETTERS:
        raise BadText(_("side to move {text!r}: must be b or o"), text=side_letter)
    if escapes not in _ESCAPES:
        raise BadText(_("escapes {text!r}: must be BO, B, O or -"), text=escapes)
    side = _SIDE_LETTERS[side_letter]
    few_counter = None if few == "-" else _number(_("few-pieces counter"), few, 0, FEW_PLIES)
    return Position.of(
        rules,
        pieces,
        side,
        escapes=_ESCAPES[escapes],
        juggernaut=juggernaut,
        few_counter=few_counter,
        quiet_plies=_number(_("moves since the last capture"), quiet, 0, 199_999),
        move_number=_number(_("move number"), number, 1, 99_999),
    )


def format_position(position: Position) -> str:
    """Write a position as text; parse_position reads it back under the same rules."""
    escapes = {sides: word for word, sides in _ESCAPES.items()}[position.escapes]
    few = "-" if position.few_counter is None else position.few_counter
    side = "bo"[position.side]
    return (
        f"{format_placement(position.pieces(), position.juggernaut)} {side} {escapes} {few} "
        f"{position.quiet_plies} {position.move_number}"
    )


def _number(what: str, text: str, least: int, most: int) -> int:
    number = whole_number(text)
    if number is not None and least <= number <= most:
        return number
    raise BadText(
        _("{what} {text!r}: must be a number {least}..{most}"),
        what=what,
        text=text,
        least=least,
        most=most,
    )


def parse_move(text: str, position: Position) -> Move:
    """Read a legal move: `Pb2-b3`, `Fd1xg4`, `Qf1~e5`, or short, `b2b3`.

    The letter may be lower case, and `O` for a Flier. BadText where it is no move text,
    IllegalMove where the position does not allow it.
    """
    try:
        return _read_move(text, position)
    except (BadText, IllegalMove) as why:
        raise type(why)(_("{text}: {why}"), text=text, why=why) from None


def _read_move(text: str, position: Position) -> Move:
    read = pattern(_MOVE_TEXT).fullmatch(text.strip())
    if read is None:
        raise BadText(_("no move text; write one like Pb2-b3, Fd1xg4, Qf1~e5 or b2b3"))
    letter, start, sign, end = read.groups()
    from_square, to_square = BY_NAME[start], BY_NAME[end]
    piece = position.piece_at(from_square)
    if piece and letter and letter.upper().replace("O", "F") != piece.kind.value:
        name = position.rules.word(piece.kind)
        on = {"square": start, "name": name, "letter": piece.kind.value}
        raise IllegalMove(_("on {square} stands a {name} ({letter})"), **on)
    for move in position.moves_from(from_square):
        if move.to_square == to_square:
            if sign in (None, _SIGNS[move.kind]):
                return move
            right = format_move(move, position)
            raise IllegalMove(
                _("{start} to {end} is written {told}"), start=start, end=end, told=right
            )
    # Only a mistake needs to be explained, and these imports take nearly as long as all of `rules`.
    from .explain import Explained, explain

    why = Explained(explain(position, from_square, to_square), position.rules)
    raise IllegalMove(_("not a legal move here. {why}"), why=why)


def format_move(move: Move, position: Position | None = None) -> str:
    """Write a move; with the position before it the piece's letter comes first."""
    piece = None if position is None else position.piece_at(move.from_square)
    letter = "" if piece is None else piece.kind.value
    start, end = SQUARE_NAMES[move.from_square], SQUARE_NAMES[move.to_square]
    return f"{letter}{start}{_SIGNS[move.kind]}{end}"
