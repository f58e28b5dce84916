"""A reader of any language at the end of two pipes, as docs/hands.md describes its lines."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol

from hardware.ports import Observation, presence
from jetan_table.engine.protocol import LineBuffer
from jetan_table.errors import TableError
from jetan_table.game.events import Fault, Ply, Question, TakeBack
from jetan_table.reading.readings import Reading, Step
from rules import BadText, Sentence, Square, format_square, parse_square, squares_of

VERSION: Final = 1
OFTEN_S, FOR_S, SELDOM_S = 0.05, 2.0, 0.5
"""Time is told so often for a while after a change, and then seldom, until the next."""
SILENT_S: Final = 60.0
"""Longest wait for a reader's answer to one line, in seconds of the clock."""
MOST_LINES: Final = 1000
"""Lines that one line may be answered with."""


class BadEntry(TableError, ValueError):
    """A reader that does not keep to the protocol; the text has its line."""


class Legal(Protocol):
    """A game, as readers of any language may ask about it."""

    def occupied(self, standing: Any) -> int:
        """Return the squares of all pieces, as bits."""
        ...

    def steps_from(self, standing: Any, square: Square) -> list[Step[Any]]:
        """Return the legal moves of what stands on a square."""
        ...


class Entry:
    """A reader's program: it is told what switches or cameras show, and tells what was played.

    It ends with the block. BadEntry wherever it breaks the protocol, or is silent.
    """

    def __init__(self, command: str, name: str, game: Legal, start: Any, *known: str) -> None:
        """`name` is the game's, `start` stands there first; `known` are lines to begin with."""
        self._known = known
        self._command, self._game, self._name = command, game, name
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, LineBuffer(self._process.stdout.fileno())
        self._changed_at = 0.0
        self.due: float | None = None
        self._after: dict[tuple[str, ...], Any] = {(): start}

    def __enter__(self) -> Entry:
        try:
            for line in (f"hands {VERSION} {self._name}", *self._known):
                self._ask(line, 0.0)
        except BadEntry:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._to.close()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def observe(self, observation: Observation) -> Iterable[Reading[Any]]:
        """Tell what has changed, and return what the reader makes of it."""
        self._changed_at = observation.at
        changes = [
            ("+" if presence(evidence) > 0 else "-") + format_square(square)
            for square, evidence in sorted(observation.squares.items())
            if evidence is not None
        ]
        return self._at(observation.at, *changes)

    def tick(self, now: float) -> Iterable[Reading[Any]]:
        """Tell that time has passed, and return what the reader makes of it."""
        return self._at(now)

    def look(self, at: float, path: Path) -> Iterable[Reading[Any]]:
        """Tell where a camera's picture is, and return what the reader makes of it."""
        return self._ask(f"look {at:.3f} {path}", at)

    def _at(self, now: float, *changes: str) -> list[Reading[Any]]:
        self.due = now + (OFTEN_S if now - self._changed_at < FOR_S else SELDOM_S)
        return self._ask(" ".join((f"at {now:.3f}", *changes)), now)

    def _ask(self, line: str, now: float) -> list[Reading[Any]]:
        """Say a line, and return the readings that it is answered with."""
        self._say(line)
        readings: list[Reading[Any]] = []
        for _line in range(MOST_LINES):
            answer = self._from.next(SILENT_S)
            if answer is None:
                ended = self._from.is_closed
                raise self._broken("has ended after" if ended else "is silent after", line)
            if answer == ".":
                return readings
            word, *rest = answer.split() or [""]
            if word == "after":
                for known in self._legal(tuple(rest), answer):
                    self._say(known)
                continue
            try:
                readings.append(reading_of(word, rest, now))
            except (ValueError, IndexError):
                raise self._broken("wrote", answer) from None
        raise self._broken("writes without end after", line)

    def _say(self, line: str) -> None:
        try:
            self._to.write(f"{line}\n".encode())
            self._to.flush()
        except OSError:
            raise self._broken("has ended before", line) from None

    def _broken(self, what: str, line: str) -> BadEntry:
        template = Sentence("{command}: {what}: {line!r}")
        return BadEntry(template, command=self._command, what=what, line=line)

    def _legal(self, plies: tuple[str, ...], line: str) -> Iterator[str]:
        """Yield what stands after some plies, and what may be played then."""
        standing = self._standing(plies, line)
        occupied = list(squares_of(self._game.occupied(standing)))
        yield " ".join(("stands", *map(format_square, occupied)))
        moves = [
            format_square(step.from_square) + "-x"[step.capture] + format_square(step.to_square)
            for square in occupied
            for step in self._game.steps_from(standing, square)
            if step.is_ply
        ]
        yield " ".join(("legal", *moves))

    def _standing(self, plies: tuple[str, ...], line: str) -> Any:
        if plies not in self._after:
            *before, last = plies
            standing = self._standing(tuple(before), line)
            try:
                start, end = map(parse_square, last.replace("x", "-").split("-"))
            except ValueError:
                raise self._broken("wrote", line) from None
            steps = self._game.steps_from(standing, start)
            found = [step.after for step in steps if step.to_square == end]
            if not found:
                raise self._broken("asks after what is not legal", line)
            self._after[plies] = found[0]
        return self._after[plies]


def reading_of(word: str, rest: list[str], now: float) -> Reading[Any]:
    """Return what a reader's line tells; ValueError or IndexError where it is none."""
    match word:
        case "ply":
            number, start, end = int(rest[0]), parse_square(rest[1]), parse_square(rest[2])
            step: Step[Any] = Step(start, end, False, None)
            return Reading(Ply(number, step.text), now, step)
        case "ask":
            number, start, *ends = int(rest[0]), *map(parse_square, rest[1:])
            if not ends:
                raise ValueError("a question without an end")
            names = tuple(map(format_square, ends))
            return Reading(Question(number, format_square(start), names), now)
        case "back":
            return Reading(TakeBack(int(rest[0]), "hands"), now)
        case "fault":
            return Reading(Fault(format_square(parse_square(rest[0])), "dead"), now)
    raise BadText(Sentence("{word}: no such word"), word=word)
