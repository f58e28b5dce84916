"""Which piece stands where, as far as history tells: switches do not know the pieces apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules import Position, Square

from .repair import UNKNOWN, letters
from .seen import Flip


class Whereabouts:
    """Follows pieces through the hands: what is put down is what was lifted last.

    `standing` is what stands on each occupied square, `in_hand` what is in the air, longest first;
    both by the letters of position texts.
    """

    def __init__(self, position: Position, occupied: Iterable[Square]) -> None:
        """Start from a board where `occupied` squares are; what belongs there stands there."""
        belongs = letters(position)
        self.standing = {square: belongs.get(square, UNKNOWN) for square in occupied}
        self.in_hand: list[str] = []
        self.confirm(position)

    def follow(self, flips: Iterable[Flip], position: Position) -> None:
        """Follow what has just been lifted and put; a piece put where it belongs goes home."""
        belongs = letters(position)
        for square, is_occupied in flips:
            if not is_occupied:
                self.in_hand.append(self.standing.pop(square))
            elif belongs.get(square) in self.in_hand:
                self.in_hand.remove(belongs[square])
                self.standing[square] = belongs[square]
            else:
                self.standing[square] = self.in_hand.pop() if self.in_hand else UNKNOWN

    def confirm(self, position: Position) -> None:
        """Take a confirmed position for the truth wherever something stands as it says.

        What is in the air then is what the position has and the board does not show.
        """
        belongs = letters(position)
        self.standing.update((s, belongs[s]) for s in self.standing.keys() & belongs.keys())
        absent = Counter(belongs.values()) - Counter(self.standing.values())
        in_order = [letter for letter in self.in_hand if letter in absent]
        self.in_hand = [*dict.fromkeys(in_order), *(absent - Counter(set(in_order))).elements()]
