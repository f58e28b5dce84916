"""`jetan rules`: the list of presets, one set of rules, and two side by side."""

import json
from pathlib import Path
from typing import Any

from rules import parse_rules
from rules.options import OPTIONS, PRESETS
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


def test_compares_two_in_what_they_differ(jetan: Jetan, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "abstract-games"\nthoat = "walks"\n')
    (compared,) = as_json(jetan, "abstract-games", str(file))
    assert compared == {
        "rules": ["abstract-games", "abstract-games,thoat=walks"],
        "differences": {"thoat": ["jumps", "walks"]},
    }
    table = jetan("rules abstract-games", str(file))
    assert "jumps" in table
    assert "repetition" not in table


def test_says_where_two_play_alike(jetan: Jetan) -> None:
    text = jetan("rules after-ekman-jumping appendix,thoat=jumps")
    assert text == "after-ekman-jumping and appendix,thoat=jumps play alike.\n"


def test_guesses_what_was_meant(jetan: Jetan) -> None:
    assert jetan("rules cazuax", code=2) == "jetan: cazuax: no such preset, did you mean cazaux?\n"
