"""Which piece stands where, as far as history tells: switches do not know the pieces apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from operator import itemgetter
from types import MappingProxyType

from rules import Position, Square

from ..game.placement import UNKNOWN, letters
from ..reading.occupancy import Flip

NOTHING: Mapping[Square, str] = MappingProxyType({})


class PieceTracker:
    """Follows pieces through the hands: what is put down is what was lifted last.

    Pieces are told by the letters of position texts.
    """

    def __init__(
        self,
        position: Position,
        occupied: Iterable[Square],
        remains: Mapping[Square, str] = NOTHING,
    ) -> None:
        """Start from a board of which the squares `occupied` are: what belongs there stands there.

        But for `remains`, which are known to stand where something else belongs. What stands where
        nothing belongs is known if the position lacks pieces of one letter only, and enough of
        them; else it is UNKNOWN.
        """
        belongs = letters(position)
        self.standing = {square: belongs.get(square, UNKNOWN) for square in occupied}
        """What stands on each occupied square."""
        self.in_hand: list[str] = []
        """What was seen to be lifted and is not put down yet, longest first."""
        self.absent: list[str] = []
        """What else the position has and the board does not show."""
        self.confirm(position, remains=remains)
        strays = sorted(square for square in self.standing if square not in belongs)
        is_known = len(strays) <= len(self.absent)
        self.standing.update((s, self._put(None) if is_known else UNKNOWN) for s in strays)

    def follow(
        self, flips: Iterable[Flip], position: Position, unsure: Collection[Square] = ()
    ) -> None:
        """Follow what has just been lifted and put; a piece put where it belongs goes home.

        Switches under `unsure` squares have failed: what they show says nothing. A look that comes
        late shows a whole move at once: hands that were empty lifted before they put.
        """
        belongs = letters(position)
        for square, is_occupied in flips if self.in_hand else sorted(flips, key=itemgetter(1)):
            if square in unsure:
                continue
            if is_occupied:
                self.standing[square] = self._put(belongs.get(square))
            elif square in self.standing:  # a switch that was stuck may open under nothing
                self.in_hand.append(self.standing.pop(square))

    def _put(self, belonging: str | None) -> str:
        """Return what has been put on a square to which `belonging` belongs."""
        if belonging is not None and belonging in self.in_hand:
            self.in_hand.remove(belonging)
            return belonging
        if belonging is not None and belonging in self.absent:
            self.absent.remove(belonging)
            if UNKNOWN in self.in_hand:
                self.in_hand.remove(UNKNOWN)
            return belonging
        if self.in_hand:
            return self.in_hand.pop()
        return self.absent.pop() if len(set(self.absent)) == 1 else UNKNOWN

    def confirm(
        self,
        position: Position,
        unsure: Collection[Square] = (),
        remains: Mapping[Square, str] = NOTHING,
    ) -> None:
        """Take a confirmed position for the truth wherever something stands as it says.

        Where something stands on the squares of `remains`, it is what they say. On `unsure` squares
        it is the truth in any case. What is in the air or absent then is what the position has and
        the board does not show.
        """
        belongs = letters(position)
        for square in unsure:
            self.standing.pop(square, None)
        self.standing.update((s, belongs[s]) for s in belongs.keys() & unsure)
        self.standing.update((s, belongs[s]) for s in self.standing.keys() & belongs.keys())
        self.standing.update((s, remains[s]) for s in self.standing.keys() & remains.keys())
        absent = Counter(belongs.values()) - Counter(self.standing.values())
        lifted, self.in_hand = self.in_hand, []
        for letter in lifted:
            if absent[letter]:
                absent[letter] -= 1
                self.in_hand.append(letter)
        self.absent = list(absent.elements())
