"""`jetan moves`: what may be played in a position."""

import sys
from collections.abc import Iterator
from typing import Annotated

from rules import Position, Rules, format_move, format_square, parse_position
from rules.sentences import Sentence, _
from rules.words import SIDES

from ..game.agreements import named_rules
from .options import RulesText, Say, Words, command, option, print_json


@command(
    "jetan moves",
    "jetan moves --rules cazaux --json",
    "jetan moves '5c4/10/10/10/10/10/10/10/10/5QC3 b BO - 0 1'",
    "jetan moves --json - < positions.txt",
)
def moves(
    position: str | None,
    rules: RulesText,
    as_json: Annotated[bool, option("One line a position, a list of moves.", "--json")],
    say: Words,
) -> None:
    """Print the legal moves of POSITION; `-` reads positions from standard input, one a line."""
    for given in _positions(position, named_rules(rules)):
        if as_json:
            print_json(_as_objects(given))
            sys.stdout.flush()  # who asks by a pipe waits for it
        else:
            print("\n".join(_by_piece(given, say)))


def _positions(text: str | None, rules: Rules) -> Iterator[Position]:
    if text is None:
        yield Position.start(rules)
    elif text != "-":
        yield parse_position(text, rules)
    else:
        for line in sys.stdin:
            if line.strip():
                yield parse_position(line, rules)


def _as_objects(position: Position) -> list[dict[str, str]]:
    """Return the moves as programs read them; `kind` is move, capture or escape."""
    return [
        {"from": format_square(start), "to": format_square(end), "kind": kind.value}
        for start, end, kind in position.moves()
    ]


def _by_piece(position: Position, say: Say) -> list[str]:
    """Return one line for each piece that may move, and what the position says besides."""
    ends_of: dict[str, list[str]] = {}
    for move in position.moves():
        text = format_move(move, position)
        start = format_square(move.from_square)
        ends_of.setdefault(f"{text[0]}{start}", []).append(text[1 + len(start) :])
    outcome = position.outcome
    if outcome is not None:
        how = _("draw: {why}") if outcome.winner is None else _("{side} has won: {why}")
        winner = SIDES[outcome.winner.word] if outcome.winner else None
        return [say(how, side=winner, why=Sentence(outcome.termination.value))]
    count = sum(map(len, ends_of.values()))
    lines = [f"{piece:5} {' '.join(ends)}" for piece, ends in ends_of.items()]
    side = SIDES[position.side.word]
    return [*lines, say(_("{count} moves, {side} to move"), count=count, side=side)]
