"""The lessons, each a position and the plies it asks for: data for every board and language.

The words of a lesson say what is to be reached, and leave it to people to find out how.

Pieces stay from one lesson to the next where they can, so that hands at a real board set up little.
The first twelve lessons keep to the south of the board, away from its edge and the disk's centre:
there the grid and the disk are the same, and so are the lessons.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules import (
    JUGGERNAUT_LETTER,
    PIECES,
    RECOMMENDED,
    Move,
    MoveKind,
    Position,
    Sentence,
    Side,
    Square,
    _,
    parse_move,
    parse_rules,
    parse_square,
)

GRID: Final = "grid"
DISK: Final = "ninth-ray-clockwise"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One ply to be found by Black, with words to it."""

    name: str
    """The name in the kept progress, which never changes."""
    title: Sentence
    words: Sentence
    pieces: str
    """The pieces on the board: `Pe3 pc9 *e5`, letters as in position texts."""
    asked: tuple[str, ...]
    """The plies that solve it; help shows the first. Of an escape, any other one does, too."""
    needs_disk: bool = False
    """True if it is about the disk, and left out on boards without one."""

    def start(self, board: str) -> Position:
        """Return the position it begins with, on the board of that name."""
        board = DISK if self.needs_disk else board  # its centre may be crossed either way
        reading = f"{RECOMMENDED}+juggernaut" if JUGGERNAUT_LETTER in self.pieces else RECOMMENDED
        return _start(f"{reading},board={board}", self.pieces)

    def accepted(self, board: str) -> tuple[Move, ...]:
        """Return the plies that solve it there, as moves; the one that help shows comes first."""
        position = self.start(board)
        moves = tuple(parse_move(text, position) for text in self.asked)
        if moves[0].kind is not MoveKind.ESCAPE:
            return moves
        fled = (move for move in position.moves_from(moves[0].from_square) if move != moves[0])
        return (moves[0], *(move for move in fled if move.kind is MoveKind.ESCAPE))


@lru_cache(maxsize=64)
def _start(rules: str, pieces: str) -> Position:
    stands = {parse_square(token[1:]): token[0] for token in pieces.split()}
    colossus: Square | None = next((s for s in stands if stands[s] == JUGGERNAUT_LETTER), None)
    men = {s: PIECES[letter] for s, letter in stands.items() if letter in PIECES}
    return Position.of(parse_rules(rules), men, Side.BLACK, juggernaut=colossus)


_ALL: Final = (
    Lesson(
        "panthan",
        _("Panthan"),
        _(
            "You play Black, upwards. A Panthan takes one step: forward, diagonally forward or "
            "sideways, never back."
        ),
        "Pe3 pc9",
        ("e3d4",),
    ),
    Lesson(
        "warrior",
        _("Warrior"),
        _("Exactly two straight steps. It may turn, but never passes through a piece."),
        "Pd4 Wd3 pc9",
        ("d3e4",),
    ),
    Lesson(
        "padwar",
        _("Padwar"),
        _("Exactly two diagonal steps: it never leaves its colour. Go round the Warrior."),
        "Pd4 We4 Af3 pc9",
        ("f3f5",),
    ),
    Lesson(
        "thoat",
        _("Thoat"),
        _("One straight step and one diagonal one, in either order, and it jumps over pieces."),
        "Pd4 We4 Af5 Tb2 pc9",
        ("b2c4",),
    ),
    Lesson(
        "dwar",
        _("Dwar"),
        _("Three straight steps, always all three. No square twice."),
        "Pd4 We4 Af5 Tc4 Dh2 pc9",
        ("h2g4",),
    ),
    Lesson(
        "flier",
        _("Flier"),
        _("Three diagonal steps, and it jumps: over the Dwar!"),
        "Pd4 We4 Af5 Tc4 Dg4 Fe2 pc9",
        ("e2h5",),
    ),
    Lesson(
        "taking",
        _("Taking"),
        _("A piece that ends on an enemy takes it. Take one."),
        "Pd4 We4 Af5 Tc4 Dg4 Fh5 pf2 pc9",
        ("g4f2",),
    ),
    Lesson(
        "chief",
        _("Chief"),
        _("Three steps, straight or diagonal, mixed as he likes. He cannot jump."),
        "Pd4 We4 Af5 Tc4 Df2 Fh5 Cc1 pc9",
        ("c1e3",),
    ),
    Lesson(
        "chief-takes-chief",
        _("Winning I"),
        _("Any piece that takes the enemy Chief wins the game. Take him."),
        "Pd4 We4 Af5 Tc4 Df2 Fh5 Ce3 cg4 pc9",
        ("e3g4", "e4g4", "f2g4", "h5g4"),
    ),
    Lesson(
        "princess-taken",
        _("Winning II"),
        _(
            "Any piece that takes the Princess wins. When both sides have at most three pieces, of "
            "equal value, and ten more moves, five each, bring no win, the game is drawn."
        ),
        "Pd4 We4 Af5 Tc4 Df2 Fh5 Cg4 Qb1 qd2 pc9",
        ("c4d2", "g4d2"),
    ),
    Lesson(
        "princess",
        _("Your Princess"),
        _(
            "Three steps like the Chief, and she jumps. She takes nothing, and never ends where an "
            "enemy could take her."
        ),
        "Pd4 We4 Af5 Td2 Df2 Fh5 Qb1 qd9 dg3 pc9",
        ("b1c3",),
    ),
    Lesson(
        "escape",
        _("Escape"),
        _(
            "She is threatened. Once a game she may flee to any empty square that no enemy "
            "threatens."
        ),
        "Pd4 We4 Af5 Td2 Df2 Fh5 Qc3 qd9 de2 pc9",
        ("c3~i3",),
    ),
    Lesson(
        "juggernaut",
        _("Juggernaut"),
        _(
            "It belongs to nobody. After each move a die moves it; what it touches dies. Nobody "
            "can take it or pass through it. Go round."
        ),
        "Wd3 *d4 pc9",
        ("d3e4",),
    ),
    Lesson(
        "disk",
        _("Round board"),
        _(
            "On the Ninth-Ray disk the centre is crossed at a slant: straight ahead from a5 "
            "lies j5."
        ),
        "Pa5 pc9",
        ("a5j5",),
        needs_disk=True,
    ),
)


def course(board: str, may_change: bool) -> tuple[Lesson, ...]:
    """Return the lessons for a board of that name, in their order.

    `may_change`: the board is no real one, and can be a disk for the lesson that needs one.
    """
    return tuple(each for each in _ALL if not each.needs_disk or may_change or board != GRID)
