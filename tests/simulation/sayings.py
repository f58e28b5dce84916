"""Evenings with all that two people agree on, and say with their hands: clocks, draws, gestures."""

from __future__ import annotations

from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import rule

from jetan_table.commands import (
    AcceptDraw,
    DeclineDraw,
    OfferDraw,
    PauseGame,
    PressClock,
    ResumeGame,
)
from jetan_table.evening.gestures import BEGINS_S, DONE_S, Deed, men_at_start
from jetan_table.record import Record
from jetan_table.repair import letters
from jetan_table.umpire import NOTE_S
from jetan_table.view import Phase
from rules import Kind, Position, Side, Square
from rules.pieces import Piece
from tests.simulation.evenings import CUTS, NUMBERS, Evenings
from tests.simulation.plug import Cut

SIGNS = {Deed.RESIGN: "", Deed.DRAW: "C", Deed.TAKE_BACK: "Q", Deed.PAUSE: "CQ"}
"""What of the other side is lifted with one's own pair."""

MARGIN_S = 1.5
"""So much time a command, and being switched on again, may take on a running clock."""


def squares_of_sign(position: Position, deed: Deed, side: Side) -> list[Square]:
    """The squares of a sign; empty where a piece of it has been taken."""
    at = {piece: square for square, piece in position.pieces().items()}
    wanted = [(side, "C"), (side, "Q"), *((side.other, letter) for letter in SIGNS[deed])]
    found = [at.get(Piece(of, Kind(letter))) for of, letter in wanted]
    squares = [square for square in found if square is not None]
    return squares if len(squares) == len(wanted) else []


class WholeEvenings(Evenings):
    """Two people who also look at the clock, offer draws, and ask the table with their hands."""

    # The clock

    @rule(cut=CUTS)
    def pause_or_go_on(self, cut: Cut | None) -> None:
        """Pause the game, or go on after a pause or a cut."""
        before = self._record
        if before.ending is not None:
            return
        self._cut_next(cut)
        self.table.obey(ResumeGame() if before.terms.is_paused else PauseGame())
        self._agree()
        if cut is None:
            assert self._record.terms.is_paused is not before.terms.is_paused

    @rule(cut=CUTS)
    def press(self, cut: Cut | None) -> None:
        """Press the clock, where that means anything; after a cut it may wait for one more."""
        before = self._record
        clocks = before.clocks
        if clocks is None or before.ending is not None or before.unsettled is not None:
            return
        if clocks.takes_press or before.terms.is_paused:
            self._cut_next(cut)
            self.table.obey(PressClock())
            self._agree()
            if cut is None:
                assert self._record.clocks != clocks

    @rule(seconds=st.sampled_from([1.0, 16.0, 100.0, 700.0]))
    def think(self, seconds: float) -> None:
        """Think for a while, in which time may run out for who is to move, and nobody else."""
        before = self._record
        clocks, now = before.clocks, self.table.now
        self.table.sit(seconds)
        self._agree()
        if before.ending is not None or clocks is None or clocks.running is None or clocks.stops:
            return
        after = self._record
        has_fallen = clocks.flag_at is not None and clocks.flag_at <= now + seconds
        assert self._is_flag_fallen or not has_fallen
        if has_fallen:
            assert after.game.outcome is not None
            assert after.game.outcome.winner is clocks.running.other

    @rule()
    def cut_the_clock_short(self) -> None:
        """Pull the plug: no more time is given back than since the clock was noted, none taken."""
        clocks = self._record.clocks
        if clocks is None:
            return
        shown = clocks.until(self.table.now).left
        self.table.pull_plug()
        after = self._record.clocks
        assert after is not None
        for side in Side:
            assert abs(after.left.of(side) - shown.of(side)) <= NOTE_S + MARGIN_S
        self._agree()

    # What they say

    @rule(is_accepted=st.booleans(), side=st.sampled_from(Side), cut=CUTS)
    def speak_of_a_draw(self, is_accepted: bool, side: Side, cut: Cut | None) -> None:
        """Offer a draw; where one is offered, accept or decline it."""
        before = self._record
        if before.ending is not None:
            return
        self._cut_next(cut)
        if before.offer is None:
            self.table.obey(OfferDraw(side))
        else:
            self.table.obey(AcceptDraw() if is_accepted else DeclineDraw())
        after = self._record
        if cut is not Cut.BEFORE and before.offer is None:
            assert after.offer is side
        elif cut is None:
            assert after.offer is None
            assert (after.ending is not None) is is_accepted
        self._agree()

    @rule(choice=NUMBERS)
    def choose_by_touch(self, choice: int) -> None:
        """Say who begins, or the bias, by touching a piece that is lit for it."""
        choices = self.table.view.choices
        if not choices or self.player.switches.failed:
            return
        due, square = self._record.unsettled, choices[choice % len(choices)]
        self.player.sign([square], 0.0)
        self.player.put_back([square], self.player.held[-1:])
        self._agree()
        assert self._record.unsettled != due

    # What they ask with their hands

    @rule(deed=st.sampled_from(sorted(SIGNS, key=str)), side=st.sampled_from(Side), seed=NUMBERS)
    def make_a_sign(self, deed: Deed, side: Side, seed: int) -> None:
        """Ask for something by pieces held up; they are then put back, as the lamps say."""
        before = self._record
        squares = self._squares(deed, side, seed)
        if not squares:
            return
        taken = [self.player.standing[square] for square in squares]
        self.player.sign(squares, DONE_S + 0.5)
        after = self._record
        match deed:
            case Deed.RESIGN:
                assert after.game.outcome is not None
                assert after.game.outcome.winner is side.other
            case Deed.DRAW:
                assert after.offer is side or before.offer is not None
            case Deed.TAKE_BACK:
                assert after.moves == before.moves[:-1]
            case Deed.PAUSE:
                assert after.terms.is_paused is not before.terms.is_paused
        if after.ending is not None:
            self.player.put_back(squares, taken)
        self._agree()
        assert self._record.moves == after.moves

    @rule(
        deed=st.sampled_from(sorted(SIGNS, key=str)),
        side=st.sampled_from(Side),
        seed=NUMBERS,
        held_s=st.sampled_from([0.1, BEGINS_S, DONE_S / 2]),
    )
    def think_better_of_a_sign(self, deed: Deed, side: Side, seed: int, held_s: float) -> None:
        """Begin to ask for something, and put the pieces back: nothing has happened."""
        before, squares = self._record, self._squares(deed, side, seed)
        if squares:
            taken = [self.player.standing[square] for square in squares]
            self.player.sign(squares, held_s)
            self.player.put_back(squares, taken)
            self._agree()
            after = self._record
            assert (after.moves, after.offer) == (before.moves, before.offer)
            assert after.ending is None or self._is_flag_fallen

    @rule(deed=st.sampled_from(sorted(SIGNS, key=str)), side=st.sampled_from(Side), seed=NUMBERS)
    def lose_power_in_a_sign(self, deed: Deed, side: Side, seed: int) -> None:
        """Pull the plug while pieces are held up: they are led back, and nothing has happened."""
        before, squares = self._record, self._squares(deed, side, seed)
        if squares:
            self.player.sign(squares, DONE_S / 2)
            self.table.pull_plug()
            self._agree()
            after = self._record
            assert (after.moves, after.offer) == (before.moves, before.offer)
            assert after.ending is None or self._is_flag_fallen

    @rule(cut=CUTS)
    def set_up_anew(self, cut: Cut | None) -> None:
        """Take all men off and set them up again: another game begins on the same terms."""
        before, game = self._record, self.table.table.game
        start = men_at_start(before.position.rules)
        if before.ending is None or self.player.switches.failed:
            return
        wanted = letters(before.game.start)
        for square in sorted(self.player.standing):
            self.player.lift(square)
        self._cut_next(cut)
        for square in sorted(start):
            self.player.put(square, wanted[square])
        self.table.wait(DONE_S + 0.5)
        self._agree()
        if cut is None:
            assert self.table.table.game != game
            assert self._record.conduct == before.conduct

    @property
    def _record(self) -> Record:
        return self.table.table.record

    def _cut_next(self, cut: Cut | None) -> None:
        if cut is not None:
            self.table.cut_next(cut)

    def _squares(self, deed: Deed, side: Side, seed: int) -> list[Square]:
        """Return what is lifted for a sign, in some order; nothing where it cannot be made."""
        record = self._record
        squares = squares_of_sign(record.position, deed, side)
        is_open = self.table.view.phase is Phase.PLAYING and record.unsettled is None
        is_waited_for = record.ending is not None or self.table.view.is_roll_due
        if not is_open or is_waited_for or self.player.switches.failed:
            return []
        if deed is Deed.TAKE_BACK and not record.moves:
            return []
        note(f"{deed.value}: {squares}")
        Random(seed).shuffle(squares)
        return squares
