"""Duels of the arena: checked, read once more, fought and left by simulated people.

How hands carry one out is in `tests/data/tables/arena.txt`.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.game.events import GameId
from jetan_table.game.texts import game_text
from jetan_table.journal.archive import Archive
from jetan_table.journal.journal import Journal
from jetan_table.people.manners import PROFILES
from jetan_table.replay.replay import advance, replay_of_game
from jetan_table.settings import Settings
from jetan_table.table.dice import die_of_tags, judge, rolls_of_game, rolls_of_journal
from jetan_table.table.games import begin_game, open_game
from jetan_table.table.loop import EagerClock
from jetan_table.terminal.terminal import watch_in_lines
from jetan_table.wiring import seat_people
from rules import parse_rules, parse_square
from rules.text import parse_game
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

ARENA = parse_rules("manator-arena")
START = "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1"
"""Black's Padwar on e4 (worth 2) may enter e6, which a Dwar (worth 4) defends."""

BEGUN = header(ARENA, START)


@pytest.fixture
def entered(tmp_path: Path) -> Iterator[Evening]:
    """A table at which the Padwar has entered."""
    with sitting(tmp_path, BEGUN) as evening:
        evening.take("e6")
        evening.move("e4", "e6")
        yield evening


def test_the_table_throws_for_both_and_anybody_can_check_it(entered: Evening) -> None:
    entered.type("roll")
    while entered.view.fight is not None:
        entered.type("roll")
    entered.type("resign black")
    record, archive = entered.record, entered.journal.archive
    verdict = judge(record.die, rolls_of_journal(BEGUN, archive.entries(GameId(1))))
    assert (verdict.is_fair, verdict.by_table > 0, verdict.by_hand) == (True, True, 0)
    text = parse_game(game_text(record))
    assert text.game.plies == record.game.plies
    assert judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags)) == verdict


def test_a_game_with_fights_is_read_once_more(
    entered: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entered.type("duel 1,9")
    entered.take("e6")
    entered.put("e6", "d")
    entered.type("f8 f7", "d2 d3")
    assert len(entered.record.moves) == 3
    entered.journal.flush()
    with closing(Archive.open(tmp_path)) as archive:
        replay = replay_of_game(archive, GameId(1))
        readings = list(advance(replay.source, replay.reader(), replay.ends_at))
        watch_in_lines(replay_of_game(archive, GameId(1)), EagerClock(0.0), "en")
    played = [reading.step.squares for reading in readings if reading.step]
    names = (("e4", "e6"), ("f8", "f7"), ("d2", "d3"))
    assert played == [(parse_square(start), parse_square(end)) for start, end in names]
    assert len(readings) == 3
    shown = capsys.readouterr().out
    assert "The piece that entered e6 has lost the fight." in shown
    assert "confirmed 3 Cd2-d3" in shown


def test_simulated_people_fight_and_carry_out_what_they_throw(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        clock, begun = EagerClock(), header(ARENA)
        opened = begin_game(journal, begun)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 4, clock)
        won = set[bool]()
        while play.is_going_on() and len(won) < 2:
            play.table.step(clock.now())
            play.pause()
            won = {ply.duel.attacker_won for ply in play.table.record.game.plies if ply.duel}
        assert play.is_read_rightly()
        assert won == {True, False}


def test_simulated_people_take_back_what_others_left_undecided(
    entered: Evening, tmp_path: Path
) -> None:
    entered.type("duel 6,4")
    entered.journal.close()
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, BEGUN)
        play = seat_people(journal, opened, Settings(), PROFILES["careful"], 0, EagerClock())
        assert play.table.record.fight is None
        assert play.table.record.moves == ()
