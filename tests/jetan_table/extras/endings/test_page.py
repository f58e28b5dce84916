"""What a table answers about endings, and what its page is made of."""

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from jetan_table.engine.endings import SWITCH, find_endings
from rules import format_move, parse_position, parse_rules
from tests.e2e.served import served
from tests.jetan_table.extras.endings.tiny import packed
from tests.jetan_table.page.described import assert_described

pytestmark = [pytest.mark.parts, pytest.mark.needs("cc")]
TEXT = "4q5/10/10/10/10/10/10/2C7/10/4Q5 b - - 0 1"


def test_a_table_says_what_each_move_comes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, folder = parse_rules("retired-chief"), packed(tmp_path, "retired-chief")
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
        assert_described(answer, "Ending")
        worth = find_endings({SWITCH: str(folder)}).worth(parse_position(TEXT, rules))
        assert worth is not None
        assert (answer["result"], answer["plies"]) == worth
        legal = parse_position(TEXT, rules)
        assert {each["move"] for each in answer["moves"]} == {
            format_move(move, legal) for move in legal.moves()
        }
        with pytest.raises(urllib.error.HTTPError):
            asked("/api/ending", rules="zillions", position=TEXT)
