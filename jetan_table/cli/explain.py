"""`jetan explain`: why a piece may go there, or why not."""

from typing import Annotated

from rules import Position, format_square, parse_position, parse_square
from rules.explain import Explanation
from rules.explain import explain as explain_pair
from rules.pieces import JUGGERNAUT_LETTER
from rules.words import sentences

from ..game.agreements import named_rules
from ..languages import translation
from .options import Lang, OneJson, RulesText, argument, command, print_json


@command(
    "jetan explain d2 d3",
    "jetan explain e1 e4 --lang de",
    "jetan explain e1 e4 '4qc4/10/10/10/10/10/10/3PPP4/10/4CQ4 b BO - 0 1' --json",
)
def explain(
    start: Annotated[str, argument(metavar="FROM")],
    end: Annotated[str, argument(metavar="TO")],
    position: str | None,
    rules: RulesText,
    lang: Lang,
    as_json: OneJson,
) -> None:
    """Say why the piece on FROM may go to TO in POSITION (the start, unless told), or why not."""
    chosen = named_rules(rules)
    given = Position.start(chosen) if position is None else parse_position(position, chosen)
    answer = explain_pair(given, parse_square(start), parse_square(end))
    text = sentences(answer, chosen, translation(lang))
    if as_json:
        print_json(_as_object(answer, given, text))
    else:
        print(text)


def _as_object(answer: Explanation, position: Position, text: str) -> dict[str, object]:
    """Return an explanation as programs read it.

    `kind` is move, capture or escape, None where the move is not legal. `named` are the pieces the
    reason is about, by square (`*`: the Juggernaut, None: nobody stands there).
    """
    named = {format_square(square): piece and piece.letter for square, piece in answer.named}
    if position.juggernaut is not None and (name := format_square(position.juggernaut)) in named:
        named[name] = JUGGERNAUT_LETTER
    return {
        "from": format_square(answer.start),
        "to": format_square(answer.end),
        "legal": answer.is_legal,
        "kind": None if answer.move is None else answer.move.kind.value,
        "reason": answer.reason.value,
        "and_escape": None if answer.and_escape is None else answer.and_escape.value,
        "path": list(map(format_square, answer.path)),
        "named": named,
        "text": text,
    }
