"""`jetan perft`: counts move paths, to compare this program's rules with others'."""

from __future__ import annotations

import click

from rules import Position, divide, format_move, parse_position
from rules import perft as count_paths

from ..journal.rules_named import named_rules
from . import examples
from .options import RULES, print_json


@click.command(
    epilog=examples(
        "jetan perft 3", "jetan perft 2 --rules abstract-games --divide", "jetan perft 3 --json"
    )
)
@click.argument("depth", type=click.IntRange(0))
@click.argument("position", required=False)
@RULES
@click.option("--divide", "is_divided", is_flag=True, help="Count apart for every first move.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def perft(depth: int, position: str | None, rules: str, is_divided: bool, as_json: bool) -> None:
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
