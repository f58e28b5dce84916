"""What goes wrong about a table: its disk, its machine, its cable, its clock, and who looks on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

import msgspec
from hypothesis import strategies as st

from hardware.switches import FaultKind
from jetan_table.errors import TableError
from jetan_table.lamps.choice import LampChoice
from jetan_table.table.loop import Clock
from jetan_table.web.answers import understood
from jetan_table.web.asked import AskedTable
from jetan_table.web.playing import PageTable
from jetan_table.web.requests import Request
from jetan_table.web.state import TableState
from rules import SQUARES, Square, format_square
from tests.simulation.evening import NUMBERS, OFF_S, Evenings, is_sound, say, step
from tests.simulation.plug import PluggedTable, PowerCut

LATE_S: Final = 0.3
"""A starved machine looks up to so much later than it should, and misses no touch of tidy hands."""

ASLEEP_S: Final = 3.0
COMMIT_S: Final = (0.0, 0.05, 0.3)
WAIT_S: Final = 3.0
"""After so long a disk that has room again has been tried again."""

STRIKES: Final = ("plug", "cable", "disk", "machine", "clock", "switch", "page")
"""What may happen in the middle of a ply."""


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


ASKED: Final[dict[str, Callable[[Random], object]]] = {
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

PLAIN: Final = (
    *("back", "right", "accept", "decline", "pause", "resume", "press", "roll", "release"),
    *("oblige", "tidy", "box", "learn", "leave"),
)
"""What is asked for by one word."""

NONSENSE: Final = (b"", b"[" * 300, b'"\xed\xa0\x80"')
"""What is no request at all, and hard to read."""


class Page:
    """Somebody's page: all it has been shown, by a real page's table."""

    def __init__(self, plugged: PluggedTable) -> None:
        self.table, self._plugged = plugged.table, plugged
        archive, folder = plugged.journal.archive, plugged.journal.folder
        clock = VirtualClock(plugged)
        asked = AskedTable(self.table, None, None, None, archive, folder, clock, "en", LampChoice())
        self._asked = asked
        PageTable(asked).mailbox.follow(self._compare)

    def ask(self, body: bytes) -> None:
        """Ask for something as the server does; a refusal of the table's is an answer."""
        answer = "malformed"
        try:
            request = understood(body, Request)
            answer = "refused"
            self._asked.do(request)
            answer = "obeyed"
        except TableError:
            pass
        self._plugged.note(f"page {answer}")

    def _compare(self, state: TableState) -> None:
        """AssertionError where a page is shown what the table does not show."""
        assert state.game.moves == list(self.table.record.moves), "a page shows other plies"


class Troubles(Evenings):
    """Two people at a table whose parts do as they like."""

    page: Page | None = None

    def strike(self, trouble: str, choice: int) -> Callable[[], None] | None:
        """Let something go wrong just now; return what mends it, if it does not mend itself."""
        table, rng = self.table, Random(choice)
        match trouble:
            case "plug":
                table.note("plug pulled")
                table.pull_plug()
            case "clock":
                table.note("clock jumped")
                table.pull_plug(rng.choice(OFF_S))
            case "machine":
                table.note("machine asleep")
                table.starve(ASLEEP_S)
            case "page":
                self._ask(rng.choice((*ASKED, *PLAIN)), rng.randrange(9999))
            case "switch":
                self._break(rng.choice(SQUARES), rng.choice(list(FaultKind)))
            case "cable":
                table.switches.is_out = True
                table.wait(WAIT_S)
                assert table.view.trouble is not None
                table.note("cable out")
                return partial(setattr, table.switches, "is_out", False)
            case _:
                table.journal.fill_disk(is_full=True)
                return self._make_room
        return None

    def _make_room(self) -> None:
        self.table.wait(WAIT_S)
        if self.table.view.trouble is not None:
            self.table.note("disk full")
        self.table.journal.fill_disk(is_full=False)

    def _break(self, square: Square, kind: FaultKind) -> None:
        say(format_square(square))
        self.table.note("switch broken")
        self.table.switches.failed[square] = kind

    @step(is_sound, choice=NUMBERS, kind=st.sampled_from([kind.value for kind in FaultKind]))
    def fail(self, choice: int, kind: str) -> None:
        """Let a switch fail; who follows the lamps tells the table that the board is right."""
        self._break(SQUARES[choice % len(SQUARES)], FaultKind(kind))
        self.agree()

    @step(lambda evening: not is_sound(evening))
    def mend(self) -> None:
        """Mend the switch."""
        self.table.switches.failed.clear()
        self.table.note("switch mended")
        self.agree()

    @step(commit_s=st.sampled_from(COMMIT_S))
    def slow_the_disk(self, commit_s: float) -> None:
        """Let every commit take so long, until the table is switched on again."""
        self.table.journal.commit_s = commit_s
        self.table.note("disk slow")

    @step(late_s=st.sampled_from([0.0, LATE_S]))
    def starve(self, late_s: float) -> None:
        """Let the machine look late, from now on."""
        self.table.late_s = late_s
        self.table.note("machine starved")

    @step(word=st.sampled_from((*ASKED, *PLAIN)), seed=NUMBERS)
    def ask_on_a_page(self, word: str, seed: int) -> None:
        """Say something possible or not on a page, which is opened where none is."""
        self._ask(word, seed)
        self.agree()

    @step(body=st.binary(max_size=40) | st.sampled_from(NONSENSE))
    def ask_nonsense(self, body: bytes) -> None:
        """Say what is no request at all."""
        self._post(body)
        self.agree()

    def _ask(self, word: str, seed: int) -> None:
        asked = ASKED[word](Random(seed)) if word in ASKED else {"do": word}
        self._post(msgspec.json.encode(asked))

    def _post(self, body: bytes) -> None:
        say(repr(body))
        if self.page is None or self.page.table is not self.table.table:
            self.page = Page(self.table)
        try:
            self.page.ask(body)
        except PowerCut:
            self.table.cut_short()
        self.table.take_down()
        self.table.wait(1.0)
