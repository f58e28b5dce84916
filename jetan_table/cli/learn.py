"""`jetan learn`: the lessons in the terminal and by a real board's lamps; how each piece moves."""

from typing import Annotated

from rules.pieces import JUGGERNAUT_LETTER
from rules.sentences import _

from ..journal.rules_named import named_rules
from ..languages import say_in
from ..lessons.cards import find_card
from ..lessons.course import GRID, course
from ..lessons.exercise import HOW_TO_TYPE, read_progress
from .options import RulesText, command, option
from .own_table import OwnTable


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
        for each in course(GRID, may_change=True):
            mark = f" ({say_in(language, solved_mark)})" if each.name in solved else ""
            print(f"{each.name:18} {say_in(language, each.title)}{mark}")
        return 0
    from .at_table import NEXT

    return table.play(folder, None, HOW_TO_TYPE, lesson=lesson or NEXT)
