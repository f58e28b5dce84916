"""What goes wrong about a table: its disk, its machine, its cable, its clock, and who looks on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import msgspec
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jetan_table.errors import TableError
from jetan_table.lamps.choice import LampChoice
from jetan_table.session.umpire import NOTE_S
from jetan_table.simulation.habits import Habits, Person
from jetan_table.simulation.hands import Hands
from jetan_table.simulation.world import MagnetWorld
from jetan_table.table.loop import Clock
from jetan_table.web.answers import understood
from jetan_table.web.asked import AskedTable
from jetan_table.web.playing import PageTable
from jetan_table.web.requests import Request
from jetan_table.web.state import TableState
from rules import SQUARES, Move, MoveKind, Side, format_move, format_square
from tests.simulation.evenings import NUMBERS, Evenings, is_open, is_sound
from tests.simulation.plug import REACHED, PluggedTable
from tests.simulation.sayings import MARGIN_S

LATE_S = 0.3
"""A starved machine looks up to so much later than it should, and misses no touch of tidy hands."""

COMMIT_S = (0.0, 0.05, 0.3)
OFF_S = (30.0, 0.5, -1.0, -3600.0, -90 * 86400.0, 3600.0, 4000 * 86400.0)
"""How long a machine without a clock of its own thinks that it was off."""

HOUR_S = 3599.0

WAIT_S = 3.0
"""After so long a disk that has room again has been tried again."""


class VirtualClock(Clock):
    """The time at a table that is simulated."""

    def __init__(self, table: PluggedTable) -> None:
        self._table = table

    def now(self) -> float:
        return self._table.now

    def sleep(self, seconds: float) -> None:
        self._table.wait(seconds)


def a_square(rng: Random) -> str:
    return format_square(rng.choice(SQUARES))


ASKED: dict[str, Callable[[Random], object]] = {
    "answer": lambda rng: {"do": "answer", "square": a_square(rng)},
    "hint": lambda rng: {"do": "hint", "wanted": rng.choice(["piece", "move", "why", None])},
    "offer": lambda rng: {"do": "offer", "side": rng.choice(["black", "orange", None])},
    "lift": lambda rng: {"do": "lift", "square": a_square(rng)},
    "move": lambda rng: {"do": "move", "from_square": a_square(rng), "to_square": a_square(rng)},
    "number": lambda rng: {"do": "number", "number": rng.randrange(-5, 10**6)},
    "type": lambda rng: {"do": "type", "line": rng.choice(["", "d2 d3", "help", "\x1b[2J"])},
    "load": lambda rng: {"do": "load", "game": rng.randrange(0, 5), "plies": 10**9},
    "load text": lambda rng: {"do": "load", "text": rng.choice(["", "[", "Jetan\n1. d2-d3"])},
    "save": lambda rng: {"do": "save", "name": rng.choice(["", "../x", "evening", "a" * 300])},
    "here": lambda rng: {"do": "here", "pieces": {a_square(rng): rng.choice("PTx")}},
    "light": lambda rng: {"do": "light", "brightness": rng.choice([0, 0.5, 2])},
    "place": lambda rng: {"do": "place", "corners": [[rng.random() * 100] * 2] * 4},
    "no request": lambda rng: rng.choice([None, [], "right", {"do": "fly"}, {"do": ["x"]}]),
}
"""What pages ask for, possible or not, by a word for it."""

PLAIN = (
    *("back", "right", "accept", "decline", "pause", "resume", "press", "roll", "release"),
    *("oblige", "tidy", "box", "learn", "leave"),
)
"""What is asked for by one word."""


class Page:
    """Somebody's page: all it has been shown, by a real page's table."""

    def __init__(self, plugged: PluggedTable) -> None:
        self.table = plugged.table
        archive, folder = plugged.journal.archive, plugged.journal.folder
        clock = VirtualClock(plugged)
        asked = AskedTable(self.table, None, None, None, archive, folder, clock, "en", LampChoice())
        self._asked = asked
        PageTable(asked).mailbox.follow(self._compare)

    def ask(self, body: bytes) -> None:
        """Ask for something as the server does; a refusal of the table's is an answer."""
        with suppress(TableError):
            self._asked.do(understood(body, Request))
            REACHED["page obeyed"] += 1

    def _compare(self, state: TableState) -> None:
        """AssertionError where a page is shown what the table does not show."""
        assert state.game.moves == list(self.table.record.moves), "a page shows other plies"


class Troubles(Evenings):
    """Two people at a table whose parts do as they like."""

    page: Page | None = None

    @rule(commit_s=st.sampled_from(COMMIT_S))
    def slow_the_disk(self, commit_s: float) -> None:
        """Let every commit take so long, until the table is switched on again."""
        self.table.journal.commit_s = commit_s

    @rule(late_s=st.sampled_from([0.0, LATE_S]))
    def starve(self, late_s: float) -> None:
        """Let the machine look late, from now on."""
        self.table.late_s = late_s

    @precondition(is_open)
    @rule(count=st.integers(1, 30), seed=NUMBERS)
    def play_a_while(self, count: int, seed: int) -> None:
        """Make some plies of any kind, so that games become long."""
        rng = Random(seed)
        for _ in range(count):
            if is_open(self):
                self.play(3 * rng.randrange(3333), is_victim_first=True, cut=None, duel=None)

    @precondition(lambda evening: is_open(evening) and is_sound(evening))
    @rule(choice=NUMBERS)
    def play_on_a_full_disk(self, choice: int) -> None:
        """Make a ply that may not be kept before there is room; then it is read as it was made."""
        move = self._choose(choice)
        if move is None:
            return
        before, game = self.record, self.table.table.game
        note(format_move(move, before.position))
        self.table.journal.fill_disk(is_full=True)
        self._do(move)
        self.table.wait(WAIT_S)
        REACHED["disk full"] += self.table.view.trouble is not None
        self.table.journal.fill_disk(is_full=False)
        self.table.wait(WAIT_S)
        self._agree()
        self._assert_read(game, before, move)

    @precondition(lambda evening: is_open(evening) and is_sound(evening))
    @rule(choice=NUMBERS, touched=st.integers(0, 3))
    def pull_the_cable(self, choice: int, touched: int) -> None:
        """Pull the board's cable in a ply, and plug it in again when it has been made."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.record
        written = format_move(move, before.position)
        note(written)
        touches = self.player.touches(move, is_victim_first=True)
        first = touches[: min(touched, len(touches) - 1)]
        mover = self.player.standing[move.from_square]
        for square in first:
            self.player.lift(square)
        self.table.switches.is_out = True
        self.table.wait(WAIT_S)
        assert self.table.view.trouble is not None
        for square in touches[len(first) : -1]:
            self.player.lift(square)
        self.player.put(move.to_square, mover)
        self.player.drop()
        self.table.switches.is_out = False
        self.table.wait(WAIT_S)
        self._agree()
        assert self.record.moves in (before.moves, (*before.moves, written))

    @precondition(lambda evening: is_open(evening) and is_sound(evening))
    @rule(choice=NUMBERS, seed=NUMBERS)
    def play_by_a_real_hand(self, choice: int, seed: int) -> None:
        """Slide, sweep, hover and hurry as people do: what is not read right is put right."""
        move = self._choose(choice)
        if move is None:
            return
        before = self.record
        written = format_move(move, before.position)
        note(written)
        world = MagnetWorld(self.player.standing)
        habits = Habits()
        hands = Hands(world, Person(habits, Random(seed)))
        if move.kind is MoveKind.CAPTURE:
            style = hands.person.chooses(habits.takes)
            hands.take(self.table.now, move, style, before.position)
        else:
            style = hands.person.chooses(habits.moves)
            hands.land(self.table.now, move, style, before.position)
        REACHED[f"hand {style}"] += 1
        self.player.sweep(move, world.take_touches())
        self._agree()
        assert self.record.moves in (before.moves, (*before.moves, written))

    @rule(off_s=st.sampled_from(OFF_S))
    def lose_the_time(self, off_s: float) -> None:
        """Pull the plug of a machine whose clock then jumps: players get and pay no time for it."""
        clocks, is_over = self.record.clocks, self.record.ending is not None
        shown = None if clocks is None else clocks.until(self.table.now).left
        game = self.table.table.game
        self.table.pull_plug(off_s)
        after = self.record.clocks
        if shown is not None and not is_over and self.table.table.game == game:
            assert after is not None
            REACHED["clock jumped"] += abs(off_s) > HOUR_S
            for side in Side:
                assert abs(after.left.of(side) - shown.of(side)) <= NOTE_S + MARGIN_S
        self._agree()

    @rule(word=st.sampled_from([*ASKED, *PLAIN]), seed=NUMBERS)
    def ask_on_a_page(self, word: str, seed: int) -> None:
        """Say something possible or not on a page, which is opened where none is."""
        asked = ASKED[word](Random(seed)) if word in ASKED else {"do": word}
        self._ask(msgspec.json.encode(asked))

    @rule(body=st.binary(max_size=40))
    def ask_nonsense(self, body: bytes) -> None:
        """Say what is no request at all."""
        self._ask(body)

    def _ask(self, body: bytes) -> None:
        note(repr(body))
        if self.page is None or self.page.table is not self.table.table:
            self.page = Page(self.table)
        self.page.ask(body)
        self.table.take_down()
        self.table.wait(1.0)
        self._agree()

    def _do(self, move: Move) -> None:
        touches = self.player.touches(move, is_victim_first=True)
        self.player.do(move, touches, len(touches))
