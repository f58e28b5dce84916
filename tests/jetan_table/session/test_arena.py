"""Duels of the arena at a table: entered, decided, carried out by hands, and kept on the disk."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jetan_table.game.commands import DecideFight, Resign, RollDie
from jetan_table.game.events import DieCommit, DuelTold, Event, GameId, Header
from jetan_table.journal.archive import Archive
from jetan_table.journal.game_files import game_text
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.people.manners import PROFILES
from jetan_table.reading.readings import Played
from jetan_table.replay.replay import advance, replay_of_game
from jetan_table.session.tabletop import HandMove
from jetan_table.session.view import Phase
from jetan_table.settings import Settings
from jetan_table.table.dice import die_of_tags, judge, rolls_of_game, rolls_of_journal
from jetan_table.table.loop import EagerClock
from jetan_table.terminal.terminal import watch_in_lines
from jetan_table.wiring import seat_people
from rules import parse_rules, parse_square
from rules.game import Throw
from rules.position import letters
from rules.text import parse_game
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

ARENA = parse_rules("manator-arena")
START = "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1"
"""Black's Padwar on e4 (worth 2) may enter e6, which a Dwar (worth 4) defends."""

BEGUN = header(ARENA, START)
E4, E6 = parse_square("e4"), parse_square("e6")


def in_journal(folder: Path) -> list[Event]:
    archive = Archive.open(folder)
    happened = [entry.event for entry in archive.entries(GameId(1))]
    archive.close()
    return [event for event in happened if not isinstance(event, DieCommit)]


@contextmanager
def arena(folder: Path, begun: Header | None = BEGUN) -> Iterator[Evening]:
    """Sit down in the arena; its page of the journal goes on where it was left."""
    with sitting(folder, begun) as evening:
        evening.wait(1.0)
        yield evening


def enter(evening: Evening) -> None:
    evening.hands.take(E6, evening.clock.now())
    evening.move("e4", "e6")
    assert evening.table.view.fight is not None


def test_the_table_throws_for_both_and_anybody_can_check_it(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(RollDie())
        while evening.table.view.fight is not None:
            evening.tell(RollDie())
        evening.tell(Resign("black"))
        record = evening.table.record
    archive = Archive.open(tmp_path)
    verdict = judge(record.die, rolls_of_journal(BEGUN, archive.entries(GameId(1))))
    archive.close()
    assert (verdict.is_fair, verdict.by_table > 0, verdict.by_hand) == (True, True, 0)
    text = parse_game(game_text(record))
    assert text.game.plies == record.game.plies
    assert judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags)) == verdict


def test_a_touch_of_the_square_throws(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.hands.lift(E6, evening.clock.now())
        evening.hands.put(E6, evening.clock.now())
        evening.wait(3.0)
        assert any(isinstance(event, DuelTold) for event in in_journal(tmp_path))


def test_a_power_cut_at_every_moment_of_a_lost_fight(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
    with arena(tmp_path, None) as evening:
        fight = evening.table.view.fight
        assert fight is not None
        assert evening.table.view.phase is Phase.PLAYING
        evening.tell(DecideFight("6,4"))
    with arena(tmp_path, None) as evening:
        fight = evening.table.view.fight
        assert fight is not None
        assert fight.throws == (Throw(6, 4, by_hand=True),)
        evening.tell(DecideFight("1,9"))
    with arena(tmp_path, None) as evening:
        assert evening.table.view.leading.repair == HandMove("A", E6, None)
        evening.hands.take(E6, evening.clock.now())
        evening.wait(2.0)
    with arena(tmp_path, None) as evening:
        placing = evening.table.view.leading.placing
        assert placing is not None
        assert (placing.letter, placing.squares) == ("d", (E6,))
        evening.hands.put(E6, evening.clock.now(), "d")
        evening.wait(3.0)
        assert evening.table.view.phase is Phase.PLAYING
        assert evening.hands.standing == letters(evening.table.view.position)
        evening.move("f8", "f7")
        assert evening.table.view.record.moves == ("Ae4xe6", "Cf8-f7")


def test_a_game_with_fights_is_read_once_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(DecideFight("1,9"))
        evening.hands.take(E6, evening.clock.now())
        evening.wait(1.0)
        evening.hands.put(E6, evening.clock.now(), "d")
        evening.wait(3.0)
        evening.move("f8", "f7")
        evening.move("d2", "d3")
        assert len(evening.table.view.record.moves) == 3
    archive = Archive.open(tmp_path)
    replay = replay_of_game(archive, GameId(1))
    archive.close()
    readings = list(advance(replay.source, replay.reader(), replay.ends_at))
    played = [reading.step.squares for reading in readings if isinstance(reading, Played)]
    names = (("e4", "e6"), ("f8", "f7"), ("d2", "d3"))
    assert played == [(parse_square(start), parse_square(end)) for start, end in names]
    assert len(readings) == 3
    archive = Archive.open(tmp_path)
    watch_in_lines(replay_of_game(archive, GameId(1)), EagerClock(), "en")
    archive.close()
    shown = capsys.readouterr().out
    assert "The piece that entered e6 has lost the fight." in shown
    assert "confirmed 3 Cd2-d3" in shown


def test_simulated_people_fight_and_carry_out_what_they_throw(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        clock, begun = EagerClock(), header(ARENA)
        opened = open_game(journal, begun, begun)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 0, clock)
        won = set[bool]()
        while play.is_going_on() and len(won) < 2:
            play.table.step(clock.now())
            play.pause()
            won = {ply.duel.attacker_won for ply in play.table.record.game.plies if ply.duel}
        assert play.is_read_rightly()
        assert won == {True, False}


def test_simulated_people_take_back_what_others_left_undecided(tmp_path: Path) -> None:
    with arena(tmp_path) as evening:
        enter(evening)
        evening.tell(DecideFight("6,4"))
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, None, BEGUN)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 0, EagerClock())
        assert play.table.record.fight is None
        assert play.table.record.moves == ()
