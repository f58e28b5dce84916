"""`jetan rules`: the list of presets, one set of rules, and two side by side."""

import json
from pathlib import Path
from typing import Any

import pytest

from jetan_table.cli import main
from rules import parse_rules
from rules.options import OPTIONS
from rules.presets import PRESETS


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(capsys, *arguments, "--json").splitlines()]


def test_lists_every_preset(capsys: pytest.CaptureFixture[str]) -> None:
    table = printed(capsys)
    assert all(name in table for name in PRESETS)
    listed = as_json(capsys)
    assert [line["name"] for line in listed] == list(PRESETS)
    for line in listed:
        differs = ",".join(f"{option}={value}" for option, value in line["differs"].items())
        text = f"appendix,{differs}" if differs else "appendix"
        assert parse_rules(text) == parse_rules(line["name"])


def test_shows_one_with_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = as_json(capsys, "cazaux,thoat=walks")
    rules = parse_rules("cazaux,thoat=walks")
    assert shown["rules"] == "cazaux,thoat=walks"
    assert shown["source"] == PRESETS["cazaux"].source
    assert shown["options"] == {option: rules[option] for option in OPTIONS}
    table = printed(capsys, "cazaux,thoat=walks")
    assert "princess-ends=anywhere" in table
    assert "thoat=walks" not in table.splitlines()[2]


def test_compares_two_in_what_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "abstract-games"\nthoat = "walks"\n')
    (compared,) = as_json(capsys, "abstract-games", str(file))
    assert compared == {
        "rules": ["abstract-games", "abstract-games,thoat=walks"],
        "differences": {"thoat": ["jumps", "walks"]},
    }
    table = printed(capsys, "abstract-games", str(file))
    assert "jumps" in table
    assert "repetition" not in table


def test_says_where_two_play_alike(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "after-ekman-jumping", "appendix,thoat=jumps")
    assert text == "after-ekman-jumping and appendix,thoat=jumps play alike.\n"


def test_guesses_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "cazuax"]) == 2
    assert capsys.readouterr().err == "jetan: cazuax: no such preset, did you mean cazaux?\n"
