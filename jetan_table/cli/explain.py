"""`jetan explain`: why a piece may go there, or why not."""

from __future__ import annotations

import click
import msgspec

from rules import Position, format_square, parse_position, parse_square
from rules.explain import Explanation
from rules.explain import explain as explain_pair
from rules.pieces import JUGGERNAUT_LETTER
from rules.words import sentences

from ..journal.rules_named import named_rules
from ..languages import Language, translation
from . import examples
from .options import LANGUAGE, RULES, spoken


class ExplanationLine(msgspec.Struct, frozen=True):
    """An explanation as `--json` prints it.

    `kind` is move, capture or escape, None where the move is not legal. `named` are the pieces the
    reason is about, by square (`*`: the Juggernaut, None: nobody stands there).
    """

    from_: str = msgspec.field(name="from")
    to: str
    legal: bool
    kind: str | None
    reason: str
    and_escape: str | None
    path: list[str]
    named: dict[str, str | None]
    text: str


@click.command(
    epilog=examples(
        "jetan explain d2 d3",
        "jetan explain e1 e4 --lang de",
        "jetan explain e1 e4 '4qc4/10/10/10/10/10/10/3PPP4/10/4CQ4 b BO - 0 1' --json",
    )
)
@click.argument("start", metavar="FROM")
@click.argument("end", metavar="TO")
@click.argument("position", required=False)
@RULES
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(
    start: str, end: str, position: str | None, rules: str, lang: Language | None, as_json: bool
) -> None:
    """Say why the piece on FROM may go to TO in POSITION (the start, unless told), or why not."""
    chosen = named_rules(rules)
    given = Position.start(chosen) if position is None else parse_position(position, chosen)
    answer = explain_pair(given, parse_square(start), parse_square(end))
    text = sentences(answer, chosen, translation(spoken(lang)))
    print(_as_json(answer, given, text) if as_json else text)


def _as_json(answer: Explanation, position: Position, text: str) -> str:
    named = {format_square(square): piece and piece.letter for square, piece in answer.named}
    if position.juggernaut is not None and (name := format_square(position.juggernaut)) in named:
        named[name] = JUGGERNAUT_LETTER
    line = ExplanationLine(
        from_=format_square(answer.start),
        to=format_square(answer.end),
        legal=answer.is_legal,
        kind=None if answer.move is None else answer.move.kind.value,
        reason=answer.reason.value,
        and_escape=None if answer.and_escape is None else answer.and_escape.value,
        path=[format_square(square) for square in answer.path],
        named=named,
        text=text,
    )
    return msgspec.json.encode(line).decode()
