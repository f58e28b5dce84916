"""`jetan learn`, `jetan puzzle` and `jetan study`: in the terminal and by a real board's lamps."""

import os
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Annotated

import click
import msgspec

from rules import (
    JUGGERNAUT_LETTER,
    Game,
    Position,
    RulesError,
    Side,
    Worded,
    _,
    format_move,
    format_position,
    format_rules,
    letters,
)
from rules.text import parse_lines

from ...cli.options import RulesText, command, misused, option
from ...engine.endings import find_endings
from ...engine.evaluation import fitted_weights
from ...engine.library import quick_library
from ...engine.search import Limits
from ...files import read_text, write_whole
from ...game.agreements import named_rules
from ...game.commands import New
from ...game.events import GameId, Header, SideName
from ...game.record import Record
from ...game.texts import game_text, read_saved, start_from
from ...journal.archive import Archive, read_kept
from ...languages import Language, refused_in, say_in, translation
from ...light.words import moves_within
from ...page.documents import find_card
from ...session.umpire import check_help
from ...session.view import Phase, View
from ...terminal.text import progress
from ..opponent.analysis import analyse
from ..opponent.analyst import NODES as LOOKED_THROUGH
from .desk import AskedLesson
from .exercise import (
    HOW_TO_TYPE,
    Exercise,
    GuessExercise,
    Progress,
    PuzzleExercise,
    keep_progress,
    lessons,
    read_progress,
    to_guess,
)
from .own import (
    OWN_KEPT_IN,
    MendExercise,
    looked_through,
    mistake_to_mend,
    read_mistakes,
    to_look_through,
)
from .proved import drawn
from .puzzles import (
    LEVELS,
    PLIES,
    Task,
    asked_puzzle,
    judge,
    matching,
    read_daily,
    solutions,
)
from .study import STUDY_KEPT_IN, all_lines
from .table import OwnTable, play_own


@command(
    "jetan puzzle",
    "jetan puzzle --day 2026-12-24 --lang de",
    "jetan puzzle --level 1",
    "jetan puzzle --number 3 --solve",
    "jetan puzzle --list",
    "jetan puzzle --mine",
    "jetan puzzle --proved --solve",
    "jetan puzzle --board pins",
)
def puzzle(
    moves: tuple[str, ...],
    number: Annotated[int | None, option("This puzzle, not the day's.", least=1)],
    day: Annotated[
        datetime | None, option("The puzzle of another day.", type=click.DateTime(["%Y-%m-%d"]))
    ],
    theme: Annotated[
        str | None,
        option("Only puzzles that ask this.", type=click.Choice([task.value for task in Task])),
    ],
    level: Annotated[
        int | None,
        option("Only puzzles so hard: 1 is the easiest.", within=(1, max(LEVELS.values()))),
    ],
    is_listed: Annotated[bool, option("List the puzzles: theme, level, position.", "--list")],
    solve: Annotated[bool, "Print the move that solves it."],
    is_own: Annotated[bool, option("A mistake of your own games, to be done better.", "--mine")],
    is_proved: Annotated[
        bool, option("An ending drawn from tables, the day's or of that number.", "--proved")
    ],
    table: OwnTable,
) -> int:
    """Solve the day's puzzle; MOVES are your moves, asked for one by one where none is given.

    With --board it is set at a board, whose lamps lead. With --mine the games that were played
    since are looked through first, with --proved the tables of `jetan endings` are the proof.
    """
    language = table.lang
    if is_own:
        return _mend(table, moves, is_listed, solve)
    today = (day or datetime.now().astimezone()).toordinal()
    if is_proved:
        return _prove(table, number or today, moves, solve)
    every = read_daily()
    chosen = matching(every, theme, level)
    if is_listed:
        for each in chosen:
            print(f"{each.number:3} {each.task:6} {each.level} {format_position(each.position)}")
        return 0
    given = asked_puzzle(every, number, theme, level, today)
    if table.board and not (solve or moves):
        return play_own(
            table, table.data, None, HOW_TO_TYPE, AskedLesson(exercise=PuzzleExercise(given))
        )
    name, rules = _("Puzzle {number}, level {level}, rules {rules}"), given.position.rules
    number, level = given.number, given.level
    print(say_in(language, name, number=number, level=level, rules=format_rules(rules)))
    _show(given.position, PuzzleExercise(given).asked, language)
    if solve:
        for move in solutions(given.position, given.task):
            verdict = judge(given.position, given.task, PLIES[given.task], move)
            print(verdict.words.said(translation(language)))
        return 0
    tries = moves or _typed(language)
    return 0 if _attempt(PuzzleExercise(given), tries, language) or not tries else 1


def _mend(table: OwnTable, moves: tuple[str, ...], is_listed: bool, solve: bool) -> int:
    """Look through new games, and set a mistake to be done better; return an exit code."""
    _look_through(table.data, table.lang)
    if is_listed:
        for each in read_mistakes(table.data).found:
            print(f"{each.name:8} {each.played:10} {each.loss:4.0%}  {each.rules}: {each.position}")
        return 0
    solved = read_progress(table.data, OWN_KEPT_IN).solved
    given = MendExercise(mistake_to_mend(table.data, solved))
    if table.board and not (solve or moves):
        return play_own(table, table.data, None, HOW_TO_TYPE, AskedLesson(exercise=given))
    print(given.heading.said(translation(table.lang)))
    _show(given.start, given.asked, table.lang)
    if solve:
        print(given.mistake.best)
        return 0
    return _attempt_kept(given, moves, table)


def _prove(table: OwnTable, number: int, moves: tuple[str, ...], solve: bool) -> int:
    """Set an ending drawn from tables, or print its proof; return an exit code."""
    given = drawn(number, find_endings(os.environ))
    if table.board and not (solve or moves):
        return play_own(table, table.data, None, HOW_TO_TYPE, AskedLesson(exercise=given))
    name, rules = _("Proved ending {number}, rules {rules}"), format_rules(given.start.rules)
    print(say_in(table.lang, name, number=number, rules=rules))
    _show(given.start, given.asked, table.lang)
    if solve:
        words = _("Proved: won in {number} moves. After the first move, each reply is answered:")
        print(say_in(table.lang, words, number=moves_within(given.plies)))
        for line in given.proof():
            print(" ".join(line))
        return 0
    return _attempt_kept(given, moves, table)


def _look_through(folder: Path, language: Language) -> None:
    """Find the mistakes in the games that were played since this was last done."""
    if not folder.is_dir():
        return
    with closing(Archive.open(folder)) as archive:
        for game in to_look_through(archive, read_mistakes(folder).newest):
            record, limits = archive.record(game), Limits(nodes=LOOKED_THROUGH)
            library, clock = quick_library(os.environ), time.perf_counter
            given = fitted_weights(), clock, limits, library, find_endings(os.environ)
            found = analyse(record.game, *given)
            words = say_in(language, _("Game {game}"), game=game)
            verdicts = list(progress(found, words, len(record.game.plies)))
            looked_through(folder, record, game, map(msgspec.to_builtins, verdicts))


def _typed(language: Language) -> Iterable[str]:
    """Return what is typed, until a line is empty; nothing where nobody types."""
    if not sys.stdin.isatty():
        return ()
    print(say_in(language, _("Type a move, such as e2e4; an empty line ends.")), flush=True)
    return iter(lambda: sys.stdin.readline().strip(), "")


def _show(position: Position, asked: Worded, language: Language) -> None:
    record = Record.begin(Header.of(position, 0.0))
    view = View(Phase.PLAYING, record, position, standing=letters(position))
    from ...terminal.terminal import plain_board  # a table's screen: only where one is drawn

    print("\n".join(plain_board(view, {})))
    print(asked.said(translation(language)))
    print(format_position(position))


def _attempt(given: Exercise, moves: Iterable[str], language: Language) -> bool:
    """Judge one move after the other; return whether the exercise is solved."""
    game = Game.begin(given.start)
    for text in moves:
        try:
            tried = game.play(text)
        except RulesError as error:
            print(refused_in(language, error))
            continue
        verdict = given.judge(tried)
        print(verdict.words.said(translation(language)), flush=True)
        if verdict.is_solved:
            return True
        if verdict.reply is not None:
            game = tried.play(format_move(verdict.reply, tried.position))
    return False


def _attempt_kept(given: Exercise, moves: tuple[str, ...], table: OwnTable) -> int:
    """Judge moves, and keep that it is solved; return an exit code."""
    tries = moves or _typed(table.lang)
    if not _attempt(given, tries, table.lang):
        return 1 if tries else 0
    solved = (*read_progress(table.data, given.kept_in).solved, given.name)
    table.data.mkdir(parents=True, exist_ok=True)
    keep_progress(table.data, Progress((*dict.fromkeys(solved),)), given.kept_in)
    return 0


FOLDER = "study"
"""A study has a journal of its own there: the game that is played goes on after it."""
HOW_TO_STUDY = _(
    "Move for both sides; `back` takes a move back, and another one is another line. `quit` leaves."
)
HOW_TO_GUESS = _("Type the move that was played, like `e3 d4`; `quit` leaves.")
PLAYERS = ("Black", "Orange")


@command(
    "jetan study",
    "jetan study mine.jgn --ply 12",
    "jetan study 3 --guess black",
    "jetan study --rules cazaux --board pins",
    "jetan study --position 'q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1'",
    "jetan study --lines",
)
def study(
    game: str | None,
    ply: Annotated[int | None, option("From where GAME stood after so many moves.", least=0)],
    guess: Annotated[SideName | None, "Guess this side's moves."],
    rules: Annotated[str | None, option("A new study by these rules.", metavar="NAME")],
    position: Annotated[str | None, option("A new study from this position.", metavar="TEXT")],
    is_printed: Annotated[bool, option("Print the lines as game text.", "--lines")],
    table: OwnTable,
) -> int:
    """Move freely, back and forth: the three best moves are lit, every line is kept.

    The study that was left goes on; GAME, the number of a game that was kept or a file of game
    text, begins one anew, or lets you guess the moves that were played in it.
    """
    folder = table.data / FOLDER
    if is_printed:
        kept, nothing = folder / STUDY_KEPT_IN, _("nothing was studied yet")
        print(read_text(kept) if kept.exists() else say_in(table.lang, nothing))
        return 0
    if game is not None and (rules is not None or position is not None):
        raise misused(_("GAME brings its own rules and position: leave --rules and --position out"))
    if game is None and (ply is not None or guess is not None):
        raise misused(_("--ply and --guess are about a game: name its file or number, too"))
    _refuse_in_tournament(table.data)
    text = None if game is None else _game_text(game, table.data)
    if text is not None and guess is not None:
        exercise = _to_guess(text, Side[guess.upper()], ply or 0)
        return play_own(table, folder, None, HOW_TO_GUESS, AskedLesson(exercise=exercise))
    start, now = None, time.time()
    if text is not None:
        start = start_from(read_saved(text), ply or 0, now)
        write_whole(folder / STUDY_KEPT_IN, all_lines(parse_lines(text)).text().encode())
    elif position is not None or rules is not None:
        from ...cli.at_table import named_game  # a table: only where one is begun

        custom = New(rules=table.settings.table.rules)
        start = named_game(New(rules=rules, position=position), custom, now)
    return play_own(table, folder, start, HOW_TO_STUDY, AskedLesson(is_study=True), rules)


def _game_text(game: str, folder: Path) -> str:
    """Return the text of a game, by its number among those kept, or by its file."""
    if not game.isdecimal():
        return read_text(Path(game))
    return game_text(read_kept(folder, Archive.record, GameId(int(game))))


def _to_guess(text: str, side: Side, after: int) -> GuessExercise:
    saved = read_saved(text)
    return to_guess(saved.game, side, after, " - ".join(saved.tags.get(s, "?") for s in PLAYERS))


def _refuse_in_tournament(folder: Path) -> None:
    """Raise CommandRefused where the game that goes on at the table allows no help."""
    with closing(Archive.open(folder)) as archive:
        unfinished = archive.unfinished()
        if unfinished is not None:
            check_help(archive.record(unfinished))


@command(
    "jetan learn",
    "jetan learn --list",
    "jetan learn flier",
    "jetan learn Prinzessin --rules cazaux --lang de",
    "jetan learn --lesson escape",
    "jetan learn --board pins",
)
def learn(
    piece: str | None,
    lesson: Annotated[
        str | None, option("Begin with this one, not the first unsolved.", metavar="NAME")
    ],
    is_listed: Annotated[bool, option("List the lessons, and which are solved.", "--list")],
    table: OwnTable,
    rules: RulesText,
) -> int:
    """Learn Jetan in 14 moves; or print how PIECE moves, by its name or letter."""
    language, folder = table.lang, table.data
    if piece is not None:
        card = find_card(piece, named_rules(rules), language)
        letter = "" if card.letter == JUGGERNAUT_LETTER else f" ({card.letter})"
        print(f"{card.name}{letter}\n{card.sentences}")
        return 0
    if is_listed:
        solved, solved_mark = read_progress(folder).solved, _("solved")
        for each in lessons():
            mark = f" ({say_in(language, solved_mark)})" if each.name in solved else ""
            print(f"{each.name:18} {say_in(language, each.lesson.title)}{mark}")
        return 0
    return play_own(table, folder, None, HOW_TO_TYPE, AskedLesson(lesson=lesson or ""))
