"""The hands of tidy people, over switches that do as they are told."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from jetan_table.game.commands import NewGame
from rules import JUGGERNAUT_LETTER, Move, Position, Square, format_square, letters
from tests.simulation.plug import PluggedTable, Switches

TOUCH_S = 0.4


class TidyHands:
    """Hands that touch one square after another, and give the table time to see each touch.

    `standing` is what stands where, `held` what is in the hand, newest last, and `box` what lies
    beside the board, all as letters. Other hands `raise_from`, `lower_to`, `lay_aside` and `make`
    plies otherwise.
    """

    def __init__(self, switches: Switches, folder: Path, begun: NewGame) -> None:
        """Set the pieces up for a game, and switch the table on."""
        self.standing: dict[Square, str] = {}
        self.held: list[str] = []
        self.box = Counter[str]()
        self.switches = switches
        self.table = PluggedTable(folder, begun, switches, self.set_up)

    # While nobody looks

    def arrange(self, standing: Mapping[Square, str]) -> None:
        """Put pieces where they are to stand, all at once."""
        if standing != self.standing:
            self.standing = dict(standing)
            self.switches.arrange(standing)

    def set_up(self, position: Position) -> None:
        """Set the pieces of a game up."""
        self.held.clear()
        self.arrange(letters(position))

    def open_box(self, position: Position) -> None:
        """Take up the set of another game: what is not on the board is in the box."""
        used = Counter(self.standing.values()) + Counter(self.held)
        juggernaut = [JUGGERNAUT_LETTER] * (position.rules["juggernaut"] != "off")
        self.box = Counter([*letters(position).values(), *juggernaut]) - used

    # Touches

    def lift(self, square: Square, after_s: float = TOUCH_S) -> None:
        """Take up what stands on a square."""
        self.held.append(self.standing.pop(square))
        self.raise_from(square, after_s)

    def put(self, square: Square, letter: str, after_s: float = TOUCH_S) -> None:
        """Put down a piece of that letter, from the hand or the box."""
        assert square not in self.standing, f"{format_square(square)} is taken"
        if letter in self.held:
            self.held.remove(letter)
        else:
            assert self.box[letter], f"the {letter} for {format_square(square)} is on the board"
            self.box[letter] -= 1
        self.standing[square] = letter
        self.lower_to(square, letter, after_s)

    def drop(self) -> None:
        """Put what is in the hand into the box."""
        self.lay_aside()
        self.box.update(self.held)
        self.held.clear()

    def touch(self, square: Square) -> None:
        """Lift what stands on a square and put it back, or put down there what is in the hand."""
        if square in self.standing:
            self.lift(square)
            self.put(square, self.held[-1])
        else:
            self.put(square, self.held[-1] if self.held else JUGGERNAUT_LETTER)
            self.lift(square)

    def move(self, start: Square, end: Square) -> None:
        """Take a piece from one square to another."""
        self.lift(start)
        self.put(end, self.held[-1])

    def lift_all(self, squares: list[Square], held_s: float) -> None:
        """Lift pieces one after another, and hold them for so long."""
        for square in squares:
            self.lift(square)
            self.table.wait(0.5)
        self.table.wait(held_s)

    # What depends on the kind of hands

    def raise_from(self, square: Square, after_s: float) -> None:
        self.table.touch(square, False, after_s)

    def lower_to(self, square: Square, letter: str, after_s: float) -> None:
        self.table.touch(square, True, after_s)

    def lay_aside(self) -> None:
        """Take all that is held away from the board."""

    def make(self, position: Position, move: Move, is_victim_first: bool = True) -> Iterator[int]:
        """Make a ply; yield the number of each touch before it is made."""
        mover = self.standing[move.from_square]
        lifted = [
            square for square in (move.to_square, move.from_square) if square in self.standing
        ]
        for number, square in enumerate(lifted if is_victim_first else lifted[::-1]):
            yield number
            self.lift(square)
        yield len(lifted)
        self.put(move.to_square, mover)
        self.drop()
