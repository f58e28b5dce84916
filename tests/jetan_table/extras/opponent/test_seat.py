"""The opponent at a simulated table: a real engine, real scan and reading, typed hands."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from jetan_table.engine import library
from jetan_table.engine.process import EngineProcess
from jetan_table.engine.search import Limits
from jetan_table.extras.opponent.seat import EnginePlayer, Invitation, OpponentSeat
from jetan_table.game.commands import (
    AgreeDraw,
    CommandRefused,
    NewGame,
    SetClock,
    SetConduct,
    TakeBackLast,
)
from jetan_table.game.events import Bias, FirstMove, Header, OpeningAgreed
from jetan_table.light.lamps import MEANINGS, Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.table.dice import Dice, Seeds
from rules import Move, Side, format_square, parse_move, parse_rules
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.engine.other_engine import OTHER_ENGINE
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

QUICK = Limits(nodes=200)
ARENA = "q9/10/10/10/5p4/10/4D5/10/10/9Q b - - 0 1"
LOST = "q9/10/10/10/10/10/10/DDFFTT4/WWDDFFTT2/C8Q b - - 0 1"


@contextmanager
def seated(
    folder: Path, begun: Header | None = None, side: Side = Side.ORANGE
) -> Iterator[tuple[Evening, EngineProcess]]:
    """Sit down at a table against the opponent."""
    with sitting(folder, begun) as evening, closing(EngineProcess({})) as engine:
        dice = Dice(Seeds(folder / "seeds", Random(5).randbytes))
        evening.table.welcome(EnginePlayer(side, engine, QUICK, dice, wait_s=20.0))
        yield evening, engine


def wish(evening: Evening) -> Move:
    evening.wait(0.1)
    found = evening.view.help.wish
    assert found is not None
    return found


def carry_out(evening: Evening, move: Move) -> None:
    evening.move(format_square(move.from_square), format_square(move.to_square))


def test_its_wish_is_lit_and_carried_out_by_hands(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _):
        assert evening.view.help.wish is None
        evening.move("d2", "d3")
        wished = wish(evening)
        shown = cues(evening.view)
        assert shown == {wished.from_square: Cue.WANTED, wished.to_square: Cue.BELONGS}
        evening.lift(format_square(wished.from_square), wait_s=1.0)
        shown = cues(evening.view)
        assert shown == {wished.from_square: Cue.LIFTED, wished.to_square: Cue.BELONGS}
        evening.put(format_square(wished.to_square), wait_s=3.0)
        assert [ply.move for ply in evening.record.game.plies][-1] == wished
        assert evening.view.help.wish is None


def test_it_begins_where_that_is_its_choice(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _):
        disk = header(parse_rules("ninth-ray-counterclockwise"))
        evening.tell(NewGame(disk, (OpeningAgreed(first="orange", bias="orange"),)))
        opening, side = evening.record.opening, evening.view.position.side
        assert opening.first_settled == FirstMove("orange", "chosen")
        assert opening.bias_settled == Bias("counterclockwise", "chosen")
        evening.tell(NewGame(disk, (OpeningAgreed(first="black"),)))
        assert side is Side.ORANGE
        assert evening.view.record.unsettled == "first"
        assert evening.view.help.wish is None


def test_hands_that_play_something_else_are_asked_to_take_it_back_once(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _):
        evening.move("d2", "d3")
        wished = wish(evening)
        start, end = ("a9", "b7") if format_square(wished.from_square) != "a9" else ("j9", "i7")
        evening.move(start, end)
        assert len(evening.record.game.plies) == 1
        evening.set_up(3.0)
        assert wish(evening) == wished
        evening.move(start, end)
        assert len(evening.record.game.plies) == 2


def test_people_take_back_their_own_ply_behind_its_wish(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _):
        evening.move("d2", "d3")
        wish(evening)
        evening.tell(TakeBackLast())
        assert evening.view.help.wish is None
        assert not evening.record.game.plies


def test_its_juggernaut_is_rolled_by_the_table(tmp_path: Path) -> None:
    begun = header(parse_rules("appendix,juggernaut=e5"))
    with seated(tmp_path, begun, Side.BLACK) as (evening, _):
        carry_out(evening, wish(evening))
        evening.wait(1.0)
        assert evening.record.game.plies[0].rolls


def test_it_fights_in_the_arena_by_the_tables_die(tmp_path: Path) -> None:
    begun = header(parse_rules("manator-arena"), ARENA)
    with seated(tmp_path, begun, Side.BLACK) as (evening, _):
        wished = wish(evening)
        assert evening.view.position.is_fought(wished)
        sentences = Speaker("en").sentences(evening.view)
        assert "The move fights the Panthan" in sentences[-1]
        carry_out(evening, wished)
        evening.wait(5.0)
        (ply,) = evening.record.game.plies
        assert ply.move == wished
        assert ply.duel is not None
        assert ply.duel.throws


@pytest.mark.parametrize("is_expected", [True, False])
def test_it_thinks_on_the_others_time_and_is_ready_for_any_reply(
    evening: Evening, is_expected: bool
) -> None:
    with closing(EngineProcess({})) as engine:
        player = EnginePlayer(Side.BLACK, engine, QUICK, wait_s=20.0, ponders=True)
        evening.table.welcome(player)
        wished = wish(evening)
        _, reply, *_ = player.thinking.line
        carry_out(evening, wished)
        ponders = (engine.poll(0.1) is None and engine.info.depth > 0 for _ in range(100))
        assert any(ponders)
        position = evening.record.position
        expected = parse_move(reply, position)
        replies = [m for m in position.moves() if (m == expected) == is_expected]
        carry_out(evening, replies[0])
        assert wish(evening) in evening.record.position.moves()
        assert player.thinking.depth


def test_it_resigns_what_is_hopeless(tmp_path: Path) -> None:
    begun = header(parse_rules("retired-chief,escape=none"), LOST)
    with seated(tmp_path, begun) as (evening, _):
        for start, end in (("g2", "h4"), ("h2", "i4"), ("h4", "i6"), ("i4", "j6")):
            if evening.record.ending:
                break
            evening.move(start, end)
            if not evening.record.ending:
                carry_out(evening, wish(evening))
        ending = evening.record.ending
        assert ending is not None
        assert (ending.result, ending.termination) == ("black", "resigned")


def test_it_plays_on_early_in_the_game(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _), pytest.raises(CommandRefused, match="plays on"):
        evening.tell(AgreeDraw())


def test_it_survives_being_killed(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, engine):
        os.kill(engine.pid, signal.SIGKILL)
        evening.move("d2", "d3")
        assert wish(evening)


def test_every_game_meets_another_player_of_the_level(tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    command = (*OTHER_ENGINE, str(heard))
    with (
        sitting(tmp_path) as evening,
        closing(EngineProcess({"Rules": "appendix", "Seed": "0"}, command)) as engine,
    ):
        evening.table.welcome(EnginePlayer(Side.BLACK, engine, QUICK, wait_s=20.0))
        carry_out(evening, wish(evening))
        evening.move("d9", "d8")
        wish(evening)
        evening.tell(NewGame(structs.replace(header(), started=86_400.0)))
        wish(evening)
    words = [line.split()[0] for line in heard.read_text().splitlines()]
    assert words.count("newgame") == 2
    seeds = [line for line in heard.read_text().splitlines() if " Seed " in line]
    assert len(set(seeds)) == 3


def test_an_engine_that_cannot_be_kept_alive_is_told_of(evening: Evening) -> None:
    engine = EngineProcess({}, ["false"], name="a broken one")
    evening.table.welcome(EnginePlayer(Side.BLACK, engine, QUICK, wait_s=5.0))
    evening.wait(1.0)
    assert evening.view.guest_notes == ("a broken one has ended 3 times (exit code 1)",)
    evening.move("d2", "d3")
    assert len(evening.record.game.plies) == 1
    engine.close()


def test_a_player_who_has_left_wishes_nothing_more(evening: Evening) -> None:
    with closing(EngineProcess({})) as engine:
        player = EnginePlayer(Side.BLACK, engine, QUICK, wait_s=20.0)
        evening.table.welcome(player)
        wish(evening)
        player.trouble = "it has left"
        evening.wait(0.1)
        assert evening.view.help.wish is None
        assert evening.view.guest_notes == ("it has left",)


def test_it_plays_in_the_terminal(tmp_path: Path) -> None:
    words = ("play", "--plain", "--opponent", "padwar", "--think", "0.2", "--data", tmp_path)
    done = run(tmp_path, *words, typed="d2 d3\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "I play " in done.stdout
    assert MEANINGS[Cue.WANTED].mark in done.stdout
    refused = run(tmp_path, "play", "--plain", "--opponent", "padwan", "--data", tmp_path)
    assert refused.returncode == 2
    assert "did you mean padwar?" in refused.stderr


def test_its_clock_stands_while_others_move_its_pieces(tmp_path: Path) -> None:
    with seated(tmp_path) as (evening, _):
        evening.tell(SetClock("10"))
        evening.move("d2", "d3")
        move = wish(evening)
        evening.wait(0.5)
        clocks = evening.record.clocks
        assert clocks is not None
        used = clocks.until(evening.clock.now()).left
        evening.wait(60.0)
        carry_out(evening, move)
        clocks = evening.record.clocks
        assert clocks is not None
        assert clocks.left.orange == used.orange
        assert clocks.running is Side.BLACK
        evening.wait(5.0)
        assert clocks.until(evening.clock.now()).left.black < 596


def test_in_a_tournament_game_it_does_not_say_why(tmp_path: Path) -> None:
    with seated(tmp_path, header(start=ARENA), Side.BLACK) as (evening, _):
        evening.tell(SetConduct("tournament"))
        wish(evening)
        assert evening.view.help.why == ()


@pytest.mark.parametrize(
    ("variable", "mend"),
    [(("JETAN_QUICK_SEARCH", "off"), ""), (("PATH", ""), "sudo apt install gcc")],
)
def test_a_strong_level_without_the_search_in_c_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: tuple[str, str], mend: str
) -> None:
    monkeypatch.setattr(library, "READY", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(*variable)
    with sitting(tmp_path) as evening:
        seat = OpponentSeat(evening.record, Dice(Seeds(tmp_path / "seeds", Random(5).randbytes)))
        evening.table.welcome(seat)
        with closing(seat):
            for level, noted in (("jed", ["search-jed"]), ("odwar", [])):
                seat.invite(Invitation(level, Side.ORANGE))
                evening.wait(0.1)
                assert [each.id for each in evening.view.notices] == noted
                assert all(each.mend == mend for each in evening.view.notices)
