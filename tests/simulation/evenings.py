"""Evenings of two people, with the plug pulled at every kind of moment: what they do to pieces.

What they agree on and say with their hands is in `sayings`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from msgspec.structs import replace as changed

from jetan_table.game.conduct import ConductName, owed
from jetan_table.game.events import Header
from jetan_table.game.placement import letters
from jetan_table.game.record import Record
from jetan_table.game.rolling import start_squares
from jetan_table.game.terms import agreed
from jetan_table.journal.agreement import Agreement
from jetan_table.journal.archive import GameId
from jetan_table.journal.saved_games import Start
from jetan_table.lamps.cues import cues
from jetan_table.session.view import Phase
from jetan_table.words.words import Speaker
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Termination,
    format_move,
    format_position,
    parse_rules,
)
from rules.juggernaut import juggernaut_starts
from rules.presets import PRESETS
from tests.jetan_table.hands import header
from tests.simulation.plug import Cut
from tests.simulation.tidy_hands import TidyPlayer

NUMBERS = st.integers(0, 9999)
RULES = [text for name in PRESETS for text in (name, f"{name},juggernaut=e5")]
CLOCKS = (
    "none",
    "2:00",
    "2:00+10",
    "2:00d15",
    "2:00b15",
    "hourglass 2",
    "2:00 buttons",
)
CONDUCTS: list[ConductName] = ["friendly", "strict", "tournament"]
AGREEMENTS = (
    Agreement(),
    Agreement(first="roll"),
    Agreement("evening"),
    Agreement("evening", stake=10, for_bias=True),
)
CUTS = st.sampled_from([None, None, None, None, *Cut])
DUELS = st.sampled_from([None, True, False])
"""How a fight ends: by dice, won, lost."""


def started(rules: Rules, rng: Random, plies: int = 0) -> Position:
    """The position before the first ply, or after some.

    Before it the Juggernaut stands anywhere it may begin, or nowhere yet.
    """
    position = Position.start(rules)
    places = juggernaut_starts(position)
    if places and (plies or rng.random() < 0.5):
        position = position.move_juggernaut(rng.choice(places))
    for _ in range(plies):
        moves = [move for move in position.moves() if not position.is_fought(move)]
        after = position.play(rng.choice(moves))
        if after.outcome is not None:
            break
        position = after
    return position


def is_open(evening: Evenings) -> bool:
    """Whether a ply may be made."""
    record = evening.record
    is_due = record.unsettled is not None or bool(start_squares(record))
    return evening.table.view.phase is Phase.PLAYING and not is_due


def is_going_on(evening: Evenings) -> bool:
    return evening.record.ending is None


def has_plies(evening: Evenings) -> bool:
    return bool(evening.record.moves)


def is_sound(evening: Evenings) -> bool:
    return not evening.player.switches.failed


def is_winning(position: Position, move: Move) -> bool:
    """Whether a capture ends the game, where nobody fights for it."""
    return not position.is_fought(move) and position.play(move).outcome is not None


def of(name: str) -> st.SearchStrategy[Any]:
    """One of what an evening's people play by."""
    return st.runner().flatmap(lambda evening: st.sampled_from(getattr(evening, name)))


def begun_by(rules: str, seed: int, plies: int = 0) -> Header:
    """The header of a game of two people by some rules, some plies after its start."""
    start = started(parse_rules(rules), Random(seed), plies)
    begun = header(start.rules, format_position(start))
    return changed(begun, black="Gahan", orange="U-Dor")


class Evenings(RuleBasedStateMachine):
    """Two tidy people, a table, and all that goes wrong.

    `presets`, `clocks` and `conducts` are what they play by, `plies` were played before the first
    evening, and the next games begin by one of the `agreements`. `cut_when_led` is after how many
    steps the plug is pulled when the lamps lead next.
    """

    presets: ClassVar[Sequence[str]] = RULES
    clocks: ClassVar[Sequence[str]] = CLOCKS
    conducts: ClassVar[Sequence[ConductName]] = CONDUCTS
    agreements: ClassVar[Sequence[Agreement]] = AGREEMENTS
    plies: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.cut_when_led: int | None = None

    @initialize(rules=of("presets"), clock=of("clocks"), conduct=of("conducts"), seed=NUMBERS)
    def sit_down(self, rules: str, clock: str, conduct: ConductName, seed: int) -> None:
        begun = Start(begun_by(rules, seed, self.plies), agreed(clock, conduct))
        self.player = TidyPlayer(Path(self.folder.name), begun)
        self.table = self.player.table
        self.player.open_box(Position.start(self.record.position.rules))
        self.table.wait(1.0)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.close()
        self.folder.cleanup()

    # What people do

    @precondition(is_open)
    @rule(choice=NUMBERS, is_victim_first=st.booleans(), cut=CUTS, duel=DUELS)
    def play(self, choice: int, is_victim_first: bool, cut: Cut | None, duel: bool | None) -> None:
        """Make a ply; it is read as it was played.

        Nobody but who asks can tell a ply from or to a switch not known to have failed: it may have
        been led back instead.
        """
        move = self._choose(choice)
        if move is None:
            return
        before, game = self.record, self.table.table.game
        note(format_move(move, before.position))
        self.player.duel = duel
        self.table.cut_next(cut)
        touches = self.player.touches(move, is_victim_first)
        self.player.do(move, touches, len(touches))
        self.player.wait()
        self._agree()
        self._assert_read(game, before, move)

    @precondition(is_open)
    @rule(
        choices=st.lists(NUMBERS, min_size=3, max_size=8),
        duel=DUELS,
        led=st.sampled_from([None, 0, 1]),
    )
    def play_on(self, choices: list[int], duel: bool | None, led: int | None) -> None:
        """Make some plies in a row; perhaps the plug is pulled as soon as the lamps lead."""
        self.cut_when_led = self.cut_when_led if led is None else led
        for choice in choices:
            if is_open(self):
                self.play(choice, is_victim_first=True, cut=None, duel=duel)

    @rule()
    def cut(self) -> None:
        """Pull the plug while nothing happens."""
        self.table.pull_plug()
        self._agree()

    @rule(steps=st.integers(0, 3))
    def cut_when_next_led(self, steps: int) -> None:
        """Pull the plug when the lamps lead next, or ask, after some steps."""
        self.cut_when_led = steps

    # What always holds

    @invariant()
    def all_can_be_shown_and_said(self) -> None:
        if not hasattr(self, "table"):
            return
        view = self.table.view
        assert len(cues(view)) <= len(SQUARES)
        assert all(Speaker(language).sentences(view) for language in ("en", "de"))

    @property
    def record(self) -> Record:
        """What is certain of the game."""
        return self.table.table.record

    def _choose(self, choice: int) -> Move | None:
        """Choose a ply, rather a capture, rather one that wins; none where the game is over.

        No capture off a stuck switch that is not known to have failed: it would look like a touch
        of its victim, and no table could tell it from one.
        """
        record = self.record
        owes = sorted(owed(record.position, record.terms.touched)) or record.position.moves()
        hiding = self.player.switches.failed.keys() - record.faults.keys()
        moves = [m for m in owes if m.kind is not MoveKind.CAPTURE or m.from_square not in hiding]
        if not moves:
            return None
        taking = [move for move in moves if move.kind is MoveKind.CAPTURE]
        winning = [move for move in taking if is_winning(record.position, move)]
        chosen = (winning or taking or moves) if choice % 3 else moves
        return chosen[choice % len(chosen)]

    def _assert_read(self, game: GameId, before: Record, move: Move) -> None:
        """Assert that a ply was read as it was played, or that its game stands as before.

        That is if the plug was pulled before it was on the disk, if the flag fell, or if nothing
        shows where it began or ended. A cut may have begun another game since.
        """
        archive, kinds = self.table.journal.archive, self.table.cut_kinds
        is_same = self.table.table.game == game
        entries = () if is_same else archive.entries(game)
        after = self.record if is_same else Record.read(archive.header(game), entries)
        is_read = after.moves == (*before.moves, format_move(move, before.position))
        failed = self.player.switches.failed.keys() - before.faults.keys()
        is_unseen = not failed.isdisjoint((move.from_square, move.to_square))
        is_cut_short = self.table.last_cut is Cut.BEFORE and bool(kinds)
        is_cut_short |= bool(kinds) and not {"ply", "question"}.intersection(kinds)
        is_unread = is_cut_short or self._is_flag_fallen or is_unseen
        assert is_read or (is_unread and after.moves == before.moves)

    @property
    def _is_flag_fallen(self) -> bool:
        ending = self.record.ending
        return ending is not None and ending.termination == Termination.TIME.value

    def _agree(self) -> None:
        """Do what the lamps say; then the pieces stand as the record has them."""
        self.player.open_box(Position.start(self.record.position.rules))
        if self.player.follow(self.cut_when_led):
            self.cut_when_led = None
        if self.table.view.phase is Phase.PLAYING:
            assert self.player.standing == letters(self.record.position)
