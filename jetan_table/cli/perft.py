"""`jetan perft`: counts move paths, to compare this program's rules with others'."""

from typing import Annotated

from rules import Position, divide, format_move, parse_position
from rules import perft as count_paths

from ..game.agreements import named_rules
from .options import OneJson, RulesText, argument, command, option, print_json


@command("jetan perft 3", "jetan perft 2 --rules abstract-games --divide", "jetan perft 3 --json")
def perft(
    depth: Annotated[int, argument(least=0)],
    position: str | None,
    rules: RulesText,
    is_divided: Annotated[bool, option("Count apart for every first move.", "--divide")],
    as_json: OneJson,
) -> None:
    """Count the paths of DEPTH plies from POSITION, or from the start.

    Plies alone count: a Juggernaut stands still. A game that ends earlier counts 0.
    """
    chosen = named_rules(rules)
    start = parse_position(position, chosen) if position else Position.start(chosen)
    result: dict[str, object] = {"depth": depth}
    if is_divided and depth:
        counts = {format_move(move, start): nodes for move, nodes in divide(start, depth).items()}
        result |= {"nodes": sum(counts.values()), "divide": counts}
    else:
        counts = {}
        result["nodes"] = count_paths(start, depth)
    if as_json:
        print_json(result)
        return
    for move, nodes in counts.items():
        print(f"{move:12} {nodes}")
    print(result["nodes"])
