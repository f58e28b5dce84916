"""What people ask for with their hands: pieces held up, and men set up anew."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from jetan_table.game.record import Record
from jetan_table.session.gestures import BEGINS_S, DONE_S, FAR, Deed, men_at_start
from rules import Kind, Piece, Position, Side, Square, letters
from tests.simulation.evening import (
    CUTS,
    NUMBERS,
    SIDE_OF,
    SIDES,
    Evenings,
    is_going_on,
    is_open,
    is_sound,
    say,
    step,
)

SIGNS = {Deed.RESIGN: "", Deed.DRAW: "C", Deed.TAKE_BACK: "Q", Deed.PAUSE: "CQ"}
"""What of the other side is lifted with one's own pair."""

DEEDS = st.sampled_from(sorted(deed.value for deed in SIGNS))


def squares_of_sign(position: Position, deed: Deed, side: Side) -> list[Square]:
    """The squares of a sign; empty where a piece of it has been taken."""
    at = {piece: square for square, piece in position.pieces().items()}
    wanted = [(side, "C"), (side, "Q"), *((side.other, letter) for letter in SIGNS[deed])]
    found = [at.get(Piece(of, Kind(letter))) for of, letter in wanted]
    squares = [square for square in found if square is not None]
    return squares if len(squares) == len(wanted) else []


def may_make_signs(evening: Evenings) -> bool:
    is_free = is_open(evening) and not evening.table.view.is_roll_due
    return is_free and is_going_on(evening) and is_sound(evening)


def may_set_up_anew(evening: Evenings) -> bool:
    """Whether setting the men up asks for another game, after a game or in the middle of one."""
    record = evening.record
    start = men_at_start(record.position.rules)
    is_far = len(start.symmetric_difference(record.position.pieces())) > FAR
    is_wanted = record.ending is not None or (is_far and not record.conduct.needs_arbiter)
    return is_wanted and is_sound(evening)


class Signs(Evenings):
    """Two people who do not talk to the table."""

    @step(may_make_signs, deed=DEEDS, side=SIDES, seed=NUMBERS, cut=CUTS)
    def make_a_sign(self, deed: str, side: str = "black", seed: int = 0) -> None:
        """Ask for something by pieces held up; they are then put back, as the lamps say."""
        before, squares = self.record, self._squares(deed, side, seed)
        taken = [self.hands.standing[square] for square in squares]
        self.hands.lift_all(squares, DONE_S + 0.5)
        if squares and self.cut_at is None:
            self._assert_done(Deed(deed), side, before)
            self.table.note(f"sign {deed}")
        after = self.record
        if after.ending is not None:
            self._put_back(squares, taken)
        self.agree()
        assert self.cut_at is not None or self.record.moves == after.moves

    @step(
        may_make_signs,
        deed=DEEDS,
        side=SIDES,
        seed=NUMBERS,
        held_s=st.sampled_from([0.1, BEGINS_S, 1.5 * BEGINS_S]),
        is_cut=st.booleans(),
    )
    def think_better_of_a_sign(
        self,
        deed: str,
        side: str = "black",
        seed: int = 0,
        held_s: float = BEGINS_S,
        is_cut: bool = False,
    ) -> None:
        """Begin to ask for something, and put the pieces back, or be led to: nothing has happened.

        That is led where the plug is pulled while they are held up.
        """
        before, squares = self.record, self._squares(deed, side, seed)
        taken = [self.hands.standing[square] for square in squares]
        self.hands.lift_all(squares, held_s)
        if is_cut:
            self.table.pull_plug()
        else:
            self._put_back(squares, taken)
        self.agree()
        after = self.record
        assert after.moves == before.moves
        if not self.is_flag_fallen:
            assert (after.ending, after.offer) == (None, before.offer)

    @step(may_set_up_anew, cut=CUTS)
    def set_up_anew(self) -> None:
        """Take all men off and set them up again: another game begins on the same terms."""
        before, game = self.record, self.table.table.game
        start = men_at_start(before.position.rules)
        wanted = letters(Position.start(before.position.rules))
        for square in sorted(self.hands.standing):
            self.hands.lift(square)
        for square in sorted(start):
            self.hands.put(square, wanted[square])
        self.table.wait(DONE_S + 0.5)
        self.agree()
        if self.cut_at is None:
            assert self.table.table.game != game
            assert self.record.conduct == before.conduct
            self.table.note(f"sign {Deed.NEW_GAME.value}")

    def _assert_done(self, deed: Deed, side: str, before: Record) -> None:
        after = self.record
        match deed:
            case Deed.RESIGN:
                assert after.game.outcome is not None
                assert after.game.outcome.winner is SIDE_OF[side].other
            case Deed.DRAW:
                assert after.offer is SIDE_OF[side] or before.offer is not None
            case Deed.TAKE_BACK if before.conduct.allows_take_back:
                assert after.moves == before.moves[:-1]
            case Deed.PAUSE:
                assert after.terms.is_paused is not before.terms.is_paused

    def _put_back(self, squares: Sequence[Square], taken: Sequence[str]) -> None:
        for square, letter in zip(squares, taken, strict=True):
            self.hands.put(square, letter)

    def _squares(self, deed: str, side: str, seed: int) -> list[Square]:
        """Return what is lifted for a sign, in some order; nothing where it cannot be made."""
        squares = squares_of_sign(self.record.position, Deed(deed), SIDE_OF[side])
        if Deed(deed) is Deed.TAKE_BACK and not self.record.moves:
            return []
        say(f"{deed}: {squares}")
        Random(seed).shuffle(squares)
        return squares
