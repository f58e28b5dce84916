"""`jetan puzzle`: a forced win or a save a day, out of games, answered move by move."""

import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import click

from rules import RulesError, format_position, format_rules, parse_move
from rules.position import letters
from rules.sentences import _
from rules.words import SIDES

from ..game.events import Header
from ..game.record import Record
from ..languages import Language, refused_in, say_in, translation
from ..lessons.exercise import HOW_TO_TYPE, PuzzleExercise
from ..lessons.puzzles import (
    ASKED,
    LEVELS,
    PLIES,
    DailyPuzzle,
    Task,
    asked_puzzle,
    judge,
    matching,
    read_daily,
    solutions,
)
from ..session.view import Phase, View
from ..terminal.terminal_board import plain_board
from .options import command, option
from .own_table import OwnTable


@command(
    "jetan puzzle",
    "jetan puzzle --day 2026-12-24 --lang de",
    "jetan puzzle --level 1",
    "jetan puzzle --number 3 --solve",
    "jetan puzzle --list",
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
    table: OwnTable,
) -> int:
    """Solve the day's puzzle; MOVES are your moves, asked for one by one where none is given.

    With --board it is set at a board, whose lamps lead.
    """
    language = table.lang
    every = read_daily()
    chosen = matching(every, theme, level)
    if is_listed:
        for each in chosen:
            print(f"{each.number:3} {each.task:6} {each.level} {format_position(each.position)}")
        return 0
    today = (day or datetime.now().astimezone()).toordinal()
    given = asked_puzzle(every, number, theme, level, today)
    if table.board and not (solve or moves):
        return table.play(table.data, None, HOW_TO_TYPE, exercise=PuzzleExercise(given))
    _show(given, language)
    if solve:
        for move in solutions(given.position, given.task):
            verdict = judge(given.position, given.task, PLIES[given.task], move)
            print(verdict.words.said(translation(language)))
        return 0
    if not moves and sys.stdin.isatty():
        print(say_in(language, _("Type a move, such as e2e4; an empty line ends.")), flush=True)
        return _attempt(given, iter(lambda: sys.stdin.readline().strip(), ""), language)
    return _attempt(given, moves, language)


def _show(given: DailyPuzzle, language: Language) -> None:
    position = given.position
    name, side = _("Puzzle {number}, level {level}, rules {rules}"), SIDES[position.side.word]
    rules = format_rules(position.rules)
    print(say_in(language, name, number=given.number, level=given.level, rules=rules))
    record = Record.begin(Header.of(position, 0.0))
    view = View(Phase.PLAYING, record, position, standing=letters(position))
    print("\n".join(plain_board(view, {})))
    print(say_in(language, ASKED[given.task], side=side))
    print(format_position(position))


def _attempt(given: DailyPuzzle, moves: Iterable[str], language: Language) -> int:
    """Judge one move after the other; return whether it is unsolved, as an exit code."""
    position, plies, is_solved = given.position, PLIES[given.task], False
    for text in moves:
        try:
            move = parse_move(text, position)
        except RulesError as error:
            print(refused_in(language, error))
            continue
        verdict = judge(position, given.task, plies, move)
        print(verdict.words.said(translation(language)), flush=True)
        is_solved = verdict.is_solved
        if is_solved:
            break
        if verdict.reply is not None:
            position, plies = position.play(move).play(verdict.reply), plies - 2
    return 0 if is_solved or not moves else 1
