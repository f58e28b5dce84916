"""`jetan play`: a game at a real board or the simulated table, shown in the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from random import Random
from typing import Literal

import click
from msgspec.structs import replace

from rules import Position, parse_position
from rules.errors import near_miss

from ..boards import open_board
from ..emulated_table import Emulator
from ..journal import Journal
from ..loop import Clock, EagerClock, WallClock
from ..rules_named import named_rules
from ..session import News
from ..settings import Settings, find_settings, read_settings
from ..simulated_play import SimulatedPlay, leave, sit_down
from ..simulation.presets import PRESETS, Preset
from ..terminal import Screen, play_beside_lines, play_in_lines, play_on_screen, print_news
from ..terminal_board import is_disk
from ..typed import Quit, TypedTable, TypedWords
from ..wiring import (
    Drive,
    Opened,
    begin_header,
    data_folder,
    dice_of,
    join,
    join_board,
    open_game,
    start_of,
    typed_hands,
)
from ..words import Say, Speaker
from . import examples

EXIT_MISREAD = 1
SIMULATED, EMULATED, AUTO = "simulated", "emulated", "auto"


@click.command(
    epilog=examples(
        "jetan play",
        "jetan play --rules cazaux+juggernaut --lang de",
        "jetan play --hands auto --seed 7 --speed 4",
        "jetan play --hands auto --preset 07 --games 3 --speed 0 --plain",
        "jetan play --board auto",
        "jetan play --board emulated",
        "printf 'd2 d3\\ne9 e8\\n' | jetan play --plain --data here",
    )
)
@click.option("--terminal", is_flag=True, help="Play in the terminal (so far the only way).")
@click.option("--plain", is_flag=True, help="Plain lines, as where there is no terminal.")
@click.option(
    "--board",
    metavar="BOARD",
    help="simulated; emulated: the firmware in a chip; auto: the first at a serial port; or its "
    "port: a device or a URL. Without: as the settings say.",
)
@click.option("--hands", type=click.Choice(["typed", "auto"]), default="typed", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Chance of the simulation.")
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    default="03",
    show_default=True,
    help="Habits, mishaps and rules of simulated people.",
)
@click.option("--pace", type=click.FloatRange(0.3, 5), default=1.0, help="2: hands half as quick.")
@click.option("--speed", type=click.FloatRange(0), default=1.0, help="Of time; 0: all it can.")
@click.option("--games", type=click.IntRange(1), default=1, help="So many, with --hands auto.")
@click.option("--rules", "rules", metavar="RULES", help="Begin a new game by these rules.")
@click.option("--position", metavar="POSITION", help="Begin a new game from this position.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Where games are.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings file.")
@click.option("--lang", type=click.Choice(["en", "de"]), help="Language.")
@click.option("--palette", type=click.Choice(["standard", "red-green", "mono"]), help="Colours.")
def play(
    terminal: bool,
    plain: bool,
    board: str | None,
    hands: Literal["typed", "auto"],
    seed: int,
    preset: str,
    pace: float,
    speed: float,
    games: int,
    rules: str | None,
    position: str | None,
    data: Path | None,
    config: Path | None,
    lang: Literal["en", "de"] | None,
    palette: Literal["standard", "red-green", "mono"] | None,
) -> int:
    """Play at the board of the settings; without settings, at the simulated table.

    An unfinished game goes on, unless --rules or --position ask for a new one. With `--hands auto`
    simulated people play, with the habits and mishaps of a preset; they end with exit code 1 if a
    game was read otherwise than it was played.
    """
    settings = read_settings(find_settings(config, os.environ))
    table = replace(settings.table, language=lang or settings.table.language)
    lamps = replace(settings.lamps, palette=palette or settings.lamps.palette)
    settings = with_board(replace(settings, table=table, lamps=lamps), board)
    is_simulated = settings.table.board == "simulated"
    default = PRESETS[preset].rules if hands == "auto" else table.rules
    start = None
    if rules is not None or position is not None:
        start = start_position(rules or default, position, seed)
    if hands == "auto" and not is_simulated:
        raise click.UsageError("--hands auto: simulated people can only touch a simulated board")
    if speed != 1 and (board == EMULATED or not is_simulated):
        raise click.UsageError(f"--speed {speed:g}: only a simulated board runs faster or slower")
    evening = Evening(
        settings=settings,
        rules=default,
        speaker=Speaker(table.language, settings.reed.switch_of()),
        clock=WallClock(speed) if speed else EagerClock(),
        seed=seed,
        is_plain=plain or not (sys.stdin.isatty() and sys.stdout.isatty()),
    )
    folder = data_folder(data, os.environ)
    with closing(Journal(folder)) as journal, ExitStack() as ends:
        if not is_simulated:
            return play_at_board(evening, journal, start)
        if board == EMULATED:
            emulator = ends.enter_context(closing(Emulator(settings, evening.clock.now)))
            evening = changed(evening, drive=emulator.drive)
        if hands == "auto":
            habits = changed(PRESETS[preset].habits, pace=pace)
            people = changed(PRESETS[preset], habits=habits)
            return play_auto(evening, journal, start, people, games)
        return play_typed(evening, journal, start)


@dataclass(frozen=True, slots=True)
class Evening:
    """How games are played and shown, whoever plays them; a new one goes by `rules`."""

    settings: Settings
    rules: str
    speaker: Speaker
    clock: Clock
    seed: int
    is_plain: bool
    drive: Drive | None = None

    def open(self, journal: Journal, start: Position | None) -> Opened:
        """Resume the newest game, or begin one; `start` asks for a new one."""
        now = self.clock.now()
        wanted = None if start is None else begin_header(start, now)
        otherwise = begin_header(start or start_position(self.rules, None, self.seed), now)
        return open_game(journal, wanted, otherwise)

    def greeting(self, journal: Journal, opened: Opened) -> list[str]:
        """Return what is to be said before the first step."""
        told = []
        if journal.damaged:
            told.append(self.speaker.say(Say.DAMAGED, path=journal.damaged))
        if opened.is_resumed:
            plies = len(opened.record.moves)
            told.append(self.speaker.say(Say.RESUMED, game=opened.game, plies=plies))
        else:
            told.append(self.speaker.say(Say.BEGUN, rules=opened.record.header.rules))
        if is_disk(opened.record.position.rules):
            told.append(self.speaker.say(Say.DISK))
        return told

    def tell(self, news: list[News]) -> None:
        """Print what is on the disk, where it is not shown on a screen."""
        print_news(news, self.speaker)


def with_board(settings: Settings, board: str | None) -> Settings:
    """Return the settings for the board that was asked for; None asks for that of the settings."""
    if board is None:
        return settings
    kind: Literal["simulated", "serial"] = "simulated"
    if board == AUTO or "/" in board:
        kind = "serial"
        settings = replace(settings, serial=replace(settings.serial, port=board))
    elif board not in (SIMULATED, EMULATED):
        near = near_miss(board, (SIMULATED, EMULATED, AUTO))
        raise click.UsageError(f"--board {board}: no board, and no port of one{near}")
    return replace(settings, table=replace(settings.table, board=kind))


def start_position(rules: str, position: str | None, seed: int) -> Position:
    """Return the position a new game begins with."""
    chosen = named_rules(rules)
    if position is not None:
        return parse_position(position, chosen)
    return start_of(chosen, Random(seed))


def play_typed(evening: Evening, journal: Journal, start: Position | None) -> int:
    """Play with what is typed, on the screen or line by line."""
    opened = evening.open(journal, start)
    greeting = evening.greeting(journal, opened)
    hands, board = typed_hands(journal, opened, evening.seed)
    dice = dice_of(journal)
    table, lamps = join(hands, board, journal, opened, evening.settings, evening.drive, dice)
    # Nobody waits for plain lines: time passes only while the table has something to do.
    clock = EagerClock() if evening.is_plain and evening.drive is None else evening.clock
    language = evening.settings.table.language
    typed = TypedTable(table, hands, clock, language, Random(evening.seed))
    if evening.is_plain:
        print("\n".join(greeting))
        play_in_lines(table, evening.speaker, clock, typed, iter(sys.stdin))
    else:
        screen = Screen(table, lamps, evening.speaker, greeting, Say.HINT_PLAY)
        pause = 1 / evening.settings.reed.scan_hz
        play_on_screen(screen, clock, typed.do, lambda: True, lambda: clock.sleep(pause))
    return 0


def play_at_board(evening: Evening, journal: Journal, start: Position | None) -> int:
    """Play at a real board, with what is typed about the game."""
    opened = evening.open(journal, start)
    greeting = evening.greeting(journal, opened)
    settings, clock = evening.settings, evening.clock
    with closing(open_board(settings, clock.now)) as board:
        table, lamps = join_board(board, journal, opened, settings, dice_of(journal))
        rng = Random(evening.seed)
        typed = TypedWords(table, clock, settings.table.language, rng, board.statistics)
        pause = 1 / settings.reed.scan_hz
        if evening.is_plain:
            print("\n".join(greeting), flush=True)
            play_beside_lines(
                table, evening.speaker, clock, typed, lambda: True, lambda: clock.sleep(pause)
            )
        else:
            screen = Screen(table, lamps, evening.speaker, greeting, Say.HINT_BOARD)
            play_on_screen(screen, clock, typed.do, lambda: True, lambda: clock.sleep(pause))
    return 0


def play_auto(
    evening: Evening, journal: Journal, start: Position | None, people: Preset, games: int
) -> int:
    """Let simulated people play so many games."""
    misread = 0
    for seed in range(evening.seed, evening.seed + games):
        opened = evening.open(journal, start)
        greeting = evening.greeting(journal, opened)
        play = sit_down(
            journal, opened, evening.settings, people, seed, evening.clock, evening.drive
        )
        if evening.is_plain:
            print("\n".join(greeting), flush=True)
            play.run(evening.tell)
        else:
            screen = Screen(play.table, play.lamps, evening.speaker, greeting)
            if not play_on_screen(screen, evening.clock, watch, play.is_going_on, play.pause):
                return 0
        misread += report(evening, play)
        leave(journal, play)
    return EXIT_MISREAD if misread else 0


def watch(line: str) -> list[str]:
    """Do what somebody types who only watches."""
    if line.strip() in ("quit", "q"):
        raise Quit
    return ["quit"]


def report(evening: Evening, play: SimulatedPlay) -> bool:
    """Print how a game of simulated people went; return whether it was misread."""
    is_right = play.is_read_rightly()
    said = evening.speaker.say(Say.READ_RIGHTLY if is_right else Say.MISREAD)
    plies = len(play.table.view.moves)
    print(evening.speaker.say(Say.GAME_DONE, game=play.table.game, plies=plies, said=said))
    return not is_right
