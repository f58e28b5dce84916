"""`jetan moves`: what may be played in a position."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
import msgspec

from rules import Position, Rules, format_move, format_square, parse_position
from rules.sentences import Sentence, _
from rules.words import SIDES

from ..journal.rules_named import named_rules
from ..languages import Language
from . import examples
from .options import LANGUAGE, RULES, Say, saying


class MoveLine(msgspec.Struct, frozen=True):
    """One move as `--json` prints it; `kind` is move, capture or escape."""

    from_: str = msgspec.field(name="from")
    to: str
    kind: str


@click.command(
    epilog=examples(
        "jetan moves",
        "jetan moves --rules cazaux --json",
        "jetan moves '5c4/10/10/10/10/10/10/10/10/5QC3 b BO - 0 1'",
        "jetan moves --json - < positions.txt",
    )
)
@click.argument("position", required=False)
@RULES
@click.option("--json", "as_json", is_flag=True, help="One line a position, a list of moves.")
@LANGUAGE
def moves(position: str | None, rules: str, as_json: bool, lang: Language | None) -> None:
    """Print the legal moves of POSITION; `-` reads positions from standard input, one a line."""
    for given in _positions(position, named_rules(rules)):
        if as_json:
            print(_as_json(given), flush=position == "-")
        else:
            print("\n".join(_by_piece(given, saying(lang))))


def _positions(text: str | None, rules: Rules) -> Iterator[Position]:
    if text is None:
        yield Position.start(rules)
    elif text != "-":
        yield parse_position(text, rules)
    else:
        for line in sys.stdin:
            if line.strip():
                yield parse_position(line, rules)


def _as_json(position: Position) -> str:
    lines = [
        MoveLine(format_square(move.from_square), format_square(move.to_square), move.kind.value)
        for move in position.moves()
    ]
    return msgspec.json.encode(lines).decode()


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
