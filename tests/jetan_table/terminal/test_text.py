"""Plain text in a terminal: widths, lines, tables, colours and bars."""

import io
import sys

import pytest

from jetan_table.terminal.text import (
    ALL_COLOURS,
    colours_of,
    ink,
    padded,
    print_table,
    progress,
    width_of,
    wrapped,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_letters_are_as_wide_as_a_terminal_shows_them() -> None:
    assert (width_of("Tara"), width_of("張三"), width_of("e\u0301")) == (4, 4, 1)
    assert (padded("張", 4), padded("7", 3, is_right=True)) == ("張  ", "  7")


def test_lines_are_broken_between_words_and_within_those_that_are_too_long() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("a abcdefgh", 3) == ["a", "abc", "def", "gh"]
    assert wrapped("張三李四", 5) == ["張三", "李四"]
    assert wrapped("one\n\ntwo", 9) == ["one", "", "two"]


def test_a_table_stands_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["Name", "Won"], [["張三", "7"], ["Gahan\x1b[31m", "12"]], "All", is_right=True)
    assert capsys.readouterr().out.splitlines() == [
        "All",
        "Name        Won",
        "──────────  ───",
        "張三          7",
        "Gahan�[31m   12",
    ]


def test_a_table_without_rows_has_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["Name", "Won"], [])
    assert capsys.readouterr().out.splitlines() == ["Name  Won", "────  ───"]


def test_a_narrow_terminal_wraps_the_widest_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys, "stdout", shown := Terminal())
    print_table(["Option", "Meaning"], [["thoat", "one straight and one diagonal step"]])
    assert max(map(width_of, shown.getvalue().splitlines()[1:])) <= 30
    assert "\n" + " " * 8 + "diagonal step\n" in shown.getvalue()


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ALL_COLOURS),
        ({"TERM": "linux"}, ALL_COLOURS),
        ({"TERM": "dumb"}, 0),
        ({"TERM": "xterm", "COLORTERM": "24bit", "NO_COLOR": "1"}, 0),
    ],
)
def test_a_terminal_gets_the_colours_it_has(environment: dict[str, str], colours: int) -> None:
    assert colours_of(environment) == colours


def test_of_256_colours_the_nearest_is_taken() -> None:
    assert ink((240, 0, 0), ALL_COLOURS) == (240, 0, 0)
    assert [ink(each, 256) for each in ((240, 0, 0), (0, 185, 255), (38, 34, 32))] == [196, 39, 235]


def test_a_bar_is_seen_on_a_terminal_alone_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for shown in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stderr", shown)
        assert list(progress(range(3), "Throwing")) == [0, 1, 2]
        assert list(progress(range(3), "Throwing", is_hidden=True)) == [0, 1, 2]
        assert ("Throwing" in shown.getvalue()) == shown.isatty()
    assert shown.getvalue().endswith("\x1b[1A\x1b[K")
