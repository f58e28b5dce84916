"""A table in a terminal: drawn live on a screen or told in plain lines, played at or replayed."""

import os
import re
import select
import shutil
import stat
import sys
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import click

from hardware.ports import RGB, HardwareError, Observation
from rules import Notice, Rules, RulesError, Sentence, Square, _, printable
from rules.text import LOST, WON

from ..errors import TableError
from ..game.commands import DecideFight
from ..game.events import Header
from ..journal.journal import Journal
from ..languages import Language, refused_in
from ..light.lamps import MEANINGS, Cue, Lamp, Lighting, cues
from ..light.speech import COUNTING
from ..light.words import Speaker, clock_in_words
from ..replay.replay import Decision, Replay
from ..session.session import News, Session
from ..session.view import View
from ..table.board import Plain
from ..table.games import begin_game
from ..table.loop import Clock, Table
from .text import colours_of, ink, padded, wrapped
from .typed import Quit, TypedTable, TypedWords

FRAME_S = 0.05
"""The screen is drawn anew this often; the fastest rhythm changes every 0.125 s."""

LINES_CALM_S = 1.5
"""Seconds without an event after which hand and table are done with a typed line."""

LINES_LONGEST_S = 12.0
"""Seconds after which the next line is taken even if something still happens."""

LINES_STEP_S = 0.005
"""Seconds from one look at the table to the next, while lines are typed."""

LOG_LINES = 200

ARROWS = re.compile("\x1b[\\[O][0-9;]*[A-Za-z~]")
"""Codes of arrow and function keys, which nobody means to type."""

MOST_SAID = 6
"""Most lines of an answer that fit beside the board; the help has more."""
LEAST_SIDE = 24
"""Least width of the text beside the board."""
TALL_LINES = 25
"""Lines of a screen with room for squares of two lines."""


HINT_WATCH = _("quit")


class Screen:
    """The screen: board, moves, words, news, and the line being typed."""

    def __init__(
        self,
        table: Table,
        speaker: Speaker,
        greeting: Iterable[str],
        hint: Sentence = HINT_WATCH,
    ) -> None:
        """Begin with a `greeting`; `hint` says what may be typed."""
        self._hint = hint
        self.typed = ""
        self.page: Sequence[str] = ()  # shown instead of the table, until the next typed line
        self.log = deque(greeting, maxlen=LOG_LINES)
        self._table, self._speaker = table, speaker
        self._now = 0.0
        self.language = speaker.language

    def step(self, now: float) -> None:
        """Let the table step once, and add to the log what has happened."""
        self._now = now
        self.log.extend(self._speaker.lines(self._table.step(now)))

    def draw(self, columns: int, lines: int, colours: int) -> list[str]:
        """Return the lines of the whole screen: the table, or a long answer.

        Without colours, marks show the lamps' meanings.
        """
        if self.page:
            page = [shown for line in self.page for shown in wrapped(printable(line), columns)]
            if len(page) > lines - 2:
                page[lines - 3 :] = ["..."]
            return [*page, "", self._prompt(_("Enter: back to the board"))]
        view = self._table.view
        is_tall = lines >= TALL_LINES and colours > 0
        board = (
            lit_board(view, self._table.lights, self._table.lighting.lamp_of, is_tall, colours)
            if colours
            else [padded(line, BOARD_WIDTH) for line in plain_board(view, cues(view))]
        )
        # Beside the board if there is room, else below it: a phone's terminal is narrow and high.
        width = max(columns - BOARD_WIDTH - 7, LEAST_SIDE)
        side = self._side(width - 4, len(board) - 2)
        bar = "─" * (width - 2)
        frame = [f"╭{bar}╮", *(f"│ {line} │" for line in side), f"╰{bar}╯"]
        if columns < BOARD_WIDTH + 1 + width:
            return [*board, *frame, self._prompt(self._hint)]
        beside = [f"{left} {right}" for left, right in zip(board, frame, strict=True)]
        return [*beside, self._prompt(self._hint)]

    def _side(self, width: int, height: int) -> list[str]:
        """Return the lines beside the board: words, the latest moves, news."""
        record = self._table.view.record
        sentences = self._speaker.all_of(clock_in_words(record.clocks, self._now))
        sentences += self._speaker.sentences(self._table.view)
        words = [shown for line in sentences for shown in wrapped(printable(line), width)]
        room = height - len(words) - 1
        moves = move_rows(record.moves, record.game.start.ply_number)
        moves = moves[-max((room - 1) // 2, 1) :]
        log = [shown for line in self.log for shown in wrapped(printable(line), width)]
        newest = log[-max(room - len(moves) - bool(moves), 1) :]
        side = [click.style(padded(line, width), bold=True) for line in words]
        side.append(" " * width)
        if moves:
            side += [click.style(padded(line, width), "cyan") for line in moves]
            side.append(" " * width)
        side += [click.style(padded(line, width), dim=True) for line in newest]
        return [*side, *([" " * width] * height)][:height]

    def answer(self, line: str, sentences: Sequence[str]) -> None:
        """Take in the answer to a typed line; a long one becomes a page of its own."""
        self.page = sentences if len(sentences) > MOST_SAID else ()
        if line and not self.page:
            self.log.extend([f"> {line}", *sentences])

    def _prompt(self, hint: Sentence) -> str:
        prompt = click.style(f"> {self.typed}▏", bold=True)
        return (
            prompt if self.typed else prompt + click.style(f"  {self._speaker.say(hint)}", dim=True)
        )


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
    drawn_at = 0.0
    with _keys() as read, _whole_screen() as show:
        while is_going_on():
            now = clock.now()
            screen.step(now)
            if now >= drawn_at + FRAME_S:
                show(screen.draw)
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
    """Do a typed line, and return the answer, which may be a refusal."""
    try:
        return does(line)
    except (TableError, RulesError, HardwareError) as error:
        return [refused_in(language, error)]


def play_in_lines(
    table: Table, speaker: Speaker, clock: Clock, typed: TypedTable, lines: Iterator[str]
) -> None:
    """Do line after line, printing the news and the table's words after each."""
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
    """Play at a real board: print news and words, and do the lines that are typed.

    It ends when somebody quits, not when there are no more lines.
    """
    lines, last_words = LinesTyped(sys.stdin.fileno()), ""
    while is_going_on():
        print_news(table.step(clock.now()), speaker)
        words = "\n".join(speaker.sentences(table.view))
        if COUNTING.sub("", words) != COUNTING.sub("", last_words):
            clocks = speaker.all_of(clock_in_words(table.record.clocks, clock.now()))
            print("\n".join([*clocks, words]), flush=True)
            last_words = words
        for line in lines.read():
            try:
                print("\n".join(answer(typed.do, line, speaker.language)), flush=True)
            except Quit:
                return
        pause()


def is_spoken(stream: TextIO) -> bool:
    """Return True if somebody may write to a stream while it is read."""
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
    quiet_at = started + LINES_CALM_S
    while clock.now() < min(quiet_at, started + LINES_LONGEST_S):
        before = table.view
        news = table.step(clock.now())
        print_news(news, speaker)
        if news or table.view != before or table.session.due is not None:
            quiet_at = clock.now() + LINES_CALM_S
        clock.sleep(LINES_STEP_S)
    view = table.view
    lines = plain_board(view, cues(view)) + speaker.all_of(
        clock_in_words(view.record.clocks, clock.now())
    )
    print("\n".join([*lines, *speaker.sentences(view), ""]), flush=True)


def narrator(table: Table, speaker: Speaker) -> Callable[[list[News]], None]:
    """Return a function that prints a table's news, and a trouble that is new; nobody types."""
    trouble: Notice | None = None

    def tell(news: list[News]) -> None:
        nonlocal trouble
        print_news(news, speaker)
        if table.view.trouble != trouble:
            trouble = table.view.trouble
            print("\n".join(speaker.sentences(table.view)), flush=True)

    return tell


def print_news(news: list[News], speaker: Speaker) -> None:
    """Print news, a line each."""
    for line in speaker.lines(news):
        print(line, flush=True)


@contextmanager
def _whole_screen() -> Iterator[Callable[[Callable[[int, int, int], list[str]]], None]]:
    """Give a function that shows a drawing on the whole terminal; its text is back afterwards."""
    colours, last = colours_of(os.environ), ""

    def show(draw: Callable[[int, int, int], list[str]]) -> None:
        nonlocal last
        columns, lines = shutil.get_terminal_size()
        drawn = draw(columns, lines, colours)[:lines]
        frame = "\x1b[H" + "\r\n".join(f"\x1b[K{line}" for line in drawn)
        frame += "\r\n\x1b[J" * (len(drawn) < lines)
        if frame != last:
            _write(frame)
            last = frame

    _write("\x1b[?1049h\x1b[?25l\x1b[?7l")  # another screen, no cursor, no line broken at its end
    try:
        yield show
    finally:
        with suppress(OSError):  # a terminal that was closed shows nothing
            _write("\x1b[?7h\x1b[?25h\x1b[?1049l")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


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


SQUARE_COLOURS: tuple[RGB, RGB] = ((38, 34, 32), (150, 82, 30))

PIECE_COLOURS: Mapping[bool, tuple[RGB, RGB]] = {
    True: ((255, 255, 255), (78, 84, 108)),
    False: ((0, 0, 0), (255, 165, 60)),
}
"""Letter and body of a piece, by whether it is black's."""

INNERMOST = 5
"""The rank above which a disk has its centre: its rows are rings, the rim above and below."""

CENTRE = "    ---------------  o  ---------------"

FILES = "a   b   c   d   e   f   g   h   i   j"

BOARD_WIDTH = 43
"""Width of the board: three columns for a rank, four for each square."""


def is_disk(rules: Rules) -> bool:
    """Return True if these rules are played on a disk, whose rings are drawn as rows."""
    return rules["board"] != "grid"


def plain_board(view: View, meanings: Mapping[Square, Cue]) -> list[str]:
    """Return the board as eleven lines of text or, of a disk, twelve; each cue as its mark."""
    lines = []
    for rank in range(10, 0, -1):
        if rank == INNERMOST and is_disk(view.position.rules):
            lines.append(CENTRE)
        shown = []
        for square in (Square(10 * (rank - 1) + file) for file in range(10)):
            mark = MEANINGS[meanings[square]].mark if square in meanings else " "
            shown.append(view.standing.get(square, ".") + mark)
        lines.append(f"{rank:2}  {'  '.join(shown)}".rstrip())
    return [*lines, f"    {FILES}"]


def lit_board(
    view: View, lights: Sequence[RGB], lamp_of: Sequence[Lamp], is_tall: bool, colours: int
) -> list[str]:
    """Return the board's lines, each square lit as its lamp is.

    `is_tall` gives each square two lines, so that it is square; `colours` is how many there are.
    """
    lines = []
    grounds = view.position.rules.board.colours
    for rank in range(10, 0, -1):
        if rank == INNERMOST and is_disk(view.position.rules):
            lines.append(click.style(padded(CENTRE, BOARD_WIDTH), dim=True))
        shown = {True: f"{rank:2} ", False: "   "}
        for square in (Square(10 * (rank - 1) + file) for file in range(10)):
            lamp = lights[lamp_of[square]] if lights else (0, 0, 0)
            ground = ink(_lit(SQUARE_COLOURS[grounds[square]], lamp), colours)
            shown[False] += click.style("    ", bg=ground)
            shown[True] += _square(view.standing.get(square), ground, colours)
        lines += [shown[True], shown[False]] if is_tall else [shown[True]]
    return [*lines, padded(f"    {FILES}", BOARD_WIDTH)]


def _square(letter: str | None, ground: RGB | int, colours: int) -> str:
    """Return a square's line with what stands there."""
    if letter is None:
        return click.style("    ", bg=ground)
    letters, body = (ink(each, colours) for each in PIECE_COLOURS[letter.isupper()])
    piece, edge = click.style(f"{letter} ", letters, body, bold=True), click.style(" ", bg=ground)
    return edge + piece + edge


def _lit(ground: RGB, lamp: RGB) -> RGB:
    """Return a square's colour with its lamp shining through it."""
    share = min(1.0, 1.2 * max(lamp) / 255)
    red, green, blue = (
        round(g * (1 - share) + c * share) for g, c in zip(ground, _hue(lamp), strict=True)
    )
    return red, green, blue


def _hue(lamp: RGB) -> RGB:
    """Return the lamp's colour as bright as it can be."""
    most = max(*lamp, 1)
    red, green, blue = (round(255 * value / most) for value in lamp)
    return red, green, blue


PAUSE_S = 0.005
"""Seconds from one look at the replay to the next."""


class ReplayedBoard(Plain):
    """A board that a replay is seen on: nobody touches it, and it has no lamps."""

    hands: None = None

    def __init__(self, poll: Callable[[float], Iterable[Observation]]) -> None:
        self.poll = poll


@contextmanager
def table_of(replay: Replay) -> Iterator[Table]:
    """Set a table up whose sensor is the replay's, and take it down afterwards."""
    with TemporaryDirectory() as folder, closing(Journal(Path(folder))) as journal:
        header = Header.of(replay.start, 0.0)
        opened = begin_game(journal, header)
        session = Session(opened.record, read_by=replay.read_by)
        board = ReplayedBoard(replay.source.poll)
        yield Table(board, Lighting(), journal, opened.game, session)


def watch_on_screen(replay: Replay, clock: Clock, language: Language) -> bool:
    """Show a replay on the screen; return False if somebody has quit before its end.

    The clock shows 0 at its beginning.
    """
    with table_of(replay) as table:
        screen = Screen(table, Speaker(language), [replay.name])
        return play_on_screen(
            screen,
            clock,
            only_watch,
            lambda: _goes_on(replay, table, clock.now()),
            lambda: clock.sleep(PAUSE_S),
        )


def watch_in_lines(replay: Replay, clock: Clock, language: Language) -> None:
    """Print what happens in a replay, and the board whenever its lamps change."""
    speaker = Speaker(language)
    with table_of(replay) as table:
        shown = cues(table.view)
        while (due := next_due(replay, table)) <= replay.ends_at:
            clock.sleep(max(due - clock.now(), 0.0))
            print_news([*_tell_fight(replay, table, due), *table.step(due)], speaker)
            meanings = cues(table.view)
            if meanings != shown:
                shown = meanings
                board = plain_board(table.view, meanings)
                print(f"{due:.3f}", *board, *speaker.sentences(table.view), "", sep="\n")


def next_due(replay: Replay, table: Table) -> float:
    """Return the time of the next look, in seconds; infinity after the end."""
    decided = decision_of(replay, table)
    decided_at = None if decided is None else decided.at
    dues = [due for due in (replay.source.due, table.session.due, decided_at) if due is not None]
    return min(dues, default=float("inf"))


def decision_of(replay: Replay, table: Table) -> Decision | None:
    """Return the result of the fight that is open at the table; None if none is."""
    fight = table.session.record.fight
    if fight is None:
        return None
    return next((decision for decision in replay.decided if decision.at >= fight.at), None)


def _tell_fight(replay: Replay, table: Table, now: float) -> list[News]:
    """Give the table the result of the open fight, once it was decided."""
    decided = decision_of(replay, table)
    if decided is None or decided.at > now:
        return []
    return table.obey(DecideFight(WON if decided.is_won else LOST), now)


def _goes_on(replay: Replay, table: Table, now: float) -> bool:
    """Give the table the results of fights so far; return True while there is more to show."""
    _tell_fight(replay, table, now)
    return now <= replay.ends_at
