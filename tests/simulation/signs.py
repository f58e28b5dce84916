"""What people ask for with their hands: pieces held up, and men set up anew."""

from __future__ import annotations

from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jetan_table.board.gestures import BEGINS_S, DONE_S, FAR, Deed, men_at_start
from jetan_table.game.placement import letters
from jetan_table.game.record import Record
from rules import Kind, Position, Side, Square
from rules.pieces import Piece
from tests.simulation.evenings import CUTS, NUMBERS, Evenings, is_going_on, is_open, is_sound
from tests.simulation.plug import REACHED, Cut

SIGNS = {Deed.RESIGN: "", Deed.DRAW: "C", Deed.TAKE_BACK: "Q", Deed.PAUSE: "CQ"}
"""What of the other side is lifted with one's own pair."""


def squares_of_sign(position: Position, deed: Deed, side: Side) -> list[Square]:
    """The squares of a sign; empty where a piece of it has been taken."""
    at = {piece: square for square, piece in position.pieces().items()}
    wanted = [(side, "C"), (side, "Q"), *((side.other, letter) for letter in SIGNS[deed])]
    found = [at.get(Piece(of, Kind(letter))) for of, letter in wanted]
    squares = [square for square in found if square is not None]
    return squares if len(squares) == len(wanted) else []


def may_make_signs(evening: Evenings) -> bool:
    is_free = is_open(evening) and not evening.table.view.dice.is_due
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

    @precondition(may_make_signs)
    @rule(deed=st.sampled_from(sorted(SIGNS, key=str)), side=st.sampled_from(Side), seed=NUMBERS)
    def make_a_sign(self, deed: Deed, side: Side, seed: int) -> None:
        """Ask for something by pieces held up; they are then put back, as the lamps say."""
        before = self.record
        squares = self._squares(deed, side, seed)
        if not squares:
            return
        taken = [self.player.standing[square] for square in squares]
        self.player.sign(squares, DONE_S + 0.5)
        after = self.record
        match deed:
            case Deed.RESIGN:
                assert after.game.outcome is not None
                assert after.game.outcome.winner is side.other
            case Deed.DRAW:
                assert after.offer is side or before.offer is not None
            case Deed.TAKE_BACK if before.conduct.allows_take_back:
                assert after.moves == before.moves[:-1]
            case Deed.PAUSE:
                assert after.terms.is_paused is not before.terms.is_paused
        REACHED[f"sign {deed.value}"] += 1
        if after.ending is not None:
            self.player.put_back(squares, taken)
        self._agree()
        assert self.record.moves == after.moves

    @precondition(may_make_signs)
    @rule(
        deed=st.sampled_from(sorted(SIGNS, key=str)),
        side=st.sampled_from(Side),
        seed=NUMBERS,
        held_s=st.sampled_from([0.1, BEGINS_S, DONE_S / 2]),
    )
    def think_better_of_a_sign(self, deed: Deed, side: Side, seed: int, held_s: float) -> None:
        """Begin to ask for something, and put the pieces back: nothing has happened."""
        before, squares = self.record, self._squares(deed, side, seed)
        if squares:
            taken = [self.player.standing[square] for square in squares]
            self.player.sign(squares, held_s)
            self.player.put_back(squares, taken)
            self._agree()
            self._assert_nothing_happened(before)

    @precondition(may_make_signs)
    @rule(deed=st.sampled_from(sorted(SIGNS, key=str)), side=st.sampled_from(Side), seed=NUMBERS)
    def lose_power_in_a_sign(self, deed: Deed, side: Side, seed: int) -> None:
        """Pull the plug while pieces are held up: they are led back, and nothing has happened."""
        before, squares = self.record, self._squares(deed, side, seed)
        if squares:
            self.player.sign(squares, DONE_S / 2)
            self.table.pull_plug()
            self._agree()
            self._assert_nothing_happened(before)

    @precondition(may_set_up_anew)
    @rule(cut=CUTS)
    def set_up_anew(self, cut: Cut | None) -> None:
        """Take all men off and set them up again: another game begins on the same terms."""
        before, game = self.record, self.table.table.game
        start = men_at_start(before.position.rules)
        wanted = letters(Position.start(before.position.rules))
        for square in sorted(self.player.standing):
            self.player.lift(square)
        self.table.cut_next(cut)
        for square in sorted(start):
            self.player.put(square, wanted[square])
        self.table.wait(DONE_S + 0.5)
        self._agree()
        if cut is None:
            assert self.table.table.game != game
            assert self.record.conduct == before.conduct
            REACHED[f"sign {Deed.NEW_GAME.value}"] += 1

    def _assert_nothing_happened(self, before: Record) -> None:
        """Assert that a sign that was not made has changed nothing; time may have run out."""
        after = self.record
        assert after.moves == before.moves
        if not self._is_flag_fallen:
            assert (after.ending, after.offer) == (None, before.offer)

    def _squares(self, deed: Deed, side: Side, seed: int) -> list[Square]:
        """Return what is lifted for a sign, in some order; nothing where it cannot be made."""
        squares = squares_of_sign(self.record.position, deed, side)
        if deed is Deed.TAKE_BACK and not self.record.moves:
            return []
        note(f"{deed.value}: {squares}")
        Random(seed).shuffle(squares)
        return squares
