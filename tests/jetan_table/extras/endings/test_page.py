"""What a table answers about endings, and what its page is made of."""

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from jetan_table.engine.endings import SWITCH, find_endings, parse_material
from jetan_table.extras.endings.solving import Solver
from rules import format_move, parse_position, parse_rules
from tests.e2e.served import served

pytestmark = [pytest.mark.parts, pytest.mark.needs("cc")]
TEXT = "4q5/10/10/10/10/10/10/2C7/10/4Q5 b - - 0 1"


def test_a_table_says_what_each_move_comes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, folder = parse_rules("retired-chief"), tmp_path / "tables"
    solver = Solver(rules, tmp_path / "work", tmp_path)
    groups = solver.in_order([parse_material("CQ-Q")])
    for group in groups:
        solver.solve(group, lambda: 0.0)
    folder.mkdir()
    every = [each for group in groups for each in group]
    solver.pack(every, folder / "retired.jetan-endings")
    monkeypatch.setenv(SWITCH, str(folder))
    with served(tmp_path) as table:

        def asked(path: str, **query: str) -> bytes:
            address = f"{table.url}{path[1:]}?{urllib.parse.urlencode(query)}"
            with urllib.request.urlopen(address, timeout=60) as answer:
                content: bytes = answer.read()
                return content

        assert b"/static/extras/endings/who.js" in asked("/who-wins")
        assert json.loads(asked("/api/endings")) == ["retired-chief"]
        answer = json.loads(asked("/api/ending", rules="retired-chief", position=TEXT))
        worth = find_endings({SWITCH: str(folder)}).worth(parse_position(TEXT, rules))
        assert worth is not None
        assert (answer["result"], answer["plies"]) == worth
        legal = parse_position(TEXT, rules)
        assert {each["move"] for each in answer["moves"]} == {
            format_move(move, legal) for move in legal.moves()
        }
        with pytest.raises(urllib.error.HTTPError):
            asked("/api/ending", rules="zillions", position=TEXT)
