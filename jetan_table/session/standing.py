"""A game begun from what stands on the board, each piece named by people."""

from collections import Counter
from collections.abc import Collection, Mapping

from rules import Position, Rules, Side, Square, format_square
from rules.board import JUGGERNAUT_LETTER, PIECES
from rules.position import letters
from rules.sentences import _

from ..game.commands import CommandRefused

ROYAL = "CcQq"
"""Who stands in every game that goes on; a Chief may have gone where the rules play on then."""


def named_position(
    rules: Rules,
    named: Mapping[Square, str],
    occupied: Collection[Square],
    unsure: Collection[Square],
    side: Side,
) -> Position:
    """Return the position that people name, by the letters of position texts; `side` is to move.

    CommandRefused, saying why, where the names do not fit the squares that are seen `occupied`
    (but on `unsure` ones, whose switches have failed), or where no game goes on so.
    """
    _check_squares(set(named), set(occupied), set(unsure))
    _check_armies(rules, named)
    pieces = {square: PIECES[letter] for square, letter in named.items() if letter in PIECES}
    juggernaut = next((s for s in named if named[s] == JUGGERNAUT_LETTER), None)
    position = Position.of(rules, pieces, side, juggernaut=juggernaut)
    if position.outcome is not None:
        raise CommandRefused(_("in that position the game would be over"))
    return position


def _check_squares(named: set[Square], occupied: set[Square], unsure: set[Square]) -> None:
    """Raise CommandRefused where a piece is not named, or one is that is not seen."""
    for no, squares in (
        (_("say which piece stands on {squares}"), occupied - named - unsure),
        (
            _("no piece is seen on {squares}: put it there, or leave it out"),
            named - occupied - unsure,
        ),
    ):
        if squares:
            raise CommandRefused(no, squares=", ".join(map(format_square, sorted(squares))))


def _check_armies(rules: Rules, named: Mapping[Square, str]) -> None:
    """Raise CommandRefused where armies are larger than at the start, or lack whom a game needs."""
    counted = Counter(named.values())
    most = Counter(letters(Position.start(rules)).values())
    has_juggernaut = rules["juggernaut"] != "off"
    most[JUGGERNAUT_LETTER] = int(has_juggernaut)
    for letter, count in sorted(counted.items()):
        if count > most[letter]:
            raise CommandRefused(
                _("{count} of {letter} are named: at most {most} are in a game"),
                letter=letter,
                count=count,
                most=most[letter],
            )
    needed = ROYAL if rules["chief-taken-by-other"] != "play-on" else "Qq"
    for letter in (*needed, *(JUGGERNAUT_LETTER * has_juggernaut)):
        if not counted[letter]:
            raise CommandRefused(
                _("no {letter} is named: without it no game goes on"), letter=letter
            )
