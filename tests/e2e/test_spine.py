"""From switch to record: simulated hands play, and what was written down is what they played."""

from contextlib import closing
from pathlib import Path

from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal, game_path
from jetan_table.people.manners import PROFILES
from jetan_table.people.people import SimulatedPlay
from jetan_table.settings import Settings
from jetan_table.table.games import begin_game
from jetan_table.table.loop import EagerClock
from jetan_table.wiring import seat_people
from rules import Position, parse_position, parse_rules
from rules.text import parse_game

# Few pieces, so that the game is over soon: ten plies without a win draw it.
ENDGAME = "4q1c3/10/5f4/10/3w6/10/10/4F5/10/2W1CQ4 b - - 0 40"


def play(folder: Path, start: Position, people: str, seed: int, plies: int = 999) -> SimulatedPlay:
    """Let simulated people play one game, or so many plies, as fast as the machine can."""
    clock = EagerClock()
    with closing(Journal(folder)) as journal:
        header = Header.of(start, clock.now())
        opened = begin_game(journal, header)
        evening = seat_people(journal, opened, Settings(), PROFILES[people], seed, clock)
        while evening.is_going_on() and len(evening.table.record.moves) < plies:
            evening.table.step(clock.now())
            evening.pause()
        return evening


def test_the_game_file_tells_what_the_hands_have_played(tmp_path: Path) -> None:
    rules = parse_rules("appendix,thoat=jumps")
    evening = play(tmp_path, parse_position(ENDGAME, rules), "careful", 1)
    text = game_path(tmp_path, evening.table.game).read_text()
    game = parse_game(text).game
    moves = [f"{ply.move.from_square} {ply.move.to_square}" for ply in game.plies]
    record = evening.table.session.record
    assert moves == [f"{p.move.from_square} {p.move.to_square}" for p in record.game.plies]
    assert evening.is_read_rightly()
    assert game.outcome == record.game.outcome is not None
    assert 3 <= len(moves) <= len(evening.people.made)


def test_the_journal_alone_tells_the_game_again(tmp_path: Path) -> None:
    rules = parse_rules("appendix,thoat=jumps")
    evening = play(tmp_path, parse_position(ENDGAME, rules), "careful", 4, plies=8)
    with closing(Journal(tmp_path)) as journal:
        game = evening.table.game
        record = journal.archive.record(game)
        observations = list(journal.archive.observations(game))
    assert record == evening.table.session.record
    assert len(observations) > 2 * len(record.game.plies)


def test_the_same_seed_plays_the_same_evening(tmp_path: Path) -> None:
    rules = parse_rules("appendix,thoat=jumps")
    start = parse_position(ENDGAME, rules)
    one, other = (
        play(tmp_path / name, start, "club-night", 5, plies=6) for name in ("one", "other")
    )
    assert one.table.session.record.moves == other.table.session.record.moves
