"""A table in a terminal: drawn live on a screen, or in plain lines."""

import os
import re
import select
import stat
import sys
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from hardware.ports import HardwareError
from rules import RulesError
from rules.sentences import Sentence, _

from ..errors import TableError
from ..languages import Language, refused_in
from ..light.announcer import COUNTING
from ..light.cues import cues
from ..light.lights import LightsSeen
from ..light.words import Speaker
from ..session.session import News
from ..table.loop import Clock, Table
from .terminal_board import is_disk, lit_board, plain_board
from .typed import Quit, TypedTable, TypedWords

FRAME_S = 0.05
"""The screen is drawn anew this often; the fastest rhythm changes every 0.125 s."""

CALM_S = 1.5
"""After a typed line, hand and table are done when nothing has happened for so long."""

LONGEST_CALM_S = 12.0
"""The next line is done after so long, even where something still happens."""

STEP_S = 0.005
"""From one look at the table to the next, while lines are typed."""

LOG_LINES = 200
"""So many of the latest lines about what has happened are kept."""

ARROWS = re.compile("\x1b[\\[O][0-9;]*[A-Za-z~]")
"""What arrow and function keys send; nobody means to type it."""

MOST_SAID = 6
"""More lines than this, as the help has, do not fit beside the board."""
TALL_LINES = 25
"""A screen of so many lines has room for squares of two lines."""


HINT_WATCH = _("quit")


class Screen:
    """What is on the screen: board, moves, words, what has happened, and the line being typed."""

    def __init__(
        self,
        table: Table,
        lamps: LightsSeen,
        speaker: Speaker,
        greeting: Iterable[str],
        hint: Sentence = HINT_WATCH,
    ) -> None:
        """Begin with a `greeting`; `hint` says what may be typed."""
        self._hint = hint
        self.typed = ""
        self.page: Sequence[str] = ()  # shown instead of the table, until the next typed line
        self.log = deque(greeting, maxlen=LOG_LINES)
        self._table, self._lamps, self._speaker = table, lamps, speaker
        self._now = 0.0
        self.language = speaker.language

    def step(self, now: float) -> None:
        """Let the table step once, and add to the log what has happened."""
        self._now = now
        self.log.extend(self._speaker.lines(self._table.step(now)))

    def draw(self, console: Console) -> Group:
        """Return the whole screen: the table, or a page that was asked for."""
        if self.page:
            return Group(*map(Text, self.page), Text(), self._prompt(_("Enter: back to the board")))
        view = self._table.view
        is_tall = console.height >= TALL_LINES
        lamp_of = self._table.lighting.lamp_of
        board = lit_board(view, self._lamps.lights, lamp_of, is_tall)
        width = max(console.width - 50, 24)
        height = (21 if is_tall else 11) + is_disk(view.position.rules)
        lines = self._speaker.clock(view.record.clocks, self._now) + self._speaker.sentences(view)
        words = Text("\n".join(lines), style="bold")
        rows = height - 4 - len(words.wrap(console, width - 4))
        record = view.record
        moves = move_rows(record.moves, record.game.start.ply_number)[-max(rows // 2, 1) :]
        log = Text("\n".join(self.log), style="dim").wrap(console, width - 4)
        above = (Text("\n".join(moves), style="cyan"), Text()) if moves else ()
        newest = log[-max(rows - len(moves) if moves else rows + 1, 1) :]
        below = (*above, Text("\n").join(newest))
        side = Panel(Group(words, Text(), *below), width=width, height=height)
        return Group(Columns([board, side]), self._prompt(self._hint))

    def answer(self, line: str, sentences: Sequence[str]) -> None:
        """Take in what is said to a typed line: what is long becomes a page of its own."""
        self.page = sentences if len(sentences) > MOST_SAID else ()
        if line and not self.page:
            self.log.extend([f"> {line}", *sentences])

    def _prompt(self, hint: Sentence) -> Text:
        prompt = Text(f"> {self.typed}▏", style="bold")
        return prompt if self.typed else prompt.append(f"  {self._speaker.say(hint)}", "dim")


def move_rows(moves: Sequence[str], first_number: int) -> list[str]:
    """Return moves in rows of two, `12. Pd2-d3    Pe9-e8`; the first has the number given."""
    rows: list[str] = []
    for number, move in enumerate(moves, first_number):
        if number % 2:
            rows.append(f"{(number + 1) // 2:3}. {move:10}")
        elif rows:
            rows[-1] += move
        else:
            rows.append(f"{number // 2:3}. {'...':10}{move}")
    return [row.rstrip() for row in rows]


def play_on_screen(
    screen: Screen,
    clock: Clock,
    does: Callable[[str], list[str]],
    is_going_on: Callable[[], bool],
    pause: Callable[[], None],
) -> bool:
    """Show a table as long as `is_going_on`; return False if somebody has quit before."""
    console = Console()
    drawn_at = 0.0
    with _keys() as read, Live(console=console, screen=True, auto_refresh=False) as live:
        while is_going_on():
            now = clock.now()
            screen.step(now)
            if now >= drawn_at + FRAME_S:
                live.update(screen.draw(console), refresh=True)
                drawn_at = now
            try:
                type_keys(screen, read(), does)
            except Quit:
                return False
            pause()
    return True


def only_watch(line: str) -> list[str]:
    """Do what somebody types who only watches: there is nothing to say but `quit`."""
    if line.strip() in ("quit", "q"):
        raise Quit
    return ["quit"]


def type_keys(screen: Screen, keys: str, does: Callable[[str], list[str]]) -> None:
    """Take keys into the line being typed; a finished line is done."""
    for key in ARROWS.sub("", keys):
        if key in "\r\n":
            line, screen.typed = screen.typed, ""
            screen.answer(line, answer(does, line, screen.language))
        elif key in "\x7f\b":
            screen.typed = screen.typed[:-1]
        elif key == "\x15":
            screen.typed = ""
        elif key == "\x04":
            raise Quit
        elif key.isprintable():
            screen.typed += key


def answer(does: Callable[[str], list[str]], line: str, language: Language) -> list[str]:
    """Do a typed line, and return what is said to it; what is refused is said, too."""
    try:
        return does(line)
    except (TableError, RulesError, HardwareError) as error:
        return [refused_in(language, error)]


def play_in_lines(
    table: Table, speaker: Speaker, clock: Clock, typed: TypedTable, lines: Iterator[str]
) -> None:
    """Do line after line, printing what has happened and what the table says then."""
    _wait_calm(table, speaker, clock)
    for line in lines:
        try:
            sentences = answer(typed.do, line, speaker.language)
        except Quit:
            return
        sys.stdout.write("".join(f"{text}\n" for text in sentences))
        _wait_calm(table, speaker, clock)


def play_beside_lines(
    table: Table,
    speaker: Speaker,
    clock: Clock,
    typed: TypedWords,
    is_going_on: Callable[[], bool],
    pause: Callable[[], None],
) -> None:
    """Play at a real board: print what happens and what the table says, and do the lines that come.

    It ends when somebody quits; that no more lines come ends nothing.
    """
    lines, last_words = LinesTyped(sys.stdin.fileno()), ""
    while is_going_on():
        print_news(table.step(clock.now()), speaker)
        words = "\n".join(speaker.sentences(table.view))
        if COUNTING.sub("", words) != COUNTING.sub("", last_words):
            clocks = speaker.clock(table.record.clocks, clock.now())
            print("\n".join([*clocks, words]), flush=True)
            last_words = words
        for line in lines.read():
            try:
                print("\n".join(answer(typed.do, line, speaker.language)), flush=True)
            except Quit:
                return
        pause()


def is_spoken(stream: TextIO) -> bool:
    """Whether somebody may write to a stream while it is read."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stream.isatty() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class LinesTyped:
    """Whole lines from a descriptor, without waiting for them."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = b""
        self._has_ended = False

    def read(self) -> list[str]:
        """Return the lines that have ended since the last call."""
        if self._has_ended or not select.select([self._descriptor], [], [], 0)[0]:
            return []
        data = os.read(self._descriptor, 65536)
        self._has_ended = not data
        *ended, self._begun = (self._begun + (data or b"\n")).split(b"\n")
        return [line.decode(errors="replace") for line in ended]


def _wait_calm(table: Table, speaker: Speaker, clock: Clock) -> None:
    """Let time run until nothing more is due, then print the board and the words to it."""
    started = clock.now()
    quiet_at = started + CALM_S
    while clock.now() < min(quiet_at, started + LONGEST_CALM_S):
        before = table.view
        news = table.step(clock.now())
        print_news(news, speaker)
        if news or table.view != before or table.session.due is not None:
            quiet_at = clock.now() + CALM_S
        clock.sleep(STEP_S)
    view = table.view
    lines = plain_board(view, cues(view)) + speaker.clock(view.record.clocks, clock.now())
    print("\n".join([*lines, *speaker.sentences(view), ""]), flush=True)


class Narrator:
    """Prints what happens at a table where nobody types, and what keeps it from going on."""

    def __init__(self, table: Table, speaker: Speaker) -> None:
        self._table, self._speaker = table, speaker
        self._trouble: str | None = None

    def tell(self, news: list[News]) -> None:
        """Print what has happened, and a trouble that is new."""
        print_news(news, self._speaker)
        view = self._table.view
        if view.trouble != self._trouble:
            self._trouble = view.trouble
            print("\n".join(self._speaker.sentences(view)), flush=True)


def print_news(news: list[News], speaker: Speaker) -> None:
    """Print what is on the disk, line by line."""
    for line in speaker.lines(news):
        print(line, flush=True)


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Read keys as they are pressed, without waiting; the terminal is as before afterwards."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)

    def read() -> str:
        if not select.select([descriptor], [], [], 0)[0]:
            return ""
        return os.read(descriptor, 1024).decode(errors="ignore") or "\x04"

    tty.setcbreak(descriptor)
    try:
        yield read
    finally:
        with suppress(termios.error):  # a terminal that was closed is as nobody left it
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
