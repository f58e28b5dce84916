"""What people say as they play: of clocks and draws, of giving up and taking back."""

from hypothesis import strategies as st

from jetan_table.game.agreements import ADJUST_S
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
from jetan_table.game.events import SIDE_NAMES, SideName
from tests.simulation.evening import (
    CUTS,
    NUMBERS,
    SIDES,
    Evenings,
    has_plies,
    is_going_on,
    is_open,
    step,
)
from tests.simulation.plug import Cut


def takes_press(evening: Evenings) -> bool:
    """Whether pressing the clock means anything."""
    record = evening.record
    is_settled = record.ending is None and record.unsettled is None
    clocks, is_paused = record.clocks, record.terms.is_paused
    return is_settled and clocks is not None and (clocks.takes_press or is_paused)


def may_think(evening: Evenings) -> bool:
    has_clocks = evening.record.clocks is not None and is_going_on(evening)
    return has_clocks and has_plies(evening)


def may_release(evening: Evenings) -> bool:
    return bool(evening.record.terms.touched) and is_going_on(evening)


class Sayings(Evenings):
    """Two people who talk to the table, and look at its clock."""

    @step(is_going_on, cut=CUTS)
    def pause_or_go_on(self) -> None:
        """Pause the game, or go on after a pause or a cut."""
        before = self.record
        self.table.obey(ResumeGame() if before.terms.is_paused else PauseGame())
        self.agree()
        if self.cut_at is None:
            assert self.record.terms.is_paused is not before.terms.is_paused

    @step(takes_press, cut=CUTS)
    def press(self) -> None:
        """Press the clock, where that means anything; after a cut it may wait for one more."""
        clocks = self.record.clocks
        self.table.obey(PressClock())
        self.agree()
        if self.cut_at is None:
            assert self.record.clocks != clocks

    @step(may_think, seconds=st.sampled_from([16.0, 100.0, 700.0]))
    def think(self, seconds: float) -> None:
        """Think for a while, in which time may run out for who is to move, and nobody else."""
        if self.record.terms.is_paused:
            self.table.obey(ResumeGame())
        before = self.record
        clocks, now = before.clocks, self.table.now
        self.table.sit(seconds)
        self.agree()
        if before.ending is not None or clocks is None or clocks.running is None or clocks.stops:
            return
        after = self.record
        has_fallen = clocks.flag_at is not None and clocks.flag_at <= now + seconds
        assert self.is_flag_fallen or not has_fallen
        if has_fallen:
            assert after.game.outcome is not None
            assert after.game.outcome.winner is clocks.running.other

    @step(has_plies)
    def remark(self) -> None:
        """Remark on the last move."""
        self.table.obey(NoteMove("no way to win this"))
        self.agree()

    @step(is_going_on, is_accepted=st.booleans(), side=SIDES, cut=CUTS)
    def speak_of_a_draw(self, is_accepted: bool = False, side: SideName = "black") -> None:
        """Offer a draw, or where one is offered, accept or decline it."""
        before = self.record
        if before.offer is None:
            self.table.obey(OfferDraw(side))
        else:
            self.table.obey(AcceptDraw() if is_accepted else DeclineDraw())
        after = self.record
        if self.cut_at is not Cut.BEFORE and before.offer is None:
            assert after.offer is not None
            assert SIDE_NAMES[after.offer] == side
        elif self.cut_at is None:
            assert after.offer is None
            assert (after.ending is not None) is is_accepted
        self.agree()

    @step(has_plies, cut=CUTS)
    def take_back(self) -> None:
        """Take the last ply back in words."""
        before, game = self.record.moves, self.table.table.game
        self.table.obey(TakeBackLast())
        self.agree()
        if self.table.table.game == game:
            after = self.record.moves
            assert after == before[:-1] or (self.cut_at is Cut.BEFORE and after == before)

    @step(is_going_on, cut=CUTS)
    def agree_on_a_draw(self) -> None:
        """Agree on a draw at once."""
        self.table.obey(AgreeDraw())
        self.agree()

    @step(is_open, choice=NUMBERS, held_s=st.sampled_from([0.5, ADJUST_S + 0.5]))
    def touch_a_piece(self, choice: int, held_s: float = 0.5) -> None:
        """Lift a piece and put it back; under touch-move it may have to be moved, then."""
        own = sorted({move.from_square for move in self.record.position.moves()})
        moves, square = self.record.moves, own[choice % len(own)]
        self.hands.lift(square, held_s)
        self.hands.put(square, self.hands.held[-1])
        self.agree()
        assert self.record.moves == moves

    @step(may_release, cut=CUTS)
    def release(self) -> None:
        """Free a piece that was touched by mistake."""
        self.table.obey(ReleaseTouched())
        self.agree()
