"""The board in a terminal: what stands there, lamps in colour, cues as marks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click import unstyle

from jetan_table.light.lamps import Lamp, Lighting, cues, lights
from jetan_table.light.words import Speaker
from jetan_table.session.view import View
from jetan_table.table.loop import EagerClock
from jetan_table.terminal.terminal import Screen, lit_board, move_rows, plain_board, type_keys
from jetan_table.terminal.text import ALL_COLOURS, width_of
from rules import SQUARES, Position, letters, parse_rules, parse_square
from tests.jetan_table.hands import seen
from tests.jetan_table.sitting import sitting

START = Position.start(parse_rules("appendix"))
LAMP_OF = tuple(map(Lamp, SQUARES))


def lifted() -> View:
    d2, d3, d9 = map(parse_square, ("d2", "d3", "d9"))
    standing = {square: letter for square, letter in letters(START).items() if square != d2}
    return seen(
        START,
        standing=standing,
        lifted=(d2,),
        legal=frozenset({d3}),
        captures=frozenset({d9}),
    )


def test_plain_lines_show_pieces_and_a_mark_for_every_cue() -> None:
    lines = plain_board(lifted(), cues(lifted()))
    assert lines[0] == "10  w   a   d   f   q   c   f   d   a   w"
    assert lines[1] == " 9  t   p   p   px  p   p   p   p   p   t"
    assert lines[7] == " 3  .   .   .   .o  .   .   .   .   .   ."
    assert lines[8] == " 2  T   P   P   .^  P   P   P   P   P   T"


@pytest.mark.parametrize("colours", [256, ALL_COLOURS])
@pytest.mark.parametrize("is_tall", [False, True])
def test_lamps_colour_their_squares(colours: int, is_tall: bool) -> None:
    shown = lights(cues(lifted()), Lighting("standard", LAMP_OF, limit_ma=9000.0), 0.0)
    lit = lit_board(lifted(), shown, LAMP_OF, is_tall, colours)
    dark = lit_board(lifted(), (), LAMP_OF, is_tall, colours)
    ranks = [10 - line // (1 + is_tall) for line, text in enumerate(lit) if text != dark[line]]
    assert sorted(set(ranks)) == [2, 3, 9]
    assert {len(unstyle(line)) for line in (*lit, *dark)} == {43}


def test_moves_stand_in_rows_by_number() -> None:
    assert move_rows(("Pd2-d3", "Pe9-e8", "Pc2-c3"), 1) == [
        "  1. Pd2-d3    Pe9-e8",
        "  2. Pc2-c3",
    ]
    assert move_rows(("Pe9-e8", "Pc2-c3"), 2) == ["  1. ...       Pe9-e8", "  2. Pc2-c3"]


def test_an_eager_clock_stands_still_until_somebody_sleeps() -> None:
    clock = EagerClock()
    began = clock.now()
    clock.sleep(1.5)
    assert clock.now() == began + 1.5


def test_a_disk_is_drawn_as_rings_about_its_centre() -> None:
    grid = plain_board(seen(Position.start(parse_rules("appendix"))), {})
    disk = plain_board(seen(Position.start(parse_rules("ninth-ray-clockwise"))), {})
    assert len(disk) == len(grid) + 1
    assert [line.split()[0] for line in disk[4:7]] == ["6", "-" * 15, "5"]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with sitting(tmp_path) as evening:
        yield Screen(evening.table, Speaker("en"), [])


def test_a_long_answer_is_a_page_of_its_own_until_enter(screen: Screen) -> None:
    type_keys(screen, "?\r", lambda line: ["one word"] * 20)
    assert list(screen.page) == ["one word"] * 20
    assert not screen.log
    type_keys(screen, "\r", lambda line: [])
    assert not screen.page
    type_keys(screen, "d7\r", lambda line: ["d7 is empty"])
    assert list(screen.log) == ["> d7", "d7 is empty"]


def test_what_is_said_last_is_seen_however_long_the_lines_before_it(screen: Screen) -> None:
    long = "so many words that they need several lines of the panel"
    screen.answer("load x", [long, long, "x: is no plain file"])
    assert "x: is no plain file" in unstyle("\n".join(screen.draw(80, 24, ALL_COLOURS)))


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("lines", [24, 40])
@pytest.mark.parametrize("colours", [0, 256, ALL_COLOURS])
def test_a_screen_is_drawn_within_its_terminal(
    screen: Screen, columns: int, lines: int, colours: int
) -> None:
    screen.answer("\u5f35 x", ["\u5f35" * 200, "what came last"])
    drawn = screen.draw(columns, lines, colours)
    assert len(drawn) <= lines
    assert {width_of(unstyle(line)) for line in drawn[:-1]} == {columns - 6}
    assert "what came last" in "\n".join(drawn)
    assert ("\x1b[48" in "".join(drawn)) == (colours > 0)


def test_a_narrow_terminal_shows_the_words_below_the_board(screen: Screen) -> None:
    drawn = [unstyle(line) for line in screen.draw(60, 40, 256)]
    assert max(map(width_of, drawn)) <= 60
    assert any("Black to move" in line for line in drawn)


def test_arrow_keys_type_nothing(screen: Screen) -> None:
    type_keys(screen, "d2\x1b[C\x1bOA\x1b[3~ d3", lambda line: [])
    assert screen.typed == "d2 d3"
