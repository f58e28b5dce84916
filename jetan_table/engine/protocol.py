"""The engine protocol: its words both ways, and the lines they come in.

It is after UCI, the protocol of chess engines; `docs/api/engine.md` has it for people who join
other programs. Words are positions, limits and what a search tells; lines are read without waiting
where there are none.
"""

import os
import select
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from rules import (
    Game,
    Move,
    Position,
    Rules,
    RulesError,
    Square,
    _,
    format_move,
    format_position,
    format_square,
    near_miss,
    parse_move,
    parse_position,
    parse_square,
    whole_number,
)

from ..errors import TableError
from .search import Limits, Thought

PROTOCOL: Final = "1.0"
"""The version of these lines: another first number is another language, the second only adds."""

START: Final = "start"

MOVES: Final = "moves"

LOST: Final = "lost"

WANDERS: Final = "*"

NO_MOVE: Final = "none"

AMONG: Final = "searchmoves"

MOST_MS: Final = 86_400_000

MOST_BYTES: Final = 1 << 20
"""A line longer than this is no line of the protocol."""


class BadLine(TableError, ValueError):
    """A line that is not of the protocol, or does not fit the game; it says what would be."""


def parse_position_line(
    words: Sequence[str], rules: Rules
) -> tuple[Position, tuple[Position, ...]]:
    """Read `start [*e5] [moves ...]`, or a position text in place of `start`.

    Return the position, and those of the game before it, for some may come again.

    Moves are `Pb2-b3` or short, `b2b3`; `*e5` after one tells where the Juggernaut went, `lost`
    that the piece which entered lost the fight.
    """
    at = words.index(MOVES) if MOVES in words else len(words)
    given, moves = list(words[:at]), words[at + 1 :]
    try:
        if given[:1] == [START]:
            to = _juggernaut_square(given[1]) if len(given) == 2 else None
            if len(given) > 1 and to is None:
                raise BadLine(
                    _("position {words}: only *SQUARE may follow start"), words=" ".join(given)
                )
            position = Position.start(rules, juggernaut=to)
        else:
            position = parse_position(" ".join(given), rules)
        return _played(position, moves)
    except RulesError as error:
        raise BadLine(error.template, **error.values) from error


def _played(position: Position, moves: Sequence[str]) -> tuple[Position, tuple[Position, ...]]:
    earlier: list[Position] = []
    for index, word in enumerate(moves):
        if word == LOST:
            continue
        if (to := _juggernaut_square(word)) is not None:
            position = position.move_juggernaut(to)
            continue
        earlier.append(position)
        lost = LOST in moves[index + 1 : index + 2]
        position = position.play(parse_move(word, position), duel_lost=lost)
    return position, tuple(earlier)


def _juggernaut_square(word: str) -> Square | None:
    """Return where a word such as `*e5` puts the Juggernaut; None where it is no such word."""
    return parse_square(word[1:]) if word.startswith(WANDERS) else None


def format_position_line(game: Game) -> str:
    """Write a position line: where the game began, and all that was played since."""
    words = [format_position(game.start)]
    if game.plies:
        words.append(MOVES)
    for ply, after in zip(game.plies, game.positions[1:], strict=True):
        words.append(format_square(ply.move.from_square) + format_square(ply.move.to_square))
        if ply.duel is not None and not ply.duel.attacker_won:
            words.append(LOST)
        if ply.rolls and after.juggernaut is not None:
            words.append(f"{WANDERS}{format_square(after.juggernaut)}")
    return " ".join(words)


def parse_go(words: Sequence[str]) -> tuple[Limits, bool, tuple[str, ...]]:
    """Read what follows `go`: `depth N`, `nodes N`, `movetime MS`, `infinite`, `ponder`.

    Last comes `searchmoves MOVE ...`: the moves to choose from. Return the limits; whether they
    wait for `ponderhit`, so that no answer comes before `stop`; and those moves, none for all.
    """
    numbers: dict[str, int] = {}
    is_open, left = False, list(words)
    among: tuple[str, ...] = ()
    while left:
        word = left.pop(0)
        if word in ("infinite", "ponder"):
            is_open = True
        elif word == AMONG:
            among, left = tuple(left), []
        elif word in ("depth", "nodes", "movetime"):
            told_number = left.pop(0) if left else "nothing"
            number = whole_number(told_number)
            if number is None or not 1 <= number <= MOST_MS:
                raise BadLine(
                    _("{word} {number}: must be a number 1..{most_ms}"),
                    word=word,
                    number=told_number,
                    most_ms=MOST_MS,
                )
            numbers[word] = number
        else:
            known = ("depth", "nodes", "movetime", "infinite", "ponder", AMONG)
            raise BadLine(
                _("go {word}: no such limit ({words}){near}"),
                word=word,
                words=", ".join(known),
                near=near_miss(word, known),
            )
    seconds = numbers["movetime"] / 1000 if "movetime" in numbers else None
    return Limits(numbers.get("depth"), numbers.get("nodes"), seconds), is_open, among


def format_go(limits: Limits, is_open: bool = False, among: Iterable[Move] = ()) -> str:
    """Write `go` for limits; where it `is_open`, they wait for `ponderhit`.

    `among` are the moves to choose from; none: all.
    """
    words = ["go", "ponder"] if is_open else ["go"]
    for name, limit in (("depth", limits.depth), ("nodes", limits.nodes)):
        words += [] if limit is None else [name, str(limit)]
    if limits.seconds is not None:
        words += ["movetime", str(max(1, round(1000 * limits.seconds)))]
    words = words if len(words) > 1 else ["go", "infinite"]
    allowed = [format_square(start) + format_square(end) for start, end, *_rest in among]
    return " ".join([*words, AMONG, *allowed] if allowed else words)


@dataclass(frozen=True, slots=True)
class Info:
    """An engine's report of its thinking, as far as it has told; see Thought."""

    depth: int = 0
    score: int = 0
    win_in: int | None = None
    nodes: int = 0
    line: tuple[str, ...] = ()


def format_info(thought: Thought, position: Position) -> str:
    """Write what a search has found; `win 3` is a proven win in three plies, `loss 2` a loss."""
    ends = thought.win_in
    score = f"{thought.score}" if ends is None else f"{'win' if ends > 0 else 'loss'} {abs(ends)}"
    line = []
    for move in thought.line:
        line.append(format_move(move, position))
        position = position.play(move)
    return (
        f"info depth {thought.depth} score {score} nodes {thought.nodes} "
        f"time {round(1000 * thought.seconds)} pv {' '.join(line)}"
    )


def parse_info(words: Sequence[str]) -> Info:
    """Read what follows `info`, as far as it is known here; BadLine where a number is none."""
    numbers: dict[str, int] = {}
    left, win_in = list(words), None
    line: tuple[str, ...] = ()
    try:
        while left:
            word = left.pop(0)
            if word == "pv":
                line, left = tuple(left), []
            elif word == "score":
                score = left.pop(0)
                if score in ("win", "loss"):
                    win_in = int(left.pop(0)) * (1 if score == "win" else -1)
                else:
                    numbers["score"] = int(score)
            elif word in ("depth", "nodes"):
                numbers[word] = int(left.pop(0))
    except (ValueError, IndexError) as error:
        raise BadLine(_("info {words}: {why}"), words=" ".join(words), why=error) from error
    return Info(win_in=win_in, line=line, **numbers)


class Lines(Protocol):
    """The lines of another program."""

    @property
    def is_closed(self) -> bool:
        """True once it says no more; lines from before are still to be had."""

    def next(self, seconds: float | None = 0.0) -> str | None:
        """Return the next line, or None if none comes in time (None: wait for ever)."""


class LineBuffer:
    """Cuts what a file descriptor brings into lines."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._whole: deque[str] = deque()
        self._rest = b""
        self.is_closed = False

    def next(self, seconds: float | None = 0.0) -> str | None:
        while not self._whole and not self.is_closed:
            if not select.select([self._descriptor], [], [], seconds)[0]:
                return None
            self._read()
        return self._whole.popleft() if self._whole else None

    def _read(self) -> None:
        data = os.read(self._descriptor, 65536)
        self.is_closed = not data
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MOST_BYTES:
            raise BadLine(_("a line of more than {most_bytes} bytes"), most_bytes=MOST_BYTES)
        if self.is_closed and self._rest:
            whole.append(self._rest)
        self._whole.extend(line.decode(errors="replace").strip() for line in whole)
