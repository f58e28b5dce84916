"""`jetan puzzle`: a forced win or a save a day, out of games, answered move by move."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime

import click

from rules import RulesError, format_position, format_rules, parse_move
from rules.sentences import _
from rules.words import SIDES

from ..game.placement import letters
from ..languages import Language, refused_in, say_in, translation
from ..lessons.exercise import PuzzleExercise
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
from ..lessons.words import HOW_TO_TYPE
from ..session.view import Phase, View
from ..terminal.terminal_board import plain_board
from . import examples
from .own_table import OwnTable, own_table


@click.command(
    epilog=examples(
        "jetan puzzle",
        "jetan puzzle --day 2026-12-24 --lang de",
        "jetan puzzle --level 1",
        "jetan puzzle --number 3 --solve",
        "jetan puzzle --list",
        "jetan puzzle --board pins",
    )
)
@click.argument("moves", nargs=-1)
@click.option("--number", type=click.IntRange(min=1), help="This puzzle, not the day's.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of another day.")
@click.option(
    "--theme", type=click.Choice([task.value for task in Task]), help="Only puzzles that ask this."
)
@click.option(
    "--level",
    type=click.IntRange(1, max(LEVELS.values())),
    help="Only puzzles so hard: 1 is the easiest.",
)
@click.option("--list", "is_listed", is_flag=True, help="List the puzzles: theme, level, position.")
@click.option("--solve", is_flag=True, help="Print the move that solves it.")
@own_table
def puzzle(
    moves: tuple[str, ...],
    number: int | None,
    day: datetime | None,
    theme: str | None,
    level: int | None,
    is_listed: bool,
    solve: bool,
    table: OwnTable,
) -> int:
    """Solve the day's puzzle; MOVES are your moves, asked for one by one where none is given.

    With --board it is set at a board, whose lamps lead.
    """
    language = table.language
    every = read_daily()
    chosen = matching(every, theme, level)
    if is_listed:
        for each in chosen:
            print(f"{each.number:3} {each.task:6} {each.level} {format_position(each.position)}")
        return 0
    today = (day or datetime.now().astimezone()).toordinal()
    given = asked_puzzle(every, number, theme, level, today)
    if table.has_board and not (solve or moves):
        options = table.options(exercise=PuzzleExercise(given))
        return table.play(options, table.folder, None, HOW_TO_TYPE)
    _show(given, language)
    if solve:
        for move in solutions(given.position, given.task):
            verdict = judge(given.position, given.task, PLIES[given.task], move)
            print(verdict.words.said(translation(language)))
        return 0
    if not moves and sys.stdin.isatty():
        print(say_in(language, _("Type a move, as e2e4; an empty line ends.")), flush=True)
        return _attempt(given, iter(lambda: sys.stdin.readline().strip(), ""), language)
    return _attempt(given, moves, language)


def _show(given: DailyPuzzle, language: Language) -> None:
    position = given.position
    name, side = _("Puzzle {number}, level {level}, rules {rules}"), SIDES[position.side.word]
    rules = format_rules(position.rules)
    print(say_in(language, name, number=given.number, level=given.level, rules=rules))
    view = View(Phase.PLAYING, position, standing=letters(position))
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
        if verdict.position is not position:
            position, plies = verdict.position, plies - 2
    return 0 if is_solved or not moves else 1
