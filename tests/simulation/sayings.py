"""What people say as they play: of clocks and draws, of giving up and taking back."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jetan_table.game.commands import (
    AcceptDraw,
    AgreeDraw,
    DeclineDraw,
    NoteMove,
    OfferDraw,
    PauseGame,
    PressClock,
    ReleaseTouched,
    ResumeGame,
    TakeBackLast,
)
from jetan_table.game.conduct import ADJUST_S
from jetan_table.game.events import SIDE_NAMES
from jetan_table.session.umpire import NOTE_S
from rules import Side
from tests.simulation.evenings import CUTS, NUMBERS, Evenings, has_plies, is_going_on, is_open
from tests.simulation.plug import Cut

MARGIN_S = 1.5
"""So much time a command, and being switched on again, may take on a running clock."""


def takes_press(evening: Evenings) -> bool:
    """Whether pressing the clock means anything."""
    record = evening.record
    is_settled = record.ending is None and record.unsettled is None
    clocks, is_paused = record.clocks, record.terms.is_paused
    return is_settled and clocks is not None and (clocks.takes_press or is_paused)


def has_clocks(evening: Evenings) -> bool:
    return evening.record.clocks is not None and is_going_on(evening)


class Sayings(Evenings):
    """Two people who talk to the table, and look at its clock."""

    @precondition(is_going_on)
    @rule(cut=CUTS)
    def pause_or_go_on(self, cut: Cut | None) -> None:
        """Pause the game, or go on after a pause or a cut."""
        before = self.record
        self.table.cut_next(cut)
        self.table.obey(ResumeGame() if before.terms.is_paused else PauseGame())
        self._agree()
        if cut is None:
            assert self.record.terms.is_paused is not before.terms.is_paused

    @precondition(takes_press)
    @rule(cut=CUTS)
    def press(self, cut: Cut | None) -> None:
        """Press the clock, where that means anything; after a cut it may wait for one more."""
        clocks = self.record.clocks
        self.table.cut_next(cut)
        self.table.obey(PressClock())
        self._agree()
        if cut is None:
            assert self.record.clocks != clocks

    @precondition(lambda evening: has_clocks(evening) and evening.record.moves)
    @rule(seconds=st.sampled_from([16.0, 100.0, 700.0]))
    def think(self, seconds: float) -> None:
        """Think for a while, in which time may run out for who is to move, and nobody else."""
        if self.record.terms.is_paused:
            self.table.obey(ResumeGame())
        before = self.record
        clocks, now = before.clocks, self.table.now
        self.table.sit(seconds)
        self._agree()
        if before.ending is not None or clocks is None or clocks.running is None or clocks.stops:
            return
        after = self.record
        has_fallen = clocks.flag_at is not None and clocks.flag_at <= now + seconds
        assert self._is_flag_fallen or not has_fallen
        if has_fallen:
            assert after.game.outcome is not None
            assert after.game.outcome.winner is clocks.running.other

    @precondition(has_clocks)
    @rule()
    def cut_the_clock_short(self) -> None:
        """Pull the plug: no more time is given back than since the clock was noted, none taken."""
        clocks = self.record.clocks
        assert clocks is not None
        shown = clocks.until(self.table.now).left
        self.table.pull_plug()
        after = self.record.clocks
        assert after is not None
        for side in Side:
            assert abs(after.left.of(side) - shown.of(side)) <= NOTE_S + MARGIN_S
        self._agree()

    @precondition(is_going_on)
    @rule(is_accepted=st.booleans(), side=st.sampled_from(Side), cut=CUTS)
    def speak_of_a_draw(self, is_accepted: bool, side: Side, cut: Cut | None) -> None:
        """Remark on the last move; offer a draw, or where one is offered, accept or decline it."""
        if self.record.game.plies:
            self.table.obey(NoteMove("no way to win this"))
        before = self.record
        self.table.cut_next(cut)
        if before.offer is None:
            self.table.obey(OfferDraw(SIDE_NAMES[side]))
        else:
            self.table.obey(AcceptDraw() if is_accepted else DeclineDraw())
        after = self.record
        if cut is not Cut.BEFORE and before.offer is None:
            assert after.offer is side
        elif cut is None:
            assert after.offer is None
            assert (after.ending is not None) is is_accepted
        self._agree()

    @precondition(has_plies)
    @rule(cut=CUTS)
    def take_back(self, cut: Cut | None) -> None:
        """Take the last ply back in words."""
        before, game = self.record.moves, self.table.table.game
        self.table.cut_next(cut)
        self.table.obey(TakeBackLast())
        self._agree()
        if self.table.table.game == game:
            after = self.record.moves
            assert after == before[:-1] or (cut is Cut.BEFORE and after == before)

    @precondition(is_going_on)
    @rule(cut=CUTS)
    def agree_on_a_draw(self, cut: Cut | None) -> None:
        """Agree on a draw at once."""
        self.table.cut_next(cut)
        self.table.obey(AgreeDraw())
        self._agree()

    @precondition(is_open)
    @rule(choice=NUMBERS, held_s=st.sampled_from([0.5, ADJUST_S + 0.5]))
    def touch_a_piece(self, choice: int, held_s: float) -> None:
        """Lift a piece and put it back; under touch-move it may have to be moved, then."""
        own = sorted({move.from_square for move in self.record.position.moves()})
        moves, square = self.record.moves, own[choice % len(own)]
        self.player.lift(square, held_s)
        self.player.put(square, self.player.held[-1])
        self._agree()
        assert self.record.moves == moves

    @precondition(lambda evening: evening.record.terms.touched and is_going_on(evening))
    @rule(cut=CUTS)
    def release(self, cut: Cut | None) -> None:
        """Free a piece that was touched by mistake."""
        self.table.cut_next(cut)
        self.table.obey(ReleaseTouched())
        self._agree()
