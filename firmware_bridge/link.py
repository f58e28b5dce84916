"""The line to one board as a pure state machine: bytes and times in, bytes and changes out.

It opens nothing and waits for nothing. `now` is seconds on the table clock and never runs back. A
report may be whole, and still say what this program does not know: then it is refused and noted.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hardware.lamps import ColourOrder, green_first
from hardware.ports import DOUBTED, RGB, Switch, part_notice
from rules import Notice, Sentence, Worded, _

from .errors import NOT_FOUND, UNPLUGGED, BadPacket
from .messages import (
    MAJOR,
    MINOR,
    RESETS,
    RESULTS,
    SENSORS,
    Bounces,
    Configure,
    Count,
    Counts,
    Done,
    Doubted,
    Greet,
    Hello,
    Look,
    Message,
    Ping,
    Pong,
    Probe,
    Probed,
    Repeat,
    Snapshot,
    SwitchEvent,
    Unpacker,
    format_packet,
)
from .mirror import KEPT, BoardClock, LampFrames, LevelFollower, SwitchLevel, unpack_levels

SWITCHES = LAMPS = 100

MOST_LEVEL = {SENSORS["reed"]: SwitchLevel.NORTH, SENSORS["hall"]: SwitchLevel.SOUTH}

GREET_S = 0.5
"""Seconds between greetings of a board that has not said hello."""

STARTS_IN_S = 3.0
"""Opening a port resets most boards, and their bootloader takes up to two seconds."""

PING_S = 1.0
FIRST_PINGS_S = 0.1
"""The clocks are compared quicker at first."""

SILENT_S = 3.0
"""Silence of a board that counts as a fault: six heartbeats."""

LOOPS_S = 10.0
"""Silence after which a board whose USB works will not come back by itself."""

NOISE = 20
"""Bytes without a whole packet that are more than a disturbance: another language, or rate."""

CONFIGURE_S = 0.2
ASK_AGAIN_S = 0.02
"""Seconds between questions to a board that is waited for."""

MOST_QUESTIONS = 8
"""Questions that may wait to be sent; more are refused."""


# Why a board cannot be trusted though its port is open. `Link.trouble` fills them in.

OPENING = _("waiting for the board on {port} to start")
NEVER_HEARD = _("the board on {port} says nothing: is the table's firmware on it?")
SILENT = _("board silent for {seconds:.0f} s: check the cable")
LOOPING = _(
    "board silent for {seconds:.0f} s though its USB works: pull the plug for ten seconds. If "
    "it comes back, its old bootloader loops after a watchdog reset: flash the firmware "
    "without (jetan firmware flash --no-watchdog)"
)
GARBLED = _(
    "the board sends what nobody understands: {baud} baud may not be its rate, or this is not "
    "the table's firmware"
)
WRONG_VERSION = _("the board speaks {board}, this program {own}: reflash it")
WRONG_BOARD = _(
    "the board has {switches} switches and {lamps} lamps, a table 100 of each: flash this "
    "program's firmware (jetan firmware flash)"
)
WRONG_SENSOR = _(
    "the board's switches are of a kind ({sensor}) that this program does not know: renew the "
    "program, or flash its own firmware (jetan firmware flash)"
)

# What people should know of a board that works.

WEAK_SUPPLY = _("the board's supply sagged and it started anew: lamps are kept dim")
HUNG = _("the board's program hung and was started anew by its watchdog")
NOT_KNOWN = _(
    "the board tells what this program does not know: {what}. Renew the program, or flash its "
    "own firmware (jetan firmware flash)"
)
REFUSES = _(
    "the board refuses {ms} ms and {ma} mA, and so its lamps stay dark: change debounce_ms and "
    "limit_ma, or flash this program's firmware (jetan firmware flash)"
)
LOW_COLUMNS = _("columns {columns} touch ground: check their wires")


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """The configuration of the board, the rate of its line, and its sort of lamps."""

    debounce_ms: int = 6
    """1..200."""
    limit_ma: int = 2000
    """Of all lamps together."""
    baud: int = 500_000
    colours: ColourOrder = "grb"
    """The order in which the lamps take a colour; the firmware sends green first in any case."""


MOST_PASSED = 200
"""Messages that are remembered, for people who watch the line."""


Sensed: TypeAlias = tuple[float, Switch, SwitchLevel]
"""A change of a switch: the time in seconds on the table clock, the switch and its new level."""


class Link:
    """The state of a board as far as it is known, and the messages to be sent to it."""

    def __init__(self, settings: BoardSettings) -> None:
        """Begin without a port."""
        self.settings = settings
        self.hello: Hello | None = None
        """The board's greeting; None until it has come."""
        self.counts: Counts | None = None
        """Its own statistics, from the last time it was asked."""
        self.bounces: bytes = b""
        self.probed: Probed | None = None
        """The state of its columns with no row driven."""
        self.current_ma = 0
        """The current of its lamps, as the board reckons it."""
        self.restarts = 0
        """The number of times it has started anew by itself."""
        self.notes: dict[str, Notice] = {}
        """Warnings about a board that works, by their place."""
        self.lately: deque[tuple[float, bool, Message]] = deque(maxlen=MOST_PASSED)
        """The last messages, oldest first: the time, True if sent to the board, the message."""
        self.follower = LevelFollower()
        self.clock = BoardClock()
        self._lamps = LampFrames()
        self._unpacker = Unpacker()
        self._sensed: list[Sensed] = []
        self._questions: list[Message] = []
        self._why_closed = NOT_FOUND
        self._is_open = False
        self.port = ""
        self._sequence = 0
        self._opened_at = self._heard_at = self._last_at = self._sent_at = 0.0
        self._garbled = 0
        self._pinged: dict[int, float] = {}
        self._mark = 0
        self._greet_at = self._ping_at = self._configure_at = self._look_at = 0.0
        self._told_until = 0.0
        """All that the switches showed by then has come."""
        self._configuring: int | None = None
        self._is_configured = False

    @property
    def bad_packets(self) -> int:
        """The number of packets that came damaged."""
        return self._unpacker.bad_packets

    @property
    def version(self) -> str:
        """The protocol's version that the board speaks, empty while that is unknown."""
        return f"{self.hello.major}.{self.hello.minor}" if self.hello else ""

    def trouble(self, now: float) -> Notice | None:
        """Return why the board cannot be trusted; None while it can."""
        why = self._open_trouble(now) if self._is_open else self._why_closed
        if why is None:
            return None
        found = Worded(
            why,
            port=self.port,
            seconds=now - self._heard_at,
            baud=self.settings.baud,
            board=self.version,
            own=f"{MAJOR}.{MINOR}",
            switches=self.hello.rows * self.hello.columns if self.hello else 0,
            lamps=self.hello.lamps if self.hello else 0,
            sensor=self.hello.sensor if self.hello else 0,
        )
        return Notice("cable", "fail", found)

    def opened(self, port: str, now: float) -> None:
        """Take note of an open port; the board behind it may be starting just now."""
        self._is_open, self.port = True, port
        self._opened_at = self._heard_at = now
        self._garbled = 0
        self._greet_at = now
        self._unpacker = Unpacker()
        self._begin_anew()
        self.hello = None

    def closed(self, why: Sentence, port: str = "") -> None:
        """Take note that the port is not open (any more), and why."""
        was_unplugged = not self._is_open and self._why_closed == UNPLUGGED
        self._is_open = False
        self.port = port or self.port
        # That it is still not there is no news to people who have just pulled it out.
        if not (was_unplugged and why == NOT_FOUND):
            self._why_closed = why

    def show(self, lights: Sequence[RGB]) -> None:
        """Let the lamps show these lights as soon as they can."""
        self._lamps.show(green_first(lights, self.settings.colours))

    def ask(self, question: Count | Probe | Look) -> bool:
        """Send a question when the board can take it; False if too many wait already."""
        if len(self._questions) >= MOST_QUESTIONS:
            return False
        self._questions.append(question)
        return True

    def catch_up(self, at: float, now: float) -> bool:
        """Ask for all that the switches showed until `at`; return True once it has come."""
        if self._told_until < at and now >= self._look_at and self.ask(Look()):
            self._look_at = now + ASK_AGAIN_S
        return self._told_until >= at

    def take_sensed(self) -> list[Sensed]:
        """Return the changes since the last call, oldest first."""
        sensed, self._sensed = self._sensed, []
        return sensed

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes that came from the board by `now`."""
        self._garbled += len(data)
        for _sequence, message in self._unpacker.feed(data):
            self._garbled = 0
            self._heard_at = now
            self.lately.append((now, False, message))
            try:
                self._read(message, now)
            except BadPacket as unknown:
                self._unpacker.bad_packets += 1
                self._note("not-known", True, NOT_KNOWN, what=unknown)

    def send(self, now: float) -> bytes:
        """Return the bytes to send to the board now."""
        if not self._is_open:
            return b""
        # Before anything else it must be known who is there: a board of another version may take
        # our commands for others. And a board in trouble is sent nothing but greetings.
        self._sent_at = now
        if self.hello is None or now - self._heard_at > PING_S:
            return self._greet(now)
        if self._open_trouble(now) is not None:
            return b""
        out = self._keep_up(now)
        # What was lost comes before questions and lights: until then all levels are behind.
        number = self.follower.wants_repeat(now)
        if number is not None:
            out += self._pack(Repeat(number))
        while self._questions:
            out += self._pack(self._questions.pop(0))
        frame = self._lamps.next(now) if self._is_configured else None
        if frame is not None:
            out += self._pack(frame)
            self._lamps.sent(self._sequence, now)
        return out

    def _open_trouble(self, now: float) -> Sentence | None:
        silent = now - self._heard_at
        is_garbled = self._garbled > NOISE
        if self.hello is None:
            if now - self._opened_at < STARTS_IN_S:
                return OPENING
            return GARBLED if is_garbled else NEVER_HEARD
        refusal = refusal_of(self.hello)
        if refusal is not None:
            return refusal
        if silent > LOOPS_S and self.hello.has_watchdog and not is_garbled:
            return LOOPING
        if silent > SILENT_S:
            return GARBLED if is_garbled else SILENT
        return None

    def _greet(self, now: float) -> bytes:
        if now < self._greet_at:
            return b""
        self._greet_at = now + GREET_S
        return self._pack(Greet(MAJOR, MINOR))

    def _keep_up(self, now: float) -> bytes:
        """Return pings when they are due, and the configuration until it is confirmed."""
        out = b""
        if now >= self._ping_at:
            self._mark += 1
            self._pinged = {mark: at for mark, at in self._pinged.items() if at > now - SILENT_S}
            self._pinged[self._mark] = now
            self._ping_at = now + (PING_S if self._mark > KEPT else FIRST_PINGS_S)
            out += self._pack(Ping(self._mark))
        # Asked for again until it is confirmed: a board that has started anew has lost it. After a
        # brown-out the lamps get half, or the same lights would pull the supply down again.
        if not self._is_configured and now >= self._configure_at:
            self._configure_at = now + CONFIGURE_S
            limit = self.settings.limit_ma
            limit = limit // 2 if "weak-supply" in self.notes else limit
            out += self._pack(Configure(self.settings.debounce_ms, 255, limit))
            self._configuring = self._sequence
        return out

    def _pack(self, message: Message) -> bytes:
        self._sequence = (self._sequence + 1) % 256
        self.lately.append((self._sent_at, True, message))
        return format_packet(self._sequence, message)

    def _read(self, message: Message, now: float) -> None:
        # Reports of a board that is unknown or refused are read over: their meaning is not certain.
        if isinstance(message, Hello):
            self._read_hello(message, now)
        elif self.hello is not None and refusal_of(self.hello) is None:
            self._read_report(message, self.hello, now)

    def _read_report(self, message: Message, hello: Hello, now: float) -> None:
        check_report(message, hello)
        match message:
            case SwitchEvent():
                self._tell(self.follower.event(message), message.at_us, now)
            case Snapshot():
                self._read_snapshot(message, hello, now)
            case Done():
                self._read_done(message)
            case Pong():
                asked = self._pinged.pop(message.mark, None)
                if asked is not None:
                    self.clock.learn(message.at_us, asked, now)
            case Counts():
                self.counts = message
            case Bounces():
                self.bounces = message.counts
            case Probed():
                self._read_probed(message)
            case Doubted():
                count = int.from_bytes(message.switches, "little").bit_count()
                self._note("doubted", count > 0, DOUBTED, count=count)

    def _read_hello(self, hello: Hello, now: float) -> None:
        is_new = self.hello is None or self.hello.boot != hello.boot
        if self.hello is not None and is_new:
            self.restarts += 1
        self.hello = hello
        if is_new:
            self._begin_anew()
            # While the supply rises at power-on, the chip notes a brown-out as well.
            causes = hello.reset & (RESETS["power"] | RESETS["brown-out"])
            self._note("weak-supply", causes == RESETS["brown-out"], WEAK_SUPPLY)
            self._note("hung", bool(hello.reset & RESETS["watchdog"]), HUNG)
            self._note("not-known", False, NOT_KNOWN)
            self._questions = [Probe(), *self._questions]
        self._ping_at = min(self._ping_at, now)

    def _begin_anew(self) -> None:
        self.follower.restart()
        self.clock.forget()
        self._lamps.forget()
        self._pinged.clear()
        self._mark = 0
        self._ping_at = 0.0
        self._is_configured = False
        self._configure_at = 0.0

    def _read_snapshot(self, snapshot: Snapshot, hello: Hello, now: float) -> None:
        if snapshot.boot != hello.boot:
            self._begin_anew()
            self.hello = None  # its hello was lost: who is it?
            self._greet_at = self._opened_at = now
            self.restarts += 1
            return
        levels = unpack_levels(snapshot.levels, hello.sensor, SWITCHES)
        changes = self.follower.snapshot(levels, snapshot.next_number)
        self._tell(changes, snapshot.at_us, now)
        if self.follower.is_whole:
            at = self.clock.table_time(snapshot.at_us, now) - self.settings.debounce_ms / 1000
            self._told_until = max(self._told_until, at)

    def _read_done(self, done: Done) -> None:
        if done.of == self._configuring:
            is_taken = self._is_configured = done.result == RESULTS["ok"]
            self._configuring = None
            ms, ma = self.settings.debounce_ms, self.settings.limit_ma
            self._note("refuses", not is_taken, REFUSES, ms=ms, ma=ma)
        elif done.result == RESULTS["gone"]:
            self.follower.gone()
        elif done.result == RESULTS["ok"] and self._lamps.done(done.of):
            self.current_ma = done.value

    def _read_probed(self, probed: Probed) -> None:
        self.probed = probed
        low = [str(column) for column in range(16) if probed.low_columns >> column & 1]
        self._note("low-columns", bool(low), LOW_COLUMNS, columns=", ".join(low))

    def _note(self, place: str, stands: bool, template: Sentence, **values: object) -> None:
        if stands:
            self.notes[place] = part_notice(place, template, **values)
        else:
            self.notes.pop(place, None)

    def _tell(self, changes: Mapping[int, SwitchLevel], at_us: int, now: float) -> None:
        """Note the new levels of switches from a time on the board's clock."""
        if changes:
            # Clocks are compared anew all the time; what is reported must not run back by that.
            self._last_at = max(self._last_at, self.clock.table_time(at_us, now))
        for index, level in changes.items():
            self._sensed.append((self._last_at, Switch(index), level))

    @property
    def is_three_state(self) -> bool:
        """True if the board reports the poles of magnets."""
        return self.hello is not None and self.hello.sensor == SENSORS["hall"]


def refusal_of(hello: Hello) -> Sentence | None:
    """Return why this program cannot play on a board, None if it can."""
    if hello.major != MAJOR:
        return WRONG_VERSION
    if (hello.rows * hello.columns, hello.lamps) != (SWITCHES, LAMPS):
        return WRONG_BOARD
    if hello.sensor not in SENSORS.values():
        return WRONG_SENSOR
    return None


def check_report(report: Message, hello: Hello) -> None:
    """Raise BadPacket where a board that said `hello`, and is not refused, tells what it cannot."""
    match report:
        case SwitchEvent():
            _check(_("a switch {number}"), report.switch_index, SWITCHES - 1)
            _check(_("a level {number}"), report.level, MOST_LEVEL[hello.sensor])
        case Bounces():
            _check(_("the bounces of {number} switches"), len(report.counts), SWITCHES)
        case Doubted():
            _check(_("a switch {number}"), _highest_bit(report.switches), SWITCHES - 1)
        case Probed():
            columns = report.low_columns.to_bytes(2, "little")
            _check(_("a column {number}"), _highest_bit(columns), hello.columns - 1)
        case Done():
            _check(_("an answer {number}"), report.result, max(RESULTS.values()))


def _check(what: Sentence, number: int, most: int) -> None:
    if number > most:
        raise BadPacket(what, number=number)


def _highest_bit(packed: bytes) -> int:
    """Return the number of the highest bit that is set, -1 where none is."""
    return int.from_bytes(packed, "little").bit_length() - 1
