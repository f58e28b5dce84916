"""Laws that hold for moves, and one that must not."""

from hypothesis import given
from hypothesis import strategies as st

from rules import Move, Piece, Position, Rules, Side, Square, parse_rules
from rules.pieces import PIECES
from rules.topology import SQUARES

GRID = parse_rules("appendix,thoat=jumps")
DISK = parse_rules("ninth-ray-clockwise")
COLOUR_BOUND = {"W": True, "A": True, "F": True, "D": False, "T": False}


@st.composite
def few_pieces(draw: st.DrawFn, rules: Rules) -> Position:
    squares = draw(st.lists(st.sampled_from(SQUARES), unique=True, min_size=4, max_size=16))
    men = [draw(st.sampled_from("PTWADFptwadf")) for _ in squares[4:]]
    pieces = {
        square: PIECES[letter]
        for square, letter in zip(squares, ["Q", "q", "C", "c", *men], strict=True)
    }
    return Position.of(rules, pieces, draw(st.sampled_from(Side)), escapes=frozenset())


def rotated(square: Square) -> Square:
    """Half a turn of the grid."""
    return SQUARES[99 - square]


def opposite(square: Square) -> Square:
    """The same file at the other end of the diameter: half a turn of the disk."""
    return SQUARES[(9 - square // 10) * 10 + square % 10]


def exchanged(position: Position, turn: dict[Square, Square]) -> Position:
    pieces = {turn[at]: Piece(p.side.other, p.kind) for at, p in position.pieces().items()}
    return Position.of(position.rules, pieces, position.side.other, escapes=frozenset())


def turned(moves: tuple[Move, ...], turn: dict[Square, Square]) -> set[Move]:
    return {Move(turn[m.from_square], turn[m.to_square], m.kind) for m in moves}


@given(few_pieces(GRID))
def test_half_a_turn_of_the_grid_with_colours_exchanged(position: Position) -> None:
    turn = {square: rotated(square) for square in SQUARES}
    assert set(exchanged(position, turn).moves()) == turned(position.moves(), turn)


@given(few_pieces(DISK))
def test_half_a_turn_of_the_disk_with_colours_exchanged(position: Position) -> None:
    turn = {square: opposite(square) for square in SQUARES}
    assert set(exchanged(position, turn).moves()) == turned(position.moves(), turn)


@given(few_pieces(DISK))
def test_exact_steps_keep_or_change_the_colour(position: Position) -> None:
    colours = position.rules.topology.colours
    for move in position.moves():
        piece = position.piece_at(move.from_square)
        assert piece is not None
        keeps = COLOUR_BOUND.get(piece.kind.value)
        if keeps is not None:
            assert (colours[move.from_square] == colours[move.to_square]) is keeps


def test_steps_of_the_grid_lead_back_and_some_of_the_disk_do_not() -> None:
    def one_way(rules: Rules) -> int:
        neighbours = rules.topology.neighbours
        return sum(
            there is not None and here not in neighbours[there]
            for here in SQUARES
            for there in neighbours[here]
        )

    assert one_way(GRID) == 0
    assert one_way(DISK) == 40
    assert one_way(parse_rules("ninth-ray-counterclockwise")) == 40
