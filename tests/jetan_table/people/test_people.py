"""People with magnets at a table: they follow its lamps, and what it misreads is named."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.cli import main
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.people.manners import PROFILES
from jetan_table.people.people import SimulatedPlay, leave
from jetan_table.settings import Settings
from jetan_table.table.games import begin_game
from jetan_table.table.loop import EagerClock
from jetan_table.wiring import seat_people
from rules import Position, parse_rules
from tests.profiles import SHORT_GAME


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path)) as journal:
        yield journal


@pytest.fixture
def play(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> SimulatedPlay:
    """Clumsy people who sit down to a game with the Juggernaut, whose rolls do not end it soon."""
    monkeypatch.setattr("os.urandom", Random(1).randbytes)
    profile, clock = PROFILES["clumsy"], EagerClock()
    start = Position.start(parse_rules(f"{profile.rules},juggernaut=e5"))
    opened = begin_game(journal, Header.of(start, clock.now()))
    return seat_people(journal, opened, Settings(), profile, 1, clock)


def play_plies(play: SimulatedPlay, plies: int) -> None:
    while play.is_going_on() and len(play.table.record.moves) < plies:
        play.table.step(play.clock.now())
        play.pause()


def test_people_play_roll_and_are_led_back(play: SimulatedPlay) -> None:
    play_plies(play, 6)
    assert len(play.table.record.moves) == 6
    assert sum(len(ply.rolls) for ply in play.table.record.game.plies) >= 5
    assert play.is_read_rightly()


def test_a_ply_that_nobody_made_is_a_misreading(play: SimulatedPlay) -> None:
    play_plies(play, 3)
    del play.people.made[1]
    assert not play.is_read_rightly()


def test_plies_in_another_order_are_a_misreading(play: SimulatedPlay) -> None:
    play_plies(play, 3)
    play.people.made.reverse()
    assert not play.is_read_rightly()


def test_the_text_of_a_game_they_leave_knows_of_its_end(
    play: SimulatedPlay, journal: Journal
) -> None:
    play_plies(play, 1)
    leave(journal, play)
    archive, game = journal.archive, play.table.game
    assert archive.games()[0].termination == "abandoned"
    assert archive.texts.witness(game) == journal.witness(game)


def test_they_are_watched_by_their_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "--board", "simulated", *SHORT_GAME, "--plain", "--data", str(tmp_path)]
    assert main(words) == 0
    assert "read as they were played" in capsys.readouterr().out
