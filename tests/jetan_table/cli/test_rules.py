"""`jetan rules`: the list of presets, and one set of rules with every option."""

import json
from typing import Any

from rules import OPTIONS, PRESETS, parse_rules
from tests.jetan_table.cli.in_process import Jetan


def as_json(jetan: Jetan, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in jetan("rules", *arguments, "--json").splitlines()]


def test_lists_every_preset(jetan: Jetan) -> None:
    table = jetan("rules")
    assert all(name in table for name in PRESETS)
    listed = as_json(jetan)
    assert [line["name"] for line in listed] == list(PRESETS)
    for line in listed:
        differs = ",".join(f"{option}={value}" for option, value in line["differs"].items())
        text = f"appendix,{differs}" if differs else "appendix"
        assert parse_rules(text) == parse_rules(line["name"])


def test_shows_one_with_every_option(jetan: Jetan) -> None:
    (shown,) = as_json(jetan, "cazaux,thoat=walks")
    rules = parse_rules("cazaux,thoat=walks")
    assert shown["rules"] == "cazaux,thoat=walks"
    assert shown["source"] == PRESETS["cazaux"].source
    assert shown["options"] == {option: rules[option] for option in OPTIONS}
    table = jetan("rules cazaux,thoat=walks")
    assert "princess-ends=anywhere" in table
    assert "thoat=walks" not in table.splitlines()[2]
