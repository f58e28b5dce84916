"""Whole evenings, with the plug pulled at every kind of moment: nothing is lost or misread."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from jetan_table.commands import NewGame, Resign, RollDie, TakeBackLast
from jetan_table.cues import cues
from jetan_table.reading.readings import FaultKind
from jetan_table.record import Record
from jetan_table.repair import letters
from jetan_table.view import Phase
from jetan_table.words import Speaker
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Square,
    format_move,
    format_position,
    format_square,
    parse_rules,
)
from rules.juggernaut import juggernaut_starts
from rules.presets import PRESETS
from tests.jetan_table.hands import header
from tests.simulation.plug import Cut
from tests.simulation.tidy import TidyPlayer

NUMBERS = st.integers(0, 9999)
RULES = [text for name in PRESETS for text in (name, f"{name},juggernaut=e5") if "arena" in name]
MOST_FAILED = 1
"""So many switches fail at once."""

CUTS = st.sampled_from([None, None, *Cut])


def started(rules: Rules, rng: Random) -> Position:
    """The position before the first ply, the Juggernaut anywhere it may begin."""
    start = Position.start(rules)
    places = juggernaut_starts(start)
    return start.move_juggernaut(rng.choice(places)) if places else start


class Evenings(RuleBasedStateMachine):
    """Two tidy people, a table, and all that goes wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()

    @initialize(rules=st.sampled_from(RULES))
    def sit_down(self, rules: str) -> None:
        start = started(parse_rules(rules), Random(1))
        begun = header(parse_rules(rules), format_position(start))
        self.player = TidyPlayer(Path(self.folder.name), begun)
        self.table = self.player.table
        self.table.wait(1.0)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
        self.folder.cleanup()

    # What people do

    @rule(choice=NUMBERS, is_victim_first=st.booleans(), cut=CUTS)
    def play(self, choice: int, is_victim_first: bool, cut: Cut | None) -> None:
        """Make a ply; it is read as it was played."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.table.table.record
        told = format_move(move, before.position)
        note(told)
        if cut is not None:
            self.table.cut_next(cut)
        touches = self.player.touches(move, is_victim_first)
        self.player.do(move, touches, len(touches))
        self.player.wait()
        self._agree()
        after = self.table.table.record.moves
        is_read = after == (*before.moves, told)
        assert is_read or (cut is Cut.BEFORE and after == before.moves)

    @rule(choice=NUMBERS, is_victim_first=st.booleans(), count=st.integers(1, 2))
    def play_through_a_cut(self, choice: int, is_victim_first: bool, count: int) -> None:
        """Pull the plug with pieces in the air; the ply is then finished, or led back."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.table.table.record
        told = format_move(move, before.position)
        note(told)
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
        assert self.table.table.record.moves in (before.moves, (*before.moves, told))

    @rule(choice=NUMBERS, is_victim_first=st.booleans(), count=st.integers(1, 2))
    def give_up_a_ply(self, choice: int, is_victim_first: bool, count: int) -> None:
        """Pull the plug with pieces in the air; they are then led back, and nothing is read."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.table.table.record
        touches = self.player.touches(move, is_victim_first)
        for square in touches[: min(count, len(touches) - 1)]:
            self.player.lift(square)
        self.table.pull_plug()
        self._agree()
        assert self.table.table.record.moves == before.moves

    @rule(cut=CUTS)
    def take_back(self, cut: Cut | None) -> None:
        """Take the last ply back in words."""
        before, game = self.table.table.record.moves, self.table.table.game
        if not before:
            return
        if cut is not None:
            self.table.cut_next(cut)
        self.table.obey(TakeBackLast())
        self._agree()
        if self.table.table.game == game:
            after = self.table.table.record.moves
            assert after == before[:-1] or (cut is Cut.BEFORE and after == before)

    @rule(choice=NUMBERS, kind=st.sampled_from(FaultKind))
    def fail(self, choice: int, kind: FaultKind) -> None:
        """Let a switch fail; who follows the lamps tells the table that the board is right."""
        square = SQUARES[choice % len(SQUARES)]
        note(format_square(square))
        if len(self.player.switches.failed) < MOST_FAILED:
            self.player.switches.failed[square] = kind
            self._agree()

    @rule()
    def mend(self) -> None:
        """Mend all switches."""
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

    @rule(cut=CUTS)
    def roll(self, cut: Cut | None) -> None:
        """Roll the die for the Juggernaut; the lamps then say where it goes."""
        if not self.table.view.is_roll_due:
            return
        if cut is not None:
            self.table.cut_next(cut)
        self.table.obey(RollDie())
        self._agree()

    @rule(rules=st.sampled_from(RULES), seed=NUMBERS, cut=CUTS)
    def begin_anew(self, rules: str, seed: int, cut: Cut | None) -> None:
        """Begin another game, by other rules; the lamps lead the set-up."""
        start = started(parse_rules(rules), Random(seed))
        # Right after a cut, men of another game that fill all squares pass for men set up.
        if cut is not None and self.player.standing.keys() != letters(start).keys():
            self.table.cut_next(cut)
        self.table.obey(NewGame(header(start.rules, format_position(start))))
        self._agree()

    @rule()
    def resign(self) -> None:
        """Give up, and switch off; the next switching on begins another game."""
        if self.table.view.phase is Phase.PLAYING:
            self.table.obey(Resign(self.table.view.position.side))
            self.table.pull_plug()
            self._agree()

    @rule()
    def cut(self) -> None:
        """Pull the plug while nothing happens."""
        self.table.pull_plug()
        self._agree()

    # What always holds

    @invariant()
    def the_record_is_on_the_disk(self) -> None:
        if not hasattr(self, "table"):
            return
        table, archive = self.table.table, self.table.journal.archive
        assert Record.read(archive.header(table.game), archive.entries(table.game)) == table.record

    @invariant()
    def all_can_be_shown_and_said(self) -> None:
        if not hasattr(self, "table"):
            return
        view = self.table.view
        assert len(cues(view)) <= len(SQUARES)
        assert all(Speaker(language).sentences(view) for language in ("en", "de"))

    def _misplacings(self, choice: int, count: int) -> list[tuple[Square, Square]]:
        """Choose pieces, and for each an empty square."""
        rng, standing = Random(choice), self.player.standing
        free = [square for square in SQUARES if square not in standing]
        chosen = rng.sample(sorted(standing), count)
        pairs = list(zip(chosen, rng.sample(free, count), strict=True))
        note(", ".join(f"{format_square(start)}-{format_square(end)}" for start, end in pairs))
        return pairs

    def _choose(self, choice: int) -> Move | None:
        """Choose a ply, a capture rather than not; none where the game is over."""
        position = self.table.view.position
        moves = position.moves()
        if self.table.view.phase is not Phase.PLAYING or not moves:
            return None
        taking = [move for move in moves if move.kind is MoveKind.CAPTURE]
        chosen = taking if taking and choice % 3 else moves
        return chosen[choice % len(chosen)]

    def _agree(self) -> None:
        """Do what the lamps say; then the pieces stand as the record has them."""
        self.player.open_box(self.table.table.record.game.start)
        self.player.follow()
        if self.table.view.phase is Phase.PLAYING:
            assert self.player.standing == letters(self.table.table.record.position)


QUICK = settings(
    max_examples=15,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=300, stateful_step_count=50)


def assert_holds(sample: settings) -> None:
    """Play evenings, and fail with the shortest one that goes wrong."""
    run_state_machine_as_test(Evenings, settings=sample)


def test_evenings_with_power_cuts_lose_and_misread_nothing() -> None:
    assert_holds(QUICK)


@pytest.mark.soak
def test_many_evenings_with_power_cuts_lose_and_misread_nothing() -> None:
    assert_holds(LONG)
