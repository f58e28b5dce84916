"""Playing at a table: a board, the guests who follow its game, and a front that shows it.

The board is a real one, a picture on a screen, or one that simulated people sit at. The front is a
page, a screen in the terminal, or plain lines.
"""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec.structs import replace as changed

from rules import RECOMMENDED, Sentence, _, format_rules

from ..boards.opening import camera_of, open_board
from ..boards.screen import BETWEEN_S, POINTER_S, ScreenBoard, TypedHands, typed_hands
from ..errors import TableError
from ..game.agreements import named_rules, wager_event
from ..game.commands import New, NewGame
from ..game.events import SeriesAgreed
from ..game.texts import read_saved, start_from
from ..journal.archive import Archive
from ..journal.journal import Journal
from ..light.ears import Guide
from ..light.news import new_game_in_words, preamble_in_words
from ..light.speech import Announcer, Voice, can_speak, speaker_of
from ..light.words import Speaker
from ..people.board import SimulatedBoard
from ..people.manners import Profile
from ..people.people import SimulatedPlay, leave
from ..session.session import Guest
from ..settings import Settings
from ..table.board import Board
from ..table.games import Opened, begin_game, named_text, new_game, open_game
from ..table.loop import Clock, EagerClock, OwnTime, Table, TableButtons
from ..table.supervision import EXIT_SHUT_DOWN
from ..terminal.terminal import (
    HINT_WATCH,
    Screen,
    is_disk,
    narrator,
    only_watch,
    play_beside_lines,
    play_in_lines,
    play_on_screen,
)
from ..terminal.typed import TypedTable, TypedWords
from ..wiring import (
    ARBITER_PIN,
    Seating,
    at_table,
    dice_of,
    guests_of,
    join,
    seat_people,
    set_damaged_files_aside,
    usual_game,
)
from .options import EXIT_PROBLEM, misused, to_stderr
from .play_options import PLAYED

if TYPE_CHECKING:
    from ..boards.camera import TableCamera

PEOPLE_PLAY = _(
    "Simulated people play; in the end their moves are compared with what the table has read."
)
AT_FULL_SPEED = _("Their time passes as fast as this machine can let it: a game is over soon.")

TYPED = _("d2 d3 moves; d2 lifts or puts; ? all words; quit")
ASKED = _("why d2 d5, back, resign, draw; ? all words; quit")

PATIENT_S = 60.0
"""Seconds that a look at the table may wait for an opponent where nobody waits for its lines."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The manner in which games are played and shown, whoever plays them."""

    settings: Settings
    clock: Clock
    seed: int
    is_plain: bool
    page: Callable[[PlayedTable], None] | None = None
    """Shows a table on its page, instead of in the terminal, as long as it goes on."""
    is_open: bool = False
    """True if everybody on the network may open the page."""
    extra_options: Mapping[type, Any] = field(default_factory=dict)
    """Options of features, by their type."""
    config: Path | None = None

    @property
    def is_eager(self) -> bool:
        """True if time passes only where it is slept: nobody waits for plain lines."""
        is_typed = self.settings.table.board in ("screen", "simulated")
        return is_typed and self.is_plain and self.page is None


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table that is played at, with all that a front needs."""

    options: PlayOptions
    seating: Seating
    table: Table
    journal: Journal
    board: Board
    greeting: Sequence[str]
    goes_on: Callable[[], bool]
    typed: TypedWords | None = None
    """None where simulated people play: nobody types."""
    people: SimulatedPlay | None = None
    camera: TableCamera | None = None

    def pause(self) -> None:
        """Let time pass until the table is to be looked at again."""
        (self.seating if self.people is None else self.people).pause()


def play_there(
    options: PlayOptions,
    folder: Path,
    start: NewGame | None,
    people: Profile | None = None,
    games: int = 1,
) -> int:
    """Play at the board of the settings, or let simulated people play a number of games."""
    settings, guests, then = options.settings, list[Guest](), list[Callable[[], None]]()
    speaker = Speaker(settings.table.language, settings.reed.switch_of())
    with ExitStack() as ends:
        ends.callback(lambda: [do() for do in then])
        ends.enter_context(ends_in_order(speaker))
        journal = ends.enter_context(closing(Journal(folder)))
        guests += ends.enter_context(speaking(settings, speaker))
        if people is None:
            if play_in_person(options, journal, start, speaker, guests, then):
                ends.callback(shut_down)
            return 0
        # Each game has its own seed and its own people, so that any one can be played again alone.
        misread = 0
        for seed in range(options.seed, options.seed + games):
            is_right = play_one(options, journal, start, speaker, guests, people, seed)
            if is_right is None:
                return 0
            misread += not is_right
            gc.collect()  # a table and its page are tied in rings, which Python seldom looks for
        return EXIT_PROBLEM if misread else 0


@contextmanager
def speaking(settings: Settings, speaker: Speaker) -> Iterator[list[Guest]]:
    """Give the guest that speaks, if one is wanted, while the block runs.

    TableError where people do not look at the table, and it cannot speak.
    """
    sound = settings.sound
    if not sound.speak and not sound.by_ear:
        yield []
        return
    if not can_speak(sound.command):
        if sound.by_ear:
            raise TableError(
                _("a table that is played by ear must speak: {program} is not installed"),
                program=speaker_of(sound.command),
            )
        yield []
        return
    with closing(Voice(settings.table.language, command=sound.command)) as voice:
        if sound.by_ear:
            yield [Guide(voice.say, voice.answer, speaker)]
        else:
            yield [Announcer(voice.say, speaker)]


def play_in_person(
    options: PlayOptions,
    journal: Journal,
    start: NewGame | None,
    speaker: Speaker,
    followers: Sequence[Guest],
    then: list[Callable[[], None]],
) -> bool:
    """Play with people at the board of the settings; return whether to shut down.

    `then` collects what is to be done once all is closed.
    """
    opened = opened_by(options, journal, start)
    greeting = greeting_to(options, speaker, journal, opened)
    settings, hands = options.settings, typed_at(options, journal, opened)
    clock: Clock = EagerClock() if options.is_eager else options.clock
    at_home, is_typed = options.page is None, hands is not None
    seating = seating_of(options, journal, opened, speaker, hands)
    seating.wait_s, seating.then = PATIENT_S if options.is_eager else 0.0, then
    with ExitStack() as ends:
        camera = None
        if not is_typed:
            tell = to_stderr(settings.table.language)
            camera = camera_of(settings, clock.now, journal.folder, tell)
        if camera is not None:
            ends.enter_context(closing(camera))
        board = ends.enter_context(closing(board_at(options, clock, hands, camera)))
        is_ended = never if at_home and is_typed else ends.enter_context(stop_requested())
        brought = ends.enter_context(guests_of(seating))
        guests = [*brought, *followers, *([] if camera is None else [camera])]
        table = join(board, journal, opened, settings, seating.dice, guests, hands)
        # A simulated board on a busy machine is looked at late, and would show what never was.
        if isinstance(board, ScreenBoard):
            clock = OwnTime(clock, lambda: (board.due, table.session.due))
        seating.table, seating.clock = table, clock
        typed = words_at(seating, board, at_home)
        buttons = TableButtons(table, clock, board.take_presses)

        def goes_on() -> bool:
            return buttons.go_on() and not is_ended()

        with at_table(seating):
            show(
                PlayedTable(
                    options, seating, table, journal, board, greeting, goes_on, typed, camera=camera
                )
            )
    if is_ended():
        tell_stopped(speaker)
    return buttons.is_off


def words_at(seating: Seating, board: Board, at_home: bool) -> TypedWords:
    """Return the words that can be typed; `at_home`: in a terminal of the table's own."""
    assert seating.table is not None
    language, folder = seating.settings.table.language, seating.folder
    if seating.hands is None:
        of_board = board.statistics
        return TypedWords(seating.table, seating.clock, language, of_board, folder, at_home)
    return TypedTable(seating.table, seating.hands, seating.clock, language, folder, at_home)


def seating_of(
    options: PlayOptions,
    journal: Journal,
    opened: Opened,
    speaker: Speaker,
    hands: TypedHands | None = None,
) -> Seating:
    """Return all that guests may need to know of a table that is about to be made."""
    return Seating(
        options.settings,
        journal.folder,
        opened.record,
        dice_of(journal, options.settings),
        options.clock,
        speaker,
        hands,
        extra_options=options.extra_options,
        is_paged=options.page is not None,
        is_open=options.is_open,
        config=options.config,
    )


def never() -> bool:
    """Say that nobody has asked to end: a signal does that by itself."""
    return False


def typed_at(options: PlayOptions, journal: Journal, opened: Opened) -> TypedHands | None:
    """Return hands for typed words, at a board as its game was left; None for a real board."""
    if options.settings.table.board not in PLAYED:
        return None
    between_s = BETWEEN_S if options.page is None else POINTER_S
    debounce_ms = options.settings.reed.debounce_ms
    return typed_hands(journal, opened, options.seed, between_s, debounce_ms)


def board_at(
    options: PlayOptions, clock: Clock, hands: TypedHands | None, camera: TableCamera | None
) -> Board:
    """Return the board of the settings; for typed hands with a page it is the page's picture."""
    settings = options.settings
    if hands is not None and options.page is not None and settings.table.board != "emulated":
        return ScreenBoard(hands, settings.table.board == "simulated")
    under = None if hands is None else hands.board
    return open_board(settings, clock.now, time.sleep, camera, under)


def play_one(
    options: PlayOptions,
    journal: Journal,
    start: NewGame | None,
    speaker: Speaker,
    followers: Sequence[Guest],
    people: Profile,
    seed: int,
) -> bool | None:
    """Let simulated people play a game; return whether it was read rightly, None if stopped."""
    opened = opened_by(options, journal, start)
    greeting = greeting_to(options, speaker, journal, opened)
    settings, clock, say = options.settings, options.clock, speaker.say
    if options.page is not None:
        greeting.append(say(PEOPLE_PLAY))
        greeting += [say(AT_FULL_SPEED)] if isinstance(clock, EagerClock) else []

    def drive(board: SimulatedBoard) -> Board:
        return open_board(settings, clock.now, time.sleep, under=board)

    seating = seating_of(options, journal, opened, speaker)
    seating.has_people = True
    with ExitStack() as ends:
        guests = [*ends.enter_context(guests_of(seating)), *followers]
        play = seat_people(journal, opened, settings, people, seed, clock, guests, drive)
        seating.table = play.table
        ends.enter_context(closing(play.board))
        is_ended = never if options.page is None else ends.enter_context(stop_requested())

        def goes_on() -> bool:
            return not is_ended() and play.is_going_on()

        is_whole = show(
            PlayedTable(
                options, seating, play.table, journal, play.board, greeting, goes_on, people=play
            )
        )
    if is_ended():
        tell_stopped(speaker)
    if is_ended() or not is_whole:
        return None
    is_right = play.is_read_rightly()
    verdict = say(
        _("read as they were played") if is_right else _("read otherwise than they were played")
    )
    line, plies = _("Game {game}: {plies} moves, {said}."), len(play.table.view.record.moves)
    print(say(line, game=play.table.game, plies=plies, said=verdict))
    leave(journal, play)
    return is_right


def opened_by(options: PlayOptions, journal: Journal, start: NewGame | None) -> Opened:
    """Resume the newest game, or begin one; `start` is a new one."""
    if start is not None:
        return begin_game(journal, start.header, start.events)
    otherwise = named_game(New(), usual_game(options.settings), options.clock.now())
    return open_game(journal, otherwise.header, otherwise.events)


def greeting_to(
    options: PlayOptions, speaker: Speaker, journal: Journal, opened: Opened
) -> list[str]:
    """Return the lines to show before the first step."""
    record, say = opened.record, speaker.say
    lines = list(_of_damage(speaker, journal, opened))
    if opened.is_resumed:
        goes_on, plies = _("Game {game} goes on after {plies} moves."), len(record.moves)
        lines.append(say(goes_on, game=opened.game, plies=plies))
    else:
        lines += speaker.all_of([new_game_in_words(record.header.rules)])
    if options.settings.sound.speak and not can_speak(options.settings.sound.command):
        silent = _("The table cannot speak: {program} is not installed.")
        lines.append(say(silent, program=speaker_of(options.settings.sound.command)))
    if record.conduct.needs_arbiter:
        kept = _("The arbiter's PIN is kept in {path}")
        lines.append(say(kept, path=journal.folder / ARBITER_PIN))
    if record.series is not None:
        lines += speaker.all_of([preamble_in_words(SeriesAgreed(record.series))])
    if record.wager is not None:
        lines += speaker.all_of([preamble_in_words(wager_event(record.wager))])
    if options.page is None and is_disk(record.position.rules):
        rings = _(
            "Rows are rings: rim above and below, centre at o; the edges meet, j1 beside a10."
        )
        lines.append(say(rings))
    return lines


def _of_damage(speaker: Speaker, journal: Journal, opened: Opened) -> Iterator[str]:
    """Yield lines about damaged and lost files."""
    say = speaker.say
    for why in set_damaged_files_aside(journal.folder):
        yield say(_("{why}"), why=why)
    if journal.damaged:
        kept = _("The journal was damaged. It is kept as {path}, and a new one begun.")
        yield say(kept, path=journal.damaged)
    if journal.lost:
        lost = _(
            "The journal is lost; its games are left as texts: jetan games salvage {path} "
            "brings them back."
        )
        yield say(lost, path=journal.lost)
    if opened.kept:
        other = _("The game's text was another one, or longer. It is kept as {path}.")
        yield say(other, path=opened.kept)
    if opened.damage:
        damaged = _("What cannot be read is set aside: {why} (jetan games salvage).")
        yield say(damaged, why=opened.damage)


def show(played: PlayedTable) -> bool:
    """Show a table on its front as long as it goes on; return False if somebody has quit before."""
    seating, table, typed = played.seating, played.table, played.typed
    clock, speaker = seating.clock, seating.speaker
    if played.options.page is not None:
        print("\n".join(played.greeting))
        played.options.page(played)
    elif not played.options.is_plain:
        hint = HINT_WATCH if typed is None else ASKED if seating.hands is None else TYPED
        does = only_watch if typed is None else typed.do
        screen = Screen(table, speaker, played.greeting, hint)
        return play_on_screen(screen, clock, does, played.goes_on, played.pause)
    else:
        print("\n".join(played.greeting), flush=True)
        if played.people is not None:
            played.people.run(narrator(table, speaker))
        elif isinstance(typed, TypedTable):
            play_in_lines(table, speaker, clock, typed, iter(sys.stdin))
        elif typed is not None:
            play_beside_lines(table, speaker, clock, typed, played.goes_on, played.pause)
    return True


def start_of(
    wanted: New, load: str | None, ply: int | None, settings: Settings, folder: Path, now: float
) -> NewGame | None:
    """Return the new game that is wanted; None to go on with the unfinished one.

    `load` names a saved game, or a file, to go on from after `ply` plies; None: after all.
    """
    if load is None:
        if ply is not None:
            raise misused(_("--ply says where to play on from a game: tell it by --load"))
        return requested_game(wanted, usual_game(settings), folder, now)
    if changed(wanted, rules=None, position=None, clock=None, conduct=None) != New():
        raise misused(_("--load brings what was agreed: leave --series and the like out"))
    if wanted != New():
        raise misused(_("--load brings its own rules, position, clock and conduct: leave them out"))
    return start_from(read_saved(named_text(folder, load)), ply, now)


def requested_game(wanted: New, custom: New, folder: Path, now: float) -> NewGame | None:
    """Return the new game that is wanted; None to go on with the unfinished one.

    All that is left open is as in its series, and then as is the `custom`.
    """
    if wanted == New():
        return None
    new_terms = wanted.rules, wanted.position, wanted.clock, wanted.conduct
    with ExitStack() as ends:
        archive = None
        if wanted.series is not None:
            archive = ends.enter_context(closing(Archive.open(folder)))
            games = archive.series().get(wanted.series)
            if games and not any(each is not None for each in new_terms):
                if wanted == New(series=wanted.series) and archive.unfinished() in games:
                    return None
                custom = changed(custom, rules=archive.header(games[-1]).rules)
        return named_game(wanted, custom, now, archive)


def named_game(wanted: New, custom: New, now: float, archive: Archive | None = None) -> NewGame:
    """Return the game that is wanted, or the `custom`; its rules may be those of a file."""
    rules = format_rules(named_rules(wanted.rules or custom.rules or RECOMMENDED))
    return new_game(archive, custom, changed(wanted, rules=rules), None, now)


GOES_ON: Final = _("Stopped; the game goes on next time.")


ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


EXIT_SIGNAL: Final = 128
"""With the signal's number added, as a shell reports it."""


class SignalledEnd(SystemExit):
    """The system asks to end; `code` is the exit code for that."""


@contextmanager
def ends_in_order(speaker: Speaker, leave: Sentence = GOES_ON) -> Iterator[None]:
    """End the block on a signal as by an exception, so that all is closed, and then say so."""

    asked: list[SignalledEnd] = []

    def end(number: int, frame: FrameType | None) -> None:
        # A second Ctrl-C, pressed in impatience, must not interrupt the closing of the journal.
        for other in ENDING:
            signal.signal(other, signal.SIG_IGN)
        asked.append(SignalledEnd(EXIT_SIGNAL + number))
        raise asked[0]

    try:
        with _handled(end):
            yield
    except (SignalledEnd, OSError) as error:
        # A terminal that is gone takes no leave; what the journal has to say is heard.
        if not asked or isinstance(error, TableError):
            raise
        tell_stopped(speaker, leave)
        raise asked[0] from None


@contextmanager
def stop_requested() -> Iterator[Callable[[], bool]]:
    """Give a function that returns True once the system has asked to end; the block does so."""
    asked = threading.Event()
    with _handled(lambda number, frame: asked.set()):
        yield asked.is_set


def tell_stopped(speaker: Speaker, leave: Sentence = GOES_ON) -> None:
    """Say that the game goes on next time, where there is still somebody to hear it."""
    with suppress(OSError):
        click.echo(speaker.say(leave), err=True)


def shut_down() -> None:
    """Switch the machine off; end with EXIT_SHUT_DOWN where this user may not."""
    if subprocess.run(["systemctl", "poweroff"], check=False).returncode:
        raise SystemExit(EXIT_SHUT_DOWN)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle the ENDING signals; one that nohup lets us ignore stays ignored."""
    before = {number: signal.getsignal(number) for number in ENDING}
    if before[signal.SIGHUP] == signal.SIG_IGN:
        del before[signal.SIGHUP]
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
