"""What goes wrong at a table: pieces in the air at a cut, meddlers, switches, deft hands."""

from __future__ import annotations

from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from hardware.switches import FaultKind
from rules import SQUARES, MoveKind, Square, format_move, format_square
from tests.simulation.evenings import CUTS, NUMBERS, Evenings, is_open, is_sound
from tests.simulation.plug import Cut


class Mishaps(Evenings):
    """Two people to whom things happen."""

    @precondition(is_open)
    @rule(choice=NUMBERS, cut=CUTS)
    def take_unseen(self, choice: int, cut: Cut | None) -> None:
        """Take so deftly that no switch notices: the table asks what was taken, if it must."""
        record = self.record
        if self.player.switches.failed or record.terms.touched:
            return
        taking = [move for move in record.position.moves() if move.kind is MoveKind.CAPTURE]
        if not taking or record.game.awaits_roll:
            return
        move = taking[choice % len(taking)]
        note(format_move(move, record.position))
        game = self.table.table.game
        self.player.lift(move.from_square)
        self.player.standing[move.to_square] = self.player.held.pop()
        self.table.cut_next(cut)
        self.player.wait()
        self._agree()
        self._assert_read(game, record, move)

    @precondition(is_open)
    @rule(choice=NUMBERS, is_victim_first=st.booleans(), count=st.integers(1, 2))
    def play_through_a_cut(self, choice: int, is_victim_first: bool, count: int) -> None:
        """Pull the plug with pieces in the air; the ply is then finished, or led back.

        No first ply off a failed switch: until one has been played, pieces are set up.
        """
        move = self._choose(choice)
        is_first = not self.record.moves
        if move is None or (is_first and move.from_square in self.player.switches.failed):
            return
        before = self.record
        written = format_move(move, before.position)
        note(written)
        touches = self.player.touches(move, is_victim_first)
        mover = self.player.standing[move.from_square]
        first = touches[: min(count, len(touches) - 1)]
        for square in first:
            self.player.lift(square)
        self.table.pull_plug()
        for square in touches[len(first) : -1]:
            self.player.lift(square)
        self.player.put(move.to_square, mover)
        self.player.drop()
        self.player.wait()
        self._agree()
        assert self.record.moves in (before.moves, (*before.moves, written))

    @precondition(is_open)
    @rule(choice=NUMBERS, is_victim_first=st.booleans(), count=st.integers(1, 2))
    def give_up_a_ply(self, choice: int, is_victim_first: bool, count: int) -> None:
        """Pull the plug with pieces in the air; they are then led back, and nothing is read."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.record
        touches = self.player.touches(move, is_victim_first)
        for square in touches[: min(count, len(touches) - 1)]:
            self.player.lift(square)
        self.table.pull_plug()
        self._agree()
        assert self.record.moves == before.moves

    @precondition(is_sound)
    @rule(choice=NUMBERS, kind=st.sampled_from(FaultKind))
    def fail(self, choice: int, kind: FaultKind) -> None:
        """Let a switch fail; who follows the lamps tells the table that the board is right."""
        square = SQUARES[choice % len(SQUARES)]
        note(format_square(square))
        self.player.switches.failed[square] = kind
        self._agree()

    @precondition(lambda evening: not is_sound(evening))
    @rule()
    def mend(self) -> None:
        """Mend the switch."""
        self.player.switches.failed.clear()
        self._agree()

    @rule(choice=NUMBERS, count=st.integers(1, 4))
    def meddle_while_it_is_off(self, choice: int, count: int) -> None:
        """Somebody moves pieces about while the table is off: they are led back."""
        standing, occupied = self.player.standing, self.table.switches.occupied
        for square, to in self._misplacings(choice, count):
            standing[to] = standing.pop(square)
            occupied ^= {square, to}
        self.table.pull_plug()
        self._agree()

    @rule(choice=NUMBERS, count=st.integers(1, 4))
    def meddle(self, choice: int, count: int) -> None:
        """Somebody moves pieces about, and is led back."""
        for square, to in self._misplacings(choice, count):
            letter = self.player.standing[square]
            self.player.lift(square)
            self.player.put(to, letter)
        self._agree()

    def _misplacings(self, choice: int, count: int) -> list[tuple[Square, Square]]:
        """Choose pieces, and for each an empty square."""
        rng, standing = Random(choice), self.player.standing
        free = [square for square in SQUARES if square not in standing]
        chosen = rng.sample(sorted(standing), count)
        pairs = list(zip(chosen, rng.sample(free, count), strict=True))
        note(", ".join(f"{format_square(start)}-{format_square(end)}" for start, end in pairs))
        return pairs
