"""The lines of a study: what is kept of moves that were tried and taken back."""

from jetan_table.extras.lessons.lines import StudiedLines, all_lines, read_lines
from rules import Position, Square, parse_move, parse_rules
from rules.game import Game

START = Position.start(parse_rules("appendix"))


def game(*moves: str) -> Game:
    played = Game.begin(START)
    for move in moves:
        played = played.play(parse_move(move, played.position))
    return played


def test_a_line_grows_and_what_is_taken_back_stays() -> None:
    lines = all_lines([game(), game("d2d3"), game("d2d3", "d9d8"), game("d2d3")])
    assert lines.games == (game("d2d3", "d9d8"),)
    assert lines.onward(game("d2d3")) == ("Pd9-d8",)
    lines = lines.after(game("e2e3"))
    assert lines.onward(game()) == ("Pd2-d3", "Pe2-e3")
    assert lines.onward(game("e2e3")) == ()


def test_lines_are_read_back_for_their_own_start_alone() -> None:
    lines = all_lines([game("d2d3", "d9d8", "e2e3"), game("d2d3", "e9e8"), game("f2f3")])
    text = lines.text()
    assert "1. Pd2-d3 (1. Pf2-f3) 1... Pd9-d8 (1... Pe9-e8) 2. Pe2-e3 *" in text
    again = read_lines(text, START)
    assert again.text() == text
    assert set(again.games) == set(lines.games)
    assert again.games[0] == lines.games[0]
    assert read_lines(text, game("d2d3").position) == StudiedLines()


def test_another_start_begins_anew() -> None:
    other = Game.begin(game("d2d3").position)
    assert all_lines([game("d2d3"), other]).games == (other,)


def test_a_line_ends_where_its_dice_are_still_to_be_thrown() -> None:
    begun = Position.start(parse_rules("cazaux+juggernaut")).move_juggernaut(Square(45))
    waiting = Game.begin(begun).play(begun.moves()[0])
    assert waiting.awaits_roll
    assert all_lines([Game.begin(begun), waiting]).games == (Game.begin(begun),)
