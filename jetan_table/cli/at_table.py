"""Playing at a table: a real one, a screen, or one that simulated people sit at."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import TYPE_CHECKING

from rules.sentences import _

from ..boards.opening import open_board, open_simulated
from ..game.events import Header, SeriesAgreed
from ..game.record import Record
from ..game.wagers import wager_event
from ..journal.journal import Journal
from ..journal.opening import Opened, begin_game, open_game
from ..journal.saved_games import Start
from ..lessons.exercise import Exercise
from ..opponent.course_at_table import game_after_lessons, go_on_learning, learn, train
from ..opponent.invitation import Invitation
from ..opponent.seat import Seat
from ..session.guests import Guest
from ..settings import Settings
from ..simulation.board import SimulatedBoard
from ..simulation.manners import Profile
from ..simulation.people import SimulatedPlay, leave
from ..simulation.screen import ScreenBoard
from ..simulation.typed import BETWEEN_S, POINTER_S, TypedHands, typed_hands
from ..table.board import Board, OwnTimed
from ..table.buttons import TableButtons
from ..table.dice import Dice
from ..table.heartbeat import EXIT_SHUT_DOWN
from ..table.loop import Clock, EagerClock, Table
from ..table.own_time import OwnTime
from ..terminal.terminal import (
    Narrator,
    Screen,
    only_watch,
    play_beside_lines,
    play_in_lines,
    play_on_screen,
)
from ..terminal.terminal_board import is_disk
from ..terminal.typed import TypedTable, TypedWords
from ..wiring import ARBITER_PIN, dice_of, join, seat_people
from ..words.announcer import Announcer
from ..words.speech import Voice, can_speak
from ..words.words import Speaker
from .kept_files import damage_told
from .play_camera import camera_of
from .play_hall import NOBODY, FarOptions, far_door, played_far, told_to_hall
from .play_options import SCREEN, SIMULATED
from .signals import asked_to_end, ends_in_order, tell_stopped
from .start import start_position, usual_terms

if TYPE_CHECKING:
    from ..boards.table_camera import TableCamera
    from ..hall.far_door import FarDoor
    from ..setup.guide import SetUp
    from .page import Page

NEXT = "next"
"""The first lesson that is not solved."""

PEOPLE_PLAY = _(
    "Simulated people play; in the end their moves are compared with what the table has read."
)
AT_FULL_SPEED = _("Their time passes as fast as this machine can let it: a game is over soon.")

TYPED = _("d2 d3 moves; d2 lifts or puts; ? all words; quit")
ASKED = _("why d2 d5, back, resign, draw; ? all words; quit")

EXIT_MISREAD = 1

PATIENT_S = 60.0
"""Where nobody waits for plain lines, one look at the table may wait so long for the opponent."""


SET_UP_S = 2.5
"""So long simulated hands take to set up a game that goes on, before the table is left."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How games are played and shown, whoever plays them."""

    settings: Settings
    rules: str
    """Those of new games, unless something else is asked for."""
    speaker: Speaker
    clock: Clock
    seed: int
    """The chance of what is simulated."""
    is_plain: bool
    """In plain lines, as where there is no terminal."""
    is_emulated: bool = False
    """Whether an emulated microcontroller is put under a simulated board."""
    page: Page | None = None
    """Where games are shown instead of in the terminal."""
    guest: Invitation | None = None
    """Who plays against the people."""
    lesson: str | None = None
    """The lesson that is taught first, or NEXT; None where people play."""
    exercise: Exercise | None = None
    """What is set to people to be found."""
    is_study: bool = False
    """Whether people study: their lines are kept, and the best moves shown."""
    announcers: tuple[Announcer, ...] = ()
    """Says aloud what is new."""
    tellers: tuple[Guest, ...] = ()
    """Who tells a hall, and plays for a far table."""
    far: FarOptions = NOBODY
    door: FarDoor | None = None
    """Where a far player comes in; None without a broker."""

    @property
    def is_eager(self) -> bool:
        """Whether time passes only while the table has something to do: nobody waits for lines."""
        is_typed = self.settings.table.board in (SCREEN, SIMULATED)
        return is_typed and self.is_plain and self.page is None and not self.is_emulated

    @property
    def followers(self) -> tuple[Guest, ...]:
        """Who follows the game without a seat at the table."""
        return (*self.announcers, *self.tellers)

    def on_page(
        self,
        port: int | None,
        is_open: bool,
        opens: bool,
        set_up: SetUp | None = None,
        path: str = "",
    ) -> PlayOptions:
        """Return the same, shown on a page, which may set the table up; `path` of it is opened."""
        from .page import Page  # which brings a server: only where one is wanted

        port = self.settings.web.port if port is None else port
        page = Page(self.settings, self.speaker, self.clock, port, is_open, opens, set_up, path)
        return changed(self, page=page)

    def open(self, journal: Journal, start: Start | None) -> Opened:
        """Resume the newest game, or begin one; `start` asks for a new one."""
        if start is not None:
            return begin_game(journal, start.header, start.events)
        otherwise = Header.of(start_position(self.rules, None), self.clock.now())
        return open_game(journal, None, otherwise, usual_terms(self.settings))

    def _of_damage(self, journal: Journal, opened: Opened) -> list[str]:
        """Return what is to be said of what was damaged or lost."""
        say = self.speaker.say
        lines = [say(_("{why}"), why=why) for why in damage_told(journal.folder)]
        if journal.damaged:
            kept = _("The journal was damaged. It is kept as {path}, and a new one begun.")
            lines.append(say(kept, path=journal.damaged))
        if journal.lost:
            lost = _(
                "The journal is lost; its games are left as texts: jetan games salvage {path} "
                "brings them back."
            )
            lines.append(say(lost, path=journal.lost))
        if opened.kept:
            other = _("The game's text was another one, or longer. It is kept as {path}.")
            lines.append(say(other, path=opened.kept))
        if opened.damage:
            damaged = _("What cannot be read is set aside: {why} (jetan games salvage).")
            lines.append(say(damaged, why=opened.damage))
        return lines

    def greeting(self, journal: Journal, opened: Opened) -> list[str]:
        """Return what is to be said before the first step."""
        lines = self._of_damage(journal, opened)
        if opened.is_resumed:
            plies = len(opened.record.moves)
            lines.append(
                self.speaker.say(
                    _("Game {game} goes on after {plies} moves."), game=opened.game, plies=plies
                )
            )
        else:
            lines.append(
                self.speaker.say(_("a new game: {rules}"), rules=opened.record.header.rules)
            )
        if self.settings.sound.speak and not self.announcers:
            lines.append(self.speaker.say(_("The table cannot speak: espeak-ng is not installed.")))
        if opened.record.conduct.needs_arbiter:
            lines.append(
                self.speaker.say(
                    _("The arbiter's PIN is kept in {path}"), path=journal.folder / ARBITER_PIN
                )
            )
        if opened.record.series is not None:
            lines.append(self.speaker.preamble(SeriesAgreed(opened.record.series)))
        if opened.record.wager is not None:
            lines.append(self.speaker.preamble(wager_event(opened.record.wager)))
        if self.page is None and is_disk(opened.record.position.rules):
            lines.append(
                self.speaker.say(
                    _(
                        "Rows are rings: rim above and below, centre at o; the edges meet, "
                        "j1 beside a10."
                    )
                )
            )
        return lines


def play_there(
    options: PlayOptions,
    folder: Path,
    start: Start | None,
    people: Profile | None = None,
    games: int = 1,
) -> int:
    """Play at the board of the settings, with simulated people, or with what is typed."""
    with ExitStack() as ends:
        ends.enter_context(ends_in_order(options.speaker))
        journal = ends.enter_context(closing(Journal(folder)))
        announcer = ends.enter_context(announced(options.settings, options.speaker))
        options = changed(options, announcers=() if announcer is None else (announcer,))
        teller = ends.enter_context(told_to_hall(options.settings))
        player = played_far(options.far, options.settings, options.rules, journal.folder, teller)
        if teller is not None:
            door = far_door(options.settings, journal.folder, teller, player)
            options = changed(options, door=door, tellers=(teller, door))
        if player is not None:
            code = _("Match {code}: tell it to the far table.")
            print(options.speaker.say(code, code=player.match), flush=True)
        if people is not None:
            return play_auto(options, journal, start, people, games)
        if play_in_person(options, journal, start):
            ends.callback(shut_down)
        return 0


def play_in_person(options: PlayOptions, journal: Journal, start: Start | None) -> bool:
    """Play with people at the board of the settings; return whether to shut down."""
    opened = options.open(journal, start)
    greeting = options.greeting(journal, opened)
    settings, folder, is_eager = options.settings, journal.folder, options.is_eager
    clock: Clock = EagerClock() if is_eager else options.clock
    own_time: OwnTime | None = None
    hands = typed_at(options, journal, opened)
    with ExitStack() as ends:
        camera = None if hands is not None else camera_of(settings, clock.now, folder)
        if camera is not None:
            ends.enter_context(closing(camera))
        board = ends.enter_context(closing(board_at(options, clock, hands, camera)))
        is_ended = ends.enter_context(asked_to_end()) if hands is None else lambda: False
        dice = dice_of(journal, settings)
        seat = ends.enter_context(seated(options.guest, opened.record, dice, is_eager))
        students = ends.enter_context(studied(options, journal, hands, is_eager))
        learners = [] if camera is None else [camera]
        guests = [seat, *options.followers, *students, *learners]
        table, lamps = join(board, journal, opened, settings, dice, guests, hands)
        picture = board if isinstance(board, ScreenBoard) else None
        if picture is not None:
            clock = own_time = OwnTime(clock, lambda: (picture.due, table.session.due))
        language, at_home = settings.table.language, options.page is None
        typed = (
            TypedWords(table, clock, language, board.statistics, folder, at_home)
            if hands is None
            else TypedTable(table, hands, clock, language, folder, at_home)
        )
        buttons = TableButtons(table, clock, board.take_presses)
        ends.enter_context(taught(options, journal, table, seat, hands, clock))

        def goes_on() -> bool:
            return buttons.go_on() and not is_ended()

        if options.page is not None:
            print("\n".join(greeting))
            shown = (journal, table, hands, typed, seat, None, goes_on)
            options.page.show(*shown, camera, picture, own_time, options.door)
        else:
            hint = ASKED if hands is None else TYPED
            screen = Screen(table, lamps, options.speaker, greeting, hint)
            play_in_terminal(options, table, screen, clock, typed, greeting, goes_on)
    if is_ended():
        tell_stopped(options.speaker)
    return buttons.is_off


def play_in_terminal(
    options: PlayOptions,
    table: Table,
    screen: Screen,
    clock: Clock,
    typed: TypedWords,
    greeting: Sequence[str],
    goes_on: Callable[[], bool],
) -> None:
    """Play on the terminal's screen, or in plain lines."""

    def pause() -> None:
        clock.sleep(1 / options.settings.reed.scan_hz)

    if not options.is_plain:
        play_on_screen(screen, clock, typed.do, goes_on, pause)
        return
    print("\n".join(greeting), flush=True)
    if isinstance(typed, TypedTable):
        play_in_lines(table, options.speaker, clock, typed, iter(sys.stdin))
    else:
        play_beside_lines(table, options.speaker, clock, typed, goes_on, pause)


def typed_at(options: PlayOptions, journal: Journal, opened: Opened) -> TypedHands | None:
    """Return hands that do what is typed, as a game was left; None at a real board."""
    if options.settings.table.board not in (SCREEN, SIMULATED):
        return None
    between_s = BETWEEN_S if options.page is None else POINTER_S
    debounce_ms = options.settings.reed.debounce_ms
    return typed_hands(journal, opened, options.seed, between_s, debounce_ms)


def board_at(
    options: PlayOptions, clock: Clock, hands: TypedHands | None, camera: TableCamera | None
) -> Board:
    """Return the real board of the settings, or what is under typed hands: a picture on a page."""
    settings = options.settings
    if hands is None:
        return open_board(settings, clock.now, time.sleep, camera)
    if options.page is not None and not options.is_emulated:
        return ScreenBoard(hands, settings.table.board == SIMULATED)
    return open_simulated(hands.board, settings, clock.now, options.is_emulated)


@contextmanager
def announced(settings: Settings, speaker: Speaker) -> Iterator[Announcer | None]:
    """Give who says aloud what is new at a table; None where nobody is wanted, or can."""
    if not settings.sound.speak or not can_speak():
        yield None
        return
    with closing(Voice(settings.table.language)) as voice:
        yield Announcer(voice, speaker)


@contextmanager
def seated(guest: Invitation | None, record: Record, dice: Dice, is_eager: bool) -> Iterator[Seat]:
    """Give the game of a table a seat while the block runs, and a guest on it.

    `is_eager`: no clock runs.
    """
    with closing(Seat(record, dice, PATIENT_S if is_eager else 0.0)) as seat:
        if guest is not None:
            seat.invite(guest)
        yield seat


@contextmanager
def studied(
    options: PlayOptions, journal: Journal, hands: TypedHands | None, is_eager: bool
) -> Iterator[list[Guest]]:
    """Give who keeps the lines of a study while the block runs, where people study."""
    if not options.is_study:
        yield []
        return
    from ..opponent.study import Study  # threads: only where one is wanted

    set_up = None if hands is None else hands.set_up
    with closing(Study(journal.folder, set_up, PATIENT_S if is_eager else 0.0)) as study:
        yield [study]


@contextmanager
def taught(
    options: PlayOptions,
    journal: Journal,
    table: Table,
    seat: Seat,
    hands: TypedHands | None,
    clock: Clock,
) -> Iterator[None]:
    """Teach at a table, or set an exercise, while the block runs; then leave the lessons.

    A lesson that was cut short goes on in any case; a page sees to that, and leaves, by itself.
    """
    if options.page is not None:
        yield
        return
    named = None if options.lesson == NEXT else options.lesson
    is_going_on = named is None and go_on_learning(table, seat, hands, journal.folder)
    if options.exercise is not None:
        train(table, seat, hands, journal.folder, options.exercise, carries=True)
    elif options.lesson is not None and not is_going_on:
        learn(table, seat, hands, journal.folder, named)
    yield
    if seat.teaching is None and seat.training is None:
        return
    table.obey(game_after_lessons(table, seat, journal.archive, clock.now()), clock.now())
    if hands is not None:
        hands.set_up(table.session.record.position, clock.now())
        until = clock.now() + SET_UP_S
        while clock.now() < until:
            table.step(clock.now())
            clock.sleep(1 / options.settings.reed.scan_hz)


def shut_down() -> None:
    """Switch the machine off; end with EXIT_SHUT_DOWN where this user may not."""
    if subprocess.run(["systemctl", "poweroff"], check=False).returncode:
        raise SystemExit(EXIT_SHUT_DOWN)


def play_auto(
    options: PlayOptions, journal: Journal, start: Start | None, people: Profile, games: int
) -> int:
    """Let simulated people play so many games."""
    misread = 0
    for seed in range(options.seed, options.seed + games):
        is_right = play_one(options, journal, start, people, seed)
        if is_right is None:
            return 0
        misread += not is_right
        gc.collect()  # a table and its page are tied in rings, which Python seldom looks for
    return EXIT_MISREAD if misread else 0


def play_one(
    options: PlayOptions, journal: Journal, start: Start | None, people: Profile, seed: int
) -> bool | None:
    """Let simulated people play a game; return whether it was read rightly, None if stopped."""
    opened = options.open(journal, start)
    greeting = options.greeting(journal, opened)
    settings, clock, guests = options.settings, options.clock, options.followers

    def drive(board: SimulatedBoard) -> OwnTimed:
        return open_simulated(board, options.settings, options.clock.now, options.is_emulated)

    play = seat_people(journal, opened, settings, people, seed, clock, guests, drive)
    with closing(play.board):
        if not show_people(options, journal, play, greeting):
            return None
    is_right = report(options, play)
    leave(journal, play)
    return is_right


def show_people(
    options: PlayOptions, journal: Journal, play: SimulatedPlay, greeting: list[str]
) -> bool:
    """Show a game of simulated people to its end; return False where it was stopped before."""
    if options.page is not None:
        print("\n".join([*greeting, options.speaker.say(PEOPLE_PLAY)]))
        if isinstance(options.clock, EagerClock):
            print(options.speaker.say(AT_FULL_SPEED))
        return options.page.show(journal, play.table, None, None, None, play)
    if options.is_plain:
        print("\n".join(greeting), flush=True)
        play.run(Narrator(play.table, options.speaker).tell)
        return True
    screen = Screen(play.table, play.lamps, options.speaker, greeting)
    return play_on_screen(screen, options.clock, only_watch, play.is_going_on, play.pause)


def report(options: PlayOptions, play: SimulatedPlay) -> bool:
    """Print how a game of simulated people went; return whether it was read rightly."""
    is_right = play.is_read_rightly()
    verdict = options.speaker.say(
        _("read as they were played") if is_right else _("read otherwise than they were played")
    )
    plies = len(play.table.view.moves)
    print(
        options.speaker.say(
            _("Game {game}: {plies} moves, {said}."),
            game=play.table.game,
            plies=plies,
            said=verdict,
        )
    )
    return is_right
