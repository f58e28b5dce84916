"""Games saved under a name, and played on from any ply."""

from pathlib import Path

import pytest

from jetan_table.errors import TableError
from jetan_table.game.commands import CommandRefused, NewGame
from jetan_table.game.events import ClockShows, Entry
from jetan_table.game.record import Record
from jetan_table.game.texts import NoSuchPly, game_text, read_saved, start_from
from jetan_table.journal.archive import NoSuchGame
from jetan_table.table.games import save_game, saved_names, saved_text
from rules.text import parse_game
from tests.jetan_table.sitting import sitting

# The Juggernaut goes from e5 to e6, and rests.
WITH_ROLLS = """[Rules "appendix,juggernaut=e5"]
[Result "*"]

1. Pd2-d3 {[%die 1]} Pe9-e8 {[%die 9]} 2. Pc2-c3 {[%die 3]} *
"""
WON = """[SetUp "1"]
[Position "5c4/10/10/10/10/10/3q6/10/10/F4Q3C b - - 0 30"]
[Result "black"]

30. Fa1xd4 black
"""


def test_a_game_is_played_on_from_a_ply_with_its_plies_before(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        for squares in (("d2", "d3"), ("e9", "e8"), ("c2", "c3")):
            evening.move(*squares)
        text = game_text(evening.table.record)
        start = start_from(read_saved(text), 2, evening.clock.now())
        evening.table.obey(NewGame(start.header, start.events), evening.clock.now())
        evening.hands.set_up(evening.table.view.position, evening.clock.now())
        evening.wait(3.0)
        assert evening.table.record.moves == ("Pd2-d3", "Pe9-e8")
        assert evening.table.game == 2
        evening.move("b2", "b3")
        assert evening.table.view.record.moves == ("Pd2-d3", "Pe9-e8", "Pb2-b3")
    with sitting(tmp_path) as evening:
        assert evening.table.view.record.moves == ("Pd2-d3", "Pe9-e8", "Pb2-b3")


@pytest.mark.parametrize("plies", [0, 1, 2, 3, None])
def test_what_the_die_did_is_told_again(plies: int | None) -> None:
    text = parse_game(WITH_ROLLS)
    start = start_from(text, plies, 1.0)
    record = Record.read(start.header, (Entry(1.0, event) for event in start.events))
    wanted = text.game.positions[3 if plies is None else plies]
    assert record.position == wanted


def test_names_are_kept_and_never_written_over(tmp_path: Path) -> None:
    path = save_game(tmp_path, "Sunday (3)", WITH_ROLLS)
    assert path.name == "Sunday (3).jgn"
    assert save_game(tmp_path, "Sunday (3)", WITH_ROLLS) == path
    with pytest.raises(TableError, match="choose another name"):
        save_game(tmp_path, "Sunday (3)", WON)
    assert saved_names(tmp_path) == ["Sunday (3)"]
    assert saved_text(tmp_path, "Sunday (3)") == WITH_ROLLS
    with pytest.raises(NoSuchGame, match="Monday: no game is saved"):
        saved_text(tmp_path, "Monday")


@pytest.mark.parametrize(
    "name", ["", "../evil", "/etc/passwd", ".hidden", "a/b", "a" * 61, "a.", "\n"]
)
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(TableError, match="a name is up to 60 letters"):
        save_game(tmp_path, name, WITH_ROLLS)


def test_what_cannot_be_played_on_says_why() -> None:
    with pytest.raises(NoSuchPly, match=r"has moves 0\.\.3"):
        start_from(read_saved(WITH_ROLLS), 4, 1.0)
    with pytest.raises(CommandRefused, match=r"over \(princess taken\): play on from"):
        start_from(read_saved(WON), None, 1.0)
    with pytest.raises(CommandRefused, match="cannot be read"):
        read_saved("1. Pd2-d9 *")


@pytest.mark.parametrize("clock", ["nan", "inf", "1e400", "-5", "soon"])
def test_a_clock_that_shows_no_time_is_refused_with_its_move(clock: str) -> None:
    text = f"""[TimeControl "600"]

1. Pd2-d3 {{[%clk 9:58]}} Pe9-e8 {{[%clk {clock}]}} *
"""
    assert start_from(read_saved(text), 1, 1.0).events[-2] == ClockShows(598.0, 600.0)
    with pytest.raises(CommandRefused, match=rf"move 2: .*'{clock}'.*write 0:12:30"):
        start_from(read_saved(text), None, 1.0)
