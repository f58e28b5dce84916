"""An engine in a process of its own: asked by lines, polled without waiting.

The table's own player and any other program of the protocol are driven alike. A process that dies
is started again, and what it was asked is asked once more; one that hangs is killed, and then has
died. Nobody waits for its pipe: what that does not take is kept, and sent when it does.
"""

import logging
import os
import shlex
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from threading import Thread
from typing import ClassVar, Final, Protocol

from rules import Game, Move, Position, Rules, RulesError, Worded, _, format_rules, parse_move

from ..errors import TableError
from .levels import FULL, level_named
from .library import SWITCH
from .protocol import Info, LineBuffer, Lines, format_go, format_position_line, parse_info
from .search import Limits

LOG: Final = logging.getLogger(__name__)

OWN: Final = (sys.executable, "-m", "jetan_table", "engine")
"""The command line of the table's own player."""

COMMAND: Final = "command:"
SEED: Final = "Seed"
BOOK: Final = "Book"
CONTEMPT: Final = "Contempt"
MOST_DEATHS: Final = 3
"""Deaths over one question after which a process is given up."""

LATE_S: Final = 20.0
"""Seconds by which an answer may be late: a small machine starts slowly."""

SILENT_S: Final = 5.0
"""Seconds after which the table's own player is asked whether it is there; it answers at once."""

MOST_UNSENT: Final = 1 << 16
"""Bytes that an engine may leave unread before it counts as hung."""

MOST_LINES: Final = 1000
"""Lines that are read at a time, for some engine may never stop talking."""

SECONDS_TO_LEAVE: Final = 1.0
SECONDS_TO_END: Final = 0.1
"""Seconds to wait for the end of one that says no more, or was killed."""
MOST_ERRORS: Final = 20
"""The number of its last complaints that are kept."""


class Child(Protocol):
    """Another program that was started to be spoken with."""

    @property
    def lines(self) -> Lines:
        """The lines that it writes."""

    @property
    def pid(self) -> int:
        """Its number."""

    def write(self, data: bytes) -> int | None:
        """Send as much as it takes now, and return how much; OSError where it is gone."""

    def kill(self) -> None:
        """End it at once."""

    def end(self, seconds: float) -> int:
        """Wait a while for it to leave, then kill it; return its exit code."""

    def leave(self, seconds: float) -> None:
        """The same, and nobody waits for it."""


class ChildProcess:
    """A process of this machine, started by a command line; OSError where there is none."""

    def __init__(self, command: Sequence[str], changed: Mapping[str, str]) -> None:
        """`changed` are variables of its environment."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **changed},
            process_group=0,  # an interrupt is for who asks, who then ends it in words
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self.pid = self._process.stdin, self._process.pid
        os.set_blocking(self._input.fileno(), False)
        self.lines: Lines = LineBuffer(self._process.stdout.fileno())

    def write(self, data: bytes) -> int | None:
        return self._input.write(data)

    def kill(self) -> None:
        self._process.kill()

    def end(self, seconds: float) -> int:
        with suppress(OSError):
            self._input.close()
        with self._process:
            try:
                return self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                return self._process.wait()

    def leave(self, seconds: float) -> None:
        with suppress(OSError):
            self._input.close()
        Thread(target=self.end, args=(seconds,)).start()


class EngineLost(TableError, ConnectionError):
    """An engine that does not start, or dies whenever it is asked."""


class EngineProcess:
    """One engine. Ask it with `think`, then `poll` until it answers with a move text.

    `options` are told by `setoption`; `info` is the last it told of its thinking. `clock` tells
    seconds.
    """

    begin: ClassVar[Callable[[Sequence[str], Mapping[str, str]], Child]] = ChildProcess
    """Starts a command line with some variables of the environment changed; OSError. Where a
    machine has no processes, as in a browser, something else stands here."""

    def __init__(
        self,
        options: Mapping[str, str],
        command: Sequence[str] = OWN,
        name: str = "engine",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.info = Info()
        self.trouble: Worded | None = None
        """That it was started anew, until it answers."""
        self.sees_all = False
        """Whether what it says is won is won: it overlooks nothing, and is known to prove it."""
        self.errors: deque[str] = deque(maxlen=MOST_ERRORS)
        self._options, self._command, self._clock = dict(options), tuple(command), clock
        self._limits = Limits()
        """Those of the question that is open."""
        self._heard_at = 0.0
        self._due = inf
        """When the first answer that it owes must have come."""
        self._must_speak_by = inf
        """When it must have said that it is there."""
        self._asked: list[str] | None = None
        """The lines of the question that is open, to ask them once more."""
        self._unanswered = 0
        """Answers still to come, those to dropped questions among them."""
        self._deaths = 0
        """How often the process has ended since the question was asked."""
        self._start()

    @property
    def pid(self) -> int:
        """The process's number: another one after it was started again."""
        return self._child.pid

    def begin_game(self, seed: int | None = None) -> None:
        """Say that another game begins; `seed` is the chance of the table's own player in it."""
        self.stop()
        self._tell("newgame")
        if seed is not None and SEED in self._options:
            self.set_option(SEED, str(seed))

    def think(self, game: Game, limits: Limits, among: Iterable[Move] = ()) -> None:
        """Ask for a move, one `among` some where any are given; an earlier question is dropped."""
        self._ask(game, limits, format_go(limits, among=among))

    def ponder(self, game: Game, limits: Limits) -> None:
        """Think about a game that may come; no answer comes before `hit`, unless to no avail."""
        self._ask(game, Limits(), format_go(limits, is_open=True))

    def hit(self, limits: Limits) -> None:
        """Say that what is pondered has come: from now on the limits count."""
        if self._asked is not None:
            self._asked[-1] = format_go(limits)  # what a new process would be asked
            self._limits = limits
            self._expect_answer()
            self._tell("ponderhit")

    def _ask(self, game: Game, limits: Limits, go: str) -> None:
        self.stop()
        self._deaths, self.info = 0, Info()
        rules = format_rules(game.start.rules)
        if self._options.get("Rules") != rules:
            self.set_option("Rules", rules)
        self._asked = [f"position {format_position_line(game)}", go]
        self._limits = limits
        self._unanswered += 1
        self._expect_answer()
        self._tell(*self._asked)

    def stop(self) -> None:
        """Drop the question, if there is one; its answer is not heeded."""
        if self._asked is not None:
            self._asked = None
            self._due = min(self._due, self._clock() + LATE_S)
            self._tell("stop")

    def set_option(self, name: str, value: str) -> None:
        """Change an option between questions."""
        self._options[name] = value
        self._tell(f"setoption name {name} value {value}")

    def poll(self, seconds: float = 0.0) -> str | None:
        """Return the move that answers the question, once there is one; wait so long for it.

        EngineLost where the process cannot be kept alive.
        """
        for _line in range(MOST_LINES):
            self._send()
            line = self._lines.next(min(seconds, SILENT_S))
            if line is not None:
                LOG.debug("from %s: %s", self.name, line)
                self._heard_at, self._must_speak_by = self._clock(), inf
                answer = self._heed(line.split())
                if answer is not None:
                    return answer
            elif self._lines.is_closed:
                self._restart(is_hung=False)
            elif self._is_hung():
                self._restart(is_hung=True)
            elif seconds <= SILENT_S:
                return None
            else:
                seconds -= SILENT_S
        return None

    def _expect_answer(self) -> None:
        """Reckon when the answer that is due next must have come; others wait their turn."""
        now = self._clock()
        if self._unanswered == 1:
            self._heard_at = now
            self._due = inf if self._limits.seconds is None else now + self._limits.seconds + LATE_S
        elif self._due == inf:
            self._due = now + LATE_S

    def _is_hung(self) -> bool:
        """Return True if an answer is late; after a silence, ask for a word first."""
        now = self._clock()
        if not self._unanswered:
            return False
        is_own = self._command == OWN
        if is_own and self._must_speak_by == inf and now > self._heard_at + SILENT_S:
            self._must_speak_by = now + LATE_S - SILENT_S
            self._tell("isready")
        return now > min(self._due, self._must_speak_by)

    def _heed(self, words: Sequence[str]) -> str | None:
        match words:
            case ["info", *rest] if self._unanswered == 1:
                self.info = parse_info(rest)
            case ["error", *rest]:
                self.errors.append(" ".join(rest))
            case ["bestmove", move, *_] if self._unanswered:
                self._unanswered -= 1
                self._due = inf
                if self._unanswered == 0 and self._asked is not None:
                    self._asked = self.trouble = None
                    return move
                self._expect_answer()
        return None

    def close(self) -> None:
        """End the process, now or, where it does not leave, in a moment; nobody waits for it."""
        self._tell("quit")
        self._child.leave(SECONDS_TO_LEAVE)

    def _start(self) -> None:
        # One that has died goes on with the search in Python, which cannot take it down.
        changed = {SWITCH: "off"} if self._deaths else {}
        try:
            self._child = EngineProcess.begin(self._command, changed)
        except OSError as error:
            raise EngineLost(
                _("{program}: {strerror}"), program=self._command[0], strerror=error.strerror
            ) from error
        self._lines = self._child.lines
        self._unsent = b""
        self._unanswered = 0
        self._due = self._must_speak_by = inf
        self._tell(*(f"setoption name {name} value {v}" for name, v in self._options.items()))

    def _restart(self, *, is_hung: bool) -> None:
        self._deaths += 1
        if is_hung:
            self._child.kill()
        code = self._child.end(SECONDS_TO_END)
        if self._deaths >= MOST_DEATHS:
            self._asked = None
            gone = _("{name} has ended {deaths} times (exit code {code})")
            hung = _("{name} has hung {deaths} times, and was ended")
            raise EngineLost(
                hung if is_hung else gone, name=self.name, deaths=self._deaths, code=code
            )
        self._start()
        self.trouble = Worded(_("{name} gave no answer, and was started anew"), name=self.name)
        if self._asked is not None:
            self._unanswered = 1
            self._expect_answer()
            self._tell(*self._asked)

    def _tell(self, *lines: str) -> None:
        """Send lines, now or when there is room; where nobody is there, `poll` will notice."""
        for line in lines:
            LOG.debug("to %s: %s", self.name, line)
        self._unsent += "".join(f"{line}\n" for line in lines).encode()
        if len(self._unsent) > MOST_UNSENT:
            self._child.kill()  # `poll` will notice, and tell a new one all it needs
            self._unsent = b""
        self._send()

    def _send(self) -> None:
        with suppress(OSError, ValueError):
            while self._unsent:
                sent = self._child.write(self._unsent)
                if not sent:
                    return
                self._unsent = self._unsent[sent:]


def start_adviser(rules: Rules) -> EngineProcess:
    """Start full strength to be asked about games of others: a draw is a draw to it."""
    engine = start_engine(FULL, rules)
    engine.set_option(CONTEMPT, "0")
    return engine


def start_engine(
    player: str, rules: Rules, seed: int = 0, *, has_book: bool = False
) -> EngineProcess:
    """Start the player that people name: a level, or `command:` and another engine's command line.

    With `has_book` a strong level's first moves may be out of the book. TableError or EngineLost
    where there is no such player.
    """
    options = {"Rules": format_rules(rules)}
    if player.startswith(COMMAND):
        words = shlex.split(player.removeprefix(COMMAND))
        if not words:
            raise EngineLost(
                _("{player}: write a command line after {command}"), player=player, command=COMMAND
            )
        return EngineProcess(options, words, name=words[0])
    level = level_named(player)
    options |= {"Level": level.name, SEED: str(abs(seed)), BOOK: "true" if has_book else "false"}
    engine = EngineProcess(options, name=player)
    engine.sees_all = not level.unseen
    return engine


def expected_line(info: Info, position: Position, move: Move) -> tuple[Move, ...]:
    """Return the line an engine told that begins with a move, as far as it can be played."""
    line: list[Move] = []
    with suppress(RulesError):
        for text in info.line:
            line.append(parse_move(text, position))
            position = position.play(line[-1])
    return tuple(line) if line[:1] == [move] else (move,)
