"""The table's own engine at its end of the protocol: reads lines, thinks, and answers.

`process.py` is the other end. One thread reads and thinks: while it thinks it looks for lines about
every hundred nodes. `quit` and `isready` are heeded at once, and so are `stop` and `ponderhit`
where they are about what it thinks; everything else waits until it is done. What only `stop` would
end is ended by another `go` behind it, too, and when nobody is left to say anything.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rules import (
    DEFAULT_PRESET,
    Position,
    RulesError,
    _,
    format_move,
    near_miss,
    parse_move,
    parse_rules,
    whole_number,
)

from .. import __version__
from ..errors import TableError
from .endings import Endings
from .evaluation import fitted_weights
from .levels import CONTEMPT, FULL, LEVELS, book_move, level_named
from .library import QuickSearch
from .protocol import (
    NO_MOVE,
    PROTOCOL,
    START,
    BadLine,
    Lines,
    format_info,
    parse_go,
    parse_position_line,
)
from .search import Limits, Search, Thought, make_ready

HELLO: Final = "jetan"
MOST_SEED: Final = 999_999_999
THINKING_SHARE: Final = 0.95
"""The share of the time allowed that is thought through, less `ARRIVAL_S`."""

MOST_CONTEMPT: Final = 1000

ARRIVAL_S: Final = 0.01
"""Seconds that an answer may take to be written and read where other programs are busy."""

OPTIONS: Final = {
    "Rules": f"string default {DEFAULT_PRESET}",
    "Level": f"combo default {FULL} {' '.join(f'var {name}' for name in LEVELS)}",
    "Book": "check default false",
    "Contempt": f"spin default {CONTEMPT} min 0 max {MOST_CONTEMPT}",
    "Seed": f"spin default 0 min 0 max {MOST_SEED}",
}
"""The options that can be set, each with the line that introduces it."""


def number_of(option: str, value: str, most: int) -> int:
    """Return the number an option is set to; BadLine where it is none from 0 to `most`."""
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        wrong = _("{option} {value}: must be a number 0..{most}")
        raise BadLine(wrong, option=option, value=value, most=most)
    return number


def in_time(limits: Limits) -> Limits:
    """Return limits that leave the answer a moment to arrive."""
    if limits.seconds is None:
        return limits
    thinking = max(limits.seconds * THINKING_SHARE - ARRIVAL_S, limits.seconds / 2)
    return limits._replace(seconds=thinking)


class EngineServer:
    """Serves one other program; `say` sends it a line, `clock` tells seconds.

    `is_heard` tells whether anybody can still read what is said.
    """

    def __init__(
        self,
        lines: Lines,
        say: Callable[[str], None],
        clock: Callable[[], float],
        quick: QuickSearch,
        is_heard: Callable[[], bool] = lambda: True,
        endings: Endings | None = None,
    ) -> None:
        """Until `quick` has its library, and where it has none, the search is the one in Python.

        Strong levels know the `endings`.
        """
        self._lines, self._say, self._clock, self._quick = lines, say, clock, quick
        self._is_heard, self._endings = is_heard, endings
        self._later: deque[str] = deque()
        """Lines that came while it was thinking, and wait their turn."""
        self._level, self._seed = LEVELS[FULL], 0
        self._uses_book = False
        self._contempt: int | None = None
        """As it was asked for; else the level's own."""
        self._rules = parse_rules(DEFAULT_PRESET)
        self._position = Position.start(self._rules)
        self._earlier: tuple[Position, ...] = ()
        self._search: Search | None = None
        self._is_asked_to_stop = self._is_leaving = False
        self._is_open = False
        """Whether it ponders, or thinks without end: nothing is answered before it is asked to."""
        self._limits = Limits()
        self._does: dict[str, Callable[[Sequence[str]], None]] = {
            HELLO: lambda words: self._introduce(),
            "isready": lambda words: self._say("readyok"),
            "newgame": lambda words: self._set_position([START]),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: None,  # nothing is being thought
            "ponderhit": lambda words: None,
            "quit": lambda words: self._leave(),
        }

    def serve(self) -> None:
        """Do what is told until `quit`, or until nobody is there any more."""
        while not self._is_leaving:
            line = self._later.popleft() if self._later else self._lines.next(None)
            if line is None:
                return
            self._do(line)

    def _do(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        try:
            if words[0] not in self._does:
                raise BadLine(
                    _("{word}: no such word{near}"),
                    word=words[0],
                    near=near_miss(words[0], self._does),
                )
            self._does[words[0]](words[1:])
        except (TableError, RulesError) as error:
            self._say(f"error {error}")

    def _introduce(self) -> None:
        self._say(f"id name Jetan Table {__version__}")
        self._say(f"id protocol {PROTOCOL}")
        for name, kind in OPTIONS.items():
            self._say(f"option name {name} type {kind}")
        if self._quick.is_building:
            self._say("info string builds its quick search, once; until then it plays without")
        elif self._quick.why_not:
            self._say(f"info string plays without its quick search: {self._quick.why_not}")
        self._say(f"{HELLO}ok")

    def _set_option(self, words: Sequence[str]) -> None:
        name, _value, value = " ".join(words).removeprefix("name ").partition(" value ")
        value = value.strip()
        match name.strip().lower():
            case "rules":
                self._rules = parse_rules(value)
                self._position, self._earlier = Position.start(self._rules), ()
            case "level":
                self._level = level_named(value)
                if self._level.is_strong and self._quick.why_not:
                    why = f"needs the search in C, and plays weaker without: {self._quick.why_not}"
                    self._say(f"info string {self._level.name} {why}")
            case "seed":
                self._seed = number_of("Seed", value, MOST_SEED)
            case "contempt":
                self._contempt = number_of("Contempt", value, MOST_CONTEMPT)
            case "book":
                self._uses_book = value == "true"
            case other:
                near = near_miss(other.capitalize(), OPTIONS)
                raise BadLine(_("{other}: no such option{near}"), other=other, near=near)

    def _set_position(self, words: Sequence[str]) -> None:
        self._position, self._earlier = parse_position_line(words, self._rules)
        make_ready(self._position, self._quick.library())

    def _leave(self) -> None:
        self._is_leaving = self._is_asked_to_stop = True

    def _go(self, words: Sequence[str]) -> None:
        (limits, is_open, among), position = parse_go(words), self._position
        if position.outcome is not None:
            self._say(f"bestmove {NO_MOVE}")
            return
        if self._uses_book and self._level.is_strong and not (is_open or among):
            move = book_move(position, self._seed)
            if move is not None:
                self._say(f"bestmove {format_move(move, position)}")
                return
        allowed = [parse_move(text, position) for text in among] or None
        self._is_open, self._limits = is_open, in_time(self._level.bounded(limits))
        limits = self._level.limits if is_open else self._limits
        self._search = Search(
            position,
            fitted_weights(),
            self._clock,
            limits,
            stops=self._hear,
            earlier=self._earlier,
            allowed=allowed,
            glimpse=partial(self._level.glimpse, seed=self._seed),
            taste=self._seed,
            library=self._quick.library(),
            contempt=self._level.contempt if self._contempt is None else self._contempt,
            endings=self._endings if self._level.is_strong else None,
        )
        waiting, self._later = self._later, deque()
        for line in waiting:
            self._heed(line)  # what came while it thought about something else
        thought = self._think(self._search, position)
        while self._is_open and not self._is_asked_to_stop:
            self._listen(None)  # proven early, but not to be told before it is asked
        self._search, self._is_asked_to_stop = None, self._is_leaving
        self._answer(thought, position)

    def _think(self, search: Search, position: Position) -> Thought:
        thought = None
        for thought in search.deepen():
            self._say(format_info(thought, position))
        assert thought is not None  # the first ply is always searched
        return thought

    def _answer(self, thought: Thought, position: Position) -> None:
        answer = format_move(thought.move, position)
        if len(thought.line) > 1:
            answer += f" ponder {format_move(thought.line[1], position.play(thought.move))}"
        self._say(f"bestmove {answer}")

    def _hear(self) -> bool:
        """Take in what came while thinking; return whether to stop."""
        self._listen(0.0)
        return self._is_asked_to_stop

    def _listen(self, seconds: float | None) -> None:
        line = self._lines.next(seconds)
        while line is not None:
            self._heed(line)
            line = self._lines.next()
        if self._lines.is_closed and not self._is_heard():
            self._leave()
        elif self._lines.is_closed and self._is_endless:
            self._is_asked_to_stop = True  # nobody is left who could say so

    @property
    def _is_endless(self) -> bool:
        """True if its thinking has no end of its own."""
        return self._is_open or self._limits == Limits()

    def _heed(self, line: str) -> None:
        is_next_asked = any(waiting.startswith("go") for waiting in self._later)
        match line.split()[:1]:
            case ["quit"]:
                self._leave()
            case ["isready"]:
                self._say("readyok")
            case ["stop"] if not is_next_asked:
                self._is_asked_to_stop = True
            case ["ponderhit"] if not is_next_asked:
                self._close()
            case [word]:
                self._later.append(line)
                if word == "go" and self._is_endless:
                    self._is_asked_to_stop = True

    def _close(self) -> None:
        """Let the limits count from now on: the ply that was pondered has been played."""
        if self._search is None or not self._is_open:
            return
        self._is_open = False
        seconds = self._limits.seconds
        self._search.limits = self._limits._replace(
            seconds=None if seconds is None else self._search.seconds + seconds
        )
