"""`jetan learn`: the lessons in the terminal and by a real board's lamps; how each piece moves."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from rules.pieces import JUGGERNAUT_LETTER
from rules.sentences import _

from ..journal.rules_named import named_rules
from ..languages import Language, say_in
from ..lessons.cards import find_card
from ..lessons.course import GRID, course
from ..lessons.progress import read_progress
from ..lessons.words import HOW_TO_TYPE
from ..settings import data_folder
from ..words.words import Speaker
from . import examples
from .options import CONFIG, DATA, LANGUAGE, RULES
from .play_options import EMULATED, chosen_settings


@click.command(
    epilog=examples(
        "jetan learn",
        "jetan learn --list",
        "jetan learn flier",
        "jetan learn Prinzessin --rules cazaux --lang de",
        "jetan learn --lesson escape",
        "jetan learn --board pins",
    )
)
@click.argument("piece", required=False)
@click.option("--lesson", metavar="NAME", help="Begin with this one, not the first unsolved.")
@click.option("--list", "is_listed", is_flag=True, help="List the lessons, and which are solved.")
@click.option("--plain", is_flag=True, help="Plain lines, as where there is no terminal.")
@click.option("--board", metavar="BOARD", help="As `jetan play` has it; without: as settings say.")
@RULES
@DATA
@CONFIG
@LANGUAGE
def learn(
    piece: str | None,
    lesson: str | None,
    is_listed: bool,
    plain: bool,
    board: str | None,
    rules: str,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Learn Jetan in 14 moves; or print how PIECE moves, by its name or letter."""
    settings = chosen_settings(config, lang, None, board, None)
    language, folder = settings.table.language, data_folder(data, os.environ)
    if piece is not None:
        card = find_card(piece, named_rules(rules), language)
        letter = "" if card.letter == JUGGERNAUT_LETTER else f" ({card.letter})"
        print(f"{card.name}{letter}\n{card.sentences}")
        return 0
    if is_listed:
        solved, solved_mark = read_progress(folder).solved, _("solved")
        for each in course(GRID, may_change=True):
            mark = f" ({say_in(language, solved_mark)})" if each.name in solved else ""
            print(f"{each.name:18} {say_in(language, each.title)}{mark}")
        return 0
    from ..table.loop import WallClock
    from .at_table import NEXT, PlayOptions, play_there

    is_plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    options = PlayOptions(
        settings=settings,
        rules=settings.table.rules,
        speaker=Speaker(language, settings.reed.switch_of()),
        clock=WallClock(),
        seed=1,
        is_plain=is_plain,
        lesson=lesson or NEXT,
    )
    print(say_in(language, HOW_TO_TYPE), flush=True)
    play_there(options, folder, None, board == EMULATED, None, 1)
    return 0
