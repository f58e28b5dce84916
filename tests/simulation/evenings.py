"""Evenings of two people, with the plug pulled at every kind of moment: what they do to pieces.

What they agree on and say with their hands is in `sayings`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace as changed

from jetan_table.commands import NewGame, Resign, RollDie, TakeBackLast
from jetan_table.cues import cues
from jetan_table.evening.agreement import Agreement, agree
from jetan_table.evening.conduct import ConductName, owed
from jetan_table.evening.terms import agreed
from jetan_table.events import Header
from jetan_table.reading.readings import FaultKind
from jetan_table.record import Record
from jetan_table.repair import letters
from jetan_table.saved_games import Start
from jetan_table.view import Phase
from jetan_table.words import Speaker
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Square,
    Termination,
    format_move,
    format_position,
    format_square,
    parse_position,
    parse_rules,
)
from rules.juggernaut import juggernaut_starts
from rules.presets import PRESETS
from tests.jetan_table.hands import header
from tests.simulation.plug import Cut
from tests.simulation.tidy import TidyPlayer

NUMBERS = st.integers(0, 9999)
RULES = [text for name in PRESETS for text in (name, f"{name},juggernaut=e5")]
CLOCKS = ["none", "30", "20+10", "20d15", "20b15", "hourglass 20", "20 buttons", "0:40"]
CONDUCTS: list[ConductName] = ["friendly", "strict"]
MOST_FAILED = 1
"""So many switches fail at once."""

CUTS = st.sampled_from([None, None, *Cut])


def started(rules: Rules, rng: Random) -> Position:
    """The position before the first ply, the Juggernaut anywhere it may begin."""
    start = Position.start(rules)
    places = juggernaut_starts(start)
    return start.move_juggernaut(rng.choice(places)) if places else start


def begun_by(rules: str, seed: int) -> Header:
    """The header of a game of two people by some rules."""
    start = started(parse_rules(rules), Random(seed))
    told = header(start.rules, format_position(start))
    return changed(told, black="Gahan", orange="U-Dor")


class Evenings(RuleBasedStateMachine):
    """Two tidy people, a table, and all that goes wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()

    @initialize(
        rules=st.sampled_from(RULES),
        clock=st.sampled_from(CLOCKS),
        conduct=st.sampled_from(CONDUCTS),
    )
    def sit_down(self, rules: str, clock: str, conduct: ConductName) -> None:
        begun = Start(begun_by(rules, 1), agreed(clock, conduct))
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
        is_unread = cut is Cut.BEFORE or self._is_flag_fallen
        assert is_read or (is_unread and after == before.moves)

    @rule(choices=st.lists(NUMBERS, min_size=2, max_size=4))
    def play_on(self, choices: list[int]) -> None:
        """Make some plies in a row."""
        for choice in choices:
            self.play(choice, is_victim_first=True, cut=None)

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

    @rule(
        rules=st.sampled_from(RULES),
        seed=NUMBERS,
        cut=CUTS,
        clock=st.sampled_from(CLOCKS),
        conduct=st.sampled_from(CONDUCTS),
        agreement=st.sampled_from([Agreement(), Agreement(first="roll"), Agreement("evening")]),
    )
    def begin_anew(
        self,
        rules: str,
        seed: int,
        cut: Cut | None,
        clock: str,
        conduct: ConductName,
        agreement: Agreement,
    ) -> None:
        """Begin another game, by other rules and terms; the lamps lead the set-up."""
        begun = agree(agreement, begun_by(rules, seed), self.table.journal.archive)
        start = parse_position(begun.header.start, parse_rules(begun.header.rules))
        # Right after a cut, men of another game that fill all squares pass for men set up.
        if cut is not None and self.player.standing.keys() != letters(start).keys():
            self.table.cut_next(cut)
        self.table.obey(NewGame(begun.header, (*begun.events, *agreed(clock, conduct))))
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
        record = self.table.table.record
        moves = sorted(owed(record.position, record.terms.touched)) or record.position.moves()
        if self.table.view.phase is not Phase.PLAYING or record.unsettled or not moves:
            return None
        taking = [move for move in moves if move.kind is MoveKind.CAPTURE]
        chosen = taking if taking and choice % 3 else moves
        return chosen[choice % len(chosen)]

    @property
    def _is_flag_fallen(self) -> bool:
        ending = self.table.table.record.ending
        return ending is not None and ending.termination == Termination.TIME.value

    def _agree(self) -> None:
        """Do what the lamps say; then the pieces stand as the record has them."""
        self.player.open_box(self.table.table.record.game.start)
        self.player.follow()
        if self.table.view.phase is Phase.PLAYING:
            assert self.player.standing == letters(self.table.table.record.position)
