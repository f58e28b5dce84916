"""Playing at a table: a board, the guests who follow its game, and a front that shows it.

The board is a real one, a picture on a screen, or one that simulated people sit at. The front is a
page, a screen in the terminal, or plain lines.
"""

from __future__ import annotations

import gc
import secrets
import string
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rules import format_position
from rules.ruleset import format_rules
from rules.sentences import _

from ..boards.opening import camera_of, open_board
from ..boards.screen import ScreenBoard
from ..boards.typed import BETWEEN_S, POINTER_S, TypedHands, typed_hands
from ..extras.commissioning.doctor_command import damage_told
from ..extras.lessons.course_at_table import game_after_lessons, go_on_learning, learn, train
from ..extras.opponent.seat import Seat
from ..game.agreements import wager_event
from ..game.events import Header, SeriesAgreed
from ..journal.game_files import Start
from ..journal.journal import Journal
from ..journal.opening import Opened, begin_game, open_game
from ..light.announcer import Announcer
from ..light.speech import Voice, can_speak
from ..light.words import Speaker
from ..people.board import SimulatedBoard
from ..people.manners import Profile
from ..people.people import leave
from ..session.guests import Guest
from ..settings import Settings
from ..table.board import Board
from ..table.buttons import TableButtons
from ..table.loop import Clock, EagerClock
from ..table.own_time import OwnTime
from ..terminal.terminal import (
    HINT_WATCH,
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
from .options import EXIT_AMISS, misused, to_stderr
from .play_options import PLAYED, FarOptions, PlayedTable, PlayOptions
from .signals import asked_to_end, ends_in_order, shut_down, tell_stopped
from .start import start_position, usual_terms

if TYPE_CHECKING:
    from ..boards.table_camera import TableCamera
    from ..extras.hall.far import FarPlayer
    from ..extras.hall.far_door import FarDoor
    from ..extras.hall.payloads import MatchSide
    from ..extras.hall.teller import Teller

NEXT: Final = "next"
"""The first lesson that is not solved."""

PEOPLE_PLAY = _(
    "Simulated people play; in the end their moves are compared with what the table has read."
)
AT_FULL_SPEED = _("Their time passes as fast as this machine can let it: a game is over soon.")

TYPED = _("d2 d3 moves; d2 lifts or puts; ? all words; quit")
ASKED = _("why d2 d5, back, resign, draw; ? all words; quit")

PATIENT_S = 60.0
"""Where nobody waits for plain lines, one look at the table may wait so long for the opponent."""

SET_UP_S = 2.5
"""So long simulated hands take to set up a game that goes on, before the table is left."""


def play_there(
    options: PlayOptions,
    folder: Path,
    start: Start | None,
    people: Profile | None = None,
    games: int = 1,
) -> int:
    """Play at the board of the settings; with simulated people so many games."""
    settings, guests = options.settings, list[Guest]()
    speaker = Speaker(settings.table.language, settings.reed.switch_of())
    with ExitStack() as ends:
        ends.enter_context(ends_in_order(speaker))
        journal = ends.enter_context(closing(Journal(folder)))
        if settings.sound.speak and can_speak():
            voice = ends.enter_context(closing(Voice(settings.table.language)))
            guests.append(Announcer(voice.say, speaker))
        door = ends.enter_context(told_to_hall(options, journal.folder, guests, speaker))
        if people is None:
            if play_in_person(options, journal, start, speaker, guests, door):
                ends.callback(shut_down)
            return 0
        misread = 0
        for seed in range(options.seed, options.seed + games):
            is_right = play_one(options, journal, start, speaker, guests, people, seed)
            if is_right is None:
                return 0
            misread += not is_right
            gc.collect()  # a table and its page are tied in rings, which Python seldom looks for
        return EXIT_AMISS if misread else 0


def play_in_person(
    options: PlayOptions,
    journal: Journal,
    start: Start | None,
    speaker: Speaker,
    followers: Sequence[Guest],
    door: FarDoor | None,
) -> bool:
    """Play with people at the board of the settings; return whether to shut down."""
    opened = opened_by(options, journal, start)
    greeting = greeting_to(options, speaker, journal, opened)
    settings, folder, language = options.settings, journal.folder, options.settings.table.language
    clock: Clock = EagerClock() if options.is_eager else options.clock
    patient_s = PATIENT_S if options.is_eager else 0.0
    hands = typed_at(options, journal, opened)
    at_home, is_typed = options.page is None, hands is not None
    with ExitStack() as ends:
        camera = None if is_typed else camera_of(settings, clock.now, folder, to_stderr(language))
        if camera is not None:
            ends.enter_context(closing(camera))
        board = ends.enter_context(closing(board_at(options, clock, hands, camera)))
        is_ended = never if at_home and is_typed else ends.enter_context(asked_to_end())
        dice = dice_of(journal, settings)
        seat = ends.enter_context(closing(Seat(opened.record, dice, patient_s)))
        if options.guest is not None:
            seat.invite(options.guest)
        guests = [seat, *followers, *([] if camera is None else [camera])]
        if options.is_study:
            from ..extras.lessons.study import Study  # threads: only where one is wanted

            set_up = None if hands is None else hands.set_up
            guests.append(ends.enter_context(closing(Study(folder, set_up, patient_s))))
        table, lamps = join(board, journal, opened, settings, dice, guests, hands)
        if isinstance(board, ScreenBoard):
            clock = OwnTime(clock, lambda: (board.due, table.session.due))
        typed = (
            TypedWords(table, clock, language, board.statistics, folder, at_home)
            if hands is None
            else TypedTable(table, hands, clock, language, folder, at_home)
        )
        buttons = TableButtons(table, clock, board.take_presses)

        def goes_on() -> bool:
            return buttons.go_on() and not is_ended()

        shown = PlayedTable(
            *(options, journal, table, lamps, clock, speaker, greeting, goes_on, board),
            *(typed, hands, seat, None, camera, door),
        )
        with taught(shown, seat):
            show(shown)
    if is_ended():
        tell_stopped(speaker)
    return buttons.is_off


def never() -> bool:
    """Say that nobody has asked to end: a signal does that by itself."""
    return False


def typed_at(options: PlayOptions, journal: Journal, opened: Opened) -> TypedHands | None:
    """Return hands that do what is typed, as a game was left; None at a real board."""
    if options.settings.table.board not in PLAYED:
        return None
    between_s = BETWEEN_S if options.page is None else POINTER_S
    debounce_ms = options.settings.reed.debounce_ms
    return typed_hands(journal, opened, options.seed, between_s, debounce_ms)


def board_at(
    options: PlayOptions, clock: Clock, hands: TypedHands | None, camera: TableCamera | None
) -> Board:
    """Return the board of the settings; what typed hands touch is a picture on a page."""
    settings = options.settings
    if hands is not None and options.page is not None and settings.table.board != "emulated":
        return ScreenBoard(hands, settings.table.board == "simulated")
    under = None if hands is None else hands.board
    return open_board(settings, clock.now, time.sleep, camera, under)


@contextmanager
def taught(shown: PlayedTable, seat: Seat) -> Iterator[None]:
    """Teach at a table, or set an exercise, while the block runs; then leave the lessons.

    A lesson that was cut short goes on in any case. A page sees to all that by itself.
    """
    options, table, hands, clock = shown.options, shown.table, shown.hands, shown.clock
    if options.page is not None:
        yield
        return
    at_table = table, seat, hands, shown.journal.folder
    named = None if options.lesson == NEXT else options.lesson
    is_going_on = named is None and go_on_learning(*at_table)
    if options.exercise is not None:
        train(*at_table, options.exercise, carries=True)
    elif options.lesson is not None and not is_going_on:
        learn(*at_table, named)
    yield
    if seat.teaching is None:
        return
    left = game_after_lessons(table, seat, shown.journal.archive, clock.now())
    table.obey(left, clock.now())
    if hands is not None:
        hands.set_up(table.session.record.position, clock.now())
        until = clock.now() + SET_UP_S
        while clock.now() < until:
            table.step(clock.now())
            shown.pause()


def play_one(
    options: PlayOptions,
    journal: Journal,
    start: Start | None,
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

    play = seat_people(journal, opened, settings, people, seed, clock, followers, drive)
    at_table = options, journal, play.table, play.lamps, clock, speaker, greeting
    with ExitStack() as ends:
        ends.enter_context(closing(play.board))
        is_ended = never if options.page is None else ends.enter_context(asked_to_end())

        def goes_on() -> bool:
            return not is_ended() and play.is_going_on()

        is_whole = show(PlayedTable(*at_table, goes_on, play.board, people=play))
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


def opened_by(options: PlayOptions, journal: Journal, start: Start | None) -> Opened:
    """Resume the newest game, or begin one; `start` asks for a new one."""
    if start is not None:
        return begin_game(journal, start.header, start.events)
    otherwise = Header.of(start_position(options.rules, None), options.clock.now())
    return open_game(journal, None, otherwise, usual_terms(options.settings))


def greeting_to(
    options: PlayOptions, speaker: Speaker, journal: Journal, opened: Opened
) -> list[str]:
    """Return what is to be said before the first step."""
    record, say = opened.record, speaker.say
    lines = list(_of_damage(speaker, journal, opened))
    if opened.is_resumed:
        goes_on, plies = _("Game {game} goes on after {plies} moves."), len(record.moves)
        lines.append(say(goes_on, game=opened.game, plies=plies))
    else:
        lines.append(speaker.begun(record.header.rules))
    if options.settings.sound.speak and not can_speak():
        lines.append(say(_("The table cannot speak: espeak-ng is not installed.")))
    if record.conduct.needs_arbiter:
        kept = _("The arbiter's PIN is kept in {path}")
        lines.append(say(kept, path=journal.folder / ARBITER_PIN))
    if record.series is not None:
        lines.append(speaker.preamble(SeriesAgreed(record.series)))
    if record.wager is not None:
        lines.append(speaker.preamble(wager_event(record.wager)))
    if options.page is None and is_disk(record.position.rules):
        rings = _(
            "Rows are rings: rim above and below, centre at o; the edges meet, j1 beside a10."
        )
        lines.append(say(rings))
    return lines


def _of_damage(speaker: Speaker, journal: Journal, opened: Opened) -> Iterator[str]:
    """Yield what is to be said of what was damaged or lost."""
    say = speaker.say
    for why in damage_told(journal.folder):
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
    options, speaker, typed = played.options, played.speaker, played.typed
    if options.page is not None:
        print("\n".join(played.greeting))
        options.page.show(played)
    elif not options.is_plain:
        hint = HINT_WATCH if typed is None else ASKED if played.hands is None else TYPED
        does = only_watch if typed is None else typed.do
        screen = Screen(played.table, played.lamps, speaker, played.greeting, hint)
        return play_on_screen(screen, played.clock, does, played.goes_on, played.pause)
    else:
        print("\n".join(played.greeting), flush=True)
        if played.people is not None:
            played.people.run(Narrator(played.table, speaker).tell)
        elif isinstance(typed, TypedTable):
            play_in_lines(played.table, speaker, played.clock, typed, iter(sys.stdin))
        elif typed is not None:
            play_beside_lines(
                played.table, speaker, played.clock, typed, played.goes_on, played.pause
            )
    return True


@contextmanager
def told_to_hall(
    options: PlayOptions, folder: Path, guests: list[Guest], speaker: Speaker
) -> Iterator[FarDoor | None]:
    """Tell the hall of the settings while the block runs, by guests that are added.

    Gives where far players come in; None where the settings name no hall.
    """
    settings = options.settings
    if not settings.hall.broker:
        played_far(options.far, settings, options.rules, folder, None)
        yield None
        return
    from ..extras.hall.far_door import FarDoor  # which brings a client: only where one is wanted
    from ..extras.hall.table_link import far_player, telling

    with telling(settings, time.time(), time.monotonic) as teller:

        def join(code: str, proposed: MatchSide) -> FarPlayer:
            return far_player(teller, code, folder, proposed, time.monotonic)

        player = played_far(options.far, settings, options.rules, folder, teller)
        door = FarDoor(settings.hall.table, join, made_up_code, player)
        guests += [teller, door]
        if player is not None:
            code = _("Match {code}: tell it to the far table.")
            print(speaker.say(code, code=player.match), flush=True)
        yield door


def made_up_code() -> str:
    """Return six letters that nobody can guess."""
    return "".join(secrets.choice(string.ascii_uppercase) for _letter in range(6))


def played_far(
    far: FarOptions, settings: Settings, rules: str, folder: Path, teller: Teller | None
) -> FarPlayer | None:
    """Return the far player of the match that was asked for; None for none."""
    if far.match is None:
        return None
    code = far.code(made_up_code())
    if teller is None:
        raise misused(_("--far: the settings name no broker: [hall] broker and table"))
    from ..extras.hall.far_match import side_of_match
    from ..extras.hall.table_link import far_player

    start = start_position(rules, None)
    name = settings.hall.table
    texts = format_rules(start.rules), format_position(start), settings.table.clock
    side = side_of_match(name, far.far_side, *texts)
    return far_player(teller, code, folder, side, time.monotonic)
