"""`jetan learn`: the lessons in the terminal and by a real board's lamps; how each piece moves."""

from __future__ import annotations

import click

from rules.pieces import JUGGERNAUT_LETTER
from rules.sentences import _

from ..journal.rules_named import named_rules
from ..languages import say_in
from ..lessons.cards import find_card
from ..lessons.course import GRID, course
from ..lessons.progress import read_progress
from ..lessons.words import HOW_TO_TYPE
from . import examples
from .options import RULES
from .own_table import OwnTable, own_table


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
@own_table
@RULES
def learn(
    piece: str | None, lesson: str | None, is_listed: bool, rules: str, table: OwnTable
) -> int:
    """Learn Jetan in 14 moves; or print how PIECE moves, by its name or letter."""
    language, folder = table.language, table.folder
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
    from .at_table import NEXT

    return table.play(table.options(lesson=lesson or NEXT), folder, None, HOW_TO_TYPE)
