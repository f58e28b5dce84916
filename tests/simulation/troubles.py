"""What goes wrong about a table: its disk, its machine, its cable, its clock, and who looks on."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec
from hypothesis import strategies as st

from firmware_bridge import BoardSettings, SerialBoard
from hardware.ports import FaultKind, Observation, Switch
from jetan_table.engine.process import LATE_S as ANSWER_LATE_S
from jetan_table.engine.process import MOST_DEATHS, EngineProcess
from jetan_table.engine.search import Limits
from jetan_table.errors import TableError
from jetan_table.extras.opponent.seat import EnginePlayer
from jetan_table.light.lamps import LampChoice
from jetan_table.page.access import understood
from jetan_table.page.asked import AskedTable, Request
from jetan_table.page.playing import PageTable
from jetan_table.page.state import State
from jetan_table.page.stream import Stream
from jetan_table.table.loop import Clock
from rules import SQUARES, Square, format_square
from tests.firmware_bridge.peer import Peer
from tests.sentences import said
from tests.simulation.evening import (
    NUMBERS,
    OFF_S,
    Evenings,
    GameLost,
    has_plies,
    is_sound,
    say,
    step,
)
from tests.simulation.player import Ambush
from tests.simulation.plug import PluggedTable, PowerCut
from tests.simulation.sometimes import (
    ALONE,
    ANSWERS,
    DIE,
    FAULTS,
    NAMED,
    NEW,
    OVER,
    QUESTION,
    SAID,
    WHOLE,
    phase_of,
)

LATE_S: Final = 0.3
"""A starved machine looks up to so much later than it should, and misses no touch of tidy hands."""

ASLEEP_S: Final = 3.0
COMMIT_S: Final = (0.0, 0.05, 0.3)
WAIT_S: Final = 3.0
"""After so long a disk that has room again has been tried again."""

THINKS_S: Final = 1.0
HANGS_S: Final = MOST_DEATHS * (THINKS_S + ANSWER_LATE_S + WAIT_S)
"""After so long a table has given up an engine that was to think for `THINKS_S`."""


class VirtualClock(Clock):
    """The time at a table that is simulated."""

    def __init__(self, table: PluggedTable) -> None:
        self._table = table

    def now(self) -> float:
        return self._table.now

    def sleep(self, seconds: float) -> None:
        self._table.wait(seconds)


class OddDevice(SerialBoard):
    """A board at a serial line that says it has switches of a kind nobody knows, and babbles."""

    def __init__(self, now: float, rng: Random) -> None:
        self._peer = Peer(sensor=rng.randrange(2, 256), now=now)
        self._peer.harm_to_host = lambda data: data + rng.randbytes(rng.randrange(8))
        super().__init__(self._peer, BoardSettings(), tuple(map(Switch, SQUARES)))

    def poll(self, now: float) -> list[Observation]:
        self._peer.run_until(now)
        return super().poll(now)


def as_it_is() -> None:
    """Mend nothing."""


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


async def first_of(stream: Stream) -> bytes:
    return await anext(stream.follow(None))


class Page:
    """Somebody's page: what it has been shown last, over a real page's table and its stream."""

    def __init__(self, plugged: PluggedTable) -> None:
        self.table, self._plugged = plugged.table, plugged
        archive, folder = plugged.journal.archive, plugged.journal.folder
        clock = VirtualClock(plugged)
        asked = AskedTable(self.table, archive, folder, clock, "en", LampChoice())
        self._asked = asked
        self._stream = Stream("evening")
        PageTable(asked).mailbox.follow(self._take)

    def ask(self, body: bytes) -> str:
        """Ask for something as the server does, and return how it was answered."""
        answer = "malformed"
        try:
            request = understood(body, Request)
            answer = "refused"
            self._asked.do(request)
            answer = "obeyed"
        except TableError:
            pass
        return answer

    @property
    def shown(self) -> dict[str, Any]:
        """What whoever opens the page now gets from the stream."""
        event = asyncio.run(first_of(self._stream))
        state: dict[str, Any] = msgspec.json.decode(event.partition(b"data: ")[2])
        return state

    def _take(self, state: State) -> None:
        """AssertionError where a page is shown what the table does not show."""
        self._stream.push(state)
        assert state["moves"] == list(self.table.record.moves), "a page shows other plies"


class Troubles(Evenings):
    """Two people at a table whose parts do as they like."""

    _page: Page | None = None

    @property
    def page(self) -> Page:
        """A page of the table, opened where none is."""
        if self._page is None or self._page.table is not self.table.table:
            self._page = Page(self.table)
        return self._page

    def strike(self, fault: str, choice: int, phase: str | None = None) -> Callable[[], None]:
        """Let something go wrong just now; return what mends it, where it does not mend itself."""
        table, rng = self.table, Random(choice)
        phase = phase or phase_of(table.view, has_plies(self))
        table.note(fault)
        if ALONE in ANSWERS[fault]:
            self.struck.append((fault, phase, self.player.wanted))
        match fault:
            case "plug":
                table.pull_plug()
            case "clock":
                table.pull_plug(rng.choice(OFF_S))
            case "machine":
                table.starve(ASLEEP_S)
            case "page":
                word = rng.choice(("no request", rng.choice(tuple(ASKED)), rng.choice(PLAIN)))
                self._ask(word, rng.randrange(9999), phase)
            case "switch":
                self._break(rng.choice(SQUARES), rng.choice(list(FaultKind)))
            case "rot":
                lost = table.rot(rng)
                self.answered(fault, phase, NAMED if lost else WHOLE)
                if lost:
                    raise GameLost
            case "engine":
                self._hang_engine(phase)
            case _:
                return self._hold_up(fault, phase, rng)
        return as_it_is

    def _hold_up(self, fault: str, phase: str, rng: Random) -> Callable[[], None]:
        """Let a fault last which the table says while it does; return what mends it."""
        table, page = self.table, self.page  # a page that is open is told
        match fault:
            case "cable":
                table.switches.is_out = True
            case "device":
                table.switches.is_out = True
                table.switches.odd = OddDevice(table.now, rng)
            case _:
                table.journal.refuse(fault)
        table.wait(WAIT_S)

        def mend() -> None:
            table.wait(WAIT_S)
            trouble = table.view.trouble
            shown = said((page if page.table is table.table else self.page).shown["trouble"])
            is_shown = shown in str(trouble) and bool(shown) is bool(trouble)
            assert is_shown, f"a page says {shown}, and its table {trouble}"
            is_mute = fault in ("disk", "card") and trouble is None  # nothing is to be written
            if not is_mute:
                assert trouble is not None, f"nobody says what is wrong: {fault}"
                self.answered(fault, phase, SAID)
            table.switches.is_out, table.switches.odd = False, None
            table.journal.refuse(None)
            table.wait(WAIT_S)

        return mend

    def _hang_engine(self, phase: str) -> None:
        """Seat an opponent who never answers; the table says so in time, and does without."""
        table, seated_at, side = self.table, self.table.table, self.record.position.side
        if phase in (QUESTION, DIE, OVER, NEW):
            return
        engine = EngineProcess({}, ("sleep", "1000"), clock=lambda: table.now)
        player = EnginePlayer(side, engine, Limits(seconds=THINKS_S))
        seated_at.welcome(player)
        asked_about, waited_s, is_asked = self.record.game.position, 0.0, True
        while player.trouble is None and waited_s < HANGS_S:
            table.wait(WAIT_S)
            waited_s += WAIT_S
            record = self.record
            is_asked &= record.game.position is asked_about and table.table is seated_at
            is_asked &= record.ending is None and record.question is None
            is_asked &= record.fight is None and not record.game.awaits_roll
            is_asked &= record.unsettled is None
        if player.trouble is None:
            engine.close()
            assert not is_asked, "an engine hangs, and nobody says so"
            player.trouble = "nobody asks it any more"
        elif table.table is seated_at:
            assert player.trouble in table.view.guest_notes
            self.answered("engine", phase, SAID)

    def _break(self, square: Square, kind: FaultKind) -> None:
        say(format_square(square))
        self.table.switches.failed[square] = kind

    @step(is_sound, trouble=st.sampled_from(FAULTS), choice=NUMBERS)
    def suffer(self, trouble: str | None, choice: int = 0) -> None:
        """Let something go wrong while nobody touches anything, and come right again."""
        if trouble is not None:
            self.strike(trouble, choice)()
        self.agree()

    @step(trouble=st.sampled_from(FAULTS), choice=NUMBERS, steps=st.integers(0, 3))
    def suffer_when_led(self, trouble: str | None, choice: int = 0, steps: int = 0) -> None:
        """Let something go wrong when the lamps lead next, or ask, after some steps."""

        def strike() -> None:
            if trouble is not None and is_sound(self):
                self.strike(trouble, choice)()

        self.strike_when_led = Ambush(steps, strike)

    @step(is_sound, choice=NUMBERS, kind=st.sampled_from([kind.value for kind in FaultKind]))
    def fail(self, choice: int, kind: str) -> None:
        """Let a switch fail; who follows the lamps tells the table that the board is right."""
        self._break(SQUARES[choice % len(SQUARES)], FaultKind(kind))
        self.agree()

    @step(lambda evening: not is_sound(evening))
    def mend(self) -> None:
        """Mend the switch."""
        self.table.switches.failed.clear()
        self.agree()

    @step(commit_s=st.sampled_from(COMMIT_S))
    def slow_the_disk(self, commit_s: float) -> None:
        """Let every commit take so long, until the table is switched on again."""
        self.table.journal.commit_s = commit_s

    @step(late_s=st.sampled_from([0.0, LATE_S]))
    def starve(self, late_s: float) -> None:
        """Let the machine look late, from now on."""
        self.table.late_s = late_s

    @step(word=st.sampled_from((*ASKED, *PLAIN)), seed=NUMBERS)
    def ask_on_a_page(self, word: str, seed: int) -> None:
        """Say something possible or not on a page, which is opened where none is."""
        self._ask(word, seed, phase_of(self.table.view, has_plies(self)))
        self.agree()

    @step(body=st.binary(max_size=40) | st.sampled_from(NONSENSE))
    def ask_nonsense(self, body: bytes) -> None:
        """Say what is no request at all."""
        self._post(body, phase_of(self.table.view, has_plies(self)))
        self.agree()

    def _ask(self, word: str, seed: int, phase: str) -> None:
        asked = ASKED[word](Random(seed)) if word in ASKED else {"do": word}
        self._post(msgspec.json.encode(asked), phase)

    def _post(self, body: bytes, phase: str) -> None:
        say(repr(body))
        try:
            self.answered("page", phase, self.page.ask(body))
        except PowerCut:
            self.table.cut_short()
        self.table.take_down()
        self.table.wait(1.0)
