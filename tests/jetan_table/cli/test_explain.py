"""`jetan explain`: sentences and JSON, with the words of the rules' own explanations."""

import json

import pytest

from tests.jetan_table.cli.in_process import Jetan

BLOCKED = "4qc4/10/10/10/10/10/10/3PPP4/10/4CQ4 b BO - 0 1"


def test_says_by_which_way_a_piece_goes(jetan: Jetan) -> None:
    assert jetan("explain d2 c3").endswith("sideways: d2-c3.\n")


def test_says_in_german_who_is_in_the_way(jetan: Jetan) -> None:
    text = jetan("explain e1 e4 --lang de")
    assert "versperrt: Panthan auf d2, Panthan auf e2 und Panthan auf f2." in text


def test_as_json_the_reason_is_a_word_and_the_named_pieces_are_squares(jetan: Jetan) -> None:
    legal = json.loads(jetan("explain d2 c3 --json"))
    assert (legal["legal"], legal["kind"], legal["path"]) == (True, "move", ["d2", "c3"])
    blocked = json.loads(jetan("explain e1 e4", BLOCKED, "--json"))
    assert (blocked["from"], blocked["to"]) == ("e1", "e4")
    assert (blocked["legal"], blocked["kind"], blocked["reason"]) == (False, None, "blocked")
    assert blocked["named"] == {"d3": "P", "e3": "P", "f3": "P"}
    assert blocked["text"] == jetan("explain e1 e4", BLOCKED).strip()


def test_the_juggernaut_is_named(jetan: Jetan) -> None:
    rules = "appendix,flier=walks,juggernaut=b2"
    explanation = json.loads(jetan("explain d1 a4 --json --rules", rules))
    assert explanation["named"] == {"c2": "P"}
    with_juggernaut = BLOCKED.replace("3PPP4", "3*PP4")
    explanation = json.loads(jetan("explain e1 e4", with_juggernaut, "--json", "--rules", rules))
    assert explanation["named"] == {"d3": "*", "e3": "P", "f3": "P"}


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        (["d2", "d11"], "d11: no such square"),
        (["d2", "d3", "nonsense"], "nonsense"),
        (["d2", "d3", "--rules", "appendx"], "did you mean appendix?"),
    ],
)
def test_refuses_in_one_line(jetan: Jetan, arguments: list[str], mend: str) -> None:
    refusal = jetan("explain", *arguments, code=2)
    assert mend in refusal
    assert refusal.count("\n") == 1
