"""The games that play themselves on the first page are games: legal to the last ply, which wins."""

import json
from typing import Any

import pytest

from jetan_table.page.pages import STATIC
from jetan_table.page.state import path_of
from rules import Kind, Position, parse_rules, parse_square
from rules.board import format_placement


@pytest.mark.parametrize("name", ["grid", "disk"])
def test_each_kind_moves_as_the_rules_have_it_and_the_princess_is_taken(name: str) -> None:
    show: dict[str, Any] = json.loads((STATIC / f"show-{name}.json").read_text(encoding="utf-8"))
    position = Position.start(parse_rules(show["rules"]))
    assert position.rules.board.name == show["board"]
    assert format_placement(position.pieces(), position.juggernaut) == show["placement"]
    moved, taken = set[Kind](), None
    for path in show["plies"]:
        start, end = parse_square(path[0]), parse_square(path[-1])
        (move,) = [each for each in position.moves_from(start) if each[1] == end]
        assert path_of(position, move) == path
        piece, taken = position.piece_at(start), position.piece_at(end)
        assert piece is not None
        moved.add(piece.kind)
        position = position.play(move)
    assert moved == set(Kind)
    assert taken is not None
    assert taken.kind is Kind.PRINCESS
    assert position.outcome is not None
