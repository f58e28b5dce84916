"""`jetan puzzle`: a forced win or a save a day, out of games, answered move by move."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import datetime

import click

from rules import RulesError, format_position, format_rules, parse_move
from rules.sentences import _

from ..game.placement import letters
from ..languages import Language, refused_in, say_in, translation
from ..lessons.puzzles import (
    ASKED,
    PLIES,
    DailyPuzzle,
    Task,
    judge,
    puzzle_of_day,
    read_daily,
    solutions,
)
from ..session.view import Phase, View
from ..terminal.terminal_board import plain_board
from ..words.phrases import SIDES
from . import examples
from .options import LANGUAGE, misused, saying, spoken


@click.command(
    epilog=examples(
        "jetan puzzle",
        "jetan puzzle --day 2026-12-24 --lang de",
        "jetan puzzle --level 1",
        "jetan puzzle --number 3 --solve",
        "jetan puzzle --list",
    )
)
@click.argument("moves", nargs=-1)
@click.option("--number", type=click.IntRange(min=1), help="This puzzle, not the day's.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of another day.")
@click.option(
    "--theme", type=click.Choice([task.value for task in Task]), help="Only puzzles that ask this."
)
@click.option("--level", type=click.IntRange(1, 3), help="Only puzzles so hard: 1 is the easiest.")
@click.option("--list", "is_listed", is_flag=True, help="List the puzzles: theme, level, position.")
@click.option("--solve", is_flag=True, help="Print the move that solves it.")
@LANGUAGE
def puzzle(
    moves: tuple[str, ...],
    number: int | None,
    day: datetime | None,
    theme: str | None,
    level: int | None,
    is_listed: bool,
    solve: bool,
    lang: Language | None,
) -> int:
    """Solve the day's puzzle; MOVES are your moves, asked for one by one where none is given."""
    language, say = spoken(lang), saying(lang)
    every = read_daily()
    chosen = [
        each
        for each in every
        if (theme is None or each.task == theme) and (level is None or each.level == level)
    ]
    if not chosen:
        raise misused(_("no puzzle has that theme and that level"))
    if is_listed:
        for each in chosen:
            print(f"{each.number:3} {each.task:6} {each.level} {format_position(each.position)}")
        return 0
    if number is not None and number > len(every):
        raise misused(_("there are puzzles 1 to {last}"), last=len(every))
    today = (day or datetime.now().astimezone()).toordinal()
    given = every[number - 1] if number is not None else puzzle_of_day(chosen, today)
    _show(given, language)
    if solve:
        for move in solutions(given.position, given.task):
            verdict = judge(given.position, given.task, PLIES[given.task], move)
            print(verdict.words.said(translation(language)))
        return 0
    if not moves and sys.stdin.isatty():
        print(say(_("Type a move, as e2e4; an empty line ends.")), flush=True)
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
