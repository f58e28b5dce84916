"""A table without eyes: all that hands touch is said, besides what has happened."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rules import SIDES, MoveKind, Position, Side, Square, Worded, _, format_square, joined

from ..session.session import Certain
from ..session.umpire import allows_help
from ..session.view import View
from .news import piece_on
from .speech import Announcer
from .words import Speaker

TWICE_S: Final = 4.0
"""Longest time between the two touches that ask what is around a piece, in seconds."""

HOW: Final = _(
    "Lift a piece, and I say where it may go. Put it back, and nothing has happened. "
    "Touch it twice, and I say what stands beside it and what threatens it."
)
PUT_BACK: Final = _("Put back: nothing has happened.")


class Guide(Announcer):
    """Says whose turn it is, what is lifted and where that may go, and what is around a piece.

    What a touch is answered with may be cut off by the next one; what has happened may not.
    """

    def __init__(
        self, say: Callable[[str], None], answer: Callable[[str], None], speaker: Speaker
    ) -> None:
        """`say` says what has happened, `answer` what was asked by a touch."""
        super().__init__(say, speaker)
        self._answer = answer
        self._put_back: tuple[Square, float] | None = None
        """The piece that was put back last, and when."""

    def follow(self, certain: Certain) -> None:
        before = None if self._seen is None else self._seen[1]
        super().follow(certain)
        if before is not None and before is not certain.view:
            answers = self._speaker.all_of(self._touches(before, certain.view, certain.at))
            if answers:
                self._answer(" ".join(answers))

    def _sentences(self, view: View) -> list[str]:
        first = self._speaker.all_of([HOW]) if self._seen is None else []
        return [*first, *super()._sentences(view)]

    def _is_told(self, sentence: str) -> bool:
        return True  # whose turn it is, too: nobody here sees that

    def _touches(self, before: View, view: View, now: float) -> Iterator[str]:
        """Yield what there is to say of the pieces that were touched since the view before."""
        for square in view.lifted:
            if square not in before.away:
                yield from lifted_in_words(view, square)
        is_same = before.record.moves == view.record.moves and view.position == before.position
        is_open = view.away or view.question or view.leading.repair or view.touched
        if not is_same or is_open:
            return
        for first in before.away[:1]:
            if _stands_again(view, first):
                yield from self._put_down(view, first, now)

    def _put_down(self, view: View, square: Square, now: float) -> Iterator[str]:
        last, self._put_back = self._put_back, (square, now)
        if last is not None and last[0] == square and now <= last[1] + TWICE_S:
            self._put_back = None
            yield from around_in_words(view.position, square, allows_help(view.record))
        else:
            yield PUT_BACK


def _stands_again(view: View, square: Square) -> bool:
    """Return True if the piece of a square stands there, as far as switches tell."""
    piece = view.position.piece_at(square)
    return piece is not None and view.standing.get(square) == piece.letter


def lifted_in_words(view: View, square: Square) -> Iterator[str]:
    """Yield which piece was lifted, and where it may go, as far as the conduct allows that."""
    position = view.position
    yield _called(position, square)
    piece = position.piece_at(square)
    if piece is None or not allows_help(view.record) or position.outcome is not None:
        return
    if piece.side is not position.side:
        if any(_side_at(position, each) is position.side for each in view.lifted):
            return  # it is being taken
        takers = _squares(view.captures)
        yield (
            Worded(_("It can be taken from {squares}."), squares=takers)
            if takers
            else _("Nothing can take it now.")
        )
        return
    fleeing = {
        move.to_square for move in position.moves_from(square) if move.kind is MoveKind.ESCAPE
    }
    if goals := _squares(view.legal - fleeing):
        yield Worded(_("It may go to {squares}."), squares=goals)
    if view.captures:
        yield Worded(_("It may take: {pieces}."), pieces=_pieces(position, view.captures))
    if fled := view.legal & fleeing:
        yield Worded(_("Once a game she may flee: to {count} more squares."), count=len(fled))
    if not view.legal and not view.captures:
        yield _("It has no move now.")


def around_in_words(position: Position, square: Square, may_help: bool) -> Iterator[str]:
    """Yield what stands beside a piece, and where that is allowed what threatens it."""
    yield _called(position, square)
    beside = {each for each in position.rules.board.neighbours[square] if each is not None}
    stands = {side: [each for each in beside if _side_at(position, each) is side] for side in Side}
    for whose, men in stands.items():
        if men:
            pieces = _pieces(position, men)
            yield Worded(_("Beside it, {side}: {pieces}."), side=SIDES[whose.word], pieces=pieces)
    if not any(stands.values()):
        yield _("Nothing stands beside it.")
    side = _side_at(position, square)
    if not may_help or side is None or position.outcome is not None:
        return
    enemy = position.under(position.rules, side.other)
    takers = {move.from_square for move in enemy.moves() if move.to_square == square}
    yield (
        Worded(_("Threatened by: {pieces}."), pieces=_pieces(position, takers))
        if takers
        else _("Nothing threatens it.")
    )


def _called(position: Position, square: Square) -> str:
    """Return a piece with its side, as it is called where nobody sees it."""
    side = _side_at(position, square)
    piece = piece_on(position, square)
    if side is None:
        return Worded(_("{piece}."), piece=piece)
    return Worded(_("{side}: {piece}."), side=SIDES[side.word], piece=piece)


def _side_at(position: Position, square: Square) -> Side | None:
    piece = position.piece_at(square)
    return None if piece is None else piece.side


def _squares(squares: Iterable[Square]) -> str:
    return ", ".join(map(format_square, sorted(squares)))


def _pieces(position: Position, squares: Iterable[Square]) -> str:
    return joined((piece_on(position, square) for square in sorted(squares)), ", ")
