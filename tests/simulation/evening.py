"""An evening of two people: how they sit down, and what always holds of it.

What they do is in `mishaps`, `sayings`, `signs`, `games` and `troubles`, as steps. An evening is
known by its script, a line for each step: `play(choice=3, cut='after')`.
"""

from __future__ import annotations

import json
import shlex
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import wraps
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace as changed

from jetan_table.game.agreements import owed
from jetan_table.game.commands import NewGame
from jetan_table.game.events import SIDE_NAMES, ConductName, GameId, Header
from jetan_table.game.record import Record
from jetan_table.game.rolling import start_squares
from jetan_table.game.terms import agreed
from jetan_table.light.lamps import cues
from jetan_table.light.words import Speaker
from jetan_table.session.umpire import NOTE_S
from jetan_table.session.view import Phase
from rules import (
    PRESETS,
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Side,
    Termination,
    format_move,
    format_position,
    format_square,
    juggernaut_starts,
    letters,
    parse_rules,
)
from tests.jetan_table.hands import header
from tests.simulation.hands import TidyHands
from tests.simulation.player import Ambush, Player
from tests.simulation.plug import Cut, PluggedTable, Switches
from tests.simulation.reeds import CarryingHands
from tests.simulation.sometimes import ALONE, BY_HANDS, FAULTS, Encounter

AGAIN = "once more: python -m tests.simulation.scripts play "
"""Before the script of an evening in which something went wrong."""

NUMBERS = st.integers(0, 9999)
RULES = st.sampled_from(
    [
        *(text for name in PRESETS for text in (name, f"{name},juggernaut=e5")),
        *("appendix+juggernaut", "manator-arena,juggernaut=random-empty"),
        *("ninth-ray-clockwise,duel=arena,juggernaut=centre",),
    ]
)
CLOCKS = st.sampled_from(
    ["none", "2:00", "2:00+10", "2:00d15", "2:00b15", "hourglass 2", "2:00 buttons"]
)
CONDUCTS = st.sampled_from(["friendly", "strict", "tournament"])
CUTS = st.sampled_from([None, *(cut.value for cut in Cut)])
SIDE_OF: dict[str, Side] = {name: side for side, name in SIDE_NAMES.items()}
SIDES = st.sampled_from(sorted(SIDE_OF))
DUELS = st.sampled_from([None, True, False])
"""How a fight ends: by dice, won, lost."""

HANDS = st.sampled_from([*["tidy"] * 15, "careful", "club-night", "blitz", "draggers", "clumsy"])
"""Tidy hands, or such as carry magnets with the manners of a profile, at ten times the cost."""


OFF_S = (30.0, 0.5, -1.0, -3600.0, -90 * 86400.0, 3600.0, 4000 * 86400.0)
"""How long a machine without a clock of its own thinks that it was off."""

HOUR_S = 3599.0
MARGIN_S = 1.5
"""So much time being switched on again may take on a running clock."""

STEPS: set[str] = set()
"""The names of all steps."""

CUT = "cut at an event"
NEEDED = frozenset(
    ("sit_down", "begin_anew", "play", "play_a_while", "mend", "roll", "choose_by_touch")
)
"""Steps without which an evening comes to nothing."""
SHARES_OFF = (0.2, 0.5, 0.8, 0.95)
"""So large a share of all that may happen is switched off at an evening."""


def swarm(number: int) -> str:
    """Return which faults and habits an evening does without: others would always mask some."""
    chance = Random(number)
    share = chance.choice(SHARES_OFF) if number else 0.0
    names = sorted({*FAULTS, CUT, *STEPS - NEEDED})
    return ", ".join(name for name in names if chance.random() < share)


class GameLost(Exception):
    """A game has rotted away, and the table has named it: what a step expects of it is idle."""


class NotNow(Exception):
    """A script has a step that cannot be made."""


def always(evening: Evenings) -> bool:
    return True


def refused(evening: Evenings, chosen: dict[str, Any]) -> set[str]:
    """Return which of the faults that were drawn for a step are off at an evening."""
    is_off = {"cut": CUT in evening.off, "trouble": chosen.get("trouble") in evening.off}
    return {name for name in chosen if is_off.get(name)}


def step(when: Callable[[Any], bool] = always, **drawn: Any) -> Callable[[Any], Any]:
    """A rule by what is drawn, for when something holds, which notes itself in the script.

    A `cut` among what is drawn is when the plug is pulled at the next event of the step.
    """
    made: Any = rule(**drawn)

    def stepping(method: Callable[..., None]) -> Any:
        def may_be(evening: Evenings) -> bool:
            return method.__name__ not in evening.off and when(evening)

        return precondition(may_be)(made(noted(method, when)))

    return stepping


def noted(method: Callable[..., None], when: Callable[[Any], bool] = always) -> Any:
    """Let a step note itself in the evening's script, but for what goes without saying."""
    STEPS.add(method.__name__)
    usual = {name: value.default for name, value in signature(method).parameters.items()}

    @wraps(method)
    def played(evening: Evenings, **chosen: Any) -> None:
        if not when(evening):
            raise NotNow(f"there is no {method.__name__} now")
        chosen |= dict.fromkeys(refused(evening, chosen))
        unusual = {name: value for name, value in chosen.items() if value != usual.get(name)}
        values = ", ".join(f"{name}={literal(value)}" for name, value in unusual.items())
        script = [*evening.script, f"{method.__name__}({values})"]
        if (cut := chosen.pop("cut", None)) is not None:
            evening.cut_at = Cut(cut)
            evening.table.cut_next(evening.cut_at)
        try:
            method(evening, **chosen)
        except GameLost:
            evening.strike_when_led = evening.table.strike = None
            evening.agree()
        finally:
            evening.script, evening.cut_at = script, None  # a step may be made of steps
        evening.table.cut_next(None)
        evening.table.note(method.__name__)

    return played


def literal(value: object) -> str:
    """How a value is written in a script: texts in quotes that a shell leaves alone."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def say(text: str) -> None:
    """Note something for whoever reads of an evening in which a truth fails."""
    if currently_in_test_context():
        note(text)


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


def begun_by(rules: str, seed: int, plies: int = 0) -> Header:
    """The header of a game of two people by some rules, some plies after its start."""
    start = started(parse_rules(rules), Random(seed), plies)
    begun = header(start.rules, format_position(start))
    return changed(begun, black="Gahan", orange="U-Dor")


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
    return not evening.table.switches.failed


def is_winning(position: Position, move: Move) -> bool:
    """Whether a capture ends the game, where nobody fights for it."""
    return not position.is_fought(move) and position.play(move).outcome is not None


class Evenings(RuleBasedStateMachine):
    """Two people, a table, and all that goes wrong.

    `off` is what does not happen at all. `strike_when_led` is what strikes when the lamps lead
    next, `cut_at` whether the plug is pulled at an event of the step that is being made. `struck`
    is what has, in which phase, and how often lamps had wanted anything until then.
    """

    off: frozenset[str] = frozenset()

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.script: list[str] = []
        self.strike_when_led: Ambush | None = None
        self.cut_at: Cut | None = None
        self.struck: list[tuple[str, str, int]] = []

    @initialize(
        rules=RULES,
        clock=CLOCKS,
        conduct=CONDUCTS,
        seed=NUMBERS,
        plies=st.sampled_from([0, 0, 30, 40]),
        hands=HANDS,
        off=NUMBERS.map(swarm),
    )
    @noted
    def sit_down(
        self,
        rules: str = "appendix",
        clock: str = "none",
        conduct: ConductName = "friendly",
        seed: int = 0,
        plies: int = 0,
        hands: str = "tidy",
        off: str = "",
    ) -> None:
        """Begin so many plies after the start of a game, with such hands, and without some."""
        self.off = frozenset(off.split(", "))
        begun = NewGame(begun_by(rules, seed, plies), agreed(clock, conduct))
        start = Position.start(parse_rules(rules))
        folder = Path(self.folder.name)
        self.hands = (
            TidyHands(Switches(), folder, begun)
            if hands == "tidy"
            else CarryingHands(folder, begun, start, hands, seed)
        )
        self.table: PluggedTable = self.hands.table
        self.player = Player(self.hands)
        self.hands.open_box(start)
        self.table.wait(1.0)

    def teardown(self) -> None:
        note(f"{AGAIN}{shlex.join(self.script)}")
        self.close()

    def close(self) -> None:
        """Let go of the table, if anybody has sat down at one."""
        if hasattr(self, "table"):
            self.table.close()
        self.folder.cleanup()

    @step(off_s=st.sampled_from(OFF_S))
    def cut(self, off_s: float = OFF_S[0]) -> None:
        """Pull the plug; players get and pay no time for it, whatever the machine's clock says.

        That is no more than since the clock was noted.
        """
        clocks, is_over = self.record.clocks, self.record.ending is not None
        shown = None if clocks is None else clocks.until(self.table.now).left
        game = self.table.table.game
        self.table.pull_plug(off_s)
        after = self.record.clocks
        if shown is not None and not is_over and self.table.table.game == game:
            assert after is not None
            if abs(off_s) > HOUR_S:
                self.table.note("clock jumped")
            for side in Side:
                assert abs(after.left.of(side) - shown.of(side)) <= NOTE_S + MARGIN_S
        self.agree()

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
        return self.table.record

    @property
    def reached(self) -> Counter[str]:
        """How often what has happened."""
        return self.table.reached if hasattr(self, "table") else Counter()

    def agree(self) -> None:
        """Do what the lamps say; then the pieces stand as the record has them."""
        self.hands.open_box(Position.start(self.record.position.rules))
        if self.player.follow(self.strike_when_led):
            self.strike_when_led = None
        for fault, phase, wanted in self.struck:
            self.answered(fault, phase, BY_HANDS if self.player.wanted > wanted else ALONE)
        self.struck.clear()
        if self.table.view.phase is Phase.PLAYING:
            assert self.hands.standing == letters(self.record.position)

    def answered(self, fault: str, phase: str, answer: str) -> None:
        """Note how a table has answered a fault."""
        self.reached.update(Encounter(fault, phase, answer).names)

    def choose(self, choice: int) -> Move | None:
        """Choose a ply, rather a capture, rather one that wins; none where the game is over.

        No capture off a stuck switch that is not known to have failed: it would look like a touch
        of its victim, and no table could tell it from one.
        """
        record = self.record
        owes = sorted(owed(record.position, record.terms.touched)) or record.position.moves()
        hiding = self.table.switches.failed.keys() - record.faults.keys()
        moves = [m for m in owes if m.kind is not MoveKind.CAPTURE or m.from_square not in hiding]
        if not moves:
            return None
        taking = [move for move in moves if move.kind is MoveKind.CAPTURE]
        winning = [move for move in taking if is_winning(record.position, move)]
        chosen = (winning or taking or moves) if choice % 3 else moves
        move = chosen[choice % len(chosen)]
        say(format_move(move, record.position))
        return move

    def assert_read(
        self, game: GameId, before: Record, move: Move, may_be_lost: bool = False
    ) -> None:
        """Assert that a ply was read as it was played, or that its game stands as before.

        That is if it `may_be_lost`, if the plug was pulled before it was on the disk, if the flag
        fell, or if nothing shows where it began or ended. A cut may have begun another game since.
        Where the flag fell, what the table asked of the ply may be open to the end.
        """
        archive, kinds = self.table.journal.archive, self.table.cut_kinds
        is_same = self.table.table.game == game
        entries = () if is_same else archive.entries(game)
        after = self.record if is_same else Record.read(archive.header(game), entries)
        is_read = after.moves == (*before.moves, format_move(move, before.position))
        failed = self.table.switches.failed.keys() - before.faults.keys()
        is_unseen = not failed.isdisjoint((move.from_square, move.to_square))
        is_cut_short = self.cut_at is Cut.BEFORE and bool(kinds)
        is_cut_short |= bool(kinds) and not {"ply", "question"}.intersection(kinds)
        is_unread = may_be_lost or is_cut_short or self.is_flag_fallen or is_unseen
        asked = (*before.moves, f"{format_square(move.from_square)}?")
        is_left_open = self.is_flag_fallen and after.moves == asked
        assert is_read or is_left_open or (is_unread and after.moves == before.moves)

    @property
    def is_flag_fallen(self) -> bool:
        ending = self.record.ending
        return ending is not None and ending.termination == Termination.TIME.value
